import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { storeNewUser } from '../../src/features/users/invitations.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { testToken } from '../support/data/tokens.ts';
import { secretOf, testLinking } from '../support/data/users.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';

const password = 'correct horse battery staple';
const attacker = '203.0.113.7';
const honest = '198.51.100.8';

let testing: TestDatabase;
let testData: TestData;
before(async () => {
  testing = await testDatabase();
  testData = await insertTestData(testing.database.sql);
});
after(() => testing.drop());

const methods = {
  'the variable KONTOR_TRUSTED_PROXIES': { variables: { KONTOR_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } },
  'the option --trusted-proxies': { args: ['--trusted-proxies', '127.0.0.1'] },
  'the variable and two workers': {
    variables: { KONTOR_TRUSTED_PROXIES: '127.0.0.0/8', KONTOR_WORKERS: '2' },
  },
};

for (const [method, { variables = {}, args = [] }] of Object.entries<{
  variables?: Record<string, string>;
  args?: string[];
}>(methods))
  describe(`kontor serve behind a proxy that is trusted by ${method}`, () => {
    let service: ServiceProcess;
    before(async () => {
      service = await startServiceProcess({ args, variables: { DATABASE_URL: testing.url, ...variables } });
    });
    after(() => service?.end('SIGTERM'));

    test('limits and audits sign-ins by the address of the client, not by that of the proxy', async () => {
      const portal = apiClient(service.url, { api: 'portal' });
      const from = (address: string) => ({ headers: { 'X-Forwarded-For': `192.0.2.9, ${address}` } });
      const signIn = (email: string, word: string, address: string) =>
        portal.post('/session', { email, password: word }, from(address));
      const email = await userWithPassword(method, secret =>
        portal.post('/invitation/acceptance', { secret, password }, from(honest)),
      );
      for (let n = 0; n < 21; n++)
        assert.notEqual((await signIn(email, 'wrong password', attacker)).status, 200);
      assert.notEqual((await signIn(email, password, attacker)).status, 200);
      const answer = await signIn(email, password, honest);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.session.address, honest);
      portal.close();
      assert.equal(await auditedAddress(answer.body.session.id), honest);
    });

    test('audits the address of the client on the management port', async () => {
      const platform = apiClient(service.managementUrl, {
        api: 'platform',
        key: await testToken(testing.database.sql),
      });
      const path = `/organizations/${testData.organization}/tenants`;
      const { status, body } = await platform.post(
        path,
        { name: `Tenant of ${method}` },
        { headers: { 'X-Forwarded-For': honest } },
      );
      platform.close();
      assert.equal(status, 201);
      assert.equal(await auditedAddress(body.id), honest);
    });
  });

/** The address in the audit entry that a creation made. */
async function auditedAddress(targetId: string): Promise<string | undefined> {
  const rows = await testing.database.sql<{ address: string }[]>`
    SELECT address FROM audit WHERE target_id = ${targetId}`;
  return rows[0]?.address;
}

/** Makes a user who sets the password with the link of the invitation. */
async function userWithPassword(
  name: string,
  accept: (secret: string) => Promise<{ status: number }>,
): Promise<string> {
  const email = `${name.replaceAll(/\W+/g, '.')}@example.com`.toLowerCase();
  const user = await new Writes(testing.database.sql).runWithoutClock(
    callOf(testData.organization, operator),
    (write, session) =>
      storeNewUser(write, session, testLinking, {
        email,
        name: 'Petra Lang',
        language: 'de',
        permissions: ['IT'],
      }),
  );
  assert.equal((await accept(secretOf(user))).status, 200);
  return email;
}
