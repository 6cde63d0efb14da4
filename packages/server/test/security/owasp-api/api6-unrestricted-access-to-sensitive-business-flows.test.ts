import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invitationLimits, keyLimit } from '../../../src/features/users/attempts.ts';
import { resetLimits } from '../../../src/features/users/passwords/resets.ts';
import { apiClient } from '../../support/client.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { startService } from '../../support/service.ts';
import { invitedUser, signedInUser } from '../../support/users.ts';
import { outcomeOf, useApis } from './support.ts';

const fixture = useApis();

/** Asks so many times, a few at once, and returns how often each outcome came. */
async function repeat(
  times: number,
  ask: (n: number) => Promise<Parameters<typeof outcomeOf>[0]>,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 0;
  const work = async () => {
    while (next < times) {
      const outcome = outcomeOf(await ask(next++));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return outcomes;
}

const rejected = '429 RATE_LIMIT_EXCEEDED';

/** An administrator of an organization in which nothing was counted yet. */
async function administrator(organization: string) {
  const permissions = ['IT' as const, 'COMPANY_ADMIN' as const];
  const { secret: key } = await signedInUser(fixture.sql, organization, { permissions });
  return { portal: fixture.clients.portal, key };
}

describe('invitations, which are mails to addresses that a user chooses, are bounded', () => {
  test('invitePortalUser: one user is invited ten times an hour, and others still are', async () => {
    const { sql, testData } = fixture;
    const { portal, key } = await administrator(testData.organization);
    const { id } = await invitedUser(sql, testData.organization);
    const { attempts, seconds } = invitationLimits.ofUser;
    const invite = (user: string) => portal.request('POST', `/users/${user}/invitation`, { key });
    assert.deepEqual(await repeat(attempts + 5, () => invite(id)), { 200: attempts, [rejected]: 5 });
    const wait = Number((await invite(id)).headers['retry-after']);
    assert.ok(wait > 0 && wait <= seconds);
    const other = await invitedUser(sql, testData.organization);
    assert.equal((await invite(other.id)).status, 200);
  });

  test('createPortalUser: an organization sends 500 an hour, rejected ones included, and another one still does', async () => {
    const { testData } = fixture;
    const { portal, key } = await administrator(testData.organization);
    const user = { email: 'twin@example.com', name: 'Twin', language: 'de', permissions: ['IT'] };
    const invite = () => portal.post('/users', user, { key });
    const outcomes = await repeat(invitationLimits.ofOrganization.attempts + 1, invite);
    assert.deepEqual(Object.keys(outcomes).sort(), ['201', '409 DUPLICATE_RESOURCE', rejected]);
    assert.equal(outcomes['201'], 1);
    const foreign = await administrator(testData.foreign.organization);
    const answer = await foreign.portal.post(
      '/users',
      { ...user, email: 'other@example.com' },
      { key: foreign.key },
    );
    assert.equal(answer.status, 201);
  });
});

test('createPortalApiKey and replacePortalApiKey: an organization makes 500 keys an hour, and another one still does', async () => {
  const { testData } = fixture;
  const { portal, key } = await administrator(testData.organization);
  const wanted = { name: 'Payroll', wholeOrganization: true };
  const unknown = '0'.repeat(12);
  const replace = () => portal.post(`/api-keys/${unknown}/replacement`, {}, { key });
  const outcomes = await repeat(keyLimit.attempts, replace);
  assert.deepEqual(outcomes, { '404 NOT_FOUND': keyLimit.attempts });
  assert.equal(outcomeOf(await replace()), rejected);
  assert.equal(outcomeOf(await portal.post('/api-keys', wanted, { key })), rejected);
  const foreign = await administrator(testData.foreign.organization);
  assert.equal((await portal.post('/api-keys', wanted, { key: foreign.key })).status, 201);
});

test('requestPasswordReset: one address is mailed to a few times an hour, from whatever network, known or not', async () => {
  const mailServer = await startMailServer();
  const service = await startService(fixture.sql, { mail: mailServer.settings });
  const portal = apiClient(service.url, { api: 'portal' });
  const { email } = await invitedUser(fixture.sql, fixture.testData.organization);
  for (const address of [email, 'nobody@example.com']) {
    const ask = (n: number) => portal.post('/password-reset', { email: address }, { from: `127.60.${n}.1` });
    const { attempts } = resetLimits.ofEmail;
    assert.deepEqual(await repeat(attempts + 3, ask), { 200: attempts, [rejected]: 3 });
  }
  const { attempts } = resetLimits.ofNetwork;
  const outcomes = await repeat(attempts + 5, n =>
    portal.post('/password-reset', { email: `user${n}@example.org` }, { from: '127.61.0.1' }),
  );
  assert.equal(outcomes[rejected], 5);
  portal.close();
  await service.stop();
  await mailServer.close();
});
