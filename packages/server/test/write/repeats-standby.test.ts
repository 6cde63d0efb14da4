import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import type { TestDatabase } from '../support/database/database.ts';
import { startService, type TestService } from '../support/service/service.ts';
import type { Sql } from '../support/database/sql.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';
import { databaseOnOwnServer, setStandby } from './standby.ts';

let testing: TestDatabase;
let sql: Sql;
let testData: TestData;
let service: TestService;
let client: ApiClient;
before(async () => {
  testing = await databaseOnOwnServer();
  ({ sql } = testing.database);
  testData = await insertTestData(sql);
  service = await startService(sql);
  client = apiClient(service.url, { key: testData.keys.all });
});
after(async () => {
  client?.close();
  await service?.stop();
  await testing?.drop();
});

/** The server process whose commit waits for the standby. @throws Error when the request is answered before */
async function waitForCommit(request: Promise<unknown>): Promise<number> {
  let isAnswered = false;
  const end = () => {
    isAnswered = true;
  };
  request.then(end, end);
  for (;;) {
    const [waiting] = await sql<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'`;
    if (waiting) return waiting.pid;
    if (isAnswered) throw new Error('the request was answered without the standby');
  }
}

test('a repeat is answered only when the standby has the first write, too', async () => {
  const body = { email: 'a@example.com', firstName: 'A', lastName: 'B', divisionId: testData.sales };
  const send = (): Promise<Answer<any>> =>
    client.post('/employees', body, { headers: { 'idempotency-key': 'one' } });

  await setStandby(sql, '*');
  const first = send();
  await sql`SELECT pg_cancel_backend(${await waitForCommit(first)}::int)`;
  assert.equal((await first).status, 503);
  // The first write is visible, but only this server has it.
  assert.equal((await client.get('/employees')).body.totalElements, 1);

  const again = send();
  await waitForCommit(again);
  const isPending = Symbol('pending');
  await client.get('/employees');
  assert.equal(await Promise.race([again, Promise.resolve(isPending)]), isPending);

  await setStandby(sql, '');
  const { status, headers } = await again;
  assert.deepEqual([status, headers['idempotency-replayed']], [201, 'true']);
  assert.equal((await client.get('/employees')).body.totalElements, 1);
});
