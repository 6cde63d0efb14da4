import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiName } from '@kontor/contract';
import { crc32 } from 'node:zlib';
import { parseKey } from '../../../src/auth/api-keys.ts';
import { newSecret } from '../../../src/auth/secrets.ts';
import { backdateSession, signedInUser } from '../../support/data/users.ts';
import { testToken } from '../../support/data/tokens.ts';
import { testKey } from '../../support/data/test-data.ts';
import { type ApisFixture, authenticated, outcomeOf, storedState, useApis } from './support.ts';

/** Credentials that do not work, by API and by why. */
const dead: Record<ApiName, Record<string, string | null>> = { public: {}, platform: {}, portal: {} };

const fixture = useApis(async fixture => {
  Object.assign(dead.public, await deadKeys(fixture));
  Object.assign(dead.platform, await deadTokens(fixture));
  Object.assign(dead.portal, await deadSessions(fixture));
});

/** The credential with another secret behind its identifier, in the right form: its checksum is that of the new text. */
function withOtherSecret(text: string): string {
  const { text: other } = newSecret('kontor');
  const body = `${text.split('_').slice(0, -2).join('_')}_${other.split('_').at(-2)}`;
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let checksum = '';
  for (let rest = crc32(body); checksum.length < 6; rest = Math.floor(rest / 62))
    checksum = digits[rest % 62] + checksum;
  return `${body}_${checksum}`;
}

async function deadKeys({ sql, testData }: ApisFixture) {
  const { organization } = testData;
  const made = async (change: string) => {
    const key = await testKey(sql, organization, 'all');
    const { id } = parseKey(key)!;
    await sql.unsafe(
      `UPDATE api_key SET ${change} WHERE organization_id = '${organization}' AND id = '${id}'`,
    );
    return key;
  };
  return {
    none: null,
    empty: '',
    'not of its form': 'kontor',
    'with another secret': withOtherSecret(await testKey(sql, organization, 'all')),
    inactive: await made("status = 'inactive'"),
    expired: await made("expires_at = now() - interval '1 second'"),
  };
}

async function deadTokens({ sql }: ApisFixture) {
  const revoked = await testToken(sql);
  await sql.unsafe(`UPDATE platform_token SET revoked_at = now() WHERE id = '${revoked.split('_')[1]}'`);
  return {
    none: null,
    empty: '',
    'not of its form': 'kontorp_',
    'with another secret': withOtherSecret(await testToken(sql)),
    expired: await testToken(sql, { expiresAt: new Date(Date.now() - 1000) }),
    revoked,
  };
}

async function deadSessions({ sql, testData }: ApisFixture) {
  const { organization } = testData;
  const made = () => signedInUser(sql, organization, { permissions: ['IT', 'COMPANY_ADMIN'] });
  const [live, idle, old, ended, inactive] = [
    await made(),
    await made(),
    await made(),
    await made(),
    await made(),
  ];
  await backdateSession(sql, idle.sessionId, { last_seen_at: 60 * 24 * 31, authenticated_at: 60 * 24 * 31 });
  await backdateSession(sql, old.sessionId, { expires_at: 60 * 24 * 366 });
  await sql.unsafe(`DELETE FROM portal_session WHERE id = '${ended.sessionId}'`);
  await sql.unsafe(`UPDATE portal_user SET deactivated_at = now() WHERE id = '${inactive.user.id}'`);
  return {
    none: null,
    empty: '',
    'not of its form': 'kontor',
    'with another secret': withOtherSecret(live.secret),
    'idle for too long': idle.secret,
    expired: old.secret,
    ended: ended.secret,
    'of a user who was deactivated': inactive.secret,
  };
}

/** Another address each time, so that no request is held up for those that failed before. */
let addresses = 0;
const nextAddress = () => `127.${1 + Math.floor(addresses / 250)}.${1 + (addresses++ % 250)}.1`;

describe('a credential that does not work is rejected by every operation in the same words, and changes nothing', () => {
  for (const declared of authenticated)
    test(declared.id, async () => {
      const { apiName, api } = declared;
      const { code, message } = api.credential.rejection;
      const before = await storedState(fixture);
      const from = nextAddress();
      await Promise.all(
        Object.entries(dead[apiName]).map(async ([why, key]) => {
          const answer = await fixture.send(declared, fixture.own.rows, { key, from });
          assert.deepEqual([outcomeOf(answer), answer.body.error.message], [`401 ${code}`, message], why);
          assert.equal(answer.headers['set-cookie'], undefined, why);
        }),
      );
      assert.deepEqual(await storedState(fixture), before);
    });
});

describe('a credential is taken from its header only, and works for its own API only', () => {
  for (const declared of authenticated)
    test(declared.id, async () => {
      const { own } = fixture;
      const { apiName, api } = declared;
      const from = nextAddress();
      const elsewhere = { key: null, from };
      const secret = own.credentials[apiName];
      // In the address it would be in logs, of proxies too; the parameter is not declared.
      for (const name of ['key', 'api_key', 'access_token', 'token', 'session'])
        assert.equal(
          outcomeOf(await fixture.send(declared, own.rows, { ...elsewhere, query: { [name]: secret } })),
          `401 ${api.credential.rejection.code}`,
          name,
        );
      for (const other of Object.values(own.credentials)) {
        const headers = {
          ...(api.credential.header !== 'X-API-Key' && { 'x-api-key': other }),
          ...(api.credential.header !== 'Authorization' && { authorization: `Bearer ${other}` }),
          ...(api.credential.header !== 'Cookie' && { cookie: `__Host-kontor=${other}` }),
        };
        const answer = await fixture.send(declared, own.rows, { ...elsewhere, headers });
        assert.equal(answer.status, 401);
        if (other === secret) continue;
        assert.equal((await fixture.send(declared, own.rows, { key: other, from })).status, 401);
      }
    });
});

test('the credentials themselves work, and the log has none of those that were sent', async () => {
  for (const { apiName, path } of [
    { apiName: 'public' as const, path: '/employees' },
    { apiName: 'platform' as const, path: `/organizations/${fixture.testData.organization}` },
    { apiName: 'portal' as const, path: '/session' },
  ]) {
    const key = fixture.own.credentials[apiName];
    assert.equal((await fixture.clients[apiName].get(path, { key })).status, 200);
  }
  const log = fixture.service.log.join('\n');
  assert.ok(log.includes('"status":401'));
  const sent = [
    ...Object.values(dead).flatMap(kinds => Object.values(kinds)),
    ...Object.values(fixture.own.credentials),
  ];
  for (const secret of sent) {
    // The identifier is no secret; the 43 characters behind it are.
    const part = secret?.split('_').at(-2) ?? '';
    if (part.length === 43) assert.ok(!log.includes(part), 'a secret is in the log');
  }
});
