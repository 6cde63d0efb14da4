import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PortalPermission } from '@kontor/contract';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { invitedUser, secretOf, sessionOfUser, signedInUser } from '../support/data/users.ts';
import { outcome, password, usePortal } from './support.ts';

const fixture = usePortal();

const signedIn = (permissions: PortalPermission[], organization = fixture.testData.organization) =>
  signedInUser(fixture.sql, organization, { permissions });
const admin = () => signedIn(['COMPANY_ADMIN']);
const invited = (organization = fixture.testData.organization) => invitedUser(fixture.sql, organization);

const ask = (key: string, method: string, path: string, more: RequestOptions = {}) =>
  fixture.portal.request(method, path, { key, ...more });
const search = (key: string, body: object = {}) => fixture.portal.post('/users/search', body, { key });
const patch = (key: string, id: string, body: object) => fixture.portal.patch(`/users/${id}`, body, { key });

let made = 0;
const person = (more: object = {}) => ({
  email: `colleague${++made}@example.com`,
  name: 'Jan Petersen',
  language: 'de',
  permissions: ['IT'],
  ...more,
});

/** Every write on a user, with what it takes. */
const writes: Record<string, (key: string, id: string) => Promise<Answer<any>>> = {
  update: (key, id) => patch(key, id, { name: 'Somebody else' }),
  invite: (key, id) => ask(key, 'POST', `/users/${id}/invitation`),
  deactivate: (key, id) => ask(key, 'POST', `/users/${id}/deactivation`),
  reactivate: (key, id) => ask(key, 'POST', `/users/${id}/reactivation`),
  delete: (key, id) => ask(key, 'DELETE', `/users/${id}`),
};

const stateOf = async (id: string) =>
  JSON.stringify(
    await fixture.sql`SELECT to_jsonb(u) AS row FROM portal_user u WHERE id = ${id}`.then(rows => [...rows]),
  );

describe('users in the portal', () => {
  test('201: a user is invited by the link, and signs in with the password that they set', async () => {
    const { secret: key, user } = await admin();
    const body = person({ permissions: ['HR'], hrTenants: [fixture.testData.tenantA] });
    const created = await fixture.portal.post('/users', body, { key });
    assert.equal(created.status, 201);
    assert.equal(created.headers.location, `/portal/api/users/${created.body.id}`);
    const accepted = await fixture.portal.post('/invitation/acceptance', {
      secret: secretOf(created.body),
      password,
    });
    assert.deepEqual(accepted.body.user.hrTenants, [fixture.testData.tenantA]);
    const [entry] = await fixture.sql`
      SELECT action, actor_type, actor FROM audit WHERE target_id = ${created.body.id} AND action = 'user.create'`;
    assert.deepEqual({ ...entry }, { action: 'user.create', actor_type: 'user', actor: user.id });
  });

  test('permissions that are taken are gone with the next request, and a deactivation ends the sessions', async () => {
    const { secret: key } = await admin();
    const colleague = await admin();
    assert.equal((await search(colleague.secret)).status, 200);
    assert.equal((await patch(key, colleague.user.id, { permissions: ['IT'] })).status, 200);
    assert.equal(outcome(await search(colleague.secret)), '403 PERMISSION_DENIED');
    assert.equal((await writes['deactivate']!(key, colleague.user.id)).body.status, 'inactive');
    assert.equal(outcome(await ask(colleague.secret, 'GET', '/session')), '401 INVALID_SESSION');
    assert.equal(outcome(await writes['invite']!(key, colleague.user.id)), '409 INVALID_STATE_TRANSITION');
    assert.equal((await writes['reactivate']!(key, colleague.user.id)).body.status, 'invited');
    assert.match((await writes['invite']!(key, colleague.user.id)).body.link, /#kontorl_/);
    assert.equal((await writes['delete']!(key, colleague.user.id)).status, 200);
    assert.equal(outcome(await ask(key, 'GET', `/users/${colleague.user.id}`)), '404 NOT_FOUND');
  });

  test('200: an administrator sees and ends sessions of a user, which are rejected at once and audited', async () => {
    const { sql, testData } = fixture;
    const { secret: key, user: self } = await admin();
    const colleague = await signedIn(['IT']);
    const { id } = colleague.user;
    const [second, third] = [
      await sessionOfUser(sql, testData.organization, id),
      await sessionOfUser(sql, testData.organization, id),
    ];
    const sessions = async () => (await ask(key, 'GET', `/users/${id}/sessions`)).body.items;
    const whoIs = async (secret: string) => outcome(await ask(secret, 'GET', '/session'));
    assert.deepEqual(
      new Set((await sessions()).map((session: { current: boolean }) => session.current)),
      new Set([false]),
    );
    const one = await ask(key, 'DELETE', `/users/${id}/sessions/${second.sessionId}`);
    assert.equal(one.body.id, second.sessionId);
    assert.deepEqual([await whoIs(second.secret), await whoIs(third.secret)], ['401 INVALID_SESSION', '200']);
    assert.equal((await ask(key, 'DELETE', `/users/${id}/sessions`)).body.id, id);
    assert.deepEqual(await sessions(), []);
    assert.deepEqual(
      [await whoIs(colleague.secret), await whoIs(third.secret)],
      ['401 INVALID_SESSION', '401 INVALID_SESSION'],
    );
    const audited = await sql`
      SELECT target_id FROM audit WHERE organization_id = ${testData.organization} AND actor = ${self.id}
        AND action IN ('session.end', 'user.sign_out')`;
    const ended = [colleague.sessionId, second.sessionId, third.sessionId];
    assert.deepEqual(audited.map(entry => entry['target_id']).sort(), [...ended, id, id].sort());
  });

  test('404 NOT_FOUND: a session is ended of its own user only; all of oneself are ended but the present one', async () => {
    const { secret: key, user: self, sessionId } = await admin();
    const colleague = await signedIn(['IT']);
    const strange = `/users/${self.id}/sessions/${colleague.sessionId}`;
    assert.equal(outcome(await ask(key, 'DELETE', strange)), '404 NOT_FOUND');
    assert.equal(outcome(await ask(colleague.secret, 'GET', '/session')), '200');
    await sessionOfUser(fixture.sql, fixture.testData.organization, self.id);
    await ask(key, 'DELETE', `/users/${self.id}/sessions`);
    const { items } = (await ask(key, 'GET', `/users/${self.id}/sessions`)).body;
    assert.deepEqual([items.length, items[0].id, items[0].current], [1, sessionId, true]);
  });

  test('422 VALIDATION_ERROR: sessions of a user from after to', async () => {
    const { secret: key, user: self } = await admin();
    const days = 'createdAtFrom=2026-09-02T00:00:00Z&createdAtTo=2026-09-01T00:00:00Z';
    const answer = await ask(key, 'GET', `/users/${self.id}/sessions?${days}`);
    assert.equal(outcome(answer), '422 VALIDATION_ERROR');
  });

  test('companies that HR is given or loses come and go with the next request, also in lists that were asked for before', async () => {
    const { secret: key } = await admin();
    const { tenantA, tenantB } = fixture.testData;
    const hr = await signedInUser(fixture.sql, fixture.testData.organization, {
      permissions: ['HR'],
      hrTenants: [tenantA],
    });
    const lists = [`tenant = ${tenantA}`, `tenant = ${tenantB}`, 'name IS NOT NULL'];
    const counts = () =>
      Promise.all(
        lists.map(async filter => {
          const query = { filter, pageSize: 1 };
          return (await ask(hr.secret, 'GET', '/divisions', { query })).body.totalElements;
        }),
      );
    const seen: Record<string, unknown> = {};
    for (const [name, hrTenants] of Object.entries({
      a: [tenantA],
      b: [tenantB],
      both: [tenantA, tenantB],
    })) {
      await patch(key, hr.user.id, { hrTenants });
      // More than once, since a list that was empty is cached from the second time on.
      for (let n = 0; n < 3; n++) seen[name] = await counts();
    }
    assert.deepEqual(seen, { a: [3, 0, 3], b: [0, 1, 1], both: [3, 1, 4] });
  });

  test('the list has the users of the own organization and no others', async () => {
    const { secret: key } = await admin();
    const other = await invited(fixture.testData.foreign.organization);
    const { body } = await search(key, { pageSize: 1000 });
    assert.equal(body.totalElements, body.items.length);
    for (const { id, organizationId } of body.items) {
      assert.equal(organizationId, fixture.testData.organization);
      assert.notEqual(id, other.id);
    }
    const filtered = await search(key, { filter: `id = ${other.id}` });
    assert.equal(filtered.body.totalElements, 0);
  });

  test('404 NOT_FOUND for every operation on a user of another organization, who stays as they are', async () => {
    const { secret: key } = await admin();
    const { id } = await invited(fixture.testData.foreign.organization);
    const before = await stateOf(id);
    assert.equal(outcome(await ask(key, 'GET', `/users/${id}`)), '404 NOT_FOUND');
    for (const [name, write] of Object.entries(writes))
      assert.equal(outcome(await write(key, id)), '404 NOT_FOUND', name);
    assert.equal(await stateOf(id), before);
  });

  test('403 PERMISSION_DENIED without COMPANY_ADMIN, and the user stays as they are', async () => {
    const { id } = await invited();
    const before = await stateOf(id);
    for (const permissions of [['IT'], ['HR']] as PortalPermission[][]) {
      const hr = permissions.includes('HR') ? { hrTenants: null } : {};
      const { secret: key } = await signedInUser(fixture.sql, fixture.testData.organization, {
        permissions,
        ...hr,
      });
      assert.equal(outcome(await search(key)), '403 PERMISSION_DENIED');
      assert.equal(outcome(await ask(key, 'GET', `/users/${id}`)), '403 PERMISSION_DENIED');
      assert.equal(outcome(await fixture.portal.post('/users', person(), { key })), '403 PERMISSION_DENIED');
      for (const [name, write] of Object.entries(writes))
        assert.equal(outcome(await write(key, id)), '403 PERMISSION_DENIED', name);
    }
    assert.equal(await stateOf(id), before);
  });

  test('403 FRESH_SIGN_IN_REQUIRED: what changes users, ten minutes after the password was shown', async () => {
    const { secret: key, sessionId } = await admin();
    const { id } = await invited();
    const before = await stateOf(id);
    const shown = new Date(Date.now() - 11 * 60_000);
    await fixture.sql`UPDATE portal_session SET authenticated_at = ${shown} WHERE id = ${sessionId}`;
    assert.equal(
      outcome(await fixture.portal.post('/users', person(), { key })),
      '403 FRESH_SIGN_IN_REQUIRED',
    );
    for (const [name, write] of Object.entries(writes))
      assert.equal(outcome(await write(key, id)), '403 FRESH_SIGN_IN_REQUIRED', name);
    assert.equal(await stateOf(id), before);
    assert.equal((await ask(key, 'GET', `/users/${id}`)).status, 200);
  });

  test('users cannot lock themselves out: 409 INVALID_STATE_TRANSITION and 422 VALIDATION_ERROR', async () => {
    const { secret: key, user } = await admin();
    assert.equal(outcome(await writes['deactivate']!(key, user.id)), '409 INVALID_STATE_TRANSITION');
    assert.equal(outcome(await writes['delete']!(key, user.id)), '409 INVALID_STATE_TRANSITION');
    assert.equal(outcome(await patch(key, user.id, { permissions: ['IT'] })), '422 VALIDATION_ERROR');
    const both = await patch(key, user.id, { permissions: ['IT', 'COMPANY_ADMIN'], name: 'Petra Meier' });
    assert.deepEqual(both.body.permissions, ['IT', 'COMPANY_ADMIN']);
  });

  test('of two who take the permission from each other at once, one keeps it', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all([admin(), admin()]);
      const answers = await Promise.all([
        patch(one.secret, other.user.id, { permissions: ['IT'] }),
        patch(other.secret, one.user.id, { permissions: ['IT'] }),
      ]);
      assert.deepEqual(answers.map(outcome).sort(), ['200', '403 PERMISSION_DENIED']);
    }
  });

  const rejections: [string, () => object, string][] = [
    [
      'no identifier of a tenant',
      () => ({ permissions: ['HR'], hrTenants: ['one'] }),
      '400 INVALID_REFERENCE_ID',
    ],
    [
      'a tenant of another organization',
      () => ({ permissions: ['HR'], hrTenants: [fixture.testData.foreign.tenant] }),
      '422 INVALID_REFERENCE',
    ],
    ['HR without tenants', () => ({ permissions: ['HR'] }), '422 VALIDATION_ERROR'],
    ['a name of white space', () => ({ name: ' ' }), '400 VALIDATION_ERROR'],
  ];
  for (const [name, more, expected] of rejections)
    test(`${expected}: ${name}`, async () => {
      const { secret: key } = await admin();
      const { id } = await invited();
      assert.equal(outcome(await fixture.portal.post('/users', person(more()), { key })), expected);
      assert.equal(outcome(await patch(key, id, more())), expected);
    });

  test('409 DUPLICATE_RESOURCE reports a taken email, and not its owner', async () => {
    const { secret: key } = await admin();
    const { email } = await invited(fixture.testData.foreign.organization);
    const answer = await fixture.portal.post('/users', person({ email }), { key });
    assert.equal(outcome(answer), '409 DUPLICATE_RESOURCE');
    assert.doesNotMatch(answer.body.error.message, /[0-9a-f]{24}|@|Petra/);
  });
});
