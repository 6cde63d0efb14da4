import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { recordingPool } from '../../support/database/sql.ts';
import { type Answer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';

let database: TestDatabase;
let service: TestService;
let testData: TestData;
let client: ApiClient;
const statements: string[] = [];

before(async () => {
  database = await testDatabase();
  const { sql } = database.database;
  testData = await insertTestData(sql);
  service = await startService(sql, {
    reads: recordingPool(sql.database.reads, text => isOfOperation(text) && statements.push(text)),
  });
  client = apiClient(service.url, { key: testData.keys.sales });
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

/** Whether a statement belongs to an operation, and not to keys and what goes on beside requests. */
const isOfOperation = (text: string) => !/api_key|key_organization|pg_notify|setting/.test(text);

/** The parts of an answer that a caller can compare; what each request has of its own is taken out. */
function visible({ status, headers, body, bytes }: Answer<any>): unknown {
  const { requestId, ...error } = body.error;
  assert.equal(requestId, headers['x-request-id']);
  const { date: _date, 'x-request-id': _id, ratelimit: _limit, ...rest } = headers;
  return { status, error, headers: rest, names: Object.keys(headers), size: bytes.length };
}

const requests: [string, (id: string) => Promise<Answer<any>>][] = [
  ['a read', id => client.get(`/divisions/${id}`)],
  ['a read with X-Tenant-ID', id => client.get(`/divisions/${id}`, { tenant: testData.tenantA })],
  ['an update', id => client.patch(`/divisions/${id}`, { order: 3 })],
  ['a move', id => client.patch(`/divisions/${id}`, { parentId: testData.north })],
  ['a dry run', id => client.patch(`/divisions/${id}`, { order: 3 }, { query: { dryRun: true } })],
  ['a parent of a create', parentId => client.post('/divisions', { name: 'Neu', parentId })],
  ['a parent of a move', parentId => client.patch(`/divisions/${testData.north}`, { parentId })],
];
for (const [name, request] of requests)
  test(`${name}: a division that the key may not see answers as one that does not exist, after the same statements`, async () => {
    const targets = ['f'.repeat(24), testData.support, testData.lager, testData.foreign.division];
    const seen: unknown[] = [];
    for (const id of targets) {
      statements.length = 0;
      const answer = visible(await request(id));
      seen.push({ answer, statements: [...statements] });
    }
    for (const other of seen) assert.deepEqual(other, seen[0]);
  });
