import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PortalPermission } from '@kontor/contract';
import { createOrganization } from '../../src/features/organizations/store.ts';
import { apiClient } from '../support/contract/client.ts';
import { Authenticator } from '../support/servers/authenticator.ts';
import { startService } from '../support/service/service.ts';
import { invitedUser, secretOf, sessionOfUser, signedInUser } from '../support/data/users.ts';
import { outcome, password, sessionOf, usePortal } from './support.ts';

const fixture = usePortal();

const get = (path: string, key: string) => fixture.portal.get(path, { key });
const identityOf = async (key: string) => (await get('/session', key)).body;
const begin = (path: string, key: string) => fixture.portal.request('POST', path, { key });
const newAuthenticator = () => new Authenticator('https://kontor.example.com');

async function register(key: string, authenticator = newAuthenticator()) {
  const begun = await begin('/passkeys/challenge', key);
  if (begun.status !== 200) return begun;
  return fixture.portal.post('/passkeys', authenticator.create(begun.body, 'Phone'), { key });
}

/** An organization that requires a passkey of users with these permissions. */
async function requiring(permissions: PortalPermission[]): Promise<string> {
  const id = await createOrganization(fixture.sql, 'Muster Holding');
  await fixture.sql`UPDATE organization SET passkey_permissions = ${permissions} WHERE id = ${id}`;
  return id;
}

const user = (organization: string, permissions: PortalPermission[] = ['IT']) =>
  signedInUser(fixture.sql, organization, { permissions });

describe('an organization that requires passkeys', () => {
  test('403 PASSKEY_REQUIRED: a user without one registers the first one with the password, and goes on in the same session', async () => {
    const { secret } = await user(await requiring(['IT']));
    assert.equal(outcome(await get('/summary', secret)), '403 PASSKEY_REQUIRED');
    assert.equal((await identityOf(secret)).passkeyRequired, 'register');
    assert.equal(outcome(await register(secret)), '200');
    assert.equal((await identityOf(secret)).passkeyRequired, null);
    assert.equal(outcome(await get('/summary', secret)), '200');
  });

  test('403 PASSKEY_REQUIRED: with the password alone no second one is registered, and the present one is confirmed', async () => {
    const organization = await requiring(['IT']);
    const authenticator = newAuthenticator();
    const { user: owner, secret: first } = await user(organization);
    await register(first, authenticator);
    const { secret } = await sessionOfUser(fixture.sql, organization, owner.id);
    assert.equal((await identityOf(secret)).passkeyRequired, 'confirm');
    assert.equal(outcome(await register(secret)), '403 PASSKEY_REQUIRED');
    const begun = await begin('/session/confirmation/passkey-challenge', secret);
    const confirmed = await fixture.portal.post(
      '/session/confirmation/passkey',
      authenticator.use(begun.body),
      { key: secret },
    );
    assert.equal(confirmed.body.passkeyRequired, null);
    assert.equal(outcome(await get('/summary', sessionOf(confirmed))), '200');
  });

  test('403 PASSKEY_REQUIRED: a passkey that another session registers meanwhile is the only one', async () => {
    const organization = await requiring(['IT']);
    const { user: owner, secret: slow } = await user(organization);
    const { secret: fast } = await sessionOfUser(fixture.sql, organization, owner.id);
    const { body } = await begin('/passkeys/challenge', slow);
    assert.equal(outcome(await register(fast)), '200');
    const late = await fixture.portal.post('/passkeys', newAuthenticator().create(body, 'Phone'), {
      key: slow,
    });
    assert.equal(outcome(late), '403 PASSKEY_REQUIRED');
  });

  test('the link of an invitation is the way back after the loss of a device', async () => {
    const organization = await requiring(['IT']);
    const invited = await invitedUser(fixture.sql, organization, { permissions: ['IT'] });
    const { secret } = await sessionOfUser(fixture.sql, organization, invited.id);
    assert.equal(outcome(await register(secret)), '200');
    const body = { secret: secretOf(invited), password };
    const accepted = await fixture.portal.post('/invitation/acceptance', body);
    assert.equal(accepted.body.passkeyRequired, 'register');
    const key = sessionOf(accepted);
    assert.equal(outcome(await get('/summary', key)), '403 PASSKEY_REQUIRED');
    assert.equal(outcome(await register(key)), '200');
    assert.equal(outcome(await get('/summary', key)), '200');
  });

  test('leaves out users without the named permissions, and a password does not undo a passkey', async () => {
    const organization = await requiring(['COMPANY_ADMIN']);
    const { secret } = await user(organization, ['IT']);
    assert.equal((await identityOf(secret)).passkeyRequired, null);
    assert.equal(outcome(await get('/summary', secret)), '200');
    const { email } = await invitedUser(fixture.sql, organization, { permissions: ['COMPANY_ADMIN'] }).then(
      async invited => {
        const body = { secret: secretOf(invited), password };
        await register(sessionOf(await fixture.portal.post('/invitation/acceptance', body)));
        return invited;
      },
    );
    const signedIn = sessionOf(await fixture.signIn(email));
    assert.equal(outcome(await get('/summary', signedIn)), '403 PASSKEY_REQUIRED');
    const shown = sessionOf(
      await fixture.portal.post('/session/confirmation', { password }, { key: signedIn }),
    );
    assert.equal(outcome(await get('/summary', shown)), '403 PASSKEY_REQUIRED');
  });

  test('is no rule for a session from the issuer', async () => {
    const { secret, sessionId } = await user(await requiring(['IT']));
    await fixture.sql`UPDATE portal_session SET method = 'openid' WHERE id = ${sessionId}`;
    assert.equal(outcome(await get('/summary', secret)), '200');
  });
});

describe('PATCH /organization: who requires passkeys', () => {
  const require = (key: string, passkeyPermissions: PortalPermission[], portal = fixture.portal) =>
    portal.patch('/organization', { passkeyPermissions }, { key });

  test('409 INVALID_STATE_TRANSITION: has shown one, so that not everybody is locked out', async () => {
    const { secret } = await user(await requiring([]), ['COMPANY_ADMIN']);
    const all: PortalPermission[] = ['IT', 'HR', 'COMPANY_ADMIN'];
    assert.equal(outcome(await require(secret, all)), '409 INVALID_STATE_TRANSITION');
    await register(secret);
    assert.deepEqual((await require(secret, all)).body.passkeyPermissions, all);
    assert.equal(outcome(await get('/summary', secret)), '200');
  });

  test('409 INVALID_STATE_TRANSITION: uses a service that supports passkeys; fewer are always possible', async () => {
    const organization = await requiring(['HR']);
    const { secret, sessionId } = await user(organization, ['COMPANY_ADMIN']);
    const service = await startService(fixture.sql, { publicUrl: 'https://10.0.0.5' });
    const portal = apiClient(service.url, { api: 'portal' });
    try {
      await fixture.sql`UPDATE portal_session SET method = 'openid' WHERE id = ${sessionId}`;
      assert.equal(outcome(await require(secret, ['IT'], portal)), '409 INVALID_STATE_TRANSITION');
      assert.deepEqual((await require(secret, [], portal)).body.passkeyPermissions, []);
    } finally {
      portal.close();
      await service.stop();
    }
  });
});
