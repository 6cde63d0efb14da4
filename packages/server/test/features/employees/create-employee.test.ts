import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { employeeFields } from '@kontor/contract';
import { useFixture } from '../../support/service/fixture.ts';
import { stateOf, testKey } from '../../support/data/test-data.ts';

const fixture = useFixture();
let sequence = 0;

/** A valid body; every call has another email. */
function person(more: Record<string, unknown> = {}): Record<string, unknown> {
  sequence += 1;
  return { email: `person.${sequence}@example.com`, firstName: 'Jürgen', lastName: 'Groß', ...more };
}

const inA = () => ({ tenant: fixture.testData.tenantA });

describe('createEmployee 201', () => {
  test('answers the resource with every field, absent ones null, and its Location', async () => {
    const body = person();
    const created = await fixture.client.post('/employees', body, inA());
    assert.equal(created.status, 201);
    assert.equal(created.headers.location, `/v1/employees/${created.body.id}`);
    const { id, createdAt, updatedAt } = created.body;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.equal(createdAt, updatedAt);
    const absent = Object.fromEntries(Array.from(employeeFields.keys(), name => [name, null]));
    const set = { id, createdAt, updatedAt, blocked: false, tenant: fixture.testData.tenantA };
    assert.deepEqual(created.body, { ...absent, ...body, ...set });
    const read = await fixture.client.get(`/employees/${id}`);
    assert.deepEqual(read.body, created.body);
  });

  test('keeps every writable field exactly as sent', async () => {
    const body = person({
      privateEmail: 'Privat@Example.ORG',
      employeeNumber: '  0042 ',
      phoneNumber: '+49 (0)30 / 123',
      street: 'Straße des 17. Juni "135"',
      postalCode: '10623',
      city: "L'Aquila\\",
      countryCode: 'DE',
      additionalInfo: 'Zeile 1\nZeile 2\t🙂',
      blocked: true,
      divisionId: fixture.testData.north,
    });
    const created = await fixture.client.post('/employees', body);
    assert.equal(created.status, 201);
    for (const [name, value] of Object.entries(body)) assert.deepEqual(created.body[name], value, name);
  });

  test('takes the tenant of divisionId before all else', async () => {
    const created = await fixture.client.post('/employees', person({ divisionId: fixture.testData.lager }));
    assert.equal(created.body.tenant, fixture.testData.tenantB);
  });

  test('accepts an uppercase divisionId as the same identifier', async () => {
    const created = await fixture.client.post(
      '/employees',
      person({ divisionId: fixture.testData.sales.toUpperCase() }),
    );
    assert.equal(created.body.divisionId, fixture.testData.sales);
  });

  test('infers the only tenant in scope, and no division when all are granted', async () => {
    const created = await fixture.client.post('/employees', person(), { key: fixture.testData.keys.tenantA });
    assert.deepEqual([created.body.tenant, created.body.divisionId], [fixture.testData.tenantA, null]);
  });

  test('places into the one granted root', async () => {
    const created = await fixture.client.post('/employees', person(), { key: fixture.testData.keys.sales });
    assert.deepEqual(
      [created.body.tenant, created.body.divisionId],
      [fixture.testData.tenantA, fixture.testData.sales],
    );
  });

  test('counts overlapping grants once, by their topmost division', async () => {
    const overlapping = await testKey(fixture.sql, fixture.testData.organization, {
      divisions: [
        { tenant: fixture.testData.tenantA, id: fixture.testData.sales },
        { tenant: fixture.testData.tenantA, id: fixture.testData.north },
      ],
    });
    const created = await fixture.client.post('/employees', person(), { key: overlapping });
    assert.equal(created.body.divisionId, fixture.testData.sales);
  });

  test('infers the only tenant of the organization for a whole-organization key', async () => {
    const created = await fixture.client.post('/employees', person(), { key: fixture.testData.keys.foreign });
    assert.equal(created.body.tenant, fixture.testData.foreign.tenant);
  });

  test('allows an employeeNumber that another tenant uses', async () => {
    const number = person({ employeeNumber: 'N-1' });
    assert.equal((await fixture.client.post('/employees', number, inA())).status, 201);
    const other = await fixture.client.post('/employees', person({ employeeNumber: 'N-1' }), {
      tenant: fixture.testData.tenantB,
    });
    assert.equal(other.status, 201);
  });

  test('counts the new row for organization, tenant and division, and audits it without values', async () => {
    const { sql } = fixture;
    const counters = async () =>
      Object.fromEntries(
        (
          await sql`SELECT scope, n FROM counter WHERE resource_type = 'employee' AND organization_id = ${fixture.testData.organization}`
        ).map(row => [row['scope'], Number(row['n'])]),
      );
    const before = await counters();
    const created = await fixture.client.post('/employees', person({ divisionId: fixture.testData.support }));
    const after = await counters();
    for (const scope of ['', fixture.testData.tenantA, fixture.testData.support])
      assert.equal(after[scope], (before[scope] ?? 0) + 1, `counter ${scope}`);
    const [audit] = await sql`SELECT * FROM audit WHERE target_id = ${created.body.id}`;
    assert.equal(audit?.['action'], 'employee.create');
    assert.equal(audit?.['request_id'], created.headers['x-request-id']);
    assert.deepEqual(audit?.['at'], new Date(created.body.createdAt));
  });
});

describe('createEmployee 400', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['an unknown property', { nickname: 'x' }, 'UNSUPPORTED_FIELD', /nickname/],
    ['the read-only id', { id: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /\bid\b/],
    ['the read-only tenant', { tenant: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /tenant/],
    ['a divisionId that is no identifier', { divisionId: 'sales' }, 'INVALID_REFERENCE_ID', /divisionId/],
    ['a divisionId that is no string', { divisionId: 7 }, 'VALIDATION_ERROR', /divisionId/],
    ['a missing lastName', { lastName: undefined }, 'VALIDATION_ERROR', /lastName/],
    ['a null firstName', { firstName: null }, 'VALIDATION_ERROR', /firstName/],
    ['an empty firstName', { firstName: '' }, 'VALIDATION_ERROR', /firstName/],
    ['an email without a domain', { email: 'anonymous' }, 'VALIDATION_ERROR', /email/],
    ['an email over 254 characters', { email: `${'a'.repeat(250)}@b.de` }, 'VALIDATION_ERROR', /254/],
    ['a lowercase countryCode', { countryCode: 'de' }, 'VALIDATION_ERROR', /countryCode/],
    ['blocked as text', { blocked: 'true' }, 'VALIDATION_ERROR', /blocked/],
    ['a city over 200 characters', { city: 'x'.repeat(201) }, 'VALIDATION_ERROR', /200/],
    ['an empty employeeNumber', { employeeNumber: '' }, 'VALIDATION_ERROR', /employeeNumber/],
    ['an employeeNumber over 64 characters', { employeeNumber: '1'.repeat(65) }, 'VALIDATION_ERROR', /64/],
    ['a phoneNumber over 50 characters', { phoneNumber: '1'.repeat(51) }, 'VALIDATION_ERROR', /50/],
    ['a postalCode over 20 characters', { postalCode: '1'.repeat(21) }, 'VALIDATION_ERROR', /20/],
    [
      'an additionalInfo over 1,000 characters',
      { additionalInfo: 'x'.repeat(1001) },
      'VALIDATION_ERROR',
      /1,?000/,
    ],
    ['NUL in a string', { city: 'a\u0000b' }, 'VALIDATION_ERROR', /city|NUL/],
  ];
  for (const [name, more, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const before = await stateOf(fixture.sql);
      const answer = await fixture.client.post('/employees', person(more), inA());
      assert.deepEqual([answer.status, answer.body.error.code], [400, code]);
      assert.match(answer.body.error.message, message);
      assert.equal(await stateOf(fixture.sql), before);
    });

  test('lengths at their bound pass, counted in code points', async () => {
    const created = await fixture.client.post(
      '/employees',
      person({ city: '🙂'.repeat(200), additionalInfo: 'ß'.repeat(1000), employeeNumber: 'Ä'.repeat(64) }),
      inA(),
    );
    assert.equal(created.status, 201);
  });
});

describe('createEmployee 409', () => {
  test('DUPLICATE_RESOURCE for an email of the organization by NFC and lower case, in any tenant', async () => {
    const first = await fixture.client.post(
      '/employees',
      person({ email: 'J\u00fcrgen@Example.com' }),
      inA(),
    );
    assert.equal(first.status, 201);
    const again = await fixture.client.post('/employees', person({ email: 'ju\u0308RGEN@example.COM' }), {
      tenant: fixture.testData.tenantB,
    });
    assert.deepEqual([again.status, again.body.error.code], [409, 'DUPLICATE_RESOURCE']);
    assert.match(again.body.error.message, /email/);
    assert.ok(!again.body.error.message.includes(fixture.testData.tenantA));
  });

  test('the email is not compared by the search folding', async () => {
    assert.equal(
      (await fixture.client.post('/employees', person({ email: 'strasse@example.com' }), inA())).status,
      201,
    );
    assert.equal(
      (await fixture.client.post('/employees', person({ email: 'straße@example.com' }), inA())).status,
      201,
    );
  });

  test('the email of another organization is free', async () => {
    const email = 'same@example.com';
    assert.equal((await fixture.client.post('/employees', person({ email }), inA())).status, 201);
    assert.equal(
      (await fixture.client.post('/employees', person({ email }), { key: fixture.testData.keys.foreign }))
        .status,
      201,
    );
  });

  test('DUPLICATE_RESOURCE for an employeeNumber of the tenant, compared exactly', async () => {
    assert.equal(
      (await fixture.client.post('/employees', person({ employeeNumber: 'ab' }), inA())).status,
      201,
    );
    assert.equal(
      (await fixture.client.post('/employees', person({ employeeNumber: 'AB' }), inA())).status,
      201,
    );
    const again = await fixture.client.post('/employees', person({ employeeNumber: 'ab' }), inA());
    assert.deepEqual([again.status, again.body.error.code], [409, 'DUPLICATE_RESOURCE']);
    assert.match(again.body.error.message, /employeeNumber/);
  });

  test('of 20 creates of one email at once, exactly one succeeds', async () => {
    const body = person();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        fixture.client.post('/employees', { ...body, city: `${n}` }, inA()),
      ),
    );
    const statuses = answers.map(answer => answer.status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
  });
});

describe('createEmployee 422', () => {
  const rejected = async (
    answer: Promise<{ status: number; body: { error: { code: string } } }>,
    code: string,
  ) => {
    const before = await stateOf(fixture.sql);
    const { status, body } = await answer;
    assert.deepEqual([status, body.error.code], [422, code]);
    assert.equal(await stateOf(fixture.sql), before);
  };

  test('TENANT_CONTEXT_AMBIGUOUS when several tenants are possible', async () => {
    await rejected(fixture.client.post('/employees', person()), 'TENANT_CONTEXT_AMBIGUOUS');
  });

  test('EMPLOYEE_PLACEMENT_AMBIGUOUS when several granted roots are possible', async () => {
    await rejected(
      fixture.client.post('/employees', person(), { key: fixture.testData.keys.salesAndSupport }),
      'EMPLOYEE_PLACEMENT_AMBIGUOUS',
    );
  });

  test('INVALID_REFERENCE, the same for missing, out of scope, foreign and outside the selected tenant', async () => {
    const ask = (divisionId: string, more = {}) =>
      fixture.client.post('/employees', person({ divisionId }), {
        key: fixture.testData.keys.sales,
        ...more,
      });
    const answers = [
      await ask('f'.repeat(24)),
      await ask(fixture.testData.support),
      await ask(fixture.testData.foreign.division),
      await fixture.client.post('/employees', person({ divisionId: fixture.testData.lager }), inA()),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_REFERENCE']);
      assert.equal(answer.body.error.message, answers[0]!.body.error.message);
    }
  });
});

describe('createEmployee with dryRun', () => {
  test('answers 503 instead of waiting for a row that a write under way holds', async () => {
    const { sql } = fixture;
    const email = 'held@example.com';
    await sql
      .begin(async transaction => {
        await transaction`
          INSERT INTO employee (organization_id, id, email_key, folded_email, search, blocked, created_at, updated_at,
            doc_version, fold_version, doc)
          VALUES (${fixture.testData.organization}, ${'e'.repeat(24)}, ${email}, ${email}, '', false, now(), now(), 1, 1, '{}')`;
        const asked = performance.now();
        const answer = await fixture.client.post('/employees', person({ email }), {
          ...inA(),
          query: { dryRun: true },
        });
        assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
        // The rule is 100 ms; the session itself would wait for 5 s.
        assert.ok(performance.now() - asked < 3000);
        throw new Error('roll back');
      })
      .catch((error: Error) => assert.equal(error.message, 'roll back'));
  });

  test('dryRun takes true and false only', async () => {
    const answer = await fixture.client.post('/employees', person(), { ...inA(), query: { dryRun: 'yes' } });
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
    const written = await fixture.client.post('/employees', person(), {
      ...inA(),
      query: { dryRun: 'false' },
    });
    assert.equal(written.status, 201);
  });
});
