import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '../../../src/db/ids.ts';
import { type Answer as ClientAnswer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { countersOf } from '../../support/data/employees.ts';
import { waitForLocks } from '../../support/database/locks.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import type { Sql } from '../../support/database/sql.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';

/** Writes of employees that wait for another write and go into one transaction. */
let database: TestDatabase;
let sql: Sql;
let service: TestService;
let client: ApiClient;
let testData: TestData;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  service = await startService(sql);
});
beforeEach(async () => {
  testData = await insertTestData(sql);
  client = apiClient(service.url, { key: testData.keys.all });
});
after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

type Answer = ClientAnswer<any>;

const person = (more = {}) => ({ email: `${newId()}@example.com`, firstName: 'A', lastName: 'B', ...more });
const create = (more = {}) => client.post('/employees', person({ divisionId: testData.sales, ...more }));
const update = (id: string, patch: object) => client.patch(`/employees/${id}`, patch);

/** Asks for the writes while the write is taken: the first one waits for it in the database, the others behind it. */
async function batched(asking: () => Promise<Answer>[]): Promise<Answer[]> {
  let answers: Promise<Answer>[] = [];
  await sql.begin(async holder => {
    await holder`SELECT FROM organization WHERE id = ${testData.organization} FOR UPDATE`;
    const first = create();
    await waitForLocks(sql, [first]);
    answers = [first, ...asking()];
    // Until each has passed its checks, which read through the same pool.
    for (const _ of answers) await client.get('/employees', { query: { pageSize: 1 } });
  });
  return (await Promise.all(answers)).slice(1);
}

async function instantsOf(ids: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ at: Date; n: number }[]>`
    SELECT at, count(*)::int AS n FROM audit
    WHERE organization_id = ${testData.organization} AND target_id = ANY(${ids}::text[]) AND action LIKE 'employee.%'
    GROUP BY at`;
  return new Map(rows.map(({ at, n }) => [at.toISOString(), n]));
}

async function assertCounted(): Promise<void> {
  const { kept, real } = await countersOf(sql, testData.organization);
  assert.deepEqual(kept, real);
}

const statuses = (answers: Answer[]) => answers.map(answer => answer.status);
const idOf = (answer: Answer) => answer.body.id as string;

describe('batched creates', () => {
  test('share one transaction and one instant, and count once each', async () => {
    const answers = await batched(() => Array.from({ length: 30 }, () => create()));
    assert.deepEqual(new Set(statuses(answers)), new Set([201]));
    assert.equal((await instantsOf(answers.map(idOf))).size, 1);
    await assertCounted();
  });

  test('of one email or one number: one succeeds, the others are DUPLICATE_RESOURCE', async () => {
    const email = `${newId()}@example.com`;
    const answers = await batched(() => [
      create({ email }),
      create({ email: email.toUpperCase() }),
      create({ employeeNumber: '7' }),
      create({ employeeNumber: '7' }),
      create({ divisionId: testData.lager, employeeNumber: '7' }),
    ]);
    assert.deepEqual(statuses(answers).sort(), [201, 201, 201, 409, 409]);
    const messages = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.message);
    assert.match(messages.sort().join('\n'), /^email: another .*\nemployeeNumber: another /);
    await assertCounted();
  });

  test('are rejected one by one by the rules, and the others are stored', async () => {
    const answers = await batched(() => [
      create(),
      create({ divisionId: newId() }),
      client.post('/employees', person(), { key: testData.keys.salesAndSupport }),
      create(),
    ]);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.error?.code]),
      [
        [201, undefined],
        [422, 'INVALID_REFERENCE'],
        [422, 'EMPLOYEE_PLACEMENT_AMBIGUOUS'],
        [201, undefined],
      ],
    );
    await assertCounted();
  });
});

describe('batched updates', () => {
  test('of several employees share one transaction, and each is audited for itself', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(idOf(await create()));
    const answers = await batched(() => ids.map((id, n) => update(id, { city: `Köln ${n}` })));
    assert.deepEqual(
      answers.map(({ body }) => body.city),
      ids.map((_, n) => `Köln ${n}`),
    );
    assert.equal(new Set(answers.map(({ body }) => body.updatedAt)).size, 1);
    const instants = await instantsOf(ids);
    assert.equal(instants.get(answers[0]!.body.updatedAt as string), 5);
  });

  test('of one employee are all kept, each in a transaction of its own', async () => {
    const id = idOf(await create());
    const patches = [{ city: 'Köln' }, { street: 'Am Hof 1' }, { postalCode: '50667' }, { city: 'Bonn' }];
    const answers = await batched(() => patches.map(patch => update(id, patch)));
    assert.deepEqual(statuses(answers), [200, 200, 200, 200]);
    const { city, street, postalCode } = (await client.get(`/employees/${id}`)).body;
    assert.deepEqual({ city, street, postalCode }, { city, street: 'Am Hof 1', postalCode: '50667' });
    assert.ok(['Köln', 'Bonn'].includes(city as string));
    const instants = await instantsOf([id]);
    assert.deepEqual([...instants.values()], [1, 1, 1, 1, 1]);
  });

  test('of one number: one succeeds, the other is DUPLICATE_RESOURCE, and a third one goes in', async () => {
    const ids = [idOf(await create()), idOf(await create()), idOf(await create())];
    const answers = await batched(() => [
      update(ids[0]!, { employeeNumber: 'N' }),
      update(ids[1]!, { employeeNumber: 'N' }),
      update(ids[2]!, { employeeNumber: 'M' }),
    ]);
    assert.deepEqual(statuses(answers).slice(0, 2).sort(), [200, 409]);
    assert.equal(answers[2]!.status, 200);
  });

  test('move their orders and counters along, each employee to its own division', async () => {
    const ids = [idOf(await create()), idOf(await create())];
    const answers = await batched(() => [
      update(ids[0]!, { divisionId: testData.north }),
      update(ids[1]!, { divisionId: null }),
    ]);
    assert.deepEqual(
      answers.map(({ body }) => body.divisionId),
      [testData.north, null],
    );
    await assertCounted();
  });
});

test('during a write of an organization another one writes, and dry runs and lists go on', async () => {
  const { held } = await sql.begin(async holder => {
    await holder`SELECT FROM organization WHERE id = ${testData.organization} FOR UPDATE`;
    const waiting = create();
    await waitForLocks(sql, [waiting]);
    const other = await client.post('/employees', person(), { key: testData.keys.foreign });
    assert.equal(other.status, 201);
    const dry = await client.post('/employees', person(), {
      tenant: testData.tenantA,
      query: { dryRun: true },
    });
    assert.equal(dry.status, 200);
    assert.equal((await client.get('/employees')).status, 200);
    return { held: waiting };
  });
  assert.equal((await held).status, 201);
});
