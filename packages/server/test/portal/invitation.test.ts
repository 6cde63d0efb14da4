import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvitedUser } from '@kontor/contract';
import { storeInvitation } from '../../src/features/users/invitations.ts';
import { lockUser } from '../../src/features/users/store.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { invitedUser, secretOf, testLinking } from '../support/data/users.ts';
import { outcome, password, sessionOf, usePortal } from './support.ts';

const fixture = usePortal();

const invited = () => invitedUser(fixture.sql, fixture.testData.organization);
const accept = (secret: string, word = password) =>
  fixture.portal.post('/invitation/acceptance', { secret, password: word });
const whoIs = async (key: string) => outcome(await fixture.portal.get('/session', { key }));

/** Invites a user again. */
function again(id: string): Promise<InvitedUser> {
  const { sql, testData } = fixture;
  return new Writes(sql).runWithoutClock(callOf(testData.organization, operator), async (write, session) =>
    storeInvitation(write, session, testLinking, (await lockUser(session, testData.organization, id))!),
  );
}

describe('POST /invitation/acceptance', () => {
  test('200: sets the password and signs in; the link does not work twice', async () => {
    const user = await invited();
    const answer = await accept(secretOf(user));
    assert.equal(outcome(answer), '200');
    assert.partialDeepStrictEqual(answer.body.user, { id: user.id, status: 'active', invitedUntil: null });
    assert.equal(await whoIs(sessionOf(answer)), '200');
    assert.equal(outcome(await fixture.signIn(user.email)), '200');
    assert.equal(outcome(await accept(secretOf(user), 'another password')), '422 INVALID_LINK');
    assert.equal(outcome(await fixture.signIn(user.email)), '200');
    const audited = await fixture.sql`
      SELECT action, actor FROM audit WHERE target_id = ${user.id} ORDER BY at`;
    assert.deepEqual(
      audited.map(({ action, actor }) => [action, actor]),
      [
        ['user.create', 'operator'],
        ['user.password', user.id],
      ],
    );
  });

  test('200: a reset ends all sessions; until then the password before works', async () => {
    const { id, email, secret } = await fixture.user();
    const { link } = await again(id);
    assert.equal(await whoIs(secret), '200');
    const other = sessionOf(await fixture.signIn(email));
    const answer = await accept(secretOf({ link }), 'another password');
    assert.deepEqual([await whoIs(secret), await whoIs(other)], Array(2).fill('401 INVALID_SESSION'));
    assert.equal(await whoIs(sessionOf(answer)), '200');
    assert.equal(outcome(await fixture.signIn(email)), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await fixture.signIn(email, 'another password')), '200');
  });

  test('used twice at once a link sets one password', async () => {
    const user = await invited();
    const words = ['the first password', 'the second password'];
    const answers = await Promise.all(words.map(word => accept(secretOf(user), word)));
    assert.deepEqual(answers.map(outcome).sort(), ['200', '422 INVALID_LINK']);
    const won = answers.findIndex(({ status }) => status === 200);
    assert.equal(outcome(await fixture.signIn(user.email, words[won])), '200');
    assert.equal(outcome(await fixture.signIn(user.email, words[1 - won])), '401 SIGN_IN_FAILED');
  });

  test('422 INVALID_LINK: one that was replaced, has expired, is of another kind or is unknown', async () => {
    const user = await invited();
    const { link } = await again(user.id);
    const ended = await invited();
    await fixture.sql`UPDATE portal_user SET link_expires_at = now() WHERE id = ${ended.id}`;
    const { secret: session } = await fixture.user();
    const mixed = secretOf(user).slice(0, 45) + secretOf({ link }).slice(45);
    const texts = [secretOf(user), secretOf(ended), session, mixed, 'secret', fixture.testData.keys.all];
    for (const text of texts) assert.equal(outcome(await accept(text)), '422 INVALID_LINK', text);
    assert.equal(outcome(await accept(secretOf({ link }))), '200');
  });

  test('422 INVALID_LINK: another secret with the identifier of a link, and the link of one who was deactivated', async () => {
    const [user, inactive] = [await invited(), await invited()];
    await fixture.sql`UPDATE portal_user SET link_hash = ${Buffer.alloc(32)} WHERE id = ${user.id}`;
    await fixture.sql`UPDATE portal_user SET deactivated_at = now() WHERE id = ${inactive.id}`;
    for (const { id, link } of [user, inactive]) {
      assert.equal(outcome(await accept(secretOf({ link }))), '422 INVALID_LINK');
      const [row] = await fixture.sql`SELECT password_hash FROM portal_user WHERE id = ${id}`;
      assert.equal(row!['password_hash'], null);
    }
  });

  test('400 and 422 VALIDATION_ERROR: a short password, and the email; the link goes on working', async () => {
    const user = await invited();
    assert.equal(outcome(await accept(secretOf(user), 'elevenchars')), '400 VALIDATION_ERROR');
    assert.equal(outcome(await accept(secretOf(user), user.email.toUpperCase())), '422 VALIDATION_ERROR');
    assert.equal(outcome(await accept(secretOf(user))), '200');
  });
});
