import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRequestId } from '../../src/http/request-context.ts';
import { apiClient } from '../support/contract/client.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import { outcome, password, usePortal } from './support.ts';

const fixture = usePortal();

/** What is sent, without a session unless there is one, and how it is rejected. */
interface Sent {
  readonly path: string;
  readonly body: object;
  readonly key?: string;
  readonly rejection: string;
}

/** Has a service of its own reject a request, and answers what the audits have of it once the service has stopped. */
async function auditedAfter({ path, body, key, rejection }: Sent) {
  const { sql, testData } = fixture;
  const service = await startService(sql);
  const client = apiClient(service.url, { api: 'portal' });
  const requestId = newRequestId();
  try {
    const options = { headers: { 'x-request-id': requestId }, ...(key !== undefined && { key }) };
    assert.equal(outcome(await client.post(path, body, options)), rejection);
  } finally {
    client.close();
    await service.stop();
  }
  const platform = apiClient(fixture.service.managementUrl, { api: 'platform', key: await testToken(sql) });
  const entriesOf = async (place: string) => {
    const query = { filter: `requestId = ${requestId}` };
    const { items } = (await platform.get(`${place}/audit-entries`, { query })).body;
    return items.map(({ id: _id, createdAt: _at, ...entry }: any) => entry);
  };
  try {
    return {
      own: await entriesOf(`/organizations/${testData.organization}`),
      operator: await entriesOf(''),
      requestId,
    };
  } finally {
    platform.close();
  }
}

const anonymous = { actorType: 'anonymous', actorId: 'anonymous', actorName: 'anonymous' };
const set = (id: string, change: string) =>
  fixture.sql.unsafe(`UPDATE portal_user SET ${change} WHERE id = '${id}'`);

test('a wrong password is in the audit of the organization of the user, without the email', async () => {
  const { id, email } = await fixture.user();
  const body = { email, password: 'a wrong password' };
  const { own, operator, requestId } = await auditedAfter({
    path: '/session',
    body,
    rejection: '401 SIGN_IN_FAILED',
  });
  assert.deepEqual(operator, []);
  assert.deepEqual(own, [
    {
      ...anonymous,
      action: 'user.sign_in',
      targetType: 'user',
      targetId: id,
      requestId,
      address: '127.0.0.1',
      fields: [],
      outcome: 'rejected',
      reason: 'wrong_secret',
      count: 1,
    },
  ]);
});

test('so is the right one of a deactivated user', async () => {
  const { id, email } = await fixture.user();
  await set(id, 'deactivated_at = now()');
  const body = { email, password };
  const { own } = await auditedAfter({ path: '/session', body, rejection: '401 SIGN_IN_FAILED' });
  assert.partialDeepStrictEqual(own, [{ action: 'user.sign_in', targetId: id, reason: 'deactivated' }]);
});

test('an unknown email is in no audit', async () => {
  const body = { email: 'nobody.at.all@example.com', password };
  const { own, operator } = await auditedAfter({ path: '/session', body, rejection: '401 SIGN_IN_FAILED' });
  assert.deepEqual([own, operator], [[], []]);
  const [{ n }] = (await fixture.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM audit a WHERE to_jsonb(a)::text LIKE '%nobody.at.all%'`) as [
    { n: number },
  ];
  assert.equal(n, 0);
});

test('a password that is confirmed wrongly is under the name of the user', async () => {
  const { id, secret: key } = await fixture.user();
  const sent = { path: '/session/confirmation', body: { password: 'a wrong one' }, key };
  const { own } = await auditedAfter({ ...sent, rejection: '401 SIGN_IN_FAILED' });
  assert.partialDeepStrictEqual(own, [
    { actorType: 'user', actorId: id, action: 'user.sign_in', targetId: id, reason: 'wrong_secret' },
  ]);
});

const links: Record<string, { change: string; reason: string }> = {
  'is over': { change: `link_expires_at = now()`, reason: 'expired' },
  'has another secret': { change: `link_hash = sha256('x')`, reason: 'wrong_secret' },
  'is that of somebody who was deactivated': { change: `deactivated_at = now()`, reason: 'deactivated' },
};
for (const [name, { change, reason }] of Object.entries(links))
  test(`a link that ${name}: ${reason}`, async () => {
    const invited = await invitedUser(fixture.sql, fixture.testData.organization);
    const body = { secret: secretOf(invited), password };
    await set(invited.id, change);
    const path = '/invitation/acceptance';
    const { own, operator } = await auditedAfter({ path, body, rejection: '422 INVALID_LINK' });
    assert.deepEqual(operator, []);
    assert.partialDeepStrictEqual(own, [
      { ...anonymous, action: 'user.accept_invitation', targetId: invited.id, reason },
    ]);
  });

test('a link that was used counts as unknown: in no audit', async () => {
  const invited = await invitedUser(fixture.sql, fixture.testData.organization);
  const body = { secret: secretOf(invited), password };
  assert.equal((await fixture.portal.post('/invitation/acceptance', body)).status, 200);
  const path = '/invitation/acceptance';
  const { own, operator } = await auditedAfter({ path, body, rejection: '422 INVALID_LINK' });
  assert.deepEqual([own, operator], [[], []]);
});
