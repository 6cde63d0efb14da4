import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, type Operation, type PortalSession } from '@kontor/contract';
import type { RequestOptions } from '../support/contract/client.ts';
import { exampleRequest } from '../support/contract/examples.ts';
import { backdateSession, type SessionInstants, signedInUser } from '../support/data/users.ts';
import { outcome, password, sessionOf, usePortal } from './support.ts';

const fixture = usePortal();

const whoIs = async (key: string, options: RequestOptions = {}) =>
  outcome(await fixture.portal.get('/session', { key, ...options }));

/** Makes the last time that a session was used, or that its password was shown, earlier. */
const age = (id: string, column: keyof SessionInstants, minutes: number) =>
  backdateSession(fixture.sql, id, { [column]: minutes });

const idOf = (secret: string) => secret.split('_')[2]!;

describe('a session ends', () => {
  test('an hour after its last use, and not before', async () => {
    const { secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
    await age(sessionId, 'last_seen_at', 59);
    assert.equal(await whoIs(secret), '200');
    await age(sessionId, 'last_seen_at', 120);
    assert.equal(await whoIs(secret), '401 INVALID_SESSION');
  });

  test('after twelve hours, however much it is used', async () => {
    const { secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
    await age(sessionId, 'expires_at', 719);
    assert.equal(await whoIs(secret), '200');
    await age(sessionId, 'expires_at', 1);
    assert.equal(await whoIs(secret), '401 INVALID_SESSION');
  });

  test('with a sign-out, which takes the cookie back, and no other one with it', async () => {
    const { email, secret } = await fixture.user();
    const other = sessionOf(await fixture.signIn(email));
    const answer = await fixture.portal.request('DELETE', '/session', { key: secret });
    assert.equal(outcome(answer), '200');
    assert.match(answer.headers['set-cookie']![0]!, /^__Host-kontor=; Path=\/; Secure; .*Max-Age=0$/);
    assert.deepEqual([await whoIs(secret), await whoIs(other)], ['401 INVALID_SESSION', '200']);
  });

  test('when the user is deactivated, or deleted', async () => {
    const { sql, testData } = fixture;
    const [one, other] = [
      await signedInUser(sql, testData.organization),
      await signedInUser(sql, testData.organization),
    ];
    await sql`UPDATE portal_user SET deactivated_at = now() WHERE id = ${one.user.id}`;
    assert.equal(await whoIs(one.secret), '401 INVALID_SESSION');
    await sql`DELETE FROM portal_session WHERE user_id = ${other.user.id}`;
    await sql`DELETE FROM portal_user WHERE id = ${other.user.id}`;
    assert.equal(await whoIs(other.secret), '401 INVALID_SESSION');
  });

  test('expired ones are deleted by the next sign-in of the user', async () => {
    const { id, email, secret } = await fixture.user();
    await age(idOf(secret), 'last_seen_at', 120);
    await fixture.signIn(email);
    const rows = await fixture.sql`SELECT id FROM portal_session WHERE user_id = ${id}`;
    assert.equal(rows.length, 1);
    assert.notEqual(rows[0]!['id'], idOf(secret));
  });

  test('its use is noted', async () => {
    const { secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
    await age(sessionId, 'last_seen_at', 30);
    await whoIs(secret);
    for (;;) {
      const [row] = await fixture.sql`
        SELECT last_seen_at > now() - interval '1 minute' AS noted FROM portal_session WHERE id = ${sessionId}`;
      if (row!['noted']) break;
    }
  });
});

describe('GET /sessions, DELETE /sessions/{id}', () => {
  test('200: the own ones that have not ended', async () => {
    const { email, secret } = await fixture.user();
    const options = { headers: { 'user-agent': 'Firefox on a phone' } };
    const phone = await fixture.signIn(email, password, options);
    const over = sessionOf(await fixture.signIn(email));
    await age(idOf(over), 'last_seen_at', 120);
    await signedInUser(fixture.sql, fixture.testData.organization);
    const { body } = await fixture.portal.get('/sessions', { key: secret, query: { sort: '-createdAt' } });
    assert.deepEqual(
      body.items.map(({ id, current }: PortalSession) => [id, current]),
      [
        [phone.body.session.id, false],
        [idOf(secret), true],
      ],
    );
    const query = { filter: "userAgent CONTAINS 'PHONE' AND current = false" };
    const found = await fixture.portal.get('/sessions', { key: secret, query });
    assert.equal(found.body.totalElements, 1);
    const ended = await fixture.portal.request('DELETE', `/sessions/${phone.body.session.id}`, {
      key: secret,
    });
    assert.equal(ended.body.userAgent, 'Firefox on a phone');
    assert.equal(await whoIs(sessionOf(phone)), '401 INVALID_SESSION');
  });

  test('404 NOT_FOUND: the session of another user, and one that has ended', async () => {
    const { sql, testData } = fixture;
    const mine = await signedInUser(sql, testData.organization);
    const others = [
      await signedInUser(sql, testData.organization),
      await signedInUser(sql, testData.foreign.organization),
    ];
    for (const { sessionId, secret } of others) {
      const answer = await fixture.portal.request('DELETE', `/sessions/${sessionId}`, { key: mine.secret });
      assert.equal(outcome(answer), '404 NOT_FOUND');
      assert.equal(await whoIs(secret), '200');
    }
  });
});

describe('a fresh sign-in', () => {
  const change = (key: string, word: string, currentPassword = password) =>
    fixture.portal.post('/password', { currentPassword, password: word }, { key });
  const endOthers = (key: string) => fixture.portal.request('DELETE', '/sessions', { key });
  const confirm = (key: string, word = password) =>
    fixture.portal.post('/session/confirmation', { password: word }, { key });

  test('403 FRESH_SIGN_IN_REQUIRED: ten minutes after the password was shown, until it is confirmed', async () => {
    const { email, secret } = await fixture.user();
    const other = sessionOf(await fixture.signIn(email));
    await age(idOf(secret), 'authenticated_at', 11);
    assert.equal(outcome(await endOthers(secret)), '403 FRESH_SIGN_IN_REQUIRED');
    assert.equal((await fixture.portal.get('/session', { key: secret })).body.freshUntil, null);
    assert.equal(outcome(await confirm(secret, 'a wrong password')), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await endOthers(secret)), '403 FRESH_SIGN_IN_REQUIRED');
    const confirmed = await confirm(secret);
    assert.notEqual(confirmed.body.freshUntil, null);
    assert.equal(await whoIs(other), '200');
    assert.equal(outcome(await endOthers(sessionOf(confirmed))), '200');
    assert.equal(await whoIs(other), '401 INVALID_SESSION');
  });

  test('200: another password ends all sessions but this one', async () => {
    const { email, secret } = await fixture.user();
    const other = sessionOf(await fixture.signIn(email));
    assert.equal(outcome(await change(secret, 'another password')), '200');
    assert.deepEqual([await whoIs(secret), await whoIs(other)], ['200', '401 INVALID_SESSION']);
  });

  test('400 and 422 VALIDATION_ERROR: a short password, and the email', async () => {
    const { email, secret } = await fixture.user();
    assert.equal(outcome(await change(secret, 'short')), '400 VALIDATION_ERROR');
    assert.equal(outcome(await change(secret, email)), '422 VALIDATION_ERROR');
    assert.equal(outcome(await fixture.signIn(email)), '200');
  });

  test('401 SIGN_IN_FAILED, 422 VALIDATION_ERROR: another password without the current one', async () => {
    const { email, secret } = await fixture.user();
    const other = sessionOf(await fixture.signIn(email));
    assert.equal(outcome(await change(secret, 'another password', 'a wrong password')), '401 SIGN_IN_FAILED');
    const without = await fixture.portal.post('/password', { password: 'another password' }, { key: secret });
    assert.equal(outcome(without), '422 VALIDATION_ERROR');
    assert.match(without.body.error.message, /currentPassword is missing/);
    assert.deepEqual([await whoIs(other), outcome(await fixture.signIn(email))], ['200', '200']);
  });

  test('403 FRESH_SIGN_IN_REQUIRED: a first password of a user who has none', async () => {
    const { secret, sessionId, user } = await signedInUser(fixture.sql, fixture.testData.organization);
    const set = () => fixture.portal.post('/password', { password: 'a first password' }, { key: secret });
    await age(sessionId, 'authenticated_at', 11);
    assert.equal(outcome(await set()), '403 FRESH_SIGN_IN_REQUIRED');
    await age(sessionId, 'authenticated_at', -11);
    assert.equal(outcome(await set()), '200');
    assert.equal(outcome(await fixture.signIn(user.email, 'a first password')), '200');
  });
});

describe('401 INVALID_SESSION', () => {
  test('no cookie, another one, a wrong secret, and two of them', async () => {
    const { secret } = await fixture.user();
    const other = await fixture.user();
    const mixed = secret.slice(0, 45) + other.secret.slice(45);
    for (const wrong of ['', 'secret', mixed, `${secret}x`, fixture.testData.keys.all])
      assert.equal(await whoIs(wrong), '401 INVALID_SESSION', wrong);
    const cookie = `theme=dark; __Host-kontor=${secret}; lang=de`;
    assert.equal(await whoIs('', { headers: { cookie } }), '200');
    const twice = `${cookie}; __Host-kontor=${other.secret}`;
    assert.equal(await whoIs('', { headers: { cookie: twice } }), '401 INVALID_SESSION');
    const renamed = cookie.replace('__Host-', '');
    assert.equal(await whoIs('', { headers: { cookie: renamed } }), '401 INVALID_SESSION');
  });

  test('the secret of another session with the identifier of this one', async () => {
    const { secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
    assert.equal(await whoIs(secret), '200');
    await fixture.sql`UPDATE portal_session SET secret_hash = ${Buffer.alloc(32)} WHERE id = ${sessionId}`;
    assert.equal(await whoIs(secret), '401 INVALID_SESSION');
  });

  test('API keys and tokens do not work on the portal, nor its cookie on the other APIs', async () => {
    const { secret } = await fixture.user();
    const { keys } = fixture.testData;
    const headers = { 'x-api-key': keys.all, authorization: `Bearer ${keys.all}` };
    assert.equal(outcome(await fixture.portal.get('/session', { headers })), '401 INVALID_SESSION');
    const { url, managementUrl } = fixture.service;
    const cookie = { cookie: `${apis.portal.credential.cookie}=${secret}` };
    const asHeader = { ...cookie, 'x-api-key': secret, authorization: `Bearer ${secret}` };
    for (const sent of [cookie, asHeader])
      for (const address of [`${url}/v1/employees`, `${managementUrl}/platform/v1/organizations`])
        assert.equal((await fetch(address, { headers: sent })).status, 401, address);
    assert.equal((await fetch(`${managementUrl}/portal/api/session`, { headers: cookie })).status, 404);
  });
});

describe('403 CROSS_SITE_REQUEST: a write that is not from a page of the portal', () => {
  /** Signs out as a browser with this value of `Sec-Fetch-Site`. */
  async function signOutFrom(headers: Record<string, string>): Promise<string> {
    const { secret } = await signedInUser(fixture.sql, fixture.testData.organization);
    const { credential, prefix } = apis.portal;
    const cookie = `${credential.cookie}=${secret}`;
    const address = `${fixture.service.url}${prefix}/session`;
    const answer = await fetch(address, { method: 'DELETE', headers: { cookie, ...headers } });
    const body = (await answer.json()) as { error?: { code: string } };
    // What was rejected has done nothing.
    assert.equal(await whoIs(secret), answer.status === 200 ? '401 INVALID_SESSION' : '200');
    return answer.status === 200 ? '200' : `${answer.status} ${body.error!.code}`;
  }

  for (const site of ['cross-site', 'same-site', 'none', 'SAME-ORIGIN', ''])
    test(`Sec-Fetch-Site: ${site || 'empty'}`, async () => {
      const headers = { 'sec-fetch-site': site, origin: fixture.service.url };
      assert.equal(await signOutFrom(headers), '403 CROSS_SITE_REQUEST');
    });

  test('200 from a page of the portal', async () => {
    assert.equal(await signOutFrom({ 'sec-fetch-site': 'same-origin' }), '200');
  });

  test('every operation of the portal rejects a query that is no percent-encoding: 400 VALIDATION_ERROR', async () => {
    const { secret: key } = await signedInUser(fixture.sql, fixture.testData.organization, {
      permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
      hrTenants: null,
    });
    for (const [id, operation] of Object.entries<Operation>(apis.portal.operations)) {
      const { method, path, upload } = operation;
      const place = path.replace('{id}', '0'.repeat(12));
      const json = { raw: '{}', headers: { 'content-type': 'application/json' } };
      const sent = upload ? await exampleRequest(operation, 'portal') : json;
      const answer = await fixture.portal.request(method, `${place}?a=%zz`, { key, ...sent });
      assert.equal(outcome(answer), '400 VALIDATION_ERROR', id);
    }
  });

  test('every write of the portal is rejected, and no read', async () => {
    for (const [id, { method, path }] of Object.entries(apis.portal.operations)) {
      const answer = await fixture.portal.request(method, path.replace('{id}', '0'.repeat(12)), {
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      assert.equal(answer.body.error?.code === 'CROSS_SITE_REQUEST', method !== 'GET', id);
    }
  });
});
