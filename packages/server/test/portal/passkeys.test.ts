import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { challengeLimit } from '../../src/features/users/sessions/challenges.ts';
import { loginLimits } from '../../src/features/users/sessions/login-throttle.ts';
import { passkeysMaximum } from '../../src/features/users/passkeys/routes.ts';
import { deleteSessions } from '../../src/features/users/sessions/store.ts';
import { deleteUser } from '../../src/features/users/store.ts';
import { insertPasskey } from '../../src/features/users/passkeys/store.ts';
import { newId } from '../../src/db/ids.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { Authenticator, type Faults } from '../support/servers/authenticator.ts';
import { type Answer, apiClient } from '../support/contract/client.ts';
import { startService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';
import { assertKnown, outcome, sessionOf, usePortal } from './support.ts';

const fixture = usePortal();
const origin = 'https://kontor.example.com';
const elsewhere = 'https://kontor.example.org';

let staff = 0;

/** A user who is signed in, with an authenticator and an address of their own. */
async function someone(organization = fixture.testData.organization) {
  const { user, secret: key, sessionId } = await signedInUser(fixture.sql, organization);
  const from = `127.0.1.${++staff}`;
  return { user, key, sessionId, from, authenticator: new Authenticator(origin) };
}
type Someone = Awaited<ReturnType<typeof someone>>;

const begin = async (path: string, key?: string) =>
  (await fixture.portal.request('POST', path, key === undefined ? {} : { key })).body;

async function register({ authenticator, key }: Someone, faults: Faults = {}): Promise<Answer<any>> {
  const body = authenticator.create(await begin('/passkeys/challenge', key), 'Phone', faults);
  return fixture.portal.post('/passkeys', body, { key });
}

async function signIn(
  { authenticator, from: own }: Someone,
  faults: Faults = {},
  from = own,
): Promise<Answer<any>> {
  const use = authenticator.use(await begin('/session/passkey-challenge'), faults);
  return fixture.portal.post('/session/passkey', use, { from });
}

async function confirm({ authenticator, key, from }: Someone, faults: Faults = {}): Promise<Answer<any>> {
  const use = authenticator.use(await begin('/session/confirmation/passkey-challenge', key), faults);
  return fixture.portal.post('/session/confirmation/passkey', use, { key, from });
}

/** Somebody with a passkey. */
async function owner(): Promise<Someone & { passkey: string }> {
  const made = await someone();
  return { ...made, passkey: (await register(made)).body.id };
}

/** What the audit has of a passkey, the first first. */
async function actionsOn(id: string): Promise<string[]> {
  const rows = await fixture.sql<{ action: string; actor: string }[]>`
    SELECT action, actor FROM audit WHERE target_id = ${id} ORDER BY at, action`;
  return rows.map(({ action, actor }) => `${action} by ${actor}`);
}

/** Uses that are not true, each in one regard. */
const faults: Record<string, Faults> = {
  'a page of another site': { origin: elsewhere },
  'a page over plain HTTP': { origin: 'http://kontor.example.com' },
  'another port': { origin: `${origin}:8443` },
  'another domain': { rpId: 'example.com' },
  'a user whom the authenticator has not checked': { verified: false },
};

describe('POST /passkeys', () => {
  test('200: it is listed, and signs in whom it belongs to', async () => {
    const me = await someone();
    const { body: passkey } = await register(me);
    assert.partialDeepStrictEqual(passkey, { name: 'Phone', lastUsedAt: null, synced: false });
    const answer = await signIn(me);
    assert.equal(outcome(answer), '200');
    assert.equal(answer.body.user.id, me.user.id);
    assertKnown(answer);
    assert.deepEqual(answer.body.confirmsWith, ['passkey']);
    assert.notEqual(answer.body.freshUntil, null);
    assert.equal(outcome(await fixture.portal.get('/session', { key: sessionOf(answer) })), '200');
    const { items } = (await fixture.portal.get('/passkeys', { key: me.key })).body;
    assert.deepEqual(items, [{ ...passkey, lastUsedAt: answer.body.session.createdAt }]);
    const by = ` by ${me.user.id}`;
    assert.deepEqual(await actionsOn(passkey.id), [`passkey.create${by}`, `passkey.sign_in${by}`]);
    assert.deepEqual(await actionsOn(answer.body.session.id), [`session.start${by}`]);
  });

  for (const [name, fault] of Object.entries({
    ...faults,
    'a use of a passkey, and no new one': { type: 'webauthn.get' },
    'an authenticator that says who made it': { certified: true },
  }))
    test(`422 VALIDATION_ERROR: ${name}`, async () => {
      const me = await someone();
      assert.equal(outcome(await register(me, fault)), '422 VALIDATION_ERROR');
      assert.equal((await fixture.portal.get('/passkeys', { key: me.key })).body.totalElements, 0);
    });

  test('422 CHALLENGE_EXPIRED: a challenge of another user, one for a sign-in, an old one, one that was used', async () => {
    const [me, other] = [await someone(), await someone()];
    const post = (made: object, key = me.key) => fixture.portal.post('/passkeys', made, { key });
    const mine = await begin('/passkeys/challenge', me.key);
    const theirs = await begin('/passkeys/challenge', other.key);
    const { challenge } = await begin('/session/passkey-challenge');
    for (const wrong of [theirs, { ...mine, challenge }, { ...mine, challenge: 'made-up' }])
      assert.equal(outcome(await post(me.authenticator.create(wrong, 'x'))), '422 CHALLENGE_EXPIRED');
    const expired = new Date(Date.now() - 1000);
    await fixture.sql`
      UPDATE portal_challenge SET expires_at = ${expired}
      WHERE organization_id = ${fixture.testData.organization} AND session_id = ${me.sessionId}`;
    assert.equal(outcome(await post(me.authenticator.create(mine, 'x'))), '422 CHALLENGE_EXPIRED');
    const made = me.authenticator.create(await begin('/passkeys/challenge', me.key), 'x');
    assert.deepEqual(
      [outcome(await post(made)), outcome(await post(made))],
      ['200', '422 CHALLENGE_EXPIRED'],
    );
    const unreadable = { ...made, clientDataJSON: 'AAAA' };
    assert.equal(outcome(await post(unreadable)), '422 CHALLENGE_EXPIRED');
  });

  test('409 DUPLICATE_RESOURCE: the authenticator gets the present passkeys, and sends one again', async () => {
    const me = await owner();
    const options = await begin('/passkeys/challenge', me.key);
    assert.equal(options.excludeCredentials.length, 1);
    const made = me.authenticator.create(options, 'x');
    assert.equal(outcome(await fixture.portal.post('/passkeys', made, { key: me.key })), '200');
    const next = await begin('/passkeys/challenge', me.key);
    const twin = me.authenticator.create(next, 'x', { again: true });
    assert.equal(
      outcome(await fixture.portal.post('/passkeys', twin, { key: me.key })),
      '409 DUPLICATE_RESOURCE',
    );
  });

  test('422 VALIDATION_ERROR: more than so many of one user; 400: a name that is none', async () => {
    const me = await someone();
    await new Writes(fixture.sql).runWithoutClock(
      callOf(fixture.testData.organization, operator),
      async (write, session) => {
        for (let n = 0; n < passkeysMaximum; n++) {
          const made = { publicKey: Buffer.alloc(1), uses: 0, transports: [], synced: false, name: `${n}` };
          await insertPasskey(write, session, me.user.id, { ...made, id: newId(), credentialId: `${n}` });
        }
      },
    );
    assert.equal(outcome(await register(me)), '422 VALIDATION_ERROR');
    const nameless = { ...me.authenticator.create(await begin('/passkeys/challenge', me.key), ' ') };
    assert.equal(
      outcome(await fixture.portal.post('/passkeys', nameless, { key: me.key })),
      '400 VALIDATION_ERROR',
    );
  });

  test('403 FRESH_SIGN_IN_REQUIRED: to begin it and to finish it', async () => {
    const me = await someone();
    const made = me.authenticator.create(await begin('/passkeys/challenge', me.key), 'x');
    await age(me);
    assert.equal(
      outcome(await fixture.portal.post('/passkeys', made, { key: me.key })),
      '403 FRESH_SIGN_IN_REQUIRED',
    );
    const again = await fixture.portal.request('POST', '/passkeys/challenge', { key: me.key });
    assert.equal(outcome(again), '403 FRESH_SIGN_IN_REQUIRED');
  });
});

/** Makes the sign-in of a session an hour old. */
const age = ({ sessionId }: Someone) =>
  fixture.sql`
    UPDATE portal_session SET authenticated_at = ${new Date(Date.now() - 3_600_000)}
    WHERE organization_id = ${fixture.testData.organization} AND id = ${sessionId}`;

describe('POST /session/passkey', () => {
  for (const [name, fault] of Object.entries({
    ...faults,
    'a new passkey, and no use': { type: 'webauthn.create' },
    'a signature of another key': { forged: true },
    'the handle of nobody': { userHandle: Buffer.alloc(24, 1).toString('base64url') },
    'no handle': { userHandle: null },
    'a handle that is none': { userHandle: 'AAAA' },
  }))
    test(`401 SIGN_IN_FAILED: ${name}`, async () => {
      const me = await owner();
      const answer = await signIn(me, fault);
      assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(outcome(await signIn(me)), '200');
    });

  test('401 SIGN_IN_FAILED: a copy of the authenticator, which has counted less', async () => {
    const me = await owner();
    await signIn(me, { uses: 5 });
    assert.equal(outcome(await signIn(me, { uses: -2 })), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await signIn(me, { uses: 0 })), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await signIn(me, { uses: 5 })), '200');
  });

  test('401 SIGN_IN_FAILED: two at once with the same count, of which one is the copy', async () => {
    const me = await owner();
    const first = me.authenticator.use(await begin('/session/passkey-challenge'));
    const second = me.authenticator.use(await begin('/session/passkey-challenge'), { uses: -1 });
    const answers = await Promise.all(
      [first, second].map(use => fixture.portal.post('/session/passkey', use)),
    );
    assert.deepEqual(answers.map(outcome).sort(), ['200', '401 SIGN_IN_FAILED']);
  });

  test('401 SIGN_IN_FAILED: of another user, of an inactive user, and a removed one; all alike', async () => {
    const [me, other, inactive] = [await owner(), await owner(), await owner()];
    await fixture.sql`
      UPDATE portal_user SET deactivated_at = ${new Date()}
      WHERE organization_id = ${fixture.testData.organization} AND id = ${inactive.user.id}`;
    const stranger = other.authenticator.use(await begin('/session/passkey-challenge'));
    const own = me.authenticator.use(await begin('/session/passkey-challenge'));
    const removed = await fixture.portal.request('DELETE', `/passkeys/${me.passkey}`, { key: me.key });
    assert.equal(outcome(removed), '200');
    const answers = [
      await fixture.portal.post('/session/passkey', { ...stranger, userHandle: own.userHandle }),
      await signIn(inactive),
      await fixture.portal.post('/session/passkey', own),
      await signIn(me, { userHandle: null }),
    ];
    assert.equal(outcome(answers[0]!), '401 SIGN_IN_FAILED');
    const texts = answers.map(({ status, headers, body }) => {
      const { date: _date, 'x-request-id': id, ...same } = headers;
      return JSON.stringify([status, same, body]).replaceAll(String(id), 'id');
    });
    assert.equal(new Set(texts).size, 1, texts.join('\n'));
  });

  test('422 CHALLENGE_EXPIRED: one that was used, also in vain, one for something else, and one that is over', async () => {
    const me = await owner();
    const use = me.authenticator.use(await begin('/session/passkey-challenge'));
    const post = (sent: object) => fixture.portal.post('/session/passkey', sent);
    assert.equal(outcome(await post({ ...use, userHandle: null })), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await post(use)), '422 CHALLENGE_EXPIRED');
    const confirming = me.authenticator.use(await begin('/session/confirmation/passkey-challenge', me.key));
    assert.equal(outcome(await post(confirming)), '422 CHALLENGE_EXPIRED');
    const late = me.authenticator.use(await begin('/session/passkey-challenge'));
    await fixture.sql`
      UPDATE portal_challenge SET expires_at = ${new Date(Date.now() - 1000)} WHERE organization_id = ''`;
    assert.equal(outcome(await post(late)), '422 CHALLENGE_EXPIRED');
  });

  test('a challenge is stored as a hash, and gone when it was shown, or its time is over and another one is made', async () => {
    const challenges = async () =>
      JSON.stringify(
        await fixture.sql`SELECT to_jsonb(c) AS row FROM portal_challenge c WHERE organization_id = ''`,
      );
    await fixture.sql`DELETE FROM portal_challenge WHERE organization_id = ''`;
    const me = await owner();
    const { challenge } = await begin('/session/passkey-challenge');
    assert.ok(!(await challenges()).includes(challenge));
    await fixture.sql`
      UPDATE portal_challenge SET expires_at = ${new Date(Date.now() - 1000)} WHERE organization_id = ''`;
    assert.equal(outcome(await signIn(me)), '200');
    assert.equal(await challenges(), '[]');
  });

  test('500 INTERNAL_SERVER_ERROR: a fault, of a challenge and of a sign-in', async () => {
    const me = await owner();
    const options = await begin('/session/passkey-challenge');
    await fixture.sql`ALTER TABLE portal_challenge RENAME TO elsewhere`;
    try {
      const begun = await fixture.portal.request('POST', '/session/passkey-challenge');
      assert.equal(outcome(begun), '500 INTERNAL_SERVER_ERROR');
      const answer = await fixture.portal.post('/session/passkey', me.authenticator.use(options));
      assert.equal(outcome(answer), '500 INTERNAL_SERVER_ERROR');
    } finally {
      await fixture.sql`ALTER TABLE elsewhere RENAME TO portal_challenge`;
    }
  });
});

describe('POST /session/confirmation/passkey', () => {
  test('200: the sign-in is fresh again', async () => {
    const me = await owner();
    await age(me);
    assert.equal((await fixture.portal.get('/session', { key: me.key })).body.freshUntil, null);
    const answer = await confirm(me);
    assert.equal(outcome(answer), '200');
    assert.notEqual(answer.body.freshUntil, null);
    assert.ok((await actionsOn(me.passkey)).includes(`passkey.confirm by ${me.user.id}`));
    assert.ok((await actionsOn(me.sessionId)).includes(`session.confirm by ${me.user.id}`));
  });

  for (const [name, fault] of Object.entries({ ...faults, 'a signature of another key': { forged: true } }))
    test(`401 SIGN_IN_FAILED: ${name}`, async () => {
      const me = await owner();
      await age(me);
      assert.equal(outcome(await confirm(me, fault)), '401 SIGN_IN_FAILED');
      assert.equal((await fixture.portal.get('/session', { key: me.key })).body.freshUntil, null);
    });

  test('401 SIGN_IN_FAILED: the passkey of another user; 422 CHALLENGE_EXPIRED: in another session, for another purpose, and twice', async () => {
    const [me, other] = [await owner(), await owner()];
    const post = (sent: object, key = me.key) =>
      fixture.portal.post('/session/confirmation/passkey', sent, { key });
    const options = await begin('/session/confirmation/passkey-challenge', me.key);
    const theirs = other.authenticator.use({ ...options, allowCredentials: [] });
    assert.equal(outcome(await post(theirs)), '401 SIGN_IN_FAILED');
    const use = me.authenticator.use(await begin('/session/confirmation/passkey-challenge', me.key));
    assert.equal(outcome(await post(use, other.key)), '422 CHALLENGE_EXPIRED');
    const { challenge } = await begin('/passkeys/challenge', me.key);
    const strayed = me.authenticator.use({ ...options, challenge });
    assert.equal(outcome(await post(strayed)), '422 CHALLENGE_EXPIRED');
    const confirmed = await post(use);
    assert.equal(outcome(confirmed), '200');
    assert.equal(outcome(await post(use, sessionOf(confirmed))), '422 CHALLENGE_EXPIRED');
  });

  test('409 INVALID_STATE_TRANSITION: a user without a passkey', async () => {
    const { key } = await someone();
    const answer = await fixture.portal.request('POST', '/session/confirmation/passkey-challenge', { key });
    assert.equal(outcome(answer), '409 INVALID_STATE_TRANSITION');
  });
});

describe('the own passkeys', () => {
  test('PATCH and DELETE /passkeys/{id}: 200, and in the audit', async () => {
    const me = await owner();
    const renamed = await fixture.portal.patch(
      `/passkeys/${me.passkey}`,
      { name: 'Laptop' },
      { key: me.key },
    );
    assert.equal(renamed.body.name, 'Laptop');
    await fixture.portal.patch(`/passkeys/${me.passkey}`, { name: 'Laptop' }, { key: me.key });
    const removed = await fixture.portal.request('DELETE', `/passkeys/${me.passkey}`, { key: me.key });
    assert.deepEqual(removed.body, renamed.body);
    assert.equal((await fixture.portal.get('/passkeys', { key: me.key })).body.totalElements, 0);
    const by = ` by ${me.user.id}`;
    const expected = [`passkey.create${by}`, `passkey.update${by}`, `passkey.delete${by}`];
    assert.deepEqual(await actionsOn(me.passkey), expected);
    const bad = await fixture.portal.patch(`/passkeys/${me.passkey}`, { name: '' }, { key: me.key });
    assert.equal(outcome(bad), '400 VALIDATION_ERROR');
  });

  test('404 NOT_FOUND: those of others, which are not listed either', async () => {
    const [me, other] = [await owner(), await owner()];
    const path = `/passkeys/${other.passkey}`;
    assert.equal(outcome(await fixture.portal.patch(path, { name: 'x' }, { key: me.key })), '404 NOT_FOUND');
    assert.equal(outcome(await fixture.portal.request('DELETE', path, { key: me.key })), '404 NOT_FOUND');
    const foreign = await someone(fixture.testData.foreign.organization);
    assert.equal(
      outcome(await fixture.portal.request('DELETE', path, { key: foreign.key })),
      '404 NOT_FOUND',
    );
    const { items } = (await fixture.portal.get('/passkeys', { key: me.key })).body;
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [me.passkey],
    );
    assert.equal(outcome(await signIn(other)), '200');
  });
});

describe('429 RATE_LIMIT_EXCEEDED', () => {
  test('signInWithPasskey and confirmWithPasskey: too many failures of one user only; passwords are counted apart', async () => {
    const me = await owner();
    const untrue = { verified: false };
    let { key } = me;
    for (let n = 0; n <= loginLimits.network.failures; n++) key = sessionOf(await confirm({ ...me, key }));
    for (let n = 0; n < loginLimits.network.failures; n++)
      assert.equal(
        outcome(await (n % 2 ? signIn(me, untrue) : confirm({ ...me, key }, untrue))),
        '401 SIGN_IN_FAILED',
      );
    const rejected = await confirm({ ...me, key });
    assert.equal(outcome(rejected), '429 RATE_LIMIT_EXCEEDED');
    assert.match(rejected.body.error.message, /^Too many failed sign-ins with passkeys of this user/);
    assert.equal(outcome(await signIn(me)), '429 RATE_LIMIT_EXCEEDED');
    assert.equal(outcome(await signIn(me, {}, '127.0.0.2')), '200');
    assert.equal(outcome(await fixture.signIn(me.user.email)), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await signIn(await owner())), '200');
  });

  test('signInWithPasskey: what was not begun is no attempt, so nothing is kept of it', async () => {
    const me = await owner();
    const use = me.authenticator.use(await begin('/session/passkey-challenge'));
    assert.equal(outcome(await fixture.portal.post('/session/passkey', use, { from: me.from })), '200');
    for (let n = 0; n <= loginLimits.network.failures; n++) {
      const again = await fixture.portal.post('/session/passkey', use, { from: me.from });
      assert.equal(outcome(again), '422 CHALLENGE_EXPIRED');
    }
    assert.equal(outcome(await signIn(me)), '200');
  });

  test('beginPasskey, beginPasskeyConfirmation and beginPasskeySignIn: too many of a session, and of a network', async () => {
    const me = await owner();
    const ask = (path: string, more: object) => fixture.portal.request('POST', path, more);
    for (let n = 0; n < challengeLimit.attempts; n++) await ask('/passkeys/challenge', { key: me.key });
    for (const path of ['/passkeys/challenge', '/session/confirmation/passkey-challenge'])
      assert.equal(outcome(await ask(path, { key: me.key })), '429 RATE_LIMIT_EXCEEDED', path);
    const open = '/session/passkey-challenge';
    for (let n = 0; n < challengeLimit.attempts; n++) await ask(open, { from: '127.0.3.1' });
    assert.equal(outcome(await ask(open, { from: '127.0.3.1' })), '429 RATE_LIMIT_EXCEEDED');
    assert.equal(outcome(await ask(open, {})), '200');
  });
});

describe('where passkeys do not work', () => {
  for (const [publicUrl, passkeyOrigin] of [
    ['https://10.0.0.5', null],
    ['http://kontor.example.com', null],
    ['https://kontor.example.com/', origin],
    ['https://kontor.example.com:8443', `${origin}:8443`],
    ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ] as const)
    test(`${publicUrl}: ${passkeyOrigin ?? '409 INVALID_STATE_TRANSITION'}`, async () => {
      const service = await startService(fixture.sql, { publicUrl });
      const portal = apiClient(service.url, { api: 'portal' });
      const { key } = await owner();
      try {
        assert.equal((await portal.get('/sign-in-methods')).body.passkeyOrigin, passkeyOrigin);
        const expected = passkeyOrigin ? '200' : '409 INVALID_STATE_TRANSITION';
        for (const path of [
          '/session/passkey-challenge',
          '/session/confirmation/passkey-challenge',
          '/passkeys/challenge',
        ])
          assert.equal(outcome(await portal.request('POST', path, { key })), expected, path);
      } finally {
        portal.close();
        await service.stop();
      }
    });

  test('at its own address, without a public one', async () => {
    const service = await startService(fixture.sql, { publicUrl: null });
    const portal = apiClient(service.url, { api: 'portal' });
    const { body } = await portal.get('/sign-in-methods');
    assert.equal(body.passkeyOrigin, service.url.replace('127.0.0.1', 'localhost'));
    portal.close();
    await service.stop();
  });
});

test('a user who is deleted leaves no passkey', async () => {
  const me = await owner();
  await new Writes(fixture.sql).runWithoutClock(callOf(fixture.testData.organization, operator), write => {
    deleteSessions(write, me.user.id);
    deleteUser(write, me.user);
  });
  const left = await fixture.sql`SELECT id FROM portal_passkey WHERE user_id = ${me.user.id}`;
  assert.deepEqual([...left], []);
  assert.equal(outcome(await signIn(me)), '401 SIGN_IN_FAILED');
});

test('neither database, log nor audit has a challenge or a signature', async () => {
  const me = await owner();
  const use = me.authenticator.use(await begin('/session/passkey-challenge'));
  await fixture.portal.post('/session/passkey', { ...use, userHandle: null });
  const stored = JSON.stringify([
    await fixture.sql`SELECT to_jsonb(p) AS row FROM portal_passkey p`,
    await fixture.sql`SELECT to_jsonb(c) AS row FROM portal_challenge c`,
    await fixture.sql`SELECT to_jsonb(a) AS row FROM audit a`,
    fixture.service.log,
  ]);
  for (const word of [use.signature, use.clientDataJSON, me.user.email]) assert.ok(!stored.includes(word));
});
