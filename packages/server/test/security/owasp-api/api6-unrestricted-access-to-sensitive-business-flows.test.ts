import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyLimit } from '../../../src/features/keys/lifecycle.ts';
import { createOrganization } from '../../../src/features/organizations/store.ts';
import { invitationLimit } from '../../../src/features/users/invitations.ts';
import { resetLimits } from '../../../src/features/users/passwords/resets.ts';
import { apiClient } from '../../support/contract/client.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { startService } from '../../support/service/service.ts';
import { invitedUser, signedInUser } from '../../support/data/users.ts';
import { outcomeOf, useApis } from './support.ts';

const fixture = useApis();

/** Asks so many times, `atOnce` at the same time, and returns how often each outcome came. */
async function repeat(
  times: number,
  ask: (n: number) => Promise<Parameters<typeof outcomeOf>[0]>,
  atOnce = 10,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 0;
  const work = async () => {
    while (next < times) {
      const outcome = outcomeOf(await ask(next++));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

const rejected = '429 RATE_LIMIT_EXCEEDED';

/** An administrator of an organization in which nothing was counted yet. */
async function administrator(organization: string) {
  const permissions = ['IT' as const, 'COMPANY_ADMIN' as const];
  const { secret: key } = await signedInUser(fixture.sql, organization, { permissions });
  return { portal: fixture.clients.portal, key };
}

/** Stores what other users of an organization have done in the last hour. */
async function storeEntries(organization: string, action: string, count: number): Promise<void> {
  await fixture.sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
    SELECT ${organization}, statement_timestamp() - n * interval '1 second', lpad(n::text, 24, '0'), ${action},
      lpad((n % 50)::text, 24, '0'), '{}', lpad(n::text, 24, '0'), 'user', 'Another', 'another'
    FROM generate_series(1, ${count}::int) AS n`;
}

const unknownKey = '0'.repeat(12);
const wanted = { name: 'Payroll', wholeOrganization: true };
const userNamed = (name: string) => ({
  email: `${name}@example.com`,
  name,
  language: 'de',
  permissions: ['IT'],
});

describe('invitations, which are mails to addresses that a user chooses, are limited', () => {
  test('invitePortalUser: one user is invited ten times an hour, and others still are', async () => {
    const { sql, testData } = fixture;
    const { portal, key } = await administrator(testData.organization);
    const { id } = await invitedUser(sql, testData.organization);
    const { ofTarget } = invitationLimit;
    const invite = (user: string) => portal.request('POST', `/users/${user}/invitation`, { key });
    assert.deepEqual(await repeat(ofTarget + 5, () => invite(id)), { 200: ofTarget, [rejected]: 5 });
    const wait = Number((await invite(id)).headers['retry-after']);
    assert.ok(wait > 0 && wait <= 3600);
    const other = await invitedUser(sql, testData.organization);
    assert.equal((await invite(other.id)).status, 200);
  });

  test('createPortalUser: rejected ones and dry runs do not count, a user has a share, and others still invite', async () => {
    const organization = await createOrganization(fixture.sql, 'Invitations');
    const [one, other] = [await administrator(organization), await administrator(organization)];
    const invite = ({ portal, key }: typeof one, name: string, query = {}) =>
      portal.post('/users', userNamed(name), { key, query });
    assert.equal(outcomeOf(await invite(one, 'twin')), '201');
    const { ofUser, ofOrganization } = invitationLimit;
    const taken = '409 DUPLICATE_RESOURCE';
    assert.deepEqual(await repeat(ofOrganization, () => invite(one, 'twin')), { [taken]: ofOrganization });
    // One at a time, as a dry run does not wait for another write of its user.
    const dryRuns = await repeat(20, n => invite(one, `dry${n}`, { dryRun: true }), 1);
    assert.deepEqual(dryRuns, { 200: 20 });
    const outcomes = await repeat(ofUser, n => invite(one, `share${n}`));
    assert.deepEqual(outcomes, { 201: ofUser - 1, [rejected]: 1 });
    assert.equal(outcomeOf(await invite(other, 'further')), '201');
  });

  test('createPortalUser: an organization invites 500 an hour, and another one still does', async () => {
    const organization = await createOrganization(fixture.sql, 'Many invitations');
    await storeEntries(organization, 'user.invite', invitationLimit.ofOrganization - 1);
    const { portal, key } = await administrator(organization);
    assert.equal(outcomeOf(await portal.post('/users', userNamed('last'), { key })), '201');
    assert.equal(outcomeOf(await portal.post('/users', userNamed('late'), { key })), rejected);
    const foreign = await administrator(fixture.testData.foreign.organization);
    const answer = await portal.post('/users', userNamed('foreign'), { key: foreign.key });
    assert.equal(outcomeOf(answer), '201');
  });
});

describe('new keys are limited', () => {
  test('replacePortalApiKey: requests that are rejected, and dry runs, keep nobody from replacing a key', async () => {
    const organization = await createOrganization(fixture.sql, 'Leaked');
    const { portal, key } = await administrator(organization);
    const replace = (id: string, query = {}) =>
      portal.post(`/api-keys/${id}/replacement`, {}, { key, query });
    const { ofOrganization } = keyLimit;
    const tried = await repeat(ofOrganization, () => replace(unknownKey, { dryRun: true }));
    assert.deepEqual(tried, { '404 NOT_FOUND': ofOrganization });
    assert.deepEqual(await repeat(20, () => replace(unknownKey)), { '404 NOT_FOUND': 20 });
    const dryRun = () => portal.post('/api-keys', wanted, { key, query: { dryRun: true } });
    const dryRuns = await repeat(20, dryRun, 1);
    assert.deepEqual(dryRuns, { 200: 20 });
    const leaked = await portal.post('/api-keys', wanted, { key });
    assert.equal(outcomeOf(leaked), '201');
    assert.equal(outcomeOf(await replace(leaked.body.id)), '201');
  });

  test('createPortalApiKey: a user has a share of them, and another user of the organization still makes one', async () => {
    const organization = await createOrganization(fixture.sql, 'Shared');
    const [one, other] = [await administrator(organization), await administrator(organization)];
    const create = ({ portal, key }: typeof one) => portal.post('/api-keys', wanted, { key });
    const { ofUser } = keyLimit;
    assert.deepEqual(await repeat(ofUser + 3, () => create(one)), { 201: ofUser, [rejected]: 3 });
    assert.equal(outcomeOf(await create(other)), '201');
  });

  test('createPortalApiKey and replacePortalApiKey: an organization makes 500 an hour, and another one still does', async () => {
    const organization = await createOrganization(fixture.sql, 'Many keys');
    await storeEntries(organization, 'key.create', keyLimit.ofOrganization - 1);
    const { portal, key } = await administrator(organization);
    const { body } = await portal.post('/api-keys', wanted, { key });
    assert.equal(outcomeOf(await portal.post('/api-keys', wanted, { key })), rejected);
    const replaced = await portal.post(`/api-keys/${body.id}/replacement`, {}, { key });
    assert.equal(outcomeOf(replaced), rejected);
    const wait = Number(replaced.headers['retry-after']);
    // The oldest of the 500 was stored 499 seconds ago.
    assert.ok(wait > 3000 && wait <= 3600 - (keyLimit.ofOrganization - 1));
    const foreign = await administrator(fixture.testData.foreign.organization);
    assert.equal((await portal.post('/api-keys', wanted, { key: foreign.key })).status, 201);
  });
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
