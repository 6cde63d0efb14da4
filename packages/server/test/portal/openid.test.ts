import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, describe, test } from 'node:test';
import { challengeLimit } from '../../src/features/users/sessions/challenges.ts';
import { openIdSettings } from '../../src/features/users/openid/settings.ts';
import { deleteUser } from '../../src/features/users/store.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import {
  IssuerVisitor,
  linkPaths,
  startIssuer,
  type TestIssuer,
  visitIssuer,
} from '../support/servers/issuer.ts';
import { testDatabase } from '../support/database/database.ts';
import { startService, type TestService } from '../support/service/service.ts';
import {
  backdateSession,
  invitedUser,
  secretOf,
  sessionOfUser,
  signedInUser,
} from '../support/data/users.ts';
import { assertKnown, outcome, password, sessionOf, usePortal } from './support.ts';

const back = 'https://kontor.example.com/portal/sign-in/openid';

let issuer: TestIssuer;
let service: TestService;
let portal: ApiClient;
const fixture = usePortal(async ({ sql }) => {
  issuer = await startIssuer([back]);
  service = await startService(sql, { openId: issuer.settings });
  portal = apiClient(service.url, { api: 'portal' });
});
after(async () => {
  portal?.close();
  await service?.stop();
  await issuer?.close();
});

let staff = 0;

/** Makes a user who is invited, and whom the issuer knows with this email. */
async function known(organization = fixture.testData.organization) {
  const user = await invitedUser(fixture.sql, organization);
  const name = `person${++staff}`;
  issuer.staff.set(name, { email: user.email.toUpperCase(), email_verified: true });
  return { user, name, browser: new IssuerVisitor() };
}
type Known = Awaited<ReturnType<typeof known>>;

/** What a browser has begun: the way to the issuer, and its cookie. */
interface Begun {
  readonly location: string;
  readonly cookie: string;
}

async function begin(path = '/session/openid-request', key?: string): Promise<Begun> {
  const answer = await portal.request('POST', path, key === undefined ? {} : { key });
  assert.equal(outcome(answer), '200');
  const [cookie] = answer.headers['set-cookie']!;
  assert.match(
    cookie!,
    /^__Host-kontor-openid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
  );
  return { location: answer.body.location, cookie: cookie!.split(';')[0]! };
}

/** What the issuer leads back with. */
async function answerOf({ name, browser }: Pick<Known, 'name' | 'browser'>, { location }: Begun) {
  const { searchParams } = await browser.signIn(location, name, back);
  return Object.fromEntries(searchParams) as { code: string; state: string; iss: string };
}

const finish = (body: object, cookie: string) =>
  portal.post('/session/openid', body, { headers: { cookie } });

async function signIn(who: Pick<Known, 'name' | 'browser'>): Promise<Answer<any>> {
  const begun = await begin();
  return finish(await answerOf(who, begun), begun.cookie);
}

async function confirm(who: Known, key: string): Promise<Answer<any>> {
  const begun = await begin('/session/confirmation/openid-request', key);
  const body = await answerOf(who, begun);
  const cookie = `${begun.cookie}; __Host-kontor=${key}`;
  return portal.post('/session/confirmation/openid', body, { headers: { cookie } });
}

async function actionsOn(id: string): Promise<string[]> {
  const rows = await fixture.sql<{ action: string }[]>`
    SELECT action FROM audit WHERE target_id = ${id} AND outcome = 'done' ORDER BY at, action`;
  return rows.map(({ action }) => action);
}

describe('POST /session/openid', () => {
  test('200: an invited user with the email, who is active then; from then on by the identity, whatever the email', async () => {
    const who = await known();
    const first = await signIn(who);
    assert.equal(outcome(first), '200');
    assertKnown(first);
    assert.partialDeepStrictEqual(first.body, {
      user: { id: who.user.id, status: 'active' },
      confirmsWith: ['openid'],
    });
    issuer.staff.set(who.name, { email: 'elsewhere@example.com', email_verified: false });
    const second = await signIn({ ...who, browser: new IssuerVisitor() });
    assert.equal(second.body.user.id, who.user.id);
    assert.equal(outcome(await portal.get('/session', { key: sessionOf(second) })), '200');
    const actions = await actionsOn(who.user.id);
    assert.deepEqual(actions, ['user.create', 'openid.link', 'openid.sign_in']);
  });

  test('401 SIGN_IN_FAILED: a user who has a password, or has signed in before, with the email alone', async () => {
    const { email } = await fixture.user();
    const { user } = await signedInUser(fixture.sql, fixture.testData.organization);
    for (const existing of [email, user.email]) {
      issuer.staff.set(existing, { email: existing, email_verified: true });
      assert.equal(outcome(await visitIssuer(portal, existing)), '401 SIGN_IN_FAILED');
    }
    assert.equal(outcome(await fixture.signIn(email)), '200');
  });

  test('the sign-in is as fresh as the issuer reports: one that it has not asked for confirms nothing', async () => {
    const who = await known();
    const { body } = await signIn(who);
    assert.equal(body.freshUntil, null);
  });

  for (const [name, person] of Object.entries({
    'an email that nobody has': { email: 'nobody@example.com', email_verified: true },
    'no email': {},
  }))
    test(`401 SIGN_IN_FAILED: ${name}; no user is made`, async () => {
      const before = await fixture.sql`SELECT id FROM portal_user`;
      issuer.staff.set(name, person);
      const answer = await signIn({ name, browser: new IssuerVisitor() });
      assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal((await fixture.sql`SELECT id FROM portal_user`).length, before.length);
    });

  test('401 SIGN_IN_FAILED: an email that the issuer has not verified', async () => {
    const who = await known();
    for (const email_verified of [false, undefined]) {
      issuer.staff.set(who.name, {
        email: who.user.email,
        ...(email_verified === false && { email_verified }),
      });
      assert.equal(outcome(await signIn({ ...who, browser: new IssuerVisitor() })), '401 SIGN_IN_FAILED');
    }
  });

  test('401 SIGN_IN_FAILED: another user who has got the email at the issuer', async () => {
    const who = await known();
    await signIn(who);
    issuer.staff.set('successor', { email: who.user.email, email_verified: true });
    const answer = await signIn({ name: 'successor', browser: new IssuerVisitor() });
    assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
  });

  test('401 SIGN_IN_FAILED: who was deactivated, before and after the first time', async () => {
    const [early, late] = [await known(), await known()];
    await signIn(late);
    for (const { user } of [early, late])
      await fixture.sql`
        UPDATE portal_user SET deactivated_at = ${new Date()}
        WHERE organization_id = ${fixture.testData.organization} AND id = ${user.id}`;
    for (const who of [early, late]) assert.equal(outcome(await signIn(who)), '401 SIGN_IN_FAILED');
    assert.ok(!(await actionsOn(early.user.id)).includes('openid.link'));
  });

  test('401 SIGN_IN_FAILED: the email at another issuer than before; who is signed in connects that one', async () => {
    const who = await known();
    await signIn(who);
    await fixture.sql`
      UPDATE portal_user SET identity_issuer = 'https://former.example.com', identity_key = 'former'
      WHERE organization_id = ${fixture.testData.organization} AND id = ${who.user.id}`;
    await fixture.sql`UPDATE portal_identity SET identity_key = 'former' WHERE user_id = ${who.user.id}`;
    assert.equal(outcome(await signIn(who)), '401 SIGN_IN_FAILED');
    const { organization } = fixture.testData;
    const { secret: key } = await sessionOfUser(fixture.sql, organization, who.user.id);
    assert.equal(outcome(await visitIssuer(portal, who.name, { ...linkPaths, key })), '200');
    assert.equal((await signIn(who)).body.user.id, who.user.id);
    const rows = await fixture.sql`SELECT identity_key FROM portal_identity WHERE user_id = ${who.user.id}`;
    assert.equal(rows.length, 1);
  });

  test('422 CHALLENGE_EXPIRED: without the cookie, with that of another browser, twice, and for a confirmation', async () => {
    const who = await known();
    const [mine, other] = [await begin(), await begin()];
    const body = await answerOf(who, mine);
    for (const cookie of [
      '',
      other.cookie,
      '__Host-kontor-openid=made-up',
      `${mine.cookie}; ${other.cookie.replace('=', '=x')}`,
    ])
      assert.equal(outcome(await finish(body, cookie)), '422 CHALLENGE_EXPIRED', cookie);
    assert.equal(outcome(await finish(body, mine.cookie)), '200');
    assert.equal(outcome(await finish(body, mine.cookie)), '422 CHALLENGE_EXPIRED');
    const { secret: key } = await signedInUser(fixture.sql, fixture.testData.organization);
    const confirming = await begin('/session/confirmation/openid-request', key);
    const confirmed = await answerOf(who, confirming);
    assert.equal(outcome(await finish(confirmed, confirming.cookie)), '422 CHALLENGE_EXPIRED');
  });

  test('401 SIGN_IN_FAILED: the code of another sign-in, a made-up one, and another issuer', async () => {
    const [who, other] = [await known(), await known()];
    const theirs = await answerOf(other, await begin());
    for (const swapped of [
      { code: theirs.code },
      { code: 'made-up' },
      { iss: 'https://issuer.example.org' },
    ]) {
      const begun = await begin();
      const body = { ...(await answerOf(who, begun)), ...swapped };
      assert.equal(outcome(await finish(body, begun.cookie)), '401 SIGN_IN_FAILED', JSON.stringify(swapped));
    }
    const late = await begin();
    const body = await answerOf(who, late);
    await fixture.sql`
      UPDATE portal_challenge SET expires_at = ${new Date(Date.now() - 1000)} WHERE organization_id = ''`;
    assert.equal(outcome(await finish(body, late.cookie)), '422 CHALLENGE_EXPIRED');
  });

  test('500 INTERNAL_SERVER_ERROR: a fault, of the beginning and of the end', async () => {
    const who = await known();
    const begun = await begin();
    const body = await answerOf(who, begun);
    await fixture.sql`ALTER TABLE portal_challenge RENAME TO elsewhere`;
    try {
      const answer = await portal.request('POST', '/session/openid-request');
      assert.equal(outcome(answer), '500 INTERNAL_SERVER_ERROR');
      assert.equal(outcome(await finish(body, begun.cookie)), '500 INTERNAL_SERVER_ERROR');
    } finally {
      await fixture.sql`ALTER TABLE elsewhere RENAME TO portal_challenge`;
    }
  });

  test('neither database, log nor audit has a token, a code, an email or what the cookie stands for', async () => {
    const who = await known();
    const begun = await begin();
    const body = await answerOf(who, begun);
    await finish({ ...body, code: 'made-up' }, begun.cookie);
    await signIn(who);
    const stored = JSON.stringify([
      await fixture.sql`SELECT to_jsonb(c) AS row FROM portal_challenge c`,
      await fixture.sql`SELECT to_jsonb(i) AS row FROM portal_identity i`,
      await fixture.sql`SELECT to_jsonb(a) AS row FROM audit a`,
      service.log,
    ]);
    const words = [body.code, body.state, begun.cookie.split('=')[1]!, who.user.email, who.name, 'eyJ'];
    for (const word of [...words, issuer.settings.clientSecret]) assert.ok(!stored.includes(word), word);
  });
});

describe('POST /session/confirmation/openid', () => {
  test('200: the issuer asks again, and the sign-in is fresh', async () => {
    const who = await known();
    const key = sessionOf(await signIn(who));
    assert.match((await begin('/session/confirmation/openid-request', key)).location, /prompt=login/);
    const answer = await confirm(who, key);
    assert.equal(outcome(answer), '200');
    assert.notEqual(answer.body.freshUntil, null);
    assert.ok((await actionsOn(answer.body.session.id)).includes('session.confirm'));
    assert.ok((await actionsOn(who.user.id)).includes('openid.confirm'));
  });

  test('401 SIGN_IN_FAILED: another user of the issuer, and a user who has never signed in there', async () => {
    const [who, other] = [await known(), await known()];
    const key = sessionOf(await signIn(who));
    await signIn(other);
    assert.equal(outcome(await confirm(other, key)), '401 SIGN_IN_FAILED');
    const { secret } = await signedInUser(fixture.sql, fixture.testData.organization);
    assert.equal(outcome(await confirm(who, secret)), '401 SIGN_IN_FAILED');
    assert.equal((await portal.get('/session', { key })).body.freshUntil, null);
  });

  test('422 CHALLENGE_EXPIRED: in another session', async () => {
    const who = await known();
    const [key, other] = [sessionOf(await signIn(who)), sessionOf(await signIn(who))];
    const begun = await begin('/session/confirmation/openid-request', key);
    const body = await answerOf(who, begun);
    const cookie = `${begun.cookie}; __Host-kontor=${other}`;
    const answer = await portal.post('/session/confirmation/openid', body, { headers: { cookie } });
    assert.equal(outcome(answer), '422 CHALLENGE_EXPIRED');
  });
});

describe('POST /openid-link', () => {
  /** A user who is signed in without the issuer. */
  async function existing() {
    const { user, secret: key } = await signedInUser(fixture.sql, fixture.testData.organization);
    issuer.staff.set(user.id, {});
    return { user, key };
  }
  const link = (name: string, key: string) => visitIssuer(portal, name, { ...linkPaths, key });

  test('200: a user who is signed in, whatever email the issuer has; then they sign in there', async () => {
    const { user, key } = await existing();
    const answer = await link(user.id, key);
    assert.equal(outcome(answer), '200');
    assert.deepEqual(answer.body.confirmsWith, ['openid']);
    assert.equal((await visitIssuer(portal, user.id)).body.user.id, user.id);
    assert.deepEqual(await actionsOn(user.id), ['user.create', 'openid.link', 'openid.sign_in']);
  });

  test('200: another identity takes the place of the one before, and the same one stays', async () => {
    const { user, key } = await existing();
    issuer.staff.set('successor of one', {});
    for (const name of [user.id, user.id, 'successor of one'])
      assert.equal(outcome(await link(name, key)), '200');
    assert.equal(outcome(await visitIssuer(portal, user.id)), '401 SIGN_IN_FAILED');
    assert.equal((await visitIssuer(portal, 'successor of one')).body.user.id, user.id);
  });

  test('401 SIGN_IN_FAILED: the identity of another user, who keeps it', async () => {
    const [mine, other] = [await existing(), await existing()];
    await link(other.user.id, other.key);
    assert.equal(outcome(await link(other.user.id, mine.key)), '401 SIGN_IN_FAILED');
    assert.equal((await visitIssuer(portal, other.user.id)).body.user.id, other.user.id);
    assert.deepEqual((await portal.get('/session', { key: mine.key })).body.confirmsWith, []);
  });

  test('403 FRESH_SIGN_IN_REQUIRED: both steps, with an old sign-in; 401 INVALID_SESSION: without a session', async () => {
    const { user, key } = await existing();
    const begun = await begin('/openid-link-request', key);
    const body = await answerOf({ name: user.id, browser: new IssuerVisitor() }, begun);
    const cookie = `${begun.cookie}; __Host-kontor=${key}`;
    const [session] = await fixture.sql<
      { id: string }[]
    >`SELECT id FROM portal_session WHERE user_id = ${user.id}`;
    await backdateSession(fixture.sql, session!.id, { authenticated_at: 11 });
    for (const answer of [
      await portal.request('POST', '/openid-link-request', { key }),
      await portal.post('/openid-link', body, { headers: { cookie } }),
    ])
      assert.equal(outcome(answer), '403 FRESH_SIGN_IN_REQUIRED');
    assert.equal(outcome(await portal.request('POST', '/openid-link-request')), '401 INVALID_SESSION');
    assert.equal(outcome(await portal.post('/openid-link', body)), '401 INVALID_SESSION');
  });

  test('422 CHALLENGE_EXPIRED: the answer to a sign-in, or to the link of another session', async () => {
    const [mine, other] = [await existing(), await existing()];
    for (const begun of [await begin(), await begin('/openid-link-request', other.key)]) {
      const body = await answerOf({ name: mine.user.id, browser: new IssuerVisitor() }, begun);
      const headers = { cookie: `${begun.cookie}; __Host-kontor=${mine.key}` };
      assert.equal(outcome(await portal.post('/openid-link', body, { headers })), '422 CHALLENGE_EXPIRED');
    }
  });
});

describe('DELETE /openid-link', () => {
  test('200: no identity signs in from then on, whatever its email; 409 INVALID_STATE_TRANSITION: there is none', async () => {
    const who = await known();
    const stale = sessionOf(await signIn(who));
    const rejected = await portal.request('DELETE', '/openid-link', { key: stale });
    assert.equal(outcome(rejected), '403 FRESH_SIGN_IN_REQUIRED');
    const key = sessionOf(await confirm(who, stale));
    const answer = await portal.request('DELETE', '/openid-link', { key });
    assert.deepEqual(answer.body.confirmsWith, []);
    const again = await portal.request('DELETE', '/openid-link', { key });
    assert.equal(outcome(again), '409 INVALID_STATE_TRANSITION');
    issuer.staff.set('renamed', { email: who.user.email, email_verified: true });
    assert.equal(outcome(await visitIssuer(portal, 'renamed')), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await signIn(who)), '401 SIGN_IN_FAILED');
    const actions = await actionsOn(who.user.id);
    assert.deepEqual(actions, ['user.create', 'openid.link', 'openid.confirm', 'openid.unlink']);
  });
});

describe('an issuer that does not answer', () => {
  const finishes: Record<string, { answer: TestIssuer['answer']; expected: string }> = {
    'is away': { answer: (request, _response) => request.destroy(), expected: '502 BAD_GATEWAY' },
    fails: { answer: (_request, response) => response.writeHead(500).end(), expected: '502 BAD_GATEWAY' },
    'says something else': {
      answer: (_request, response) => response.end('<html>'),
      expected: '502 BAD_GATEWAY',
    },
    hangs: { answer: () => {}, expected: '504 GATEWAY_TIMEOUT' },
  };
  for (const [name, { answer, expected }] of Object.entries(finishes))
    test(`${name}: ${expected}; passwords work, and it is asked again`, async () => {
      const who = await known();
      const key = sessionOf(await signIn(who));
      const own = await startService(fixture.sql, { openId: issuer.settings });
      const client = apiClient(own.url, { api: 'portal' });
      const confirming = await begin('/session/confirmation/openid-request', key);
      const begun = await begin();
      const confirmed = await answerOf(who, confirming);
      const body = await answerOf(who, begun);
      const { secret: fresh } = await signedInUser(fixture.sql, fixture.testData.organization);
      const linking = await begin('/openid-link-request', fresh);
      const linked = await answerOf(who, linking);
      issuer.answer = answer;
      try {
        const asked = await Promise.all([
          client.request('POST', '/session/openid-request'),
          client.request('POST', '/session/confirmation/openid-request', { key }),
          client.request('POST', '/openid-link-request', { key: fresh }),
          finish(body, begun.cookie),
          portal.post('/session/confirmation/openid', confirmed, {
            headers: { cookie: `${confirming.cookie}; __Host-kontor=${key}` },
          }),
          portal.post('/openid-link', linked, {
            headers: { cookie: `${linking.cookie}; __Host-kontor=${fresh}` },
          }),
        ]);
        for (const one of asked) assert.equal(outcome(one), expected);
        const invited = await invitedUser(fixture.sql, fixture.testData.organization);
        const accepted = await client.post('/invitation/acceptance', { secret: secretOf(invited), password });
        assert.equal(outcome(accepted), '200');
      } finally {
        issuer.answer = null;
      }
      assert.equal(outcome(await client.request('POST', '/session/openid-request')), '200');
      client.close();
      await own.stop();
    });
});

describe('409 INVALID_STATE_TRANSITION', () => {
  test('every operation, where there is no issuer', async () => {
    const { secret: key } = await signedInUser(fixture.sql, fixture.testData.organization);
    const body = { code: 'x', state: 'y' };
    const asked = [
      await fixture.portal.request('POST', '/session/openid-request'),
      await fixture.portal.request('POST', '/session/confirmation/openid-request', { key }),
      await fixture.portal.request('POST', '/openid-link-request', { key }),
      await fixture.portal.post('/session/openid', body),
      await fixture.portal.post('/session/confirmation/openid', body, { key }),
      await fixture.portal.post('/openid-link', body, { key }),
    ];
    for (const answer of asked) assert.equal(outcome(answer), '409 INVALID_STATE_TRANSITION');
    assert.equal((await fixture.portal.get('/sign-in-methods')).body.openIdName, null);
    assert.equal((await portal.get('/sign-in-methods')).body.openIdName, 'Muster-Login');
  });
});

test('429 RATE_LIMIT_EXCEEDED: too much begun by a network, and by a session', async () => {
  const keys = await Promise.all([1, 2].map(() => signedInUser(fixture.sql, fixture.testData.organization)));
  for (const [path, more] of [
    ['/session/openid-request', { from: '127.0.9.1' }],
    ['/session/confirmation/openid-request', { key: keys[0]!.secret }],
    ['/openid-link-request', { key: keys[1]!.secret }],
  ] as const) {
    for (let n = 0; n < challengeLimit.attempts; n++) await portal.request('POST', path, more);
    assert.equal(outcome(await portal.request('POST', path, more)), '429 RATE_LIMIT_EXCEEDED', path);
  }
});

test('a user who is deleted leaves no identity', async () => {
  const who = await known();
  await signIn(who);
  await fixture.sql`DELETE FROM portal_session WHERE user_id = ${who.user.id}`;
  await new Writes(fixture.sql).runWithoutClock(callOf(fixture.testData.organization, operator), write =>
    deleteUser(write, who.user),
  );
  assert.equal((await fixture.sql`SELECT FROM portal_identity WHERE user_id = ${who.user.id}`).length, 0);
  assert.equal(outcome(await signIn(who)), '401 SIGN_IN_FAILED');
});

describe('the settings of the issuer', () => {
  const none = {
    openIdIssuer: null,
    openIdClientId: null,
    openIdClientSecret: null,
    openIdClientSecretFile: null,
    openIdClientKeyFile: null,
    openIdClientAuthentication: null,
    openIdEmails: 'verified',
    openIdName: null,
  } as const;
  const some = { ...none, openIdIssuer: 'https://login.example.com/a', openIdClientId: 'kontor' };

  test('there is none, one with the secret of the variable, and one with that of a file', async () => {
    assert.equal(await openIdSettings(none), null);
    const written = { ...some, openIdIssuer: 'https://Login.Example.com:443/a//', openIdClientSecret: 's' };
    assert.equal((await openIdSettings(written))!.issuer, some.openIdIssuer);
    const expected = {
      issuer: some.openIdIssuer,
      clientId: 'kontor',
      credential: { secret: 's', method: null },
      emails: 'verified',
      name: 'login.example.com',
    };
    assert.deepEqual(await openIdSettings({ ...some, openIdClientSecret: 's' }), expected);
    const folder = await mkdtemp(join(tmpdir(), 'kontor-'));
    try {
      const openIdClientSecretFile = join(folder, 'secret');
      await writeFile(openIdClientSecretFile, 's\n');
      const named = { ...some, openIdClientSecretFile, openIdName: 'Muster' };
      assert.deepEqual(await openIdSettings(named), { ...expected, name: 'Muster' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  for (const [name, settings] of Object.entries({
    'over plain HTTP': { ...some, openIdIssuer: 'http://login.example.com', openIdClientSecret: 's' },
    'without a client': { ...some, openIdClientId: null, openIdClientSecret: 's' },
    'without a secret': some,
    'with a file that is missing': { ...some, openIdClientSecretFile: '/nowhere' },
    'with a key that is missing': { ...some, openIdClientKeyFile: '/nowhere' },
    'with a key and a secret': { ...some, openIdClientKeyFile: '/nowhere', openIdClientSecret: 's' },
    'with a key that is none': { ...some, openIdClientKeyFile: fileURLToPath(import.meta.url) },
  }))
    test(`${name}: the service does not start`, () =>
      assert.rejects(openIdSettings(settings), { name: 'OperatorError' }));
});

describe('when the database is away', () => {
  test('503 SERVICE_UNAVAILABLE: a sign-in neither begins nor ends', async () => {
    const database = await testDatabase();
    const single = await startService(database.database.sql, { openId: issuer.settings });
    const client = apiClient(single.url, { api: 'portal' });
    try {
      const begun = await client.request('POST', '/session/openid-request');
      const [cookie] = begun.headers['set-cookie']!;
      await database.database.close();
      assert.equal(
        outcome(await client.request('POST', '/session/openid-request')),
        '503 SERVICE_UNAVAILABLE',
      );
      const state = new URL(begun.body.location).searchParams.get('state')!;
      const body = { code: 'any', state, iss: issuer.settings.issuer };
      const headers = { cookie: cookie!.split(';')[0]! };
      assert.equal(
        outcome(await client.post('/session/openid', body, { headers })),
        '503 SERVICE_UNAVAILABLE',
      );
    } finally {
      client.close();
      await single.stop();
      await database.drop();
    }
  });
});
