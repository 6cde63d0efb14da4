import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Sql } from '../../support/database/sql.ts';
import { newId } from '../../../src/db/ids.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { checkTables } from '../../support/data/divisions.ts';
import { overtaken } from '../../support/database/locks.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { moveDivisionIn } from '../../support/data/tree.ts';
import {
  insertTestData,
  stateOf,
  testDivision,
  testKey,
  type TestData,
} from '../../support/data/test-data.ts';
import { atScale } from '../../support/service/scale.ts';

/** Writes of divisions that have passed their checks and then wait, while another one commits what they were checked against. */
let database: TestDatabase;
let sql: Sql;
let services: TestService[];
let clients: [ApiClient, ApiClient];
let testData: TestData;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  testData = await insertTestData(sql);
  services = [await startService(sql), await startService(sql)];
  clients = services.map(({ url }) => apiClient(url, { key: testData.keys.all })) as [ApiClient, ApiClient];
});

after(async () => {
  for (const client of clients) client.close();
  for (const service of services) await service.stop();
  await database.drop();
});

const overtakenHere = <T>(writes: () => Promise<T>[], meanwhile?: Parameters<typeof overtaken>[3]) =>
  overtaken(sql, testData.organization, writes, meanwhile);

const divisionIn = (parentId: string | null, name: string) =>
  testDivision(sql, { organizationId: testData.organization, tenantId: testData.tenantA, parentId }, name);

const move = (client: ApiClient, id: string, parentId: string | null, options = {}) =>
  client.patch(`/divisions/${id}`, { parentId }, options);

test('of two moves at once that together would close a cycle, one is DIVISION_CYCLE, between processes too', async () => {
  const [left, right] = [await divisionIn(null, 'Links'), await divisionIn(null, 'Rechts')];
  const below = await divisionIn(right, 'Unten');
  const answers = await overtakenHere(() => [move(clients[0], left, below), move(clients[1], right, left)]);
  assert.deepEqual(answers.map(answer => answer.status).toSorted(), [200, 409]);
  const rejection = answers.find(answer => answer.status === 409);
  assert.equal(rejection!.body.error.code, 'DIVISION_CYCLE');
  await checkTables(sql, testData.organization);
});

test('of many moves at once that each would make a cycle with the others, the tree stays a tree', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => divisionIn(null, `Kreis ${n}`)));
  const answers = await Promise.all(
    ids.map((id, n) => move(clients[n % 2]!, id, ids[(n + 1) % ids.length]!)),
  );
  const statuses = answers.map(answer => answer.status);
  assert.equal(statuses.filter(status => status === 409).length, 1, statuses.join());
  assert.equal(statuses.filter(status => status === 200).length, 5);
  await checkTables(sql, testData.organization);
});

test('a move below a division that meanwhile left the scope is INVALID_REFERENCE', async () => {
  const [mine, leaves] = [
    await divisionIn(testData.sales, 'Meine'),
    await divisionIn(testData.sales, 'Geht vor dem Umzug'),
  ];
  const [answer] = await overtakenHere(
    () => [move(clients[0], mine, leaves, { key: testData.keys.sales })],
    transaction =>
      moveDivisionIn(transaction, testData.organization, { id: leaves, parentId: testData.support }),
  );
  assert.deepEqual([answer!.status, answer!.body.error.code], [422, 'INVALID_REFERENCE']);
});

test('an update of a division that meanwhile left the scope is NOT_FOUND', async () => {
  const leaves = await divisionIn(testData.sales, 'Geht selbst');
  const [answer] = await overtakenHere(
    () => [clients[0].patch(`/divisions/${leaves}`, { order: 5 }, { key: testData.keys.sales })],
    transaction =>
      moveDivisionIn(transaction, testData.organization, { id: leaves, parentId: testData.support }),
  );
  assert.deepEqual([answer!.status, answer!.body.error.code], [404, 'NOT_FOUND']);
});

test('a create below a division that meanwhile left the scope is INVALID_REFERENCE', async () => {
  const leaves = await divisionIn(testData.sales, 'Geht vor dem Kind');
  const [answer] = await overtakenHere(
    () => [clients[0].post('/divisions', { name: 'Kind', parentId: leaves }, { key: testData.keys.sales })],
    transaction =>
      moveDivisionIn(transaction, testData.organization, { id: leaves, parentId: testData.support }),
  );
  assert.deepEqual([answer!.status, answer!.body.error.code], [422, 'INVALID_REFERENCE']);
});

test('two processes that update one division at once keep both changes, and make equal ones once', async () => {
  const id = await divisionIn(null, 'Gemeinsam');
  const answers = await overtakenHere(() => [
    clients[0].patch(`/divisions/${id}`, { order: 42 }),
    clients[1].patch(`/divisions/${id}`, { costCenter: '42' }),
  ]);
  assert.deepEqual(
    answers.map(answer => answer.status),
    [200, 200],
  );
  const { order, costCenter } = (await clients[0].get(`/divisions/${id}`)).body;
  assert.deepEqual([order, costCenter], [42, '42']);
  const same = await overtakenHere(() => [
    clients[0].patch(`/divisions/${id}`, { order: 43 }),
    clients[1].patch(`/divisions/${id}`, { order: 43 }),
  ]);
  assert.deepEqual(same[0]!.body, same[1]!.body);
  const audits = await sql`SELECT FROM audit WHERE target_id = ${id} AND action = 'division.update'`;
  assert.equal(audits.length, 3);
});

test('an employee is not placed by a key into a division that moves away from it at once', async () => {
  const leaves = await divisionIn(testData.sales, 'Geht über die API');
  const person = { email: 'late@example.com', firstName: 'A', lastName: 'B', divisionId: leaves };
  await move(clients[0], leaves, testData.support);
  const answer = await clients[1].post('/employees', person, { key: testData.keys.sales });
  assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_REFERENCE']);
});

/** A subtree of so many divisions: a root, a hundred below it, and the rest below these. */
async function bigSubtree(count: number): Promise<string> {
  const root = await divisionIn(null, 'Groß');
  const ids = Array.from({ length: count - 1 }, newId);
  const parents = ids.map((_, n) => (n < 100 ? root : ids[n % 100]!));
  await sql`
    INSERT INTO division (organization_id, id, tenant_id, parent_id, name, folded_name, sort_order, created_at, updated_at,
      doc_version, fold_version, doc)
    SELECT ${testData.organization}, id, ${testData.tenantA}, parent, id, id, 1, now(), now(), 1, 1, '{}'
    FROM unnest(${ids}::text[], ${parents}::text[]) AS d (id, parent)`;
  await sql`
    INSERT INTO division_ancestor
    SELECT ${testData.organization}, ancestor, id
    FROM unnest(${ids}::text[], ${parents}::text[]) AS d (id, parent),
      unnest(CASE WHEN parent = ${root} THEN ARRAY[id, parent] ELSE ARRAY[id, parent, ${root}] END) AS ancestor`;
  await sql`
    INSERT INTO counter SELECT ${testData.organization}, 'division', id, 1 FROM unnest(${ids}::text[]) AS id`;
  await sql`
    UPDATE counter SET n = n + ${ids.length}
    WHERE organization_id = ${testData.organization} AND resource_type = 'division' AND scope IN ('', ${testData.tenantA})`;
  return root;
}

test('a subtree of thousands of divisions moves in one piece, and a dry run of it changes nothing', async () => {
  const size = atScale(2_000, 10_000);
  const root = await bigSubtree(size);
  // As after an import, before all that it wrote is known to the planner: a join with the counters took 10 s then.
  await sql`ANALYZE division_ancestor, division`;
  const state = await stateOf(sql);
  const dry = await move(clients[0], root, testData.north, { query: { dryRun: true } });
  assert.equal(dry.status, 200);
  assert.equal(await stateOf(sql), state);
  assert.equal((await move(clients[0], root, testData.north)).status, 200);
  const total = async (key: string) =>
    (await clients[1].get('/divisions', { key, query: { pageSize: 1 } })).body.totalElements;
  const northKey = await testKey(sql, testData.organization, {
    divisions: [{ tenant: testData.tenantA, id: testData.north }],
  });
  assert.equal(await total(northKey), size + 1);
  assert.equal((await move(clients[0], root, testData.support)).status, 200);
  assert.equal(await total(northKey), 1);
  const [lines] = await sql`
    SELECT count(*)::int AS n FROM division_ancestor WHERE ancestor_id = ${testData.support}
      AND division_id IN (SELECT division_id FROM division_ancestor WHERE ancestor_id = ${root})`;
  assert.equal(lines!['n'], size);
});
