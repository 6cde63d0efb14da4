import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apiClient } from '../../support/contract/client.ts';
import { moveEmployee } from '../../support/data/employees.ts';
import { overtaken } from '../../support/database/locks.ts';
import { startService } from '../../support/service/service.ts';
import { storeIncident } from '../../support/data/incidents.ts';
import { advance, daysOutOfBounds, incidentTestData, type IncidentTestData, wholeState } from './support.ts';

let context: IncidentTestData;
before(async () => (context = await incidentTestData()));
after(() => context.close());

const patch = (id: string, body: unknown, options = {}) =>
  context.client.patch(`/incidents/${id}`, body, options);

describe('updateIncident 200', () => {
  test('merges: absent stays, null clears, and updatedAt moves on', async () => {
    const before = await context.reported({ policeReference: 'P-1', requestedSolution: 'repair' });
    const answer = await patch(before.id, { description: 'neu', policeReference: null });
    assert.equal(answer.status, 200);
    const { updatedAt } = answer.body;
    assert.deepEqual(answer.body, { ...before, description: 'neu', policeReference: null, updatedAt });
    assert.ok(updatedAt > before.updatedAt);
    assert.deepEqual((await context.client.get(`/incidents/${before.id}`)).body, answer.body);
  });

  test('the status follows from what is missing, in both directions', async () => {
    const { id } = await context.reported();
    assert.equal((await patch(id, { occurredOn: null })).body.status, 'draft');
    assert.equal((await patch(id, { occurredOn: '2026-09-03' })).body.status, 'completed');
    assert.equal((await patch(id, { type: 'loss' })).body.status, 'draft');
    assert.equal((await patch(id, { policeReference: 'P-2' })).body.status, 'completed');
    assert.equal((await patch(id, { type: 'parental_leave' })).body.status, 'draft');
    assert.equal((await patch(id, { effectiveFrom: '2026-12-01' })).body.status, 'completed');
  });

  test('a change of nothing leaves updatedAt, clock and audit alone', async () => {
    const incident = await context.reported();
    const before = await wholeState(context.sql);
    const answer = await patch(incident.id, { type: incident.type, policeReference: null });
    assert.deepEqual([answer.status, answer.body], [200, incident]);
    assert.equal(await wholeState(context.sql), before);
  });

  test('a change that another process has made meanwhile changes nothing', async () => {
    const { sql, testData, client } = context;
    const incident = await context.reported();
    const service = await startService(sql);
    const other = apiClient(service.url, { key: testData.keys.all });
    const answers = await overtaken(sql, testData.organization, () =>
      [client, other].map(each => each.patch(`/incidents/${incident.id}`, { description: 'same' })),
    );
    other.close();
    await service.stop();
    assert.deepEqual(answers[0]!.body, answers[1]!.body);
    const audited = await sql`
      SELECT FROM audit WHERE target_id = ${incident.id} AND action = 'incident.update'`;
    assert.equal(audited.length, 1);
  });

  test('30 updates at once are all kept', async () => {
    const { id } = await context.reported();
    const names = ['description', 'policeReference', 'occurredOn'] as const;
    const day = (n: number) => `2026-09-${String(n + 1).padStart(2, '0')}`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => patch(id, { [names[n % 3]!]: n % 3 === 2 ? day(n) : `v${n}` })),
    );
    const bodies = answers.map(answer => answer.body);
    assert.equal(new Set(bodies.map(body => body.updatedAt)).size, 30);
    const last = bodies.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0];
    assert.deepEqual((await context.client.get(`/incidents/${id}`)).body, last);
  });

  test('is found by its new values, and by the old ones no more', async () => {
    const { id } = await context.reported({ description: 'Speiche am Hinterrad' });
    await patch(id, { description: 'Große Acht im Vorderrad', effectiveTo: '2031-01-01' });
    const ids = async (filter: string) =>
      (await context.client.get('/incidents', { query: { filter } })).body.items.map(
        (item: { id: string }) => item.id,
      );
    assert.deepEqual(await ids("description CONTAINS 'GROSSE ACHT' AND effectiveTo >= 2031-01-01"), [id]);
    assert.deepEqual(await ids('description CONTAINS speiche'), []);
  });

  test('audits the names of the changed fields, not their values', async () => {
    const { id } = await context.reported();
    await patch(id, { description: null, type: 'damage', policeReference: 'P-9' });
    const [row] = await context.sql`
      SELECT fields FROM audit WHERE target_id = ${id} AND action = 'incident.update'`;
    assert.deepEqual(row?.['fields'], ['description', 'policeReference', 'status']);
  });

  test('an incident of an employee who was blocked since can still be completed', async () => {
    const { id, employeeId } = await context.reported({ occurredOn: null });
    await context.client.patch(`/employees/${employeeId}`, { blocked: true });
    assert.equal((await patch(id, { occurredOn: '2026-09-01' })).body.status, 'completed');
  });
});

describe('updateIncident 400', () => {
  const cases: [string, unknown, string, RegExp][] = [
    ['the read-only employeeId', { employeeId: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /employeeId/],
    ['the read-only status', { status: 'completed' }, 'UNSUPPORTED_FIELD', /status/],
    ['the read-only incidentNumber', { incidentNumber: 'S-1' }, 'UNSUPPORTED_FIELD', /incidentNumber/],
    ['the read-only editable', { editable: false }, 'UNSUPPORTED_FIELD', /editable/],
    ['the read-only updatedAt', { updatedAt: '2026-01-01T00:00:00.000Z' }, 'UNSUPPORTED_FIELD', /updatedAt/],
    ['an empty body', {}, 'VALIDATION_ERROR', /./],
    ['a null type', { type: null }, 'VALIDATION_ERROR', /type/],
    ['an impossible date', { effectiveTo: '2026-04-31' }, 'VALIDATION_ERROR', /effectiveTo/],
    ['a malformed orderId', { orderId: 'x' }, 'INVALID_REFERENCE_ID', /orderId/],
  ];
  for (const [name, body, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const { id } = await context.reported();
      const before = await wholeState(context.sql);
      const answer = await patch(id, body);
      assert.deepEqual([answer.status, answer.body.error.code], [400, code]);
      assert.match(answer.body.error.message, message);
      assert.equal(await wholeState(context.sql), before);
    });
});

describe('updateIncident 404', () => {
  test('NOT_FOUND when the employee leaves the scope while the update waits for its write', async () => {
    const { sql, testData } = context;
    const { id, employeeId } = await context.reported({}, { divisionId: testData.sales });
    const [answer] = await overtaken(
      sql,
      testData.organization,
      () => [patch(id, { type: 'other' }, { key: testData.keys.sales })],
      transaction =>
        moveEmployee(transaction, testData.organization, { id: employeeId, to: testData.support }),
    );
    assert.equal(answer!.status, 404);
  });
});

describe('updateIncident 409', () => {
  for (const status of ['in_progress', 'resolved', 'rejected', 'cancelled'] as const)
    test(`INVALID_STATE_TRANSITION once it is ${status}, before all other rejections`, async () => {
      const { id, type } = await context.reported();
      await advance(context.sql, id, status);
      const before = await wholeState(context.sql);
      for (const body of [{ description: 'x' }, { orderId: 'f'.repeat(24) }, { type }]) {
        const answer = await patch(id, body);
        assert.deepEqual([answer.status, answer.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
        assert.match(answer.body.error.message, new RegExp(status));
      }
      assert.equal(await wholeState(context.sql), before);
    });
});

describe('an incident with dates from before their bounds', () => {
  const old = { occurredOn: '0026-11-01', effectiveFrom: '1987-01-01', effectiveTo: '9999-12-31' };
  const stored = () => {
    const { organization, tenantA } = context.testData;
    return storeIncident(context.sql, { organization, tenant: tenantA }, old);
  };

  test('updateIncident 200: other fields change, also by a patch that repeats the dates', async () => {
    const { id } = await stored();
    for (const body of [
      { description: 'neu' },
      { ...old, description: 'noch neuer' },
      { policeReference: 'P-1' },
    ]) {
      assert.equal((await patch(id, body, { query: { dryRun: true } })).status, 200);
      const answer = await patch(id, body);
      assert.deepEqual([answer.status, answer.body], [200, { ...answer.body, ...old, ...body }]);
    }
  });

  test('updateIncident 200: a date is cleared or mended beside old ones', async () => {
    const { id } = await stored();
    assert.equal((await patch(id, { occurredOn: null })).body.occurredOn, null);
    assert.equal((await patch(id, { ...old, occurredOn: '2026-11-01' })).body.occurredOn, '2026-11-01');
  });

  test('updateIncident 422: an old date that was cleared or mended does not come back', async () => {
    const { id } = await stored();
    await patch(id, { occurredOn: null });
    for (const options of [{}, { query: { dryRun: true } }]) {
      const answer = await patch(id, { occurredOn: old.occurredOn }, options);
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'VALIDATION_ERROR']);
    }
  });
});

describe('updateIncident 422', () => {
  const rejected = async (id: string, body: unknown, code: string, message: RegExp) => {
    const before = await wholeState(context.sql);
    for (const options of [{}, { query: { dryRun: true } }]) {
      const answer = await patch(id, body, options);
      assert.deepEqual([answer.status, answer.body.error.code], [422, code]);
      assert.match(answer.body.error.message, message);
    }
    assert.equal(await wholeState(context.sql), before);
  };

  for (const field of ['occurredOn', 'effectiveFrom', 'effectiveTo'])
    test(`VALIDATION_ERROR for a ${field} before 2000 or over ten years ahead`, async () => {
      const { id } = await context.reported();
      for (const day of daysOutOfBounds())
        await rejected(
          id,
          { [field]: day },
          'VALIDATION_ERROR',
          new RegExp(`^${field} must be from 2000-01-01`),
        );
    });

  test('INVALID_REFERENCE for an order of another employee, and for none', async () => {
    const { id } = await context.reported();
    const other = await context.order(await context.employee());
    await rejected(id, { orderId: other }, 'INVALID_REFERENCE', /orderId/);
    await rejected(id, { orderId: 'f'.repeat(24) }, 'INVALID_REFERENCE', /orderId/);
  });

  test('VALIDATION_ERROR when the dates are in the wrong order after the merge', async () => {
    const { id } = await context.reported({ effectiveFrom: '2026-10-05', effectiveTo: '2026-10-09' });
    const both = /effectiveTo.*effectiveFrom/;
    await rejected(id, { effectiveTo: '2026-10-04' }, 'VALIDATION_ERROR', both);
    await rejected(id, { effectiveFrom: '2026-10-10' }, 'VALIDATION_ERROR', both);
    assert.equal((await patch(id, { effectiveFrom: '2026-10-09' })).status, 200);
  });
});
