import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, mock, test } from 'node:test';
import { newKey } from '../../src/auth/api-keys.ts';
import { deviceCookieName } from '../../src/features/users/sessions/cookies.ts';
import { limitFailures, loginLimits, passwordOf } from '../../src/features/users/sessions/login-throttle.ts';
import { passwordHashes } from '../../src/features/users/passwords/hash.ts';
import { trustedProxies } from '../../src/config.ts';
import { memoryCounting } from '../../src/lib/counting.ts';
import { newSecret } from '../../src/auth/secrets.ts';
import { deviceCookieOf, outcome, password, sessionOf, usePortal } from '../portal/support.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { recordingPool } from '../support/database/sql.ts';
import { testToken } from '../support/data/tokens.ts';
import { testKey, testPepper } from '../support/data/test-data.ts';

const statements: string[] = [];
let service: TestService;
let portal: ApiClient;
const fixture = usePortal(async ({ sql }) => {
  const reads = recordingPool(sql.database.reads, text => void statements.push(text));
  service = await startService(sql, { reads, trustedProxies: trustedProxies('127.0.0.1') });
  portal = apiClient(service.url, { api: 'portal' });
});
test.after(async () => {
  portal?.close();
  await service?.stop();
});

const { network, account, device } = loginLimits;
const wrong = 'a wrong password';
const denied = '401 SIGN_IN_FAILED';
const limited = '429 RATE_LIMIT_EXCEEDED';

let networks = 0;
/** An address of a network of its own. */
function freshAddress(): string {
  const n = networks++;
  return `10.${n >> 8}.${n & 255}.7`;
}

let strangers = 0;
const unknownEmail = () => `stranger${++strangers}@example.com`;

interface From {
  readonly address?: string;
  /** The device cookie. */
  readonly cookie?: string;
}

function signIn(
  email: string,
  word: string,
  { address = freshAddress(), cookie }: From = {},
): Promise<Answer<any>> {
  const headers = { 'X-Forwarded-For': address, ...(cookie && { cookie }) };
  return portal.post('/session', { email, password: word }, { headers });
}

/** Fails so often from one address. */
async function fail(email: string, times: number, from: From): Promise<void> {
  for (let n = 0; n < times; n++) assert.equal(outcome(await signIn(email, wrong, from)), denied);
}

/** Runs the work and returns how many passwords it hashed. */
async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  const { mock: spy } = mock.method(passwordHashes, 'run');
  try {
    await work();
    return spy.callCount();
  } finally {
    spy.restore();
  }
}

/** Guesses five times from each of some networks, of which ten are at work at once. */
async function guessFrom(count: number, email: string): Promise<Answer<any>[]> {
  const addresses = Array.from({ length: count }, freshAddress);
  const answers: Answer<any>[] = [];
  const work = async () => {
    for (let address = addresses.pop(); address; address = addresses.pop())
      for (let n = 0; n < 5; n++) answers.push(await signIn(email, wrong, { address }));
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return answers;
}

test('while 200 networks guess five times each, 100 guesses are hashed, and only a known browser of the user passes', async () => {
  const { email } = await fixture.user();
  const cookie = deviceCookieOf(await signIn(email, password));
  let answers: Answer<any>[] = [];
  const hashes = await hashesDuring(async () => (answers = await guessFrom(200, email)));
  assert.equal(hashes, account.failures);
  assert.equal(answers.filter(answer => outcome(answer) === denied).length, account.failures);
  assert.equal(answers.filter(answer => outcome(answer) === limited).length, 1000 - account.failures);
  const fresh = await signIn(email, password);
  assert.equal(outcome(fresh), limited);
  const seconds = Number(fresh.headers['retry-after']);
  assert.ok(seconds > network.seconds && seconds <= account.seconds, `${seconds}`);
  assert.equal(
    fresh.body.error.message,
    `Too many failed sign-ins for this email; wait ${seconds} seconds, or use a browser that has signed in before, a passkey, or 'Forgot password'`,
  );
  assert.equal(outcome(await signIn(email, password, { cookie })), '200');
  const other = await fixture.user();
  assert.equal(outcome(await signIn(other.email, password)), '200');
});

describe('an address from which passwords are guessed', () => {
  test('another user of the address signs in while 15 guesses at a time are made', async () => {
    const [victim, honest] = [await fixture.user(), await fixture.user()];
    const address = freshAddress();
    await failManyTimes(address);
    const honestIsDone = new AbortController();
    const outcomes = new Set<string>();
    const guess = async (n: number) => {
      while (!honestIsDone.signal.aborted)
        outcomes.add(outcome(await signIn(n % 3 ? unknownEmail() : victim.email, wrong, { address })));
    };
    const attack = Promise.all(Array.from({ length: 15 }, (_, n) => guess(n)));
    try {
      for (let n = 0; n < 3; n++)
        assert.equal(outcome(await signIn(honest.email, password, { address })), '200');
    } finally {
      honestIsDone.abort();
      await attack;
    }
    assert.deepEqual([...outcomes].sort(), [denied, limited]);
  });

  /** Many failures of one address, of an email each. */
  async function failManyTimes(address: string): Promise<void> {
    await Promise.all(Array.from({ length: 40 }, () => signIn(unknownEmail(), wrong, { address })));
  }

  test('wrong keys do not keep 15 users of the address from signing in at once', async () => {
    const users: { email: string }[] = [];
    for (let n = 0; n < 3; n++) users.push(await fixture.user());
    const address = freshAddress();
    await failWith({ keys: 40, tokens: 0 }, address);
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => signIn(users[n % 3]!.email, password, { address })),
    );
    assert.deepEqual(new Set(answers.map(outcome)), new Set(['200']));
  });

  test('neither failed sign-ins nor wrong keys keep 15 valid keys of the address from being looked up at once', async () => {
    const { sql, testData } = fixture;
    const address = freshAddress();
    await failManyTimes(address);
    await failWith({ keys: 40, tokens: 0 }, address);
    const keys = await Promise.all(
      Array.from({ length: 15 }, () => testKey(sql, testData.organization, 'all')),
    );
    const client = apiClient(service.url);
    const headers = { 'X-Forwarded-For': address };
    const answers = await Promise.all(keys.map(key => client.get('/employees', { key, headers })));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    client.close();
  });

  test('wrong tokens do not keep 15 requests with a valid one from being answered at once', async () => {
    const address = freshAddress();
    await failWith({ keys: 0, tokens: 40 }, address);
    const key = await testToken(fixture.sql);
    const platform = apiClient(service.managementUrl, { api: 'platform', key });
    const headers = { 'X-Forwarded-For': address };
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => platform.get('/organizations', { headers })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    platform.close();
  });

  /** Sends well-formed keys and tokens that are unknown. */
  async function failWith(wrongs: { keys: number; tokens: number }, address: string): Promise<void> {
    const headers = { 'X-Forwarded-For': address };
    const client = apiClient(service.url);
    const platform = apiClient(service.managementUrl, { api: 'platform' });
    for (let n = 0; n < wrongs.keys; n++)
      assert.equal((await client.get('/employees', { key: newKey().text, headers })).status, 401);
    for (let n = 0; n < wrongs.tokens; n++) {
      const key = newSecret('kontorp').text;
      assert.equal((await platform.get('/organizations', { key, headers })).status, 401);
    }
    client.close();
    platform.close();
  }
});

describe('the failures of an email from one network', () => {
  test('after five of them 429 names the reason, the wait and the remedy; other networks are free', async () => {
    const { email } = await fixture.user();
    await fail(email, network.failures, { address: '192.0.2.1' });
    const answer = await signIn(email, password, { address: '192.0.2.200' });
    assert.equal(outcome(answer), limited);
    const seconds = Number(answer.headers['retry-after']);
    assert.ok(seconds > 0 && seconds <= network.seconds, `${seconds}`);
    assert.equal(
      answer.body.error.message,
      `Too many failed sign-ins for this email from your network; wait ${seconds} seconds, or use a browser that has signed in before, a passkey, or 'Forgot password'`,
    );
    assert.equal(outcome(await signIn(email, password, { address: '192.0.3.1' })), '200');
  });

  test('IPv6 addresses of one /64 are one network', async () => {
    const { email } = await fixture.user();
    for (let n = 1; n <= network.failures; n++) await fail(email, 1, { address: `2001:db8::${n}` });
    assert.equal(outcome(await signIn(email, password, { address: '2001:db8::ffff:1:1:1' })), limited);
    assert.equal(outcome(await signIn(email, password, { address: '2001:db8:0:1::1' })), '200');
  });

  test('only failures count, and a success forgives those of its network', async () => {
    const { email } = await fixture.user();
    const address = freshAddress();
    for (let n = 0; n < 25; n++) assert.equal(outcome(await signIn(email, password, { address })), '200');
    for (let n = 0; n < 2; n++) {
      await fail(email, network.failures - 1, { address });
      assert.equal(outcome(await signIn(email, password, { address })), '200');
    }
    await fail(email, network.failures, { address });
    assert.equal(outcome(await signIn(email, password, { address })), limited);
  });

  test('a fault of the service is no failure', async () => {
    const { email } = await fixture.user();
    const address = freshAddress();
    await fixture.sql`ALTER TABLE portal_user RENAME TO elsewhere`;
    try {
      for (let n = 0; n < 2 * network.failures; n++)
        assert.equal(outcome(await signIn(email, password, { address })), '500 INTERNAL_SERVER_ERROR');
    } finally {
      await fixture.sql`ALTER TABLE elsewhere RENAME TO portal_user`;
    }
    await fail(email, network.failures, { address });
    assert.equal(outcome(await signIn(email, wrong, { address })), limited);
  });

  test('of 40 guesses at the same time five are hashed', async () => {
    const { email } = await fixture.user();
    const address = freshAddress();
    let outcomes: string[] = [];
    const hashes = await hashesDuring(async () => {
      const sent = Array.from({ length: 40 }, () => signIn(email, wrong, { address }));
      outcomes = (await Promise.all(sent)).map(outcome);
    });
    assert.equal(hashes, network.failures);
    assert.equal(outcomes.filter(one => one === denied).length, network.failures);
    assert.equal(outcomes.filter(one => one === limited).length, 40 - network.failures);
  });

  test('confirmPassword and changePassword count with them', async () => {
    const { email, secret: key } = await fixture.user();
    const address = freshAddress();
    const confirm = (word: string, device = '') =>
      portal.post(
        '/session/confirmation',
        { password: word },
        { headers: { 'X-Forwarded-For': address, cookie: `__Host-kontor=${key}; ${device}` } },
      );
    await fail(email, network.failures - 2, { address });
    for (let n = 0; n < 2; n++) assert.equal(outcome(await confirm(wrong)), denied);
    assert.equal(outcome(await confirm(password)), limited);
    assert.equal(outcome(await signIn(email, password, { address })), limited);
    const change = { currentPassword: password, password: 'tacker brille zitrone wolke' };
    const headers = { 'X-Forwarded-For': address };
    assert.equal(outcome(await portal.post('/password', change, { key, headers })), limited);
    const known = deviceCookieOf(await signIn(email, password));
    assert.equal(outcome(await confirm(password, known)), '200');
  });
});

describe('an unknown email', () => {
  test('is answered the same up to the limit of the network, after as many hashes and the same statements', async () => {
    const { email } = await fixture.user();
    const attempts = async (tried: string) => {
      const address = freshAddress();
      const seen: string[] = [];
      for (let n = 0; n < network.failures + 2; n++) {
        statements.length = 0;
        let answer!: Answer<any>;
        const hashes = await hashesDuring(async () => (answer = await signIn(tried, wrong, { address })));
        const asked = statements
          .filter(text => text.includes('portal_'))
          .join(';')
          .replace(/\s+/g, ' ');
        seen.push(JSON.stringify({ hashes, asked, answer: comparable(answer) }));
      }
      return seen;
    };
    const known = await attempts(email);
    assert.deepEqual(await attempts(unknownEmail()), known);
    for (const text of known.slice(0, network.failures))
      assert.match(text, /"hashes":1,"asked":".*portal_email.*portal_user.*401/);
    for (const text of known.slice(network.failures)) assert.match(text, /"hashes":0,"asked":"",.*429/);
  });

  test('is answered the same at the limit of the account', async () => {
    const { email } = await fixture.user();
    const attempts = async (tried: string) => {
      let answers: Answer<any>[] = [];
      const hashes = await hashesDuring(async () => (answers = await guessFrom(21, tried)));
      return { hashes, answers: answers.map(answer => JSON.stringify(comparable(answer))).sort() };
    };
    const known = await attempts(email);
    assert.equal(known.hashes, account.failures);
    assert.deepEqual(await attempts(unknownEmail()), known);
  });

  /** Status, headers and body, without what each answer has of its own. */
  function comparable({ status, headers, body }: Answer<any>): unknown {
    const {
      date: _date,
      'x-request-id': id,
      'retry-after': wait,
      'content-length': _length,
      ...same
    } = headers;
    const text = JSON.stringify(body).replaceAll(String(id), 'id');
    return [status, same, wait === undefined ? text : text.replace(`wait ${wait} seconds`, 'wait N seconds')];
  }

  test('is no other in another letter case', async () => {
    const address = freshAddress();
    const spellings = ['nobody@example.com', 'NOBODY@example.com'];
    for (let n = 0; n < network.failures; n++) await fail(spellings[n % 2]!, 1, { address });
    assert.equal(outcome(await signIn('Nobody@example.com', wrong, { address })), limited);
  });
});

describe('the device cookie', () => {
  /** A user who is beyond the limit of an address, with the cookie of a browser of theirs. */
  async function attacked(): Promise<{ email: string; address: string; cookie: string }> {
    const { email } = await fixture.user();
    const cookie = deviceCookieOf(await signIn(email, password));
    const address = freshAddress();
    await fail(email, network.failures, { address });
    return { email, address, cookie };
  }

  test('is for this host, HTTPS and no script, lasts a year, and has no email', async () => {
    const { email } = await fixture.user();
    const answer = await signIn(email, password);
    const [, cookie] = answer.headers['set-cookie']!;
    assert.match(
      cookie!,
      /^__Host-kontor-device=1\.[\w-]{22}\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
    );
    assert.ok(!Buffer.from(cookie!, 'base64url').includes('@'));
    const signOut = await portal.request('DELETE', '/session', { key: sessionOf(answer) });
    assert.deepEqual(
      signOut.headers['set-cookie']!.map(one => one.split('=')[0]),
      ['__Host-kontor'],
    );
  });

  test('lets its browser pass the limits, and proves nothing else', async () => {
    const { email, address, cookie } = await attacked();
    assert.equal(outcome(await signIn(email, password, { address })), limited);
    assert.equal(outcome(await signIn(email, wrong, { address, cookie })), denied);
    const answer = await signIn(email, password, { address, cookie });
    assert.equal(outcome(answer), '200');
    assert.notEqual(deviceCookieOf(answer), cookie);
    assert.equal(outcome(await portal.get('/session', { headers: { cookie } })), '401 INVALID_SESSION');
  });

  test('that is forged, changed, sent twice, or of another user is rejected', async () => {
    const { email, address, cookie } = await attacked();
    const other = deviceCookieOf(await signIn((await fixture.user()).email, password));
    const [value] = cookie.split('=').slice(1);
    const [version, nonce, mac] = value!.split('.');
    const random = (bytes: number) => randomBytes(bytes).toString('base64url');
    const forged = [
      `1.${random(16)}.${random(32)}`,
      `1.${random(16)}.${mac}`,
      `1.${nonce}.${random(32)}`,
      `2.${nonce}.${mac}`,
      `${version}.${nonce}.${mac}x`,
      `${version}.${nonce}.${mac!.slice(1)}`,
      '',
      '~~',
    ].map(text => `${deviceCookieName}=${text}`);
    for (const sent of [...forged, other, `${cookie}; ${other}`])
      assert.equal(outcome(await signIn(email, password, { address, cookie: sent })), limited, sent);
    assert.equal(outcome(await signIn(email, password, { address, cookie })), '200');
  });

  test('that was stolen opens five guesses, also at the same time and from many networks', async () => {
    const { email, address, cookie } = await attacked();
    const hashes = await hashesDuring(() =>
      Promise.all(Array.from({ length: 30 }, () => signIn(email, wrong, { address, cookie }))),
    );
    assert.equal(hashes, device.failures);
    assert.equal(outcome(await signIn(email, password, { address, cookie })), limited);
    // From a network that has not failed it is a browser like any other.
    const elsewhere = freshAddress();
    const more = await hashesDuring(() =>
      Promise.all(Array.from({ length: 30 }, () => signIn(email, wrong, { address: elsewhere, cookie }))),
    );
    assert.equal(more, network.failures);
    // The owner gets a new one with the next sign-in.
    const renewed = deviceCookieOf(await signIn(email, password, { cookie }));
    assert.equal(outcome(await signIn(email, password, { address, cookie: renewed })), '200');
  });

  test('holds the three users who signed in last', async () => {
    const users = [];
    for (let n = 0; n < 4; n++) users.push(await attacked());
    let cookie = '';
    for (const { email } of users) cookie = deviceCookieOf(await signIn(email, password, { cookie }));
    // A sign-in again takes no second entry.
    cookie = deviceCookieOf(await signIn(users[3]!.email, password, { cookie }));
    assert.equal(cookie.split('~').length, 3);
    const outcomes = [];
    for (const { email, address } of users)
      outcomes.push(outcome(await signIn(email, password, { address, cookie })));
    assert.deepEqual(outcomes, [limited, '200', '200', '200']);
  });

  test('of an invitation makes its browser known, too', async () => {
    const { attackedUser, cookie } = await invitedAndAttacked();
    assert.equal(outcome(await signIn(attackedUser.email, password, { ...attackedUser, cookie })), '200');
  });

  async function invitedAndAttacked() {
    const { email, acceptance } = await fixture.user();
    const address = freshAddress();
    await fail(email, network.failures, { address });
    return { attackedUser: { email, address }, cookie: deviceCookieOf(acceptance) };
  }
});

test('no counter has an email in its name', async () => {
  const names: string[] = [];
  const counting = memoryCounting();
  const add = mock.method(counting, 'add');
  const browser = { address: '192.0.2.1', cookieOf: () => undefined };
  const email = 'petra.lang@example.com';
  await limitFailures({ counting, pepper: testPepper }, passwordOf(email), browser, async () => {});
  for (const { arguments: given } of add.mock.calls) names.push(given[0]);
  assert.equal(names.length, 2);
  for (const name of names) assert.ok(!/petra|lang|@/.test(name), name);
});
