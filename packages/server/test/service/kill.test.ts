import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/db/connect.ts';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { migrate } from '../../src/db/migrate.ts';
import { removeFolder, serverPid, temporaryFolder } from '../../../embedded-postgres/test/visitors.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { countersOf } from '../support/data/employees.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { atScale } from '../support/service/scale.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { testSql } from '../support/database/sql.ts';

const timeout = 120_000;
const writers = 16;
/** Creates that are acknowledged before the process is killed. */
const acknowledgedAtLeast = atScale(200, 800);

let folder: string;
let testData: TestData;
/** For every acknowledged create of an employee: identifier and document. */
const acknowledged = new Map<string, unknown>();

before(async () => {
  folder = await temporaryFolder();
  const database = await openDatabase({ dataDirectory: folder, owner: 'command' });
  await migrate(database);
  await openPepper(database.writes, { secret: testPepper.toString('utf8'), dataDirectory: folder });
  testData = await insertTestData(testSql(database));
  await database.close();
});

after(() => removeFolder(folder));

const start = () => startServiceProcess({ variables: { KONTOR_DATA_DIR: folder } });

/** Creates employees until the service is gone. */
async function create(client: ApiClient, name: string): Promise<void> {
  for (let n = 0; ; n++) {
    const body = {
      email: `${name}.${n}@example.com`,
      firstName: 'A',
      lastName: 'B',
      divisionId: testData.north,
    };
    try {
      const answer = await client.post('/employees', body);
      if (answer.status === 201) acknowledged.set(answer.body.id, answer.body);
      else assert.equal(answer.status, 503);
    } catch (error) {
      if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? ''))
        return;
      throw error;
    }
  }
}

/** Lets clients write to a service until enough is acknowledged, and kills it in the middle of that. */
async function storm(service: ServiceProcess, name: string, kill: () => Promise<unknown>): Promise<void> {
  const enough = acknowledged.size + acknowledgedAtLeast;
  const client = apiClient(service.url, { key: testData.keys.all });
  const writing = Promise.all(Array.from({ length: writers }, (_, n) => create(client, `${name}.${n}`)));
  while (acknowledged.size < enough) await Promise.race([writing, delay(5)]);
  await kill();
  await writing;
  client.close();
}

/** Starts the service again: everything acknowledged is there as it was answered, totals and counters are exact. */
async function assertNothingLost(): Promise<void> {
  const service = await start();
  try {
    await assertComplete(service);
  } finally {
    await service.end('SIGTERM');
  }
}

async function assertComplete(service: ServiceProcess): Promise<void> {
  const client = apiClient(service.url, { key: testData.keys.all });
  const found = new Map<string, unknown>();
  let total = 0;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await client.get('/employees', { query: { page, pageSize: 1000 } });
    [pages, total] = [body.totalPages, body.totalElements];
    for (const item of body.items) found.set(item.id, item);
  }
  for (const [id, employee] of acknowledged) assert.deepEqual(found.get(id), employee);
  const someId = acknowledged.keys().next().value!;
  assert.deepEqual((await client.get(`/employees/${someId}`)).body, acknowledged.get(someId));
  assert.equal(found.size, total);
  for (const key of [testData.keys.tenantA, testData.keys.sales])
    assert.equal((await client.get('/employees', { key })).body.totalElements, total);
  client.close();
  const database = await openDatabase({ dataDirectory: folder, owner: 'command' });
  const { kept, real } = await countersOf(testSql(database), testData.organization);
  await database.close();
  assert.deepEqual(kept, real);
  assert.equal(real[''], total);
}

test(
  'kill -9 of the service in a storm of creates loses nothing that was acknowledged',
  { timeout },
  async () => {
    const service = await start();
    await storm(service, 'first', () => service.end('SIGKILL'));
    await assertNothingLost();
  },
);

test(
  'kill -9 of the service and its PostgreSQL loses nothing that was acknowledged',
  { timeout },
  async () => {
    const service = await start();
    await storm(service, 'second', async () => {
      process.kill((await serverPid(folder))!, 'SIGKILL');
      await service.end('SIGKILL');
    });
    await assertNothingLost();
  },
);

test(
  'kill -9 of PostgreSQL alone is survived by the service, which loses nothing either',
  { timeout },
  async () => {
    const service = await start();
    await storm(service, 'third', async () => {
      process.kill((await serverPid(folder))!, 'SIGKILL');
      const resumed = acknowledged.size + acknowledgedAtLeast;
      while (acknowledged.size < resumed) await delay(5);
      await service.end('SIGTERM');
    });
    await assertNothingLost();
  },
);
