import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../src/cli/access/key.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { recordingPool, type Sql } from '../support/database/sql.ts';
import { ApiKeyAuthenticator, hashKey, type KeyCaller, newKey } from '../../src/auth/api-keys.ts';
import type { KnownRejection } from '../../src/auth/rejection.ts';
import type { GrantRow } from '../../src/features/keys/rules.ts';
import { newSecret } from '../../src/auth/secrets.ts';
import { insertKey, updateStatus } from '../../src/features/keys/store.ts';
import { CredentialLookups, type LookUp } from '../../src/auth/credential-lookups.ts';
import { createDivision } from '../../src/features/divisions/store.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { runAtClock } from '../../src/write/run-at-clock.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { type StallingProxy, stallingProxy } from '../support/servers/stalling-proxy.ts';

const pepper = randomBytes(32);
let testing: TestDatabase;
let sql: Sql;
let organizationId: string;
let tenantId: string;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  organizationId = await createOrganization(sql, 'Muster');
  tenantId = await createTenant(sql, organizationId, 'Muster GmbH');
});
after(() => testing.drop());

function makeKey(
  grants: 'all' | GrantRow[] = 'all',
  quota: { requests: number; seconds: number } | null = null,
) {
  return createKey(sql, pepper, { organizationId, name: 'test', quota, grants });
}

async function withAuthenticator(
  work: (keys: ApiKeyAuthenticator) => Promise<void>,
  database: Pick<Database, 'reads' | 'writes' | 'target'> = testing.database,
): Promise<void> {
  const keys = new ApiKeyAuthenticator(database, pepper);
  try {
    await work(keys);
  } finally {
    await keys.close();
  }
}

async function throughProxy(
  work: (proxy: StallingProxy, keys: ApiKeyAuthenticator) => Promise<void>,
  options = { notifications: true },
): Promise<void> {
  const proxy = await stallingProxy(testing.url, options);
  const pool = connect({ url: proxy.url });
  try {
    await withAuthenticator(keys => work(proxy, keys), pool);
  } finally {
    await pool.close();
    await proxy.close();
  }
}

async function closeListeners(): Promise<void> {
  const closed = await sql`
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE query LIKE 'LISTEN %' AND datname = current_database()`;
  assert.equal(closed.length, 1);
}

/** Changes what the next read from the database shows, without a notification. */
async function setQuotaSilently(id: string, requests: number): Promise<void> {
  await sql`UPDATE api_key SET quota_requests = ${requests}, quota_seconds = 60 WHERE id = ${id}`;
}

async function deactivate(id: string, notify: boolean): Promise<void> {
  if (!notify) await sql`UPDATE api_key SET status = 'inactive' WHERE id = ${id}`;
  else
    await new Writes(sql).runWithoutClock(callOf(organizationId, operator), write =>
      updateStatus(write, id, { status: 'inactive', action: 'deactivate' }),
    );
}

/** The client of a key that is accepted; null of one that is rejected. */
async function callerOf(keys: ApiKeyAuthenticator, text: string, lookUp?: LookUp): Promise<KeyCaller | null> {
  const found = await keys.authenticate(text, lookUp);
  return found !== null && 'actor' in found ? found : null;
}

/** Resolves when the keys are used from memory. */
async function warm(keys: ApiKeyAuthenticator, key: { id: string; key: string }): Promise<void> {
  for (let requests = 1; ; requests++) {
    await setQuotaSilently(key.id, requests);
    const found = await callerOf(keys, key.key);
    if (found?.quota?.requests !== requests) return;
    await delay(20);
  }
}

describe('authentication', () => {
  test('a key is answered with its name, scope and quota', () =>
    withAuthenticator(async keys => {
      const whole = await makeKey();
      assert.deepEqual(await callerOf(keys, whole.key), {
        actor: { type: 'api_key', id: whole.id, name: 'test' },
        scope: { organizationId, callerId: whole.id, grants: 'all' },
        permissions: new Set(),
        keyPermissions: null,
        quota: null,
        authority: null,
      });
      const limited = await makeKey('all', { requests: 5, seconds: 10 });
      assert.deepEqual((await callerOf(keys, limited.key))?.quota, { requests: 5, seconds: 10 });
    }));

  test('the grants of a key are loaded by tenant, and a grant of all divisions covers single ones', () =>
    withAuthenticator(async keys => {
      const other = await createTenant(sql, organizationId, 'Andere GmbH');
      const division = await runAtClock(sql, organizationId, operator, (write, session) =>
        createDivision(write, session, { tenantId: other, parentId: null, name: 'Vertrieb' }),
      );
      const divided = await makeKey([
        { tenantId, divisionId: null },
        { tenantId: other, divisionId: division },
      ]);
      const grants = (await callerOf(keys, divided.key))?.scope.grants;
      assert.ok(grants !== undefined && grants !== 'all');
      assert.deepEqual(
        new Map(grants.map(grant => [grant.tenantId, grant.divisions])),
        new Map<string, unknown>([
          [tenantId, 'all'],
          [other, [division]],
        ]),
      );
      const both = await makeKey([
        { tenantId: other, divisionId: null },
        { tenantId: other, divisionId: division },
      ]);
      assert.deepEqual((await callerOf(keys, both.key))?.scope.grants, [
        { tenantId: other, divisions: 'all' },
      ]);
    }));

  test('a missing, malformed or unknown key is rejected as one that there is not', () =>
    withAuthenticator(async keys => {
      for (const header of [undefined, 'no key', newKey().text])
        assert.equal(await keys.authenticate(header), null);
    }));

  const changes: Partial<Record<KnownRejection['reason'], (id: string) => Promise<unknown>>> = {
    wrong_secret: id => sql`UPDATE api_key SET secret_hash = sha256('x') WHERE id = ${id}`,
    deactivated: id => sql`UPDATE api_key SET status = 'inactive' WHERE id = ${id}`,
    deleted: id => sql`UPDATE api_key SET status = 'deleted' WHERE id = ${id}`,
    expired: id => sql`UPDATE api_key SET expires_at = ${new Date(Date.now() - 1000)} WHERE id = ${id}`,
  };
  for (const [reason, change] of Object.entries(changes))
    test(`a key that there is is rejected with its reason: ${reason}`, () =>
      withAuthenticator(async keys => {
        const { id, key } = await makeKey();
        await change(id);
        const rejection = { action: 'key.use', id, organizationId, reason };
        for (let n = 0; n < 2; n++) assert.deepEqual(await keys.authenticate(key), rejection);
      }));

  test('a wrong secret of a key that is in memory is rejected without a query, and the right one still accepted', async () => {
    const texts: string[] = [];
    const { reads } = testing.database;
    const recorded = { ...testing.database, reads: recordingPool(reads, text => texts.push(text)) };
    await withAuthenticator(async keys => {
      const { id, key } = await makeKey();
      await warm(keys, { id, key });
      texts.length = 0;
      const { text: forged } = newSecret('kontor', id);
      assert.partialDeepStrictEqual(await keys.authenticate(forged), { id, reason: 'wrong_secret' });
      assert.ok(await callerOf(keys, key));
      assert.ok(!texts.some(one => one.includes('FROM key_organization')));
    }, recorded);
  });

  test('a key with a wrong checksum is rejected without a query', async () => {
    const away = connect({ url: 'postgres://nobody@127.0.0.1:1/none' });
    await withAuthenticator(async keys => {
      const { text } = newKey();
      const mistyped = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
      assert.equal(await keys.authenticate(mistyped), null);
      await assert.rejects(keys.authenticate(text));
    }, away);
    await away.close();
  });

  test('a key that was unknown a moment ago is accepted as soon as it exists, however often it was tried', () =>
    withAuthenticator(async keys => {
      await warm(keys, await makeKey());
      const key = newKey();
      for (let n = 0; n < 3; n++) assert.equal(await callerOf(keys, key.text), null);
      await new Writes(sql).runWithoutClock(callOf(organizationId, operator), write =>
        insertKey(write, {
          id: key.id,
          name: 'new',
          secretHash: hashKey(key, pepper),
          pepper,
          quota: null,
          grants: 'all',
          permissions: null,
          lastFour: key.text.slice(-4),
        }),
      );
      assert.equal((await callerOf(keys, key.text))?.actor.id, key.id);
    }));

  test('only a key that is not in memory waits for its lookup', () =>
    withAuthenticator(async keys => {
      const known = await makeKey();
      await warm(keys, known);
      let lookups = 0;
      const lookUp: LookUp = read => {
        lookups++;
        return read();
      };
      await keys.authenticate(known.key, lookUp);
      await keys.authenticate('no key', lookUp);
      assert.equal(lookups, 0);
      await keys.authenticate(newKey().text, lookUp);
      assert.equal(lookups, 1);
    }));

  test('requests with one key that wait for their lookups read it once', async () => {
    const texts: string[] = [];
    const recorded = {
      ...testing.database,
      reads: recordingPool(testing.database.reads, text => texts.push(text)),
    };
    await withAuthenticator(async keys => {
      const { key } = await makeKey();
      // Afterwards the notification of the first key has arrived.
      await warm(keys, await makeKey());
      const lookUp = new CredentialLookups().from('192.0.2.1');
      texts.length = 0;
      const found = await Promise.all(Array.from({ length: 50 }, () => keys.authenticate(key, lookUp)));
      assert.ok(found.every(caller => caller !== null && 'actor' in caller));
      assert.equal(texts.filter(one => one.includes('FROM key_organization')).length, 1);
    }, recorded);
  });
});

test('a key in memory is rejected from the instant on at which it expires', async () => {
  await withAuthenticator(async keys => {
    const expiresAt = new Date(Date.now() + 1000);
    const key = { organizationId, name: 'test', quota: null, grants: 'all', expiresAt } as const;
    const { key: text } = await createKey(sql, pepper, key);
    assert.notEqual(await callerOf(keys, text), null);
    while ((await callerOf(keys, text)) !== null) await delay(5);
    const late = Date.now() - expiresAt.getTime();
    assert.ok(late >= -5 && late < 1000, `refused ${late} ms after its end`);
  });
});

describe('a key that is no longer active is rejected 1 s later', () => {
  test('by a process that answers from memory', () =>
    withAuthenticator(async keys => {
      const key = await makeKey();
      await warm(keys, key);
      await deactivate(key.id, true);
      await delay(1000);
      assert.equal(await callerOf(keys, key.key), null);
    }));

  test('by a process whose listening connection was closed and cannot be opened again', () =>
    throughProxy(async (proxy, keys) => {
      const key = await makeKey();
      await warm(keys, key);
      proxy.rejectConnections();
      await closeListeners();
      await deactivate(key.id, true);
      await delay(1000);
      assert.equal(await callerOf(keys, key.key), null);
    }));

  test('by a process whose listening connection receives nothing', () =>
    throughProxy(async (proxy, keys) => {
      const key = await makeKey();
      await warm(keys, key);
      proxy.stallListeners();
      await deactivate(key.id, true);
      await delay(1000);
      assert.equal(await callerOf(keys, key.key), null);
    }));

  test('by a process whose listening connection was closed and opened again meanwhile', () =>
    withAuthenticator(async keys => {
      const key = await makeKey();
      await warm(keys, key);
      await closeListeners();
      await deactivate(key.id, false);
      await warm(keys, await makeKey());
      assert.equal(await callerOf(keys, key.key), null);
    }));

  test('by a process behind a pooler that passes on no notifications', () =>
    throughProxy(
      async (_proxy, keys) => {
        const key = await makeKey();
        // Long enough for many beats: LISTEN succeeds, and yet the memory must not be used.
        await delay(1000);
        for (let requests = 1; requests <= 3; requests++) {
          await setQuotaSilently(key.id, requests);
          assert.equal((await callerOf(keys, key.key))?.quota?.requests, requests);
        }
      },
      { notifications: false },
    ));
});
