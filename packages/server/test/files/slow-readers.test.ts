import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { type S3Files, s3Store } from '../../src/files/s3-store.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { startS3, type TestS3 } from '../support/servers/s3.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';

const testTimeout = 120_000;
const timeout = 5000;

/** More than the pool has sessions (10), and than the client of S3 opens connections by default (50). */
const readers = 60;

/** More than all buffers on the way hold. */
const large = Buffer.alloc(16 * 1024 * 1024, 'kontor');
const small = Buffer.from('%PDF-1.7');

let database: TestDatabase;
let testData: TestData;
let orderId: string;
let s3: TestS3;
let s3Files: S3Files;

before(async () => {
  database = await testDatabase();
  const { sql } = database.database;
  testData = await insertTestData(sql);
  const [person] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  orderId = (await storeOrders(sql, target, [orderInput({ employeeId: person!.id })]))[0]!.id;
  s3 = await startS3();
  s3Files = s3Store(s3.url, timeout, sql);
});
after(async () => {
  s3Files[Symbol.dispose]();
  await s3.close();
  await database.drop();
});

/** Attaches the bytes to the order and answers the path of the download. */
async function attach(store: FileStore, bytes: Buffer): Promise<string> {
  const parts = { db: database.database.sql, files: store };
  const place = { organizationId: testData.organization, orderId };
  const document = { kind: 'other', fileName: 'a.pdf', mediaType: 'application/pdf', bytes } as const;
  const { id } = await attachToOrder(parts, place, document);
  return `/orders/${orderId}/attachments/${id}`;
}

/** Asks for a file and reads nothing of it but the headers. */
async function slowReader(service: TestService, path: string): Promise<IncomingMessage> {
  const headers = { 'x-api-key': testData.keys.all };
  const outgoing = get(`${service.url}/v1${path}`, { headers, agent: false });
  outgoing.on('error', () => {});
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.equal(incoming.statusCode, 200);
  return incoming;
}

/** Resolves when no session of the service is at work or in a transaction. */
async function idle(): Promise<void> {
  for (;;) {
    const busy = await database.database.sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`;
    if (busy.length === 0) return;
    await delay(5);
  }
}

const stores: [name: string, store: () => FileStore][] = [
  ['the database', () => databaseStore(database.database.sql)],
  ['S3', () => s3Files.store],
];
for (const [name, storeOf] of stores)
  describe(
    `${readers} readers of large files from ${name} who take nothing`,
    { timeout: testTimeout },
    () => {
      let service: TestService;
      let client: ApiClient;
      let paths: { small: string; large: string };
      let slow: IncomingMessage[];

      before(async () => {
        const store = storeOf();
        service = await startService(database.database.sql, { files: { store, timeout } });
        client = apiClient(service.url, { key: testData.keys.all });
        paths = { small: await attach(store, small), large: await attach(store, large) };
        slow = await Promise.all(Array.from({ length: readers }, () => slowReader(service, paths.large)));
      });
      after(async () => {
        client.close();
        await service.stop();
      });

      test('hold no session of the database', idle);

      test('do not keep others from reading, downloading and storing files', async () => {
        const reads = await Promise.all(Array.from({ length: 50 }, () => client.get(`/orders/${orderId}`)));
        assert.deepEqual(new Set(reads.map(({ status }) => status)), new Set([200]));
        assert.ok((await client.get(paths.small)).bytes.equals(small));
        await attach(storeOf(), small);
      });

      test('leave nothing behind when they break off', async () => {
        for (const incoming of slow) incoming.destroy();
        const aborted = () => service.log.filter(line => line.includes('"status":499')).length;
        while (aborted() < readers) await delay(5);
        await idle();
        assert.ok((await client.get(paths.large)).bytes.equals(large));
      });
    },
  );
