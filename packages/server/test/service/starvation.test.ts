import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { connect, type Database } from '../../src/db/connect.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { startServiceProcess } from '../support/service/kontor.ts';
import { type Sql, testSql, type TestSession } from '../support/database/sql.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { insertTestData, testKey, type TestData } from '../support/data/test-data.ts';

let testing: TestDatabase;
let sql: Sql;
let testData: TestData;
/** Ten sessions for lists, of which one key may have three; a statement may take 2 s. */
let database: Database;
let service: TestService;
let client: ApiClient;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  testData = await insertTestData(sql);
  database = connect({ url: testing.url }, { deadline: 2_000, applicationName: 'kontor service' });
  service = await startService(testSql(database));
  client = apiClient(service.url, { key: testData.keys.all });
});
after(async () => {
  client.close();
  await service.stop();
  await database.close();
  await testing.drop();
});

/** Runs the work while every list of employees waits in the database. */
function whileEmployeesAreLocked(work: (holder: TestSession) => Promise<void>): Promise<void> {
  return sql.begin(async holder => {
    await holder`LOCK TABLE employee IN ACCESS EXCLUSIVE MODE`;
    await work(holder);
  });
}

async function waitingStatements(): Promise<number> {
  const rows = await sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND application_name = 'kontor service'`;
  return rows.length;
}

async function untilWaiting(count: number): Promise<void> {
  while ((await waitingStatements()) !== count);
}

describe('while lists of one key take long', () => {
  test('no more of them than its part are in the database, and lists of other keys are answered', async () => {
    const other = await testKey(sql, testData.organization, 'all');
    await whileEmployeesAreLocked(async () => {
      const slow = Array.from({ length: 24 }, () => client.get('/employees'));
      await untilWaiting(3);
      for (let n = 0; n < 20; n++) {
        assert.equal((await client.get('/divisions', { key: other })).status, 200);
        assert.equal(await waitingStatements(), 3);
      }
      const answers = await Promise.all(slow);
      assert.ok(answers.every(answer => answer.status === 503));
    });
  });

  test('it is 503 with the advice to narrow the filter, and Retry-After', async () => {
    await whileEmployeesAreLocked(async () => {
      const answer = await client.get('/employees');
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
      assert.match(answer.body.error.message, /narrow the filter/);
      assert.match(String(answer.headers['retry-after']), /^[1-9][0-9]*$/);
    });
    assert.equal((await client.get('/employees')).status, 200);
  });
});

describe('a statement of a list', () => {
  test('ends when its client has left', async () => {
    await whileEmployeesAreLocked(async () => {
      const sent = request(`${service.url}/v1/employees`, {
        headers: { 'X-API-Key': testData.keys.all },
      }).end();
      sent.on('error', () => {});
      await untilWaiting(1);
      const began = performance.now();
      sent.destroy();
      await untilWaiting(0);
      // Not only when its time is over.
      assert.ok(performance.now() - began < 1_800);
    });
    assert.equal((await client.get('/employees')).status, 200);
  });

  test('ends when the process of the service is no more', async () => {
    const process = await startServiceProcess({
      variables: { DATABASE_URL: testing.url, KONTOR_STATEMENT_TIMEOUT: '60' },
    });
    const own = apiClient(process.url, { key: testData.keys.all });
    await whileEmployeesAreLocked(async () => {
      const lost = own.get('/employees').catch(() => null);
      await untilWaiting(1);
      await process.end('SIGKILL');
      await untilWaiting(0);
      await lost;
    });
    own.close();
  });
});

test('a key with a list of more than a second reads one at a time for a while', async () => {
  const key = await testKey(sql, testData.organization, 'all');
  await whileEmployeesAreLocked(async () => void (await client.get('/employees', { key })));
  await whileEmployeesAreLocked(async () => {
    const slow = Array.from({ length: 2 }, () => client.get('/employees', { key }));
    await untilWaiting(1);
    assert.equal((await client.get('/divisions', { key: testData.keys.all })).status, 200);
    assert.equal(await waitingStatements(), 1);
    await Promise.all(slow);
  });
});

test('metrics show the sessions of the pools, what waits and what was lost', async () => {
  const key = await testKey(sql, testData.organization, 'all');
  await whileEmployeesAreLocked(async () => {
    const slow = Array.from({ length: 5 }, () => client.get('/employees', { key }));
    await untilWaiting(3);
    const lines = (await (await fetch(`${service.managementUrl}/metrics`)).text()).split('\n');
    const value = (name: string) => Number(lines.find(line => line.startsWith(`${name} `))?.split(' ')[1]);
    assert.deepEqual(
      {
        atWork:
          value('kontor_database_sessions{pool="lists"}') -
          value('kontor_database_sessions_idle{pool="lists"}'),
        waiting: value('kontor_database_waiting{pool="lists"}'),
        lost: value('kontor_database_sessions_lost_total{pool="lists"}') > 0,
        overdue: value('kontor_database_statement_timeouts_total{pool="reads"}'),
        full: value('kontor_database_errors_total{pool="writes",class="53"}'),
        writes: value('kontor_writes_waiting'),
        keys: value('kontor_key_listener_trusted') <= 1,
      },
      {
        atWork: 3,
        waiting: 2,
        lost: true,
        overdue: 0,
        full: 0,
        writes: 0,
        keys: true,
      },
    );
    await Promise.all(slow);
  });
});
