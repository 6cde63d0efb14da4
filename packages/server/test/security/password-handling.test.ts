import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outcome, password, sessionOf, usePortal } from '../portal/support.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';

const fixture = usePortal();

/** Sets the first password of a new user. */
async function chosen(word: string, email?: string) {
  const user = await invitedUser(fixture.sql, fixture.testData.organization, email ? { email } : {});
  const answer = await fixture.portal.post('/invitation/acceptance', {
    secret: secretOf(user),
    password: word,
  });
  return { email: user.email, answer };
}

describe('a password', () => {
  const accepted: Record<string, string> = {
    'of 12 characters': 'tzkvbqwmrlnd',
    'of 64 characters': 'Wolke Brille Zitrone Tacker Lampe Ofen Regal Kanne Teller Besen!',
    'of 1,000 characters': 'Zitrone und '.repeat(83) + 'Ende',
    'of digits': '902871635504',
    'of spaces between two letters': 'x          y',
    'of signs and other scripts': '«шиповник»·🌵·湖畔…!!',
  };
  for (const [name, word] of Object.entries(accepted))
    test(`${name} is accepted, and nothing of it is cut off`, async () => {
      const { email, answer } = await chosen(word);
      assert.equal(outcome(answer), '200');
      const letters = [...word];
      const shorter = letters.slice(0, -1).join('');
      const other = `${shorter}${letters.at(-1) === 'q' ? 'r' : 'q'}`;
      for (const wrong of [shorter, other])
        assert.equal(outcome(await fixture.signIn(email, wrong)), '401 SIGN_IN_FAILED', wrong);
      assert.equal(outcome(await fixture.signIn(email, word)), '200');
    });

  test('keeps its letter case and the spaces around it', async () => {
    const word = ' Wolke Brille Zitrone ';
    const { email } = await chosen(word);
    for (const wrong of [word.toLowerCase(), word.toUpperCase(), word.trim(), word.trimEnd()])
      assert.equal(outcome(await fixture.signIn(email, wrong)), '401 SIGN_IN_FAILED', wrong);
    assert.equal(outcome(await fixture.signIn(email, word)), '200');
  });

  test('of 11 characters is rejected: 400 VALIDATION_ERROR', async () => {
    const { answer } = await chosen('tzkvbqwmrln');
    assert.equal(outcome(answer), '400 VALIDATION_ERROR');
  });

  test('does not expire', async () => {
    const { id, email } = await fixture.user();
    await fixture.sql`
      UPDATE portal_user SET created_at = created_at - interval '10 years',
        last_sign_in_at = last_sign_in_at - interval '10 years'
      WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
    assert.equal(outcome(await fixture.signIn(email)), '200');
  });
});

describe('422 VALIDATION_ERROR: a password of little more than words of the service and parts of the email', () => {
  let n = 0;
  const rejected = (name: string) => [
    'Kontor-Portal1!',
    `${name}${name}`,
    `${name.toUpperCase()}@musterwerke`,
    'Musterwerke2026',
    'KONTOR Musterwerke Payroll 1',
  ];

  test('of an invitation, and of a change', async () => {
    const name = `ingeborg${++n}`;
    const email = `${name}@musterwerke.example`;
    const invited = await invitedUser(fixture.sql, fixture.testData.organization, { email });
    const accept = (word: string) =>
      fixture.portal.post('/invitation/acceptance', { secret: secretOf(invited), password: word });
    for (const word of rejected(name)) {
      const answer = await accept(word);
      assert.equal(outcome(answer), '422 VALIDATION_ERROR', word);
      assert.match(answer.body.error.message, /easy to guess/);
    }
    const key = sessionOf(await accept(password));
    for (const word of rejected(name)) {
      const body = { currentPassword: password, password: word };
      assert.equal(outcome(await fixture.portal.post('/password', body, { key })), '422 VALIDATION_ERROR');
    }
  });

  test('but not one with enough beside them', async () => {
    const { answer } = await chosen('kontor und acht mehr', 'margarethe@musterwerke.example');
    assert.equal(outcome(answer), '200');
  });
});
