import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { checkPassword } from '../../src/features/users/passwords/strength.ts';
import { outcome, usePortal } from '../portal/support.ts';
import { invitedUser, secretOf, signedInUser } from '../support/data/users.ts';

const fixture = usePortal();
const person = { email: 'petra.lang@muster-holding.example', name: 'Petra Lang' };

const guessable: Record<string, readonly string[]> = {
  'one character over and over': ['aaaaaaaaaaaa', '999999999999', '            ', '😀'.repeat(12)],
  'a few characters over and over': ['121212121212', 'abcabcabcabc', 'aaaaaaaaaaa1', 'aaaaaaa12345'],
  'a common password': ['1qaz2wsx3edc', 'leavemealone', 'Leavemealone'],
  'a common password over and over': ['passwordpassword', 'lovelovelove', '1234123412341234'],
  'a common password with digits and signs around it': [
    'password1234',
    'Password2026!',
    '2026password!',
    'qwertyuiop12',
    '!!!monkey!!!',
    '123456789012',
    'iloveyou<3<3',
    'passwordpassword1',
  ],
  'a common password in other characters': ['ＰＡＳＳＷＯＲＤ１２３４', 'ｐassword1234'],
  'the email or a part of it': [
    'petra.lang@muster-holding.example',
    'Petra.Lang@Muster-Holding.Example',
    'petra.lang2026',
    'muster-holding1',
    'muster-holding.example',
  ],
  'the name of the user or of the service': ['Petra Lang 1!', 'petralang123', 'Kontor123456', 'kontorkontor'],
};

const good = [
  'correct horse battery staple',
  'monkey tacker brille',
  'Wolke7&Regenschirm',
  'q8Zr-Vt2L-pX0k',
  '829471650384',
  'password847362910473',
  'Petra mag keine Zitronen',
];

describe('422 VALIDATION_ERROR: a new password that is', () => {
  let secret: string;
  let session: string;
  before(async () => {
    const { sql, testData } = fixture;
    secret = secretOf(await invitedUser(sql, testData.organization, person));
    const email = 'petra.lang@elsewhere.example';
    session = (await signedInUser(sql, testData.organization, { ...person, email })).secret;
  });

  for (const [name, passwords] of Object.entries(guessable))
    test(name, async () => {
      for (const password of passwords) {
        const answer = await fixture.portal.post('/invitation/acceptance', { secret, password });
        assert.equal(outcome(answer), '422 VALIDATION_ERROR', password);
        assert.match(answer.body.error.message, /^password is easy to guess: choose /);
        assert.ok(!answer.body.error.message.includes(password));
      }
    });

  test('so when another one is set, and the old one works on', async () => {
    for (const password of ['password1234', 'petra.lang2026', 'aaaaaaaaaaaa']) {
      const answer = await fixture.portal.post('/password', { password }, { key: session });
      assert.equal(outcome(answer), '422 VALIDATION_ERROR', password);
    }
    assert.equal(outcome(await fixture.portal.get('/session', { key: session })), '200');
  });

  test('but none that is hard to guess', async () => {
    for (const password of good) assert.doesNotThrow(() => checkPassword(password, person), password);
    const [password] = good;
    assert.equal(outcome(await fixture.portal.post('/invitation/acceptance', { secret, password })), '200');
  });
});

test('the list has the 10,000 most common passwords, and each of them is rejected once it is long enough', () => {
  const file = readFileSync(new URL('../../data/common-passwords.txt', import.meta.url), 'utf8');
  const [licence, list] = file.split('\n\n') as [string, string];
  const passwords = list.trim().split('\n');
  assert.match(licence, /Permission is hereby granted, free of charge/);
  assert.equal(new Set(passwords).size, 10_000);
  for (const password of passwords) {
    // As often as it takes to have twelve characters.
    const long = password.repeat(Math.ceil(12 / password.length));
    for (const sent of [long, `${long}!`, `1${long.toUpperCase()}`])
      assert.throws(() => checkPassword(sent, person), { code: 'VALIDATION_ERROR' }, sent);
  }
});
