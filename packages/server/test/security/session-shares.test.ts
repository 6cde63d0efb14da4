import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exportOf } from '../support/contract/exports.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { testSql } from '../support/database/sql.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';
import { activeUser, sessionOfUser } from '../support/data/users.ts';

/** Sessions of a pool: 10, of which the service keeps 2, an organization has 5 and a caller 3, with one more for short reads. */
const poolSize = 10;
const ofCaller = 3;
const ofOrganization = 5;

let testing: TestDatabase;
let testData: TestData;
let database: Database;
let service: TestService;
let portal: ApiClient;
let clients: ApiClient;

before(async () => {
  testing = await testDatabase();
  testData = await insertTestData(testing.database.sql);
  database = connect({ url: testing.url }, { poolSize, applicationName: 'kontor service' });
  service = await startService(testSql(database));
  portal = apiClient(service.url, { api: 'portal' });
  clients = apiClient(service.url, { key: testData.keys.all });
});
after(async () => {
  portal.close();
  clients.close();
  await service.stop();
  await database.close();
  await testing.drop();
});

/** Signs a user in who may read the audit of the organization, and returns the secret of the session. */
async function signIn(organizationId: string): Promise<string> {
  const { sql } = testing.database;
  const { id } = await activeUser(sql, organizationId, {
    permissions: ['COMPANY_ADMIN', 'HR'],
    hrTenants: null,
  });
  return (await sessionOfUser(sql, organizationId, id)).secret;
}

const as = (secret: string) => ({ key: secret });

const searchAudit = (session: string): Promise<Answer<any>> =>
  portal.post('/audit-entries/search', { filter: "targetId CONTAINS 'x'" }, as(session));

const exportAudit = (session: string): Promise<Answer<any>> =>
  portal.post('/audit-entries/export', exportOf(['id']), as(session));

/** Reads that each portal user sends all day. */
async function checkAnswered(session: string): Promise<void> {
  for (const path of ['/session', '/summary', '/divisions'])
    assert.equal((await portal.get(path, as(session))).status, 200, path);
  for (const path of ['/employees/search', '/users/search', '/tenants/search'])
    assert.equal((await portal.post(path, {}, as(session))).status, 200, path);
}

async function waitingForLocks(): Promise<number> {
  const rows = await testing.database.sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND application_name = 'kontor service'`;
  return rows.length;
}

async function untilWaiting(count: number): Promise<void> {
  while ((await waitingForLocks()) < count);
}

/** Runs the work while each statement that reads the table waits in the database, as if it took long. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  return testing.database.sql.begin(async holder => {
    await holder.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return work();
  });
}

describe('while 60 searches of the audit log by one portal user take long', () => {
  test('three of them have a session, and users and keys of another organization, the own key and strangers are answered', async () => {
    const { organization, foreign, keys } = testData;
    const attacker = await signIn(organization);
    const other = await signIn(foreign.organization);
    const searches = await whileLocked('audit', async () => {
      const sent = Array.from({ length: 60 }, () => searchAudit(attacker));
      await untilWaiting(ofCaller);
      await checkAnswered(other);
      assert.equal((await clients.get('/employees', { key: keys.foreign })).status, 200);
      assert.equal((await clients.get('/employees')).status, 200);
      assert.equal((await clients.get('/divisions', { key: 'unknown' })).status, 401);
      assert.equal((await clients.get('/health')).status, 200);
      assert.ok((await waitingForLocks()) <= ofCaller);
      return sent;
    });
    await Promise.all(searches);
  });

  test('short reads of the same user are answered', async () => {
    const attacker = await signIn(testData.organization);
    const searches = await whileLocked('audit', async () => {
      const sent = Array.from({ length: 20 }, () => searchAudit(attacker));
      await untilWaiting(ofCaller);
      assert.equal((await portal.get('/session', as(attacker))).status, 200);
      return sent;
    });
    await Promise.all(searches);
  });
});

test('all users of an organization together have half of the sessions', async () => {
  const { organization, foreign } = testData;
  const attackers = await Promise.all(Array.from({ length: 5 }, () => signIn(organization)));
  const other = await signIn(foreign.organization);
  await whileLocked('audit', async () => {
    const sent = attackers.flatMap(attacker => Array.from({ length: 8 }, () => searchAudit(attacker)));
    await untilWaiting(ofOrganization);
    await checkAnswered(other);
    assert.ok((await waitingForLocks()) <= ofOrganization);
    return sent;
  }).then(sent => Promise.all(sent));
});

test('exports of one user have its share and no more', async () => {
  const { organization, foreign } = testData;
  const attacker = await signIn(organization);
  const other = await signIn(foreign.organization);
  await whileLocked('audit', async () => {
    const sent = Array.from({ length: 12 }, () => exportAudit(attacker));
    await untilWaiting(ofCaller);
    await checkAnswered(other);
    assert.ok((await waitingForLocks()) <= ofCaller);
    return sent;
  }).then(sent => Promise.all(sent));
});

test('writes of one user that wait for a lock leave those of another organization alone', async () => {
  const { organization, foreign } = testData;
  const { sql } = testing.database;
  const [attacker, other] = [await signIn(organization), await signIn(foreign.organization)];
  await sql
    .begin(async holder => {
      await holder`SELECT FROM organization WHERE id = ${organization} FOR UPDATE`;
      const sent = Array.from({ length: 30 }, (_, n) =>
        portal.post('/divisions', { name: `Blocked ${n}` }, { ...as(attacker), tenant: testData.tenantA }),
      );
      await untilWaiting(ofCaller);
      const answer = await portal.post(
        '/divisions',
        { name: 'Free' },
        { ...as(other), tenant: foreign.tenant },
      );
      assert.equal(answer.status, 201);
      assert.ok((await waitingForLocks()) <= ofCaller);
      return sent;
    })
    .then(sent => Promise.all(sent));
});
