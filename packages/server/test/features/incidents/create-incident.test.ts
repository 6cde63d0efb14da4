import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { incidentTypes } from '@kontor/contract';
import { overtaken } from '../../support/database/locks.ts';
import {
  dayInTenYears,
  daysOutOfBounds,
  incidentCounters,
  incidentTestData,
  type IncidentTestData,
  wholeState,
} from './support.ts';

let context: IncidentTestData;
before(async () => (context = await incidentTestData()));
after(() => context.close());

const post = (body: unknown, options = {}) => context.client.post('/incidents', body, options);

describe('createIncident 201', () => {
  test('answers every field, absent ones null, its number and its Location', async () => {
    const employeeId = await context.employee();
    const created = await post({ employeeId, type: 'damage' });
    assert.equal(created.status, 201);
    assert.equal(created.headers.location, `/v1/incidents/${created.body.id}`);
    const { id, incidentNumber, createdAt, updatedAt, ...rest } = created.body;
    assert.match(incidentNumber, /^S-20\d\d-\d{6}$/);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      employeeId,
      orderId: null,
      type: 'damage',
      requestedSolution: null,
      occurredOn: null,
      effectiveFrom: null,
      effectiveTo: null,
      description: null,
      policeReference: null,
      status: 'draft',
      editable: true,
      attachments: [],
    });
    assert.deepEqual((await context.client.get(`/incidents/${id}`)).body, created.body);
  });

  test('keeps every writable field exactly as sent', async () => {
    const body = await context.report({
      type: 'theft',
      requestedSolution: 'replacement',
      effectiveFrom: '2026-09-03',
      effectiveTo: '2026-09-03',
      description: '  Straße "17"\n🙂',
      policeReference: 'ST/01',
    });
    const { body: created } = await post(body);
    for (const [name, value] of Object.entries(body)) assert.deepEqual(created[name], value, name);
  });

  test('takes identifiers in uppercase as the same ones', async () => {
    const body = await context.report();
    const created = await post({
      ...body,
      employeeId: body.employeeId.toUpperCase(),
      orderId: body.orderId.toUpperCase(),
    });
    assert.deepEqual([created.body.employeeId, created.body.orderId], [body.employeeId, body.orderId]);
  });

  for (const type of incidentTypes)
    test(`${type} is a draft while something that it requires is missing`, async () => {
      const leave = ['long_term_illness', 'maternity_leave', 'parental_leave', 'unpaid_leave', 'release'];
      const required = ['orderId', 'occurredOn', 'description'];
      if (leave.includes(type)) required.push('effectiveFrom');
      if (['theft', 'loss'].includes(type)) required.push('policeReference');
      const all = {
        ...(await context.report({ type })),
        effectiveFrom: '2026-10-01',
        policeReference: 'P-1',
      };
      for (const missing of ['orderId', 'occurredOn', 'description', 'effectiveFrom', 'policeReference']) {
        const created = await post({ ...all, [missing]: null });
        assert.equal(created.body.status, required.includes(missing) ? 'draft' : 'completed', missing);
      }
    });

  test('dates may be the first and the last day of the bounds', async () => {
    for (const day of ['2000-01-01', dayInTenYears(0)]) {
      const dates = { occurredOn: day, effectiveFrom: day, effectiveTo: day };
      const { status, body } = await post(await context.report(dates));
      assert.deepEqual([status, body], [201, { ...body, ...dates }]);
    }
  });

  test('a description of white space counts as missing', async () => {
    assert.equal((await post(await context.report({ description: ' \n' }))).body.status, 'draft');
  });

  test('counts the row for organization, tenant and division, and audits it without values', async () => {
    const { sql, testData } = context;
    const created = await context.reported({}, { divisionId: testData.north });
    const { kept, real } = await incidentCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
    assert.equal(kept[testData.north], 1);
    const [audit] = await sql`SELECT * FROM audit WHERE target_id = ${created.id}`;
    assert.deepEqual(
      [audit?.['action'], audit?.['fields'], audit?.['at']],
      ['incident.create', [], new Date(created.createdAt)],
    );
  });

  test('20 creates at once have 20 numbers in a row, and no later instant has a lower one', async () => {
    const { sql, testData } = context;
    const employeeId = await context.employee();
    const [start] =
      await sql`SELECT incident_sequence AS n FROM organization WHERE id = ${testData.organization}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post({ employeeId, type: 'accident' })),
    );
    const created = answers.map(({ body }) => ({
      at: body.createdAt,
      number: Number(body.incidentNumber.slice(7)),
    }));
    created.sort((a, b) => a.number - b.number);
    const first = Number(start!['n']) + 1;
    assert.deepEqual(
      created.map(({ number }) => number),
      Array.from({ length: 20 }, (_, n) => first + n),
    );
    const instants = created.map(({ at }) => at);
    assert.deepEqual(instants, instants.toSorted());
  });

  test('an employee without tenant is counted under none', async () => {
    const { sql, testData } = context;
    const employeeId = await context.employee({ tenant: null });
    assert.equal((await post({ employeeId, type: 'other' })).status, 201);
    const { kept, real } = await incidentCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
    assert.equal(kept['none'], 1);
  });
});

describe('createIncident 400', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['an unknown property', { nickname: 'x' }, 'UNSUPPORTED_FIELD', /nickname/],
    ['the read-only status', { status: 'draft' }, 'UNSUPPORTED_FIELD', /status/],
    ['the read-only incidentNumber', { incidentNumber: 'S-1' }, 'UNSUPPORTED_FIELD', /incidentNumber/],
    ['the read-only editable', { editable: true }, 'UNSUPPORTED_FIELD', /editable/],
    ['the read-only attachments', { attachments: [] }, 'UNSUPPORTED_FIELD', /attachments/],
    ['an employeeId that is no identifier', { employeeId: '7' }, 'INVALID_REFERENCE_ID', /employeeId/],
    ['an orderId that is no identifier', { orderId: '7' }, 'INVALID_REFERENCE_ID', /orderId/],
    ['an orderId that is no string', { orderId: 7 }, 'VALIDATION_ERROR', /orderId/],
    ['a missing employeeId', { employeeId: undefined }, 'VALIDATION_ERROR', /employeeId/],
    ['a missing type', { type: undefined }, 'VALIDATION_ERROR', /type/],
    ['a null type', { type: null }, 'VALIDATION_ERROR', /type/],
    ['an unknown type', { type: 'boredom' }, 'VALIDATION_ERROR', /type/],
    ['an unknown requestedSolution', { requestedSolution: 'x' }, 'VALIDATION_ERROR', /requestedSolution/],
    ['February 30', { occurredOn: '2026-02-30' }, 'VALIDATION_ERROR', /occurredOn/],
    ['February 29 of no leap year', { effectiveFrom: '2100-02-29' }, 'VALIDATION_ERROR', /effectiveFrom/],
    ['the year 0000', { effectiveTo: '0000-01-01' }, 'VALIDATION_ERROR', /effectiveTo/],
    ['an instant for a day', { occurredOn: '2026-02-03T00:00:00Z' }, 'VALIDATION_ERROR', /occurredOn/],
    ['a description over 4,000 characters', { description: 'x'.repeat(4001) }, 'VALIDATION_ERROR', /4,?000/],
    [
      'a policeReference over 200 characters',
      { policeReference: 'x'.repeat(201) },
      'VALIDATION_ERROR',
      /200/,
    ],
    ['NUL in a string', { description: 'a\u0000b' }, 'VALIDATION_ERROR', /description/],
  ];
  for (const [name, more, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const body = await context.report(more);
      const before = await wholeState(context.sql);
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.body.error.code], [400, code]);
      assert.match(answer.body.error.message, message);
      assert.equal(await wholeState(context.sql), before);
    });

  test('texts at their bound and a leap day pass', async () => {
    const body = await context.report({
      description: '🙂'.repeat(4000),
      policeReference: 'Ä'.repeat(200),
      occurredOn: '2028-02-29',
    });
    assert.equal((await post(body)).status, 201);
  });
});

describe('createIncident 422', () => {
  const rejected = async (body: unknown, code: string, message: RegExp, options = {}) => {
    const before = await wholeState(context.sql);
    for (const more of [{}, { query: { dryRun: true } }]) {
      const answer = await post(body, { ...options, ...more });
      assert.deepEqual([answer.status, answer.body.error.code], [422, code]);
      assert.match(answer.body.error.message, message);
    }
    assert.equal(await wholeState(context.sql), before);
  };

  for (const field of ['occurredOn', 'effectiveFrom', 'effectiveTo'])
    test(`VALIDATION_ERROR for a ${field} before 2000 or over ten years ahead`, async () => {
      const report = await context.report();
      const bounds = new RegExp(`^${field} must be from 2000-01-01 to \\d{4}-\\d{2}-\\d{2}; check the year$`);
      for (const day of daysOutOfBounds())
        await rejected({ ...report, [field]: day }, 'VALIDATION_ERROR', bounds);
    });

  test('INVALID_REFERENCE, the same for an employee missing, out of scope, foreign and outside the tenant', async () => {
    const { testData } = context;
    const inSupport = await context.employee({ divisionId: testData.support, activated: false });
    const withoutTenant = await context.employee({ tenant: null });
    const ask = (employeeId: string, options = {}) => post({ employeeId, type: 'other' }, options);
    const answers = [
      await ask('f'.repeat(24)),
      await ask(inSupport, { key: testData.keys.sales }),
      await ask(inSupport, { key: testData.keys.foreign }),
      await ask(inSupport, { tenant: testData.tenantB }),
      await ask(withoutTenant, { tenant: testData.tenantA }),
      await ask(withoutTenant, { key: testData.keys.tenantA }),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_REFERENCE']);
      assert.equal(answer.body.error.message, answers[0]!.body.error.message);
    }
  });

  test('INVALID_REFERENCE for an orderId that is no order of the employee', async () => {
    const body = await context.report();
    const other = await context.order(await context.employee());
    await rejected({ ...body, orderId: other }, 'INVALID_REFERENCE', /orderId/);
    await rejected({ ...body, orderId: 'f'.repeat(24) }, 'INVALID_REFERENCE', /orderId/);
  });

  test('EMPLOYEE_NOT_ACTIVATED when the referenced employee is not activated, before EMPLOYEE_BLOCKED', async () => {
    const employeeId = await context.employee({ activated: false, blocked: true });
    const body = { employeeId, type: 'other', orderId: 'f'.repeat(24) };
    await rejected(body, 'EMPLOYEE_NOT_ACTIVATED', /the referenced employee is not activated/);
  });

  test('EMPLOYEE_BLOCKED before INVALID_REFERENCE of the order', async () => {
    const employeeId = await context.employee({ blocked: true });
    const body = { employeeId, type: 'other', orderId: 'f'.repeat(24) };
    await rejected(body, 'EMPLOYEE_BLOCKED', /employeeId.*blocked/);
  });

  test('VALIDATION_ERROR names effectiveTo and effectiveFrom when one is before the other', async () => {
    const body = await context.report({ effectiveFrom: '2026-10-02', effectiveTo: '2026-10-01' });
    await rejected(body, 'VALIDATION_ERROR', /effectiveTo.*effectiveFrom/);
  });

  test('EMPLOYEE_BLOCKED also when the employee is blocked while the incident waits for its write', async () => {
    const { sql, testData } = context;
    const body = await context.report();
    const [answer] = await overtaken(
      sql,
      testData.organization,
      () => [post(body)],
      transaction => transaction`
        UPDATE employee SET blocked = true, doc = replace(doc, '"blocked":false', '"blocked":true') WHERE id = ${body.employeeId}`,
    );
    assert.deepEqual([answer!.status, answer!.body.error.code], [422, 'EMPLOYEE_BLOCKED']);
  });
});

describe('createIncident 200 with dryRun', () => {
  test('answers the projection with the number it would get, and changes nothing', async () => {
    const { sql, client } = context;
    const body = await context.report();
    const before = await wholeState(sql);
    const answer = await post(body, { query: { dryRun: true } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.location, undefined);
    assert.deepEqual([answer.body.id, answer.body.status], ['0'.repeat(24), 'completed']);
    assert.equal(await wholeState(sql), before);
    const created = await client.post('/incidents', body);
    assert.equal(created.body.incidentNumber, answer.body.incidentNumber);
  });

  test('does not wait for the clock that a write holds, nor meets the number that it takes', async () => {
    const { sql, testData } = context;
    const body = await context.report();
    await sql.begin(async transaction => {
      await transaction`UPDATE organization SET clock = clock WHERE id = ${testData.organization}`;
      assert.equal((await post(body, { query: { dryRun: true } })).status, 200);
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(body, n % 2 ? { query: { dryRun: true } } : {})),
    );
    assert.deepEqual(
      answers.map(answer => answer.status),
      answers.map((_, n) => (n % 2 ? 200 : 201)),
    );
  });
});
