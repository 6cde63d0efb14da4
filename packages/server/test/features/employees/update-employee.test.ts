import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { overtaken } from '../../support/database/locks.ts';
import { useFixture } from '../../support/service/fixture.ts';
import { moveDivisionIn } from '../../support/data/tree.ts';
import { stateOf, testDivision } from '../../support/data/test-data.ts';

const fixture = useFixture();
let sequence = 0;

async function created(more: Record<string, unknown> = {}) {
  sequence += 1;
  const body = { email: `person.${sequence}@example.com`, firstName: 'Ayşe', lastName: 'Yılmaz', ...more };
  const answer = await fixture.client.post(
    '/employees',
    body,
    more['divisionId'] ? {} : { tenant: fixture.testData.tenantA },
  );
  assert.equal(answer.status, 201);
  return answer.body;
}

/** An employee without tenant, as an import of the platform leaves it. */
async function withoutTenant(): Promise<string> {
  const employee = await created();
  await fixture.sql`
    UPDATE employee SET tenant_id = NULL, doc = replace(doc, ${`"tenant":"${fixture.testData.tenantA}"`}, '"tenant":null')
    WHERE id = ${employee.id}`;
  return employee.id;
}

describe('updateEmployee 200', () => {
  test('merges: absent stays, null clears, and updatedAt moves on', async () => {
    const before = await created({ city: 'Bonn', street: 'Am Hof 1', phoneNumber: '1' });
    const answer = await fixture.client.patch(`/employees/${before.id}`, { city: 'Köln', street: null });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      ...before,
      city: 'Köln',
      street: null,
      updatedAt: answer.body.updatedAt,
    });
    assert.ok(answer.body.updatedAt > before.updatedAt);
    assert.deepEqual((await fixture.client.get(`/employees/${before.id}`)).body, answer.body);
  });

  test('blocks and unblocks', async () => {
    const { id } = await created();
    assert.equal((await fixture.client.patch(`/employees/${id}`, { blocked: true })).body.blocked, true);
    assert.equal((await fixture.client.patch(`/employees/${id}`, { blocked: false })).body.blocked, false);
  });

  test('a change of nothing leaves updatedAt, clock and audit alone', async () => {
    const employee = await created({ city: 'Bonn' });
    const before = await stateOf(fixture.sql);
    const answer = await fixture.client.patch(`/employees/${employee.id}`, { city: 'Bonn', blocked: false });
    assert.deepEqual(answer.body, employee);
    assert.equal(await stateOf(fixture.sql), before);
  });

  test('a division change moves the counters', async () => {
    const { sql } = fixture;
    const counter = async (scope: string) =>
      Number(
        (await sql`SELECT n FROM counter WHERE resource_type = 'employee' AND scope = ${scope}`)[0]?.['n'] ??
          0,
      );
    const employee = await created({ divisionId: fixture.testData.sales });
    const [sales, north, tenant] = [
      await counter(fixture.testData.sales),
      await counter(fixture.testData.north),
      await counter(fixture.testData.tenantA),
    ];
    await fixture.client.patch(`/employees/${employee.id}`, { divisionId: fixture.testData.north });
    assert.deepEqual(
      [
        await counter(fixture.testData.sales),
        await counter(fixture.testData.north),
        await counter(fixture.testData.tenantA),
      ],
      [sales - 1, north + 1, tenant],
    );
    const cleared = await fixture.client.patch(`/employees/${employee.id}`, { divisionId: null });
    assert.equal(cleared.body.divisionId, null);
    assert.equal(await counter(fixture.testData.north), north);
  });

  test('is found by its new values, and by the old ones no more', async () => {
    const { id } = await created({ city: 'Altstadt', divisionId: fixture.testData.sales });
    await fixture.client.patch(`/employees/${id}`, {
      city: 'Neustadt',
      divisionId: fixture.testData.support,
    });
    const ids = async (filter: string) =>
      (await fixture.client.get('/employees', { query: { filter } })).body.items.map(
        (item: { id: string }) => item.id,
      );
    assert.ok((await ids(`city = neustadt AND divisionId = ${fixture.testData.support}`)).includes(id));
    assert.ok(!(await ids('city = altstadt')).includes(id));
  });

  test('audits the names of the changed fields, not their values', async () => {
    const { id } = await created();
    await fixture.client.patch(`/employees/${id}`, { lastName: 'Geheim', city: 'Ulm', blocked: false });
    const [row] = await fixture.sql`
      SELECT * FROM audit WHERE target_id = ${id} AND action = 'employee.update'`;
    assert.deepEqual(row?.['fields'], ['lastName', 'city']);
  });

  test('30 updates of one employee at once are all kept', async () => {
    const { id } = await created();
    const fields = ['city', 'street', 'phoneNumber'] as const;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        fixture.client.patch(`/employees/${id}`, { [fields[n % 3]!]: `v${n}` }),
      ),
    );
    for (const answer of answers) assert.equal(answer.status, 200);
    const instants = new Set(answers.map(answer => answer.body.updatedAt));
    assert.equal(instants.size, 30);
    const last = answers
      .map(answer => answer.body)
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0];
    assert.deepEqual((await fixture.client.get(`/employees/${id}`)).body, last);
  });
});

describe('updateEmployee 400', () => {
  const cases: [string, unknown, string, RegExp][] = [
    ['email', { email: 'new@example.com' }, 'UNSUPPORTED_FIELD', /email/],
    ['tenant', { tenant: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /tenant/],
    ['createdAt', { createdAt: '2020-01-01T00:00:00.000Z' }, 'UNSUPPORTED_FIELD', /createdAt/],
    ['an empty body', {}, 'VALIDATION_ERROR', /./],
    ['a null lastName', { lastName: null }, 'VALIDATION_ERROR', /lastName/],
    ['a null blocked', { blocked: null }, 'VALIDATION_ERROR', /blocked/],
    ['a malformed divisionId', { divisionId: 'x' }, 'INVALID_REFERENCE_ID', /divisionId/],
  ];
  for (const [name, body, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const { id } = await created();
      const before = await stateOf(fixture.sql);
      const answer = await fixture.client.patch(`/employees/${id}`, body);
      assert.deepEqual([answer.status, answer.body.error.code], [400, code]);
      assert.match(answer.body.error.message, message);
      assert.equal(await stateOf(fixture.sql), before);
    });
});

describe('updateEmployee 409', () => {
  test('DUPLICATE_RESOURCE for an employeeNumber of the tenant', async () => {
    await created({ employeeNumber: 'T-1' });
    const { id } = await created();
    const before = await stateOf(fixture.sql);
    const answer = await fixture.client.patch(`/employees/${id}`, { employeeNumber: 'T-1' });
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'DUPLICATE_RESOURCE']);
    assert.equal(await stateOf(fixture.sql), before);
  });

  test('of 10 employees that take one number at once, exactly one gets it', async () => {
    const employees = await Promise.all(Array.from({ length: 10 }, () => created()));
    const answers = await Promise.all(
      employees.map(({ id }) => fixture.client.patch(`/employees/${id}`, { employeeNumber: 'T-2' })),
    );
    const statuses = answers.map(answer => answer.status).sort();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('updateEmployee 422', () => {
  const rejected = async (id: string, divisionId: string | null, options = {}) => {
    const before = await stateOf(fixture.sql);
    const answer = await fixture.client.patch(`/employees/${id}`, { divisionId }, options);
    assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_REFERENCE']);
    assert.equal(await stateOf(fixture.sql), before);
  };

  test('a division of another tenant is INVALID_REFERENCE', async () => {
    await rejected((await created()).id, fixture.testData.lager);
  });

  test('a division of another organization is INVALID_REFERENCE', async () => {
    await rejected((await created()).id, fixture.testData.foreign.division);
  });

  test('a restricted key may not move the employee out of its scope', async () => {
    await rejected((await created({ divisionId: fixture.testData.north })).id, fixture.testData.support, {
      key: fixture.testData.keys.sales,
    });
  });

  test('a restricted key may not clear divisionId', async () => {
    await rejected((await created({ divisionId: fixture.testData.north })).id, null, {
      key: fixture.testData.keys.sales,
    });
  });

  test('an employee without tenant takes no division', async () => {
    await rejected(await withoutTenant(), fixture.testData.sales);
    await rejected(await withoutTenant(), 'f'.repeat(24));
  });
});

describe('a write beside a change of the tree', () => {
  test('starts over when the tree changes between its check and its commit', async () => {
    const { sql } = fixture;
    const employee = await created();
    const [answer] = await overtaken(
      sql,
      fixture.testData.organization,
      () => [fixture.client.patch(`/employees/${employee.id}`, { divisionId: fixture.testData.support })],
      transaction =>
        moveDivisionIn(transaction, fixture.testData.organization, {
          id: fixture.testData.support,
          parentId: null,
        }),
    );
    assert.equal(answer!.status, 200);
    const division = await testDivision(
      sql,
      { organizationId: fixture.testData.organization, tenantId: fixture.testData.tenantA },
      'Neu',
    );
    const moved = await fixture.client.patch(`/employees/${employee.id}`, { divisionId: division });
    assert.equal(moved.body.divisionId, division);
  });
});
