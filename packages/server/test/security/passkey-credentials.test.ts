import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiClient } from '../support/contract/client.ts';
import { outcome, usePortal } from '../portal/support.ts';
import { Authenticator } from '../support/servers/authenticator.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { testToken } from '../support/data/tokens.ts';
import { signedInUser } from '../support/data/users.ts';

/** No two users register one credential identifier (WebAuthn level 3, 7.1 step 26), in whichever organizations. */

const fixture = usePortal();
const origin = 'https://kontor.example.com';

const someone = async (organization = fixture.testData.organization) => {
  const { user, secret: key } = await signedInUser(fixture.sql, organization);
  return { id: user.id, organization, key };
};
type Someone = Awaited<ReturnType<typeof someone>>;

/** Begins a registration of the one passkey that the authenticator has. */
async function registration({ key }: Someone, authenticator: Authenticator) {
  const { body } = await fixture.portal.request('POST', '/passkeys/challenge', { key });
  const made = authenticator.create(body, 'Phone', { again: true });
  return { made, send: () => fixture.portal.post('/passkeys', made, { key }) };
}

const register = async (who: Someone, authenticator: Authenticator) =>
  (await registration(who, authenticator)).send();

const removePasskey = ({ key }: Someone, id: string) =>
  fixture.portal.request('DELETE', `/passkeys/${id}`, { key });

const passkeysOf = async ({ key }: Someone) =>
  (await fixture.portal.get('/passkeys', { key })).body.totalElements as number;

/** How many identifiers are taken by a user. */
const registerTwice = async ({ id }: Someone) =>
  (await fixture.sql`SELECT FROM portal_credential WHERE user_id = ${id}`).length;

for (const where of ['the same organization', 'another organization'] as const)
  describe(`a second user, of ${where},`, () => {
    const second = () =>
      someone(where === 'another organization' ? fixture.testData.foreign.organization : undefined);

    test('409 DUPLICATE_RESOURCE: registers no passkey of another user, and the other one keeps it', async () => {
      const [one, other, authenticator] = [await someone(), await second(), new Authenticator(origin)];
      assert.equal(outcome(await register(one, authenticator)), '200');
      assert.equal(outcome(await register(other, authenticator)), '409 DUPLICATE_RESOURCE');
      assert.deepEqual([await passkeysOf(one), await passkeysOf(other)], [1, 0]);
      assert.equal(await registerTwice(other), 0);
    });

    test('409 DUPLICATE_RESOURCE: one of two who register it at once', async () => {
      for (let round = 0; round < 6; round++) {
        const [one, other, authenticator] = [await someone(), await second(), new Authenticator(origin)];
        const sends = [await registration(one, authenticator), await registration(other, authenticator)];
        const answers = await Promise.all(sends.map(({ send }) => send()));
        assert.deepEqual(answers.map(outcome).sort(), ['200', '409 DUPLICATE_RESOURCE']);
        assert.equal((await passkeysOf(one)) + (await passkeysOf(other)), 1);
      }
    });

    test('200: registers it after the first one has removed it', async () => {
      const [one, other, authenticator] = [await someone(), await second(), new Authenticator(origin)];
      const { body } = await register(one, authenticator);
      assert.equal(outcome(await removePasskey(one, body.id)), '200');
      assert.equal(outcome(await register(other, authenticator)), '200');
      assert.deepEqual([await registerTwice(one), await registerTwice(other)], [0, 1]);
    });

    test('200: registers it after the first one was deleted', async () => {
      const [one, other, authenticator] = [await someone(), await second(), new Authenticator(origin)];
      await register(one, authenticator);
      await register(one, new Authenticator(origin));
      const platform = apiClient(fixture.service.managementUrl, {
        api: 'platform',
        key: await testToken(fixture.sql),
      });
      const path = `/organizations/${one.organization}/users/${one.id}`;
      assert.equal(outcome(await platform.request('DELETE', path)), '200');
      platform.close();
      assert.equal(await registerTwice(one), 0);
      assert.equal(outcome(await register(other, authenticator)), '200');
    });
  });

test('to remove one passkey frees no other one of the user', async () => {
  const [one, other] = [await someone(), await someone()];
  const [first, second] = [new Authenticator(origin), new Authenticator(origin)];
  const { body } = await register(one, first);
  await register(one, second);
  await removePasskey(one, body.id);
  assert.equal(outcome(await register(other, second)), '409 DUPLICATE_RESOURCE');
});

test('who comes second while the first registration is not committed gets it when that is rolled back', async () => {
  const [one, authenticator] = [await someone(), new Authenticator(origin)];
  const { made, send } = await registration(one, authenticator);
  const rolledBack = new Error('the first registration fails');
  let answer: ReturnType<typeof send> | undefined;
  const first = fixture.sql.begin(async holder => {
    await holder`
      INSERT INTO portal_credential (credential_id, organization_id, user_id, passkey_id)
      VALUES (${made.credentialId}, ${one.organization}, 'other', 'other')`;
    answer = send();
    await waitForLocks(fixture.sql, [answer]);
    throw rolledBack;
  });
  await assert.rejects(first, rolledBack);
  assert.equal(outcome(await answer!), '200');
});
