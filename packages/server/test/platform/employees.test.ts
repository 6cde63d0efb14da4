import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import { overtaken } from '../support/database/locks.ts';
import { countersOf, storeEmployees } from '../support/data/employees.ts';
import { orderCounters, orderInput } from '../support/data/orders.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();
let path: string;
let anonymous: Employee;
beforeEach(async () => {
  const { sql, testData } = fixture;
  path = `/organizations/${testData.organization}/employees`;
  [anonymous] = (await storeEmployees(sql, testData.organization, [{ lastName: 'Niemand' }])) as [Employee];
});

const assign = (body: object, query = {}, id = anonymous.id) =>
  fixture.own.post(`${path}/${id}/assignment`, body, { query });

async function rejected(body: object, expected: [number, string], id?: string): Promise<void> {
  const before = await stateOf(fixture.sql);
  for (const query of [{}, { dryRun: true }]) {
    const answer = await assign(body, query, id);
    assert.deepEqual([answer.status, answer.body.error.code], expected, answer.body.error.message);
  }
  assert.equal(await stateOf(fixture.sql), before);
}

async function assertCounted(): Promise<void> {
  const { sql, testData } = fixture;
  for (const counters of [
    await countersOf(sql, testData.organization),
    await orderCounters(sql, testData.organization),
  ])
    assert.deepEqual(counters.kept, counters.real);
}

describe('listOrganizationEmployees 200', () => {
  test('those without a tenant, as those of a tenant, by filter, order and page', async () => {
    const { own, sql, testData } = fixture;
    const stored = await storeEmployees(sql, testData.organization, [
      { lastName: 'Zöllner' },
      { lastName: 'Amt', tenant: testData.tenantA },
    ]);
    const query = {
      filter: 'tenant IS NULL AND lastName IN (zöllner, niemand)',
      sort: '-lastName',
      pageSize: 1,
    };
    const [zoellner] = stored;
    const { body } = await own.get(path, { query });
    assert.deepEqual(body.items, [zoellner]);
    assert.ok(body.totalElements >= 2);
    const { body: settled } = await own.get(path, { query: { filter: `tenant = ${testData.tenantA}` } });
    assert.ok(settled.items.some(({ id }: Employee) => id === stored[1]!.id));
    assert.ok(settled.items.every(({ tenant }: Employee) => tenant === testData.tenantA));
  });

  test('one token lists each organization separately, with totals of its own', async () => {
    const { platform, sql, testData } = fixture;
    await storeEmployees(sql, testData.foreign.organization, [{}, {}, {}]);
    const query = { filter: 'tenant IS NULL', pageSize: 2 };
    for (const organization of [testData.foreign.organization, testData.organization]) {
      const ids =
        await sql`SELECT id FROM employee WHERE organization_id = ${organization} AND tenant_id IS NULL ORDER BY id`;
      for (const page of [1, 2]) {
        const { body } = await platform.get(`/organizations/${organization}/employees`, {
          query: { ...query, page },
        });
        assert.equal(body.totalElements, ids.length);
        assert.deepEqual(
          body.items.map(({ id }: Employee) => id),
          ids.slice(2 * page - 2, 2 * page).map(row => row['id']),
        );
      }
    }
  });
});

describe('assignEmployee 200', () => {
  test('an employee without a tenant gets one, with orders and incidents, whose documents stay', async () => {
    const { client, own, sql, testData } = fixture;
    await own.post(`${path}/${anonymous.id}/activation`, undefined);
    const orders = path.replace('employees', 'orders');
    const order = (await own.post(orders, orderInput({ externalId: anonymous.id, employeeId: anonymous.id })))
      .body;
    const incident = (await client.post('/incidents', { employeeId: anonymous.id, type: 'loss' })).body;
    const seen = async (id: string) => (await client.get(id, { key: testData.keys.sales })).status;
    assert.equal(await seen(`/orders/${order.id}`), 404);
    const { status, body } = await assign({
      tenant: testData.tenantA.toUpperCase(),
      divisionId: testData.north,
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      ...anonymous,
      tenant: testData.tenantA,
      divisionId: testData.north,
      updatedAt: body.updatedAt,
    });
    assert.ok(body.updatedAt > incident.updatedAt);
    for (const one of [`/employees/${anonymous.id}`, `/orders/${order.id}`, `/incidents/${incident.id}`])
      assert.equal(await seen(one), 200);
    assert.deepEqual((await client.get(`/orders/${order.id}`)).body, order);
    await assertCounted();
    const [kept] = await sql`
      SELECT sum(n)::int AS n FROM counter WHERE organization_id = ${testData.organization} AND resource_type = 'incident' AND scope = ${testData.north}`;
    assert.equal(kept!['n'], 1);
    const [entry] =
      await sql`SELECT action, fields FROM audit WHERE target_id = ${anonymous.id} ORDER BY at DESC LIMIT 1`;
    assert.deepEqual({ ...entry }, { action: 'employee.update', fields: ['tenant', 'divisionId'] });
  });

  test('who is there already stays as she is', async () => {
    const { sql, testData } = fixture;
    const first = await assign({ tenant: testData.tenantA });
    const before = await stateOf(sql);
    const again = await assign({ tenant: testData.tenantA, divisionId: null });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(await stateOf(sql), before);
  });

  test('a dry run shows it and stores nothing', async () => {
    const { sql, testData } = fixture;
    const before = await stateOf(sql);
    const { status, body } = await assign({ tenant: testData.tenantB }, { dryRun: true });
    assert.deepEqual([status, body.tenant], [200, testData.tenantB]);
    assert.equal(await stateOf(sql), before);
  });
});

describe('assignEmployee 409', () => {
  test('INVALID_STATE_TRANSITION: no employee moves from one tenant, or division, to another', async () => {
    const { testData } = fixture;
    await assign({ tenant: testData.tenantA });
    await rejected({ tenant: testData.tenantB }, [409, 'INVALID_STATE_TRANSITION']);
    await rejected({ tenant: testData.tenantA, divisionId: testData.sales }, [
      409,
      'INVALID_STATE_TRANSITION',
    ]);
  });

  test('INVALID_STATE_TRANSITION: of two assignments at once the other one', async () => {
    const { sql, testData } = fixture;
    const answers = await overtaken(
      sql,
      testData.organization,
      () => [assign({ tenant: testData.tenantA })],
      async transaction => {
        await transaction`
          UPDATE employee SET tenant_id = ${testData.tenantB}, doc = replace(doc, '"tenant":null', ${`"tenant":"${testData.tenantB}"`})
          WHERE id = ${anonymous.id}`;
        await transaction`
          UPDATE counter SET n = n + CASE WHEN scope = 'none' THEN -1 ELSE 1 END
          WHERE organization_id = ${testData.organization} AND resource_type = 'employee' AND scope IN ('none', ${testData.tenantB})`;
      },
    );
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.error.code]),
      [[409, 'INVALID_STATE_TRANSITION']],
    );
  });

  test('DUPLICATE_RESOURCE: another employee of the tenant has the number', async () => {
    const { sql, testData } = fixture;
    const [, taken] = await storeEmployees(sql, testData.organization, [
      { tenant: testData.tenantA, employeeNumber: '7' },
      { employeeNumber: '7' },
    ]);
    await rejected({ tenant: testData.tenantA }, [409, 'DUPLICATE_RESOURCE'], taken!.id);
    assert.equal((await assign({ tenant: testData.tenantB }, {}, taken!.id)).status, 200);
  });
});

describe('assignEmployee 400, 404 and 422', () => {
  test('400 INVALID_REFERENCE_ID and VALIDATION_ERROR', async () => {
    await rejected({ tenant: 'Muster GmbH' }, [400, 'INVALID_REFERENCE_ID']);
    await rejected({}, [400, 'VALIDATION_ERROR']);
  });

  test('422 INVALID_REFERENCE: a tenant or a division that does not exist, or of another organization', async () => {
    const { testData } = fixture;
    for (const tenant of ['f'.repeat(24), testData.foreign.tenant])
      await rejected({ tenant }, [422, 'INVALID_REFERENCE']);
    for (const divisionId of ['f'.repeat(24), testData.lager, testData.foreign.division])
      await rejected({ tenant: testData.tenantA, divisionId }, [422, 'INVALID_REFERENCE']);
  });
});

describe('changeEmployeeEmail 200', () => {
  const change = (id: string, email: string, query = {}) =>
    fixture.own.post(`${path}/${id}/email`, { email }, { query });

  test('the employee has the new email, with a new updatedAt, which clients of /v1 receive, and who changed it is stored', async () => {
    const { client, sql, testData } = fixture;
    const [employee] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
    const { id, email, updatedAt } = employee!;
    const { status, body } = await change(id, 'Neu.1@Example.com');
    assert.deepEqual([status, body.email], [200, 'Neu.1@Example.com']);
    assert.ok(body.updatedAt > updatedAt);
    assert.deepEqual((await client.get(`/employees/${id}`)).body, body);
    const [entry] =
      await sql`SELECT action, fields, actor_type FROM audit WHERE target_id = ${id} AND action <> 'employee.create'`;
    assert.deepEqual(
      { ...entry },
      { action: 'employee.update', fields: ['email'], actor_type: 'platform_token' },
    );
    const [stored] = await sql`SELECT changes, reason FROM employee_change WHERE employee_id = ${id}`;
    assert.deepEqual({ ...stored }, { changes: { email: [email, 'Neu.1@Example.com'] }, reason: null });
  });

  test('the same email, in other letters, stays unique: the address before is free, and the new one is taken', async () => {
    const { sql, testData } = fixture;
    const [one, two] = await storeEmployees(sql, testData.organization, [{}, {}]);
    const before = one!.email;
    assert.equal((await change(one!.id, before)).body.updatedAt, one!.updatedAt);
    assert.equal((await change(one!.id, before.toUpperCase())).body.email, before.toUpperCase());
    await change(one!.id, 'frei@example.com');
    assert.equal((await change(two!.id, before)).body.email, before);
    const again = await change(two!.id, 'FREI@example.com');
    assert.deepEqual([again.status, again.body.error.code], [409, 'DUPLICATE_RESOURCE']);
  });
});

describe('changeEmployeeEmail 404 and 409', () => {
  test('an email of another employee in any tenant of the organization, and an unknown employee', async () => {
    const { sql, testData } = fixture;
    const [taken] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantB }]);
    const [foreign] = await storeEmployees(sql, testData.foreign.organization, [{}]);
    const before = await stateOf(sql);
    for (const query of [{}, { dryRun: true }])
      for (const [id, email, expected] of [
        [anonymous.id, taken!.email.toUpperCase(), '409 DUPLICATE_RESOURCE'],
        [foreign!.id, 'unbenutzt@example.com', '404 NOT_FOUND'],
      ] as const) {
        const { status, body } = await fixture.own.post(`${path}/${id}/email`, { email }, { query });
        assert.equal(`${status} ${body.error.code}`, expected);
      }
    assert.equal(await stateOf(sql), before);
    const { status } = await fixture.own.post(`${path}/${anonymous.id}/email`, { email: foreign!.email });
    assert.equal(status, 200);
  });

  test('of two employees who get one email at the same time, one is rejected', async () => {
    const { sql, testData } = fixture;
    const pair = await storeEmployees(sql, testData.organization, [{}, {}]);
    const answers = await Promise.all(
      pair.map(({ id }) => fixture.own.post(`${path}/${id}/email`, { email: 'zugleich@example.com' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });
});

describe('blockEmployee 200', () => {
  const block = (id: string, body: object) => fixture.own.post(`${path}/${id}/blocking`, body);

  test('stores the reason in the history, which an erasure removes, and none without a change', async () => {
    const { sql } = fixture;
    const { id } = anonymous;
    assert.equal((await block(id, { blocked: true, reason: '  Ausgeschieden ' })).body.blocked, true);
    await block(id, { blocked: true, reason: 'Noch einmal' });
    await block(id, { blocked: false });
    const reasons =
      await sql`SELECT reason, changes FROM employee_change WHERE employee_id = ${id} ORDER BY at`;
    assert.deepEqual(
      reasons.map(row => [row['reason'], row['changes']]),
      [
        ['Ausgeschieden', { blocked: [false, true] }],
        [null, { blocked: [true, false] }],
      ],
    );
    await fixture.own.request('POST', `${path}/${id}/erasure`);
    assert.equal((await sql`SELECT FROM employee_change WHERE employee_id = ${id}`).length, 0);
  });
});
