import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestSession, Sql } from '../../support/database/sql.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { overtaken } from '../../support/database/locks.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { moveDivisionIn } from '../../support/data/tree.ts';
import { insertTestData, testDivision, type TestData } from '../../support/data/test-data.ts';

/** Writes that have passed their checks and then wait, while another write commits what they were checked against. */
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

const person = (email: string) => ({ email: `${email}@example.com`, firstName: 'Ayşe', lastName: 'Yılmaz' });

/** A division below sales, which moves away from the scope of the key for sales. */
async function divisionThatLeaves(name: string) {
  const place = {
    organizationId: testData.organization,
    tenantId: testData.tenantA,
    parentId: testData.sales,
  };
  const id = await testDivision(sql, place, name);
  const leave = (transaction: TestSession) =>
    moveDivisionIn(transaction, testData.organization, { id, parentId: testData.support });
  return { id, leave };
}

test('two processes that update one employee at once keep both changes', async () => {
  const { id } = (await clients[0].post('/employees', person('both'), { tenant: testData.tenantA })).body;
  const answers = await overtakenHere(() => [
    clients[0].patch(`/employees/${id}`, { city: 'Köln' }),
    clients[1].patch(`/employees/${id}`, { street: 'Am Hof 1' }),
  ]);
  assert.deepEqual(
    answers.map(answer => answer.status),
    [200, 200],
  );
  const { city, street } = (await clients[0].get(`/employees/${id}`)).body;
  assert.deepEqual([city, street], ['Köln', 'Am Hof 1']);
});

test('an update into a division that meanwhile left the scope is INVALID_REFERENCE', async () => {
  const division = await divisionThatLeaves('Leaves before an update');
  const { id } = (await clients[0].post('/employees', { ...person('moves'), divisionId: testData.sales }))
    .body;
  const [answer] = await overtakenHere(
    () => [clients[0].patch(`/employees/${id}`, { divisionId: division.id }, { key: testData.keys.sales })],
    division.leave,
  );
  assert.deepEqual([answer!.status, answer!.body.error.code], [422, 'INVALID_REFERENCE']);
});

test('an update of an employee whose division meanwhile left the scope is NOT_FOUND', async () => {
  const division = await divisionThatLeaves('Leaves with its employee');
  const { id } = (await clients[0].post('/employees', { ...person('leaves'), divisionId: division.id })).body;
  const [answer] = await overtakenHere(
    () => [clients[0].patch(`/employees/${id}`, { city: 'Köln' }, { key: testData.keys.sales })],
    division.leave,
  );
  assert.deepEqual([answer!.status, answer!.body.error.code], [404, 'NOT_FOUND']);
});

test('a create in a division that meanwhile left the scope is INVALID_REFERENCE', async () => {
  const division = await divisionThatLeaves('Leaves before a create');
  const body = { ...person('late'), divisionId: division.id };
  const [answer] = await overtakenHere(
    () => [clients[0].post('/employees', body, { key: testData.keys.sales })],
    division.leave,
  );
  assert.deepEqual([answer!.status, answer!.body.error.code], [422, 'INVALID_REFERENCE']);
});
