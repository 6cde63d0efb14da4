import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  apis,
  beginOpenIdLink,
  beginPasskey,
  changePassword,
  createPasskey,
  deletePasskey,
  endOtherSessions,
  endSession,
  endUserSession,
  endUserSessions,
  linkOpenId,
  type Operation,
  unlinkOpenId,
} from '@kontor/contract';
import { outcome, usePortal } from '../portal/support.ts';
import { testDatabase } from '../support/database/database.ts';
import { exampleRequest, unknownPathOf } from '../support/contract/examples.ts';
import { signedInUser } from '../support/data/users.ts';

const fixture = usePortal();

const operations = Object.entries<Operation>(apis.portal.operations);

describe('the ways to sign in', () => {
  const beginning = operations.filter(
    ([, { authenticated, setsCookie }]) => !authenticated && setsCookie === true,
  );

  test('are those that docs/sign-in.md names, and no others', async () => {
    const guide = await readFile(new URL('../../../../docs/sign-in.md', import.meta.url), 'utf8');
    const [, section] = /## Ways to sign in\n([^]*?)\n## /.exec(guide)!;
    const named = Array.from(section!.matchAll(/^\|[^|]*\| `POST (\/[^`]*)`/gm), ([, path]) => path);
    assert.deepEqual(named.sort(), beginning.map(([, { path }]) => path).sort());
  });

  test('ask for no hint and no answer to a question', () => {
    const asked = beginning.map(([id, { body }]) => [id, Object.keys(body!.properties).sort()]);
    assert.deepEqual(Object.fromEntries(asked), {
      signIn: ['email', 'password'],
      acceptInvitation: ['password', 'secret'],
      signInWithPasskey: ['authenticatorData', 'clientDataJSON', 'credentialId', 'signature', 'userHandle'],
      signInWithOpenId: ['code', 'iss', 'state'],
    });
  });

  test('have no user at first: a new database has no user who can sign in', async () => {
    const { database, drop } = await testDatabase();
    try {
      for (const table of ['portal_user', 'portal_session', 'api_key', 'platform_token']) {
        const [row] = await database.sql.unsafe(`SELECT count(*)::int AS count FROM ${table}`);
        assert.equal(row!['count'], 0, table);
      }
    } finally {
      await drop();
    }
  });
});

test('whatever changes how a user signs in, or ends other sessions, takes a fresh sign-in', () => {
  const sensitive: Operation[] = [
    endSession,
    endOtherSessions,
    endUserSession,
    endUserSessions,
    beginPasskey,
    createPasskey,
    deletePasskey,
    beginOpenIdLink,
    linkOpenId,
    unlinkOpenId,
  ];
  for (const { method, path, needsFreshSignIn } of sensitive)
    assert.equal(needsFreshSignIn, true, `${method} ${path}`);
  // Only a user without a password: others send the one that they have.
  assert.ok(changePassword.errors.includes('FRESH_SIGN_IN_REQUIRED'));
});

test('every operation of the portal with a body rejects fields that it does not declare: 400 UNSUPPORTED_FIELD', async () => {
  const { secret: key } = await signedInUser(fixture.sql, fixture.testData.organization, {
    permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
    hrTenants: null,
  });
  const writing = operations.filter(([, { body }]) => body);
  assert.ok(writing.length > 15);
  for (const [id, operation] of writing) {
    const example = JSON.parse(String((await exampleRequest(operation, 'portal')).raw)) as object;
    for (const field of ['id', 'organizationId', 'status', 'createdAt']) {
      if (field in operation.body!.properties) continue;
      const raw = JSON.stringify({ ...example, [field]: 'x' });
      const headers = { 'content-type': 'application/json' };
      const sent = { key, raw, headers };
      const answer = await fixture.portal.request(operation.method, unknownPathOf(operation), sent);
      assert.equal(outcome(answer), '400 UNSUPPORTED_FIELD', `${id}, ${field}`);
    }
  }
});
