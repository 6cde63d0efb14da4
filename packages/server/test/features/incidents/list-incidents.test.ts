import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Incident, incidentFields } from '@kontor/contract';
import { incidentTestData, type IncidentTestData } from './support.ts';

let context: IncidentTestData;
/** Every incident of the organization by a name. */
let all: Record<'damage' | 'theft' | 'leave' | 'lager' | 'anonymous', Incident>;

before(async () => {
  context = await incidentTestData();
  const { testData } = context;
  const withoutTenant = await context.employee({ tenant: null });
  all = {
    damage: await context.reported({ description: 'Rahmen 100 % hin' }, { divisionId: testData.north }),
    theft: await context.reported(
      {
        type: 'theft',
        policeReference: 'ST/Ä-7',
        requestedSolution: 'replacement',
        occurredOn: '2026-08-31',
      },
      { divisionId: testData.support },
    ),
    leave: await context.reported({ type: 'parental_leave', effectiveFrom: '2026-11-01', description: null }),
    lager: await context.reported({}, { tenant: testData.tenantB, divisionId: testData.lager }),
    anonymous: (await context.client.post('/incidents', { employeeId: withoutTenant, type: 'other' })).body,
  };
});
after(() => context.close());

const list = (query = {}, options = {}) => context.client.get('/incidents', { query, ...options });
type Name = keyof typeof all;
const names = (items: Incident[]): Name[] =>
  items.map(item => (Object.keys(all) as Name[]).find(name => all[name].id === item.id)!);

describe('listIncidents 200', () => {
  test('lists what each key may read, narrowed by X-Tenant-ID, with exact totals', async () => {
    const { keys, tenantA, tenantB } = context.testData;
    const cases: [object, Name[]][] = [
      [{}, ['damage', 'theft', 'leave', 'lager', 'anonymous']],
      [{ tenant: tenantA }, ['damage', 'theft', 'leave']],
      [{ tenant: tenantB }, ['lager']],
      [{ key: keys.tenantA }, ['damage', 'theft', 'leave']],
      [{ key: keys.sales }, ['damage']],
      [{ key: keys.salesAndSupport }, ['damage', 'theft']],
      [{ key: keys.foreign }, []],
    ];
    for (const [options, expected] of cases) {
      const { status, body } = await list({}, options);
      assert.equal(status, 200);
      assert.deepEqual(names(body.items).toSorted(), expected.toSorted());
      assert.equal(body.totalElements, expected.length);
    }
  });

  test('items are the stored documents', async () => {
    const { body } = await list({ filter: `id = ${all.theft.id}` });
    assert.deepEqual(body.items, [all.theft]);
  });

  const cases: [string, Name[]][] = [
    ['type = theft', ['theft']],
    ['type IN (theft, parental_leave)', ['theft', 'leave']],
    ['requestedSolution IS NULL AND type != other', ['damage', 'leave', 'lager']],
    ['status = draft', ['leave', 'anonymous']],
    ['editable = true AND status != draft', ['damage', 'theft', 'lager']],
    ['occurredOn < 2026-09-01', ['theft']],
    ['occurredOn IS NULL', ['anonymous']],
    ['effectiveFrom >= 2026-11-01', ['leave']],
    ['effectiveTo IS NOT NULL', []],
    ["description CONTAINS '100 %'", ['damage']],
    ["policeReference = 'st/ä-7'", ['theft']],
    ['incidentNumber ENDS_WITH 000003', ['leave']],
    ['orderId IS NULL', ['anonymous']],
  ];
  for (const [filter, expected] of cases)
    test(`filter=${filter}`, async () => {
      const { body } = await list({ filter });
      assert.deepEqual(names(body.items).toSorted(), expected.toSorted());
    });

  test('every public scalar field filters by equality and sorts in both directions', async () => {
    for (const { name } of incidentFields.values()) {
      const value = all.theft[name as Exclude<keyof Incident, 'attachments'>];
      const filter = value === null ? `${name} IS NULL` : `${name} = '${value}'`;
      const found = await list({ filter });
      assert.ok(names(found.body.items).includes('theft'), filter);
      const up = await list({ sort: name });
      const down = await list({ sort: `-${name}` });
      assert.deepEqual(names(up.body.items), names(down.body.items).toReversed(), name);
    }
  });

  test('nulls come first ascending', async () => {
    const { body } = await list({ sort: 'occurredOn' });
    assert.deepEqual(names(body.items).slice(0, 2), ['anonymous', 'theft']);
  });

  test('pages, and narrows by createdAt', async () => {
    const page = await list({ page: 2, pageSize: 2, sort: 'incidentNumber' });
    assert.deepEqual(names(page.body.items), ['leave', 'lager']);
    assert.deepEqual([page.body.totalPages, page.body.totalElements], [3, 5]);
    const since = await list({ createdAtFrom: all.lager.createdAt, createdAtTo: all.lager.createdAt });
    assert.deepEqual(names(since.body.items), ['lager']);
  });
});

describe('listIncidents 400 and 422', () => {
  const cases: [Record<string, string | number>, number, string][] = [
    [{ filter: 'type =' }, 400, 'INVALID_FILTER_SYNTAX'],
    [{ filter: 'attachments IS NULL' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'tenant IS NULL' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'occurredOn CONTAINS 2026' }, 400, 'UNSUPPORTED_FILTER_OPERATOR'],
    [{ filter: 'type > theft' }, 400, 'UNSUPPORTED_FILTER_OPERATOR'],
    [{ sort: 'attachments' }, 400, 'UNSUPPORTED_SORT_FIELD'],
    [{ sort: '--id' }, 400, 'VALIDATION_ERROR'],
    [{ pageSize: 1001 }, 400, 'VALIDATION_ERROR'],
    [{ filter: 'type = boredom' }, 422, 'VALIDATION_ERROR'],
    [{ filter: 'occurredOn = 2026-02-30' }, 422, 'VALIDATION_ERROR'],
  ];
  for (const [query, status, code] of cases)
    test(`${JSON.stringify(query)} is ${status} ${code}`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    });
});
