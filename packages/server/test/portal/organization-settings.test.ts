import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { apiClient, type ApiClient } from '../support/contract/client.ts';
import { testToken } from '../support/data/tokens.ts';
import { invitedUser, secretOf, signedInUser } from '../support/data/users.ts';
import { outcome, password, usePortal } from './support.ts';

const fixture = usePortal();
const day = 24 * 3600 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

const initial = {
  defaultKeyDays: null,
  maxKeyDays: null,
  passkeyPermissions: [],
  minPasswordLength: 12,
  employeeHistoryDays: 1095,
};

describe('the settings of an organization', () => {
  let key: string;
  let platform: ApiClient;
  before(async () => {
    const { sql, testData, service } = fixture;
    ({ secret: key } = await signedInUser(sql, testData.organization, {
      permissions: ['IT', 'COMPANY_ADMIN'],
    }));
    platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  });
  beforeEach(() => set(initial));

  const set = (body: object) => fixture.portal.patch('/organization', body, { key });
  const create = (more: object) =>
    fixture.portal.post('/api-keys', { name: 'Payroll', wholeOrganization: true, ...more }, { key });
  const tooLong = /^expiresAt must be at most 90 days away: the organization limits the lifetime of keys$/;

  test('200: a change is stored, audited by its fields, and seen by users without a permission for it', async () => {
    const { sql, testData } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, {
      permissions: ['HR'],
      hrTenants: null,
    });
    const { body } = await set({ name: 'Muster Gruppe', minPasswordLength: 13 });
    assert.deepEqual(body, { ...initial, name: 'Muster Gruppe', minPasswordLength: 13 });
    assert.deepEqual((await fixture.portal.get('/organization', { key: secret })).body, body);
    const identity = await fixture.portal.get('/session', { key });
    assert.equal(identity.body.organization.name, 'Muster Gruppe');
    const [entry] = await sql`
      SELECT fields FROM audit WHERE organization_id = ${testData.organization} AND action = 'organization.update'
      ORDER BY at DESC LIMIT 1`;
    assert.deepEqual(entry, { fields: ['name', 'minPasswordLength'] });
  });

  test('a change to what is stored is not audited', async () => {
    const { sql, testData } = fixture;
    const count = async () =>
      (
        await sql`
          SELECT FROM audit WHERE organization_id = ${testData.organization} AND action = 'organization.update'`
      ).length;
    const earlier = await count();
    assert.equal((await set({ minPasswordLength: 12 })).status, 200);
    assert.equal(await count(), earlier);
  });

  test('403 PERMISSION_DENIED: other users change nothing', async () => {
    const { sql, testData, portal } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
    const answer = await portal.patch('/organization', { name: 'Else' }, { key: secret });
    assert.equal(outcome(answer), '403 PERMISSION_DENIED');
  });

  test('400 VALIDATION_ERROR: no password may be shorter than the service requires', async () => {
    assert.equal(outcome(await set({ minPasswordLength: 11 })), '400 VALIDATION_ERROR');
    assert.equal(outcome(await set({ minPasswordLength: 65 })), '400 VALIDATION_ERROR');
  });

  test('422 VALIDATION_ERROR: the default lifetime of keys is within the maximum', async () => {
    for (const body of [{ maxKeyDays: 90 }, { maxKeyDays: 90, defaultKeyDays: 91 }])
      assert.equal(outcome(await set(body)), '422 VALIDATION_ERROR');
    assert.equal(outcome(await set({ maxKeyDays: 90, defaultKeyDays: 90 })), '200');
  });

  test('a key without an expiry gets the default lifetime, and one that expires never must say so', async () => {
    await set({ defaultKeyDays: 30 });
    const { body } = await create({});
    assert.ok(Math.abs(Date.parse(body.expiresAt) - Date.now() - 30 * day) < 60_000);
    assert.equal((await create({ expiresAt: null })).body.expiresAt, null);
  });

  test('422 VALIDATION_ERROR: no API creates or replaces a key that outlives the maximum', async () => {
    const { organization } = fixture.testData;
    const { body: lasting } = await create({ expiresAt: null });
    await set({ defaultKeyDays: 30, maxKeyDays: 90 });
    const wanted = { name: 'Payroll', wholeOrganization: true };
    for (const expiresAt of [null, inDays(91)])
      for (const answer of [
        await create({ expiresAt }),
        await platform.post(`/organizations/${organization}/api-keys`, { ...wanted, expiresAt }),
        await fixture.portal.post(`/api-keys/${lasting.id}/replacement`, { expiresAt }, { key }),
      ]) {
        assert.equal(outcome(answer), '422 VALIDATION_ERROR');
        assert.match(answer.body.error.message, tooLong);
      }
    assert.equal((await create({ expiresAt: inDays(90) })).status, 201);
  });

  test('a key that outlives the maximum keeps its expiry, and its successor gets the maximum', async () => {
    const { body: lasting } = await create({ expiresAt: null });
    await set({ defaultKeyDays: 30, maxKeyDays: 90 });
    const stored = await fixture.portal.get(`/api-keys/${lasting.id}`, { key });
    assert.equal(stored.body.expiresAt, null);
    const { body } = await fixture.portal.post(`/api-keys/${lasting.id}/replacement`, {}, { key });
    assert.ok(Math.abs(Date.parse(body.expiresAt) - Date.now() - 90 * day) < 60_000);
  });

  test('422 VALIDATION_ERROR: a new password is as long as the organization requires, and a present one stays valid', async () => {
    const { sql, testData, portal } = fixture;
    const present = await fixture.user();
    await set({ minPasswordLength: password.length + 1 });
    const invited = await invitedUser(sql, testData.organization);
    const accept = (word: string) =>
      portal.post('/invitation/acceptance', { secret: secretOf(invited), password: word });
    const change = (word: string) =>
      portal.post('/password', { password: word, currentPassword: password }, { key: present.secret });
    const other = 'tacker brille zitrone wolke lampe';
    for (const send of [accept, change]) {
      const answer = await send(password);
      assert.equal(outcome(answer), '422 VALIDATION_ERROR');
      const { message, field, minimum } = answer.body.error;
      assert.match(message, /^password must have at least 29 characters/);
      assert.deepEqual([field, minimum], ['password', 29]);
    }
    assert.equal((await fixture.signIn(present.email)).status, 200);
    for (const send of [accept, change]) assert.equal((await send(other)).status, 200);
  });
});
