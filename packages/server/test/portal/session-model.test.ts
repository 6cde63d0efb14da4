import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loginLimits } from '../../src/features/users/sessions/login-throttle.ts';
import { storeInvitation } from '../../src/features/users/invitations.ts';
import { lockUser } from '../../src/features/users/store.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { backdateSession, secretOf, signedInUser, testLinking } from '../support/data/users.ts';
import { testToken } from '../support/data/tokens.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { outcome, sessionOf, usePortal } from './support.ts';

/** Sessions of two users against a plain model, over both APIs; time passes in the rows, so nothing waits. */

let platform: ApiClient;
const fixture = usePortal(async ({ sql, service }) => {
  platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
});

/** A session as the model knows it: time in minutes. */
interface Session {
  secret: string;
  readonly id: string;
  readonly user: User;
  idle: number;
  age: number;
  sinceShown: number;
  ended: boolean;
}

interface User {
  readonly id: string;
  readonly sessions: Session[];
  password: string | null;
  isActive: boolean;
  /** Passwords in a row that were not right. */
  failures: number;
  readonly email: string;
}

const isAlive = ({ ended, idle, age, user }: Session) => !ended && user.isActive && idle < 60 && age < 720;

async function newUser(): Promise<User> {
  const { user, secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
  const made: User = {
    id: user.id,
    email: user.email,
    sessions: [],
    password: null,
    isActive: true,
    failures: 0,
  };
  made.sessions.push(begun(made, secret, sessionId));
  return made;
}

function begun(user: User, secret: string, id: string): Session {
  return { secret, id, user, idle: 0, age: 0, sinceShown: 0, ended: false };
}

/** The outcome of showing a password, of which failures are limited. */
function format(user: User, isRight: boolean): string {
  if (user.failures === loginLimits.network.failures) return '429 RATE_LIMIT_EXCEEDED';
  user.failures = isRight ? 0 : user.failures + 1;
  return isRight ? '200' : '401 SIGN_IN_FAILED';
}

type Step = (users: readonly User[], chosen: Session | undefined) => Promise<void>;

/** Lets minutes go by: so many without a request, and so many in all. */
async function elapse(users: readonly User[], { away, at }: { away: number; at: number }): Promise<void> {
  for (const session of users.flatMap(({ sessions }) => sessions)) {
    session.idle += away;
    session.age += at;
    session.sinceShown += at;
  }
  const ids = users.map(({ id }) => id);
  const stored = await fixture.sql<
    { id: string }[]
  >`SELECT id FROM portal_session WHERE user_id = ANY(${ids})`;
  const instants = { last_seen_at: away, authenticated_at: at, expires_at: at };
  for (const { id } of stored) await backdateSession(fixture.sql, id, instants);
}

const steps: Record<string, Step> = {
  /** Whoever has a password may sign in while active. */
  async signIn([user]) {
    const expected = format(user!, user!.isActive && user!.password !== null);
    const answer = await fixture.signIn(user!.email, user!.password ?? 'correct horse battery staple');
    assert.equal(outcome(answer), expected);
    if (expected === '200') user!.sessions.push(begun(user!, sessionOf(answer), answer.body.session.id));
  },
  async signOut(_users, chosen) {
    if (!chosen) return;
    const answer = await fixture.portal.request('DELETE', '/session', { key: chosen.secret });
    assert.equal(outcome(answer), isAlive(chosen) ? '200' : '401 INVALID_SESSION');
    if (isAlive(chosen)) chosen.ended = true;
  },
  /** The last session of a user ends another one of the same user. */
  async endAnother(_users, chosen) {
    const by = chosen?.user.sessions.at(-1);
    if (!chosen || !by || by === chosen) return;
    const answer = await fixture.portal.request('DELETE', `/sessions/${chosen.id}`, { key: by.secret });
    const expected = !isAlive(by)
      ? '401 INVALID_SESSION'
      : by.sinceShown >= 10
        ? '403 FRESH_SIGN_IN_REQUIRED'
        : isAlive(chosen)
          ? '200'
          : '404 NOT_FOUND';
    assert.equal(outcome(answer), expected);
    if (expected === '200') chosen.ended = true;
    if (isAlive(by)) by.idle = 0;
  },
  /** A session ends all others of its user. */
  async endOthers(_users, chosen) {
    if (!chosen) return;
    const answer = await fixture.portal.request('DELETE', '/sessions', { key: chosen.secret });
    const expected = !isAlive(chosen)
      ? '401 INVALID_SESSION'
      : chosen.sinceShown < 10
        ? '200'
        : '403 FRESH_SIGN_IN_REQUIRED';
    assert.equal(outcome(answer), expected);
    if (isAlive(chosen)) chosen.idle = 0;
    if (expected !== '200') return;
    for (const session of chosen.user.sessions) if (session !== chosen) session.ended = true;
  },
  /** Everybody is away for half an hour, for more than one, or works for half a day. */
  pauseShortly: users => elapse(users, { away: 31, at: 31 }),
  pauseLong: users => elapse(users, { away: 61, at: 61 }),
  work: users => elapse(users, { away: 0, at: 361 }),
  /** An invitation is used: all sessions of the user end, and one begins. */
  async reset([user]) {
    const { sql, testData } = fixture;
    const inviting = new Writes(sql).runWithoutClock(
      callOf(testData.organization, operator),
      async (write, session) =>
        storeInvitation(
          write,
          session,
          testLinking,
          (await lockUser(session, testData.organization, user!.id))!,
        ),
    );
    if (!user!.isActive) return assert.rejects(inviting, /inactive/);
    const password = `password number ${user!.sessions.length}`;
    const body = { secret: secretOf(await inviting), password };
    const answer = await fixture.portal.post('/invitation/acceptance', body);
    assert.equal(outcome(answer), '200');
    for (const session of user!.sessions) session.ended = true;
    user!.password = password;
    user!.sessions.push(begun(user!, sessionOf(answer), answer.body.session.id));
  },
  async changePassword(_users, chosen) {
    if (!chosen) return;
    const { user } = chosen;
    const password = `changed password ${user.sessions.length}`;
    const body = { password, ...(user.password !== null && { currentPassword: user.password }) };
    const answer = await fixture.portal.post('/password', body, { key: chosen.secret });
    // Who has no password yet shows in another way who it is.
    const mayChange = user.password !== null || chosen.sinceShown < 10;
    const expected = !isAlive(chosen)
      ? '401 INVALID_SESSION'
      : mayChange
        ? '200'
        : '403 FRESH_SIGN_IN_REQUIRED';
    assert.equal(outcome(answer), expected);
    if (isAlive(chosen)) chosen.idle = 0;
    if (expected !== '200') return;
    for (const session of user.sessions) if (session !== chosen) session.ended = true;
    user.password = password;
  },
  async confirm(_users, chosen) {
    if (!chosen) return;
    const { password } = chosen.user;
    const body = { password: password ?? 'correct horse battery staple' };
    const answer = await fixture.portal.post('/session/confirmation', body, { key: chosen.secret });
    const expected = isAlive(chosen) ? format(chosen.user, password !== null) : '401 INVALID_SESSION';
    assert.equal(outcome(answer), expected);
    if (isAlive(chosen)) chosen.idle = 0;
    if (expected !== '200') return;
    chosen.sinceShown = 0;
    const before = chosen.secret;
    chosen.secret = sessionOf(answer);
    const stolen = await fixture.portal.get('/session', { key: before });
    assert.equal(outcome(stolen), '401 INVALID_SESSION');
  },
  async deactivate([user]) {
    const path = `/organizations/${fixture.testData.organization}/users/${user!.id}/deactivation`;
    assert.equal((await platform.request('POST', path)).status, 200);
    user!.isActive = false;
    for (const session of user!.sessions) session.ended = true;
  },
  async reactivate([user]) {
    const path = `/organizations/${fixture.testData.organization}/users/${user!.id}/reactivation`;
    assert.equal((await platform.request('POST', path)).status, 200);
    user!.isActive = true;
  },
};

/** Asks with every session that there ever was, and with that uses those that live. */
async function compare(users: readonly User[]): Promise<void> {
  for (const session of users.flatMap(({ sessions }) => sessions)) {
    const answer = await fixture.portal.get('/sessions', {
      key: session.secret,
      query: { sort: 'createdAt' },
    });
    assert.equal(outcome(answer), isAlive(session) ? '200' : '401 INVALID_SESSION');
    if (!isAlive(session)) continue;
    await settleUse(session);
    const listed = answer.body.items.map(({ id }: { id: string }) => id).sort();
    const alive = session.user.sessions.filter(isAlive).map(({ id }) => id);
    assert.deepEqual(listed, alive.sort());
  }
}

/** The use of a session is recorded in the background: the test waits for it. */
async function settleUse(session: Session): Promise<void> {
  session.idle = 0;
  for (;;) {
    const [row] = await fixture.sql`
      SELECT last_seen_at > now() - interval '2 minutes' AS noted FROM portal_session WHERE id = ${session.id}`;
    if (row!['noted']) return;
  }
}

const plan = fc.array(
  fc.record({
    step: fc.constantFrom(...Object.keys(steps)),
    user: fc.nat(1),
    session: fc.nat(),
  }),
  { minLength: 5, maxLength: 14 },
);

test('sessions equal a plain model, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async planned => {
      const users = [await newUser(), await newUser()];
      for (const { step, user, session } of planned) {
        const [first, second] = user === 0 ? users : users.toReversed();
        const { sessions } = first!;
        await steps[step]!([first!, second!], sessions[session % sessions.length]);
        await compare(users);
      }
    }),
    { numRuns: 12 },
  );
  platform.close();
});
