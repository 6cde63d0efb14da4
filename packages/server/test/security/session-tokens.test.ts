import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newSessionSecret, parseSessionSecret } from '../../src/features/users/sessions/authenticator.ts';
import { outcome, password, sessionOf, usePortal } from '../portal/support.ts';
import { signedInUser } from '../support/data/users.ts';

const fixture = usePortal();

const whoIs = async (key: string) => outcome(await fixture.portal.get('/session', { key }));
const cookieOf = (secret: string) => ({ headers: { cookie: `__Host-kontor=${secret}` } });

describe('the token of a session', () => {
  test('has 43 random characters of 62, which is more than 128 bits, and is never the same', () => {
    const organization = fixture.testData.organization;
    const rendered = Array.from({ length: 2000 }, () => newSessionSecret(organization).text.split('_')[3]!);
    assert.equal(new Set(rendered).size, rendered.length);
    for (let place = 0; place < 43; place++) {
      const used = new Set(rendered.map(secret => secret[place]));
      assert.equal(used.size, 62, `place ${place}`);
    }
    assert.ok(rendered.every(secret => /^[0-9A-Za-z]{43}$/.test(secret)));
  });

  test('is stored as a hash only', async () => {
    const { secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
    const [row] = await fixture.sql`
      SELECT to_jsonb(s)::text AS text FROM portal_session s WHERE id = ${sessionId}`;
    assert.ok(!String(row!['text']).includes(secret.split('_')[3]!));
    assert.ok(!String(row!['text']).includes(Buffer.from(secret).toString('hex')));
  });
});

describe('a sign-in ends the session that the browser had before', () => {
  test('of the same user', async () => {
    const { email, secret } = await fixture.user();
    const answer = await fixture.signIn(email, password, cookieOf(secret));
    assert.deepEqual([await whoIs(secret), await whoIs(sessionOf(answer))], ['401 INVALID_SESSION', '200']);
    const [entry] = await fixture.sql`
      SELECT action FROM audit WHERE target_id = ${parseSessionSecret(secret)!.id} AND action = 'session.end'`;
    assert.ok(entry);
  });

  test('of another user, and leaves their other sessions', async () => {
    const [former, next] = [await fixture.user(), await fixture.user()];
    const elsewhere = sessionOf(await fixture.signIn(former.email));
    await fixture.signIn(next.email, password, cookieOf(former.secret));
    assert.deepEqual([await whoIs(former.secret), await whoIs(elsewhere)], ['401 INVALID_SESSION', '200']);
  });

  test('but no session when only its identifier is right, and none when the sign-in fails', async () => {
    const [former, next] = [await fixture.user(), await fixture.user()];
    const { organizationId, id } = parseSessionSecret(former.secret)!;
    const forged = newSessionSecret(organizationId, id).text;
    assert.equal(outcome(await fixture.signIn(next.email, password, cookieOf(forged))), '200');
    const failed = await fixture.signIn(next.email, 'a wrong password', cookieOf(former.secret));
    assert.equal(outcome(failed), '401 SIGN_IN_FAILED');
    assert.equal(await whoIs(former.secret), '200');
  });
});

test('a confirmation replaces the token: the one before is rejected', async () => {
  const { secret } = await fixture.user();
  const confirmed = await fixture.portal.post('/session/confirmation', { password }, { key: secret });
  const renewed = sessionOf(confirmed);
  assert.equal(parseSessionSecret(renewed)!.id, parseSessionSecret(secret)!.id);
  assert.deepEqual([await whoIs(secret), await whoIs(renewed)], ['401 INVALID_SESSION', '200']);
});

test('a request that expects another user is rejected, a read and a write alike', async () => {
  const [one, other] = [
    await signedInUser(fixture.sql, fixture.testData.organization),
    await signedInUser(fixture.sql, fixture.testData.organization),
  ];
  const ask = (expected: string) => {
    const sent = { key: one.secret, headers: { 'x-expected-user': expected } };
    return Promise.all([
      fixture.portal.get('/sessions', sent),
      fixture.portal.post('/password', { password: 'a first password' }, sent),
    ]);
  };
  for (const expected of [other.user.id, ''])
    assert.deepEqual((await ask(expected)).map(outcome), Array(2).fill('401 INVALID_SESSION'));
  const [row] = await fixture.sql`SELECT password_hash FROM portal_user WHERE id = ${one.user.id}`;
  assert.equal(row!['password_hash'], null);
  assert.deepEqual((await ask(one.user.id)).map(outcome), ['200', '200']);
});
