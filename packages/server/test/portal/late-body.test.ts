import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { postHeld } from '../support/service/held-body.ts';
import { type SignedInUser, signedInUser } from '../support/data/users.ts';
import { usePortal } from './support.ts';

const fixture = usePortal();

const admin = () =>
  signedInUser(fixture.sql, fixture.testData.organization, { permissions: ['COMPANY_ADMIN', 'IT'] });

/** Posts what a user sends the body of when something has happened meanwhile. */
function held(
  { secret }: SignedInUser,
  path: string,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const headers = { cookie: `__Host-kontor=${secret}`, 'sec-fetch-site': 'same-origin' };
  return postHeld(`${new URL(fixture.service.url).origin}/portal/api${path}`, { headers, body }, meanwhile);
}

const act = (by: SignedInUser, method: string, path: string) =>
  fixture.portal.request(method, path, { key: by.secret });

const invitation = (email: string) => ({
  email,
  name: 'Jan Petersen',
  language: 'de',
  permissions: ['COMPANY_ADMIN'],
});
const madeBy = async ({ user }: SignedInUser) => {
  const rows = await fixture.sql<{ action: string }[]>`
    SELECT action FROM audit WHERE actor = ${user.id} AND action IN ('user.create', 'key.create')`;
  return rows.map(({ action }) => action);
};

describe('permissions hold at the end of the body, however long it takes', () => {
  test('201: of who still may', async () => {
    const user = await admin();
    assert.equal(await held(user, '/users', invitation('late1@example.com'), async () => {}), '201');
    assert.deepEqual(await madeBy(user), ['user.create']);
  });

  test('401 INVALID_SESSION: a user who was deactivated meanwhile invites no user', async () => {
    const [user, other] = [await admin(), await admin()];
    const answer = await held(user, '/users', invitation('late2@example.com'), () =>
      act(other, 'POST', `/users/${user.user.id}/deactivation`),
    );
    assert.equal(answer, '401 INVALID_SESSION');
    assert.deepEqual(await madeBy(user), []);
  });

  test('403 PERMISSION_DENIED: a user who lost the permission meanwhile invites no user', async () => {
    const [user, other] = [await admin(), await admin()];
    const answer = await held(user, '/users', invitation('late3@example.com'), () =>
      fixture.portal.patch(`/users/${user.user.id}`, { permissions: ['IT'] }, { key: other.secret }),
    );
    assert.equal(answer, '403 PERMISSION_DENIED');
    assert.deepEqual(await madeBy(user), []);
  });

  test('401 INVALID_SESSION: of who has signed out meanwhile, no key is made', async () => {
    const user = await admin();
    const answer = await held(user, '/api-keys', { name: 'Late', wholeOrganization: true }, () =>
      act(user, 'DELETE', '/session'),
    );
    assert.equal(answer, '401 INVALID_SESSION');
    assert.deepEqual(await madeBy(user), []);
  });

  test('422 VALIDATION_ERROR: a user with less access by now makes no key with access to all', async () => {
    const [user, other] = [await admin(), await admin()];
    const permissions = { permissions: ['HR'], hrTenants: [fixture.testData.tenantA] };
    const answer = await held(user, '/api-keys', { name: 'Late', wholeOrganization: true }, () =>
      fixture.portal.patch(`/users/${user.user.id}`, permissions, { key: other.secret }),
    );
    assert.equal(answer, '422 VALIDATION_ERROR');
    assert.deepEqual(await madeBy(user), []);
  });
});
