import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../../src/cli/access/key.ts';
import { connect, type Database } from '../../../src/db/connect.ts';
import { recordingPool, type Sql } from '../../support/sql.ts';
import { createKeyring, type Keyring } from '../../../src/features/keys/keyring.ts';
import { type GrantRow, hashKey, newKey } from '../../../src/features/keys/rules.ts';
import { insertKey, updateStatus } from '../../../src/features/keys/store.ts';
import { CredentialLookups, type LookUp } from '../../../src/http/limits/credential-lookups.ts';
import { createDivision } from '../../../src/features/divisions/store.ts';
import { createOrganization, createTenant } from '../../../src/features/organizations/store.ts';
import { besideClock, inTurn, operator } from '../../../src/write/writes.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/locks.ts';
import { type StallingProxy, stallingProxy } from './stalling-proxy.ts';

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

async function withKeyring(
  work: (keyring: Keyring) => Promise<void>,
  database: Pick<Database, 'reads' | 'writes' | 'target'> = testing.database,
): Promise<void> {
  const keyring = createKeyring({ database, pepper });
  try {
    await work(keyring);
  } finally {
    await keyring.close();
  }
}

async function throughProxy(
  work: (proxy: StallingProxy, keyring: Keyring) => Promise<void>,
  options = { notifications: true },
): Promise<void> {
  const proxy = await stallingProxy(testing.url, options);
  const pool = connect({ url: proxy.url });
  try {
    await withKeyring(keyring => work(proxy, keyring), pool);
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

/** Changes what the next read from the database shows, without telling anybody. */
async function setQuotaSilently(id: string, requests: number): Promise<void> {
  await sql`UPDATE api_key SET quota_requests = ${requests}, quota_seconds = 60 WHERE id = ${id}`;
}

async function deactivate(id: string, notify: boolean): Promise<void> {
  if (!notify) await sql`UPDATE api_key SET status = 'inactive' WHERE id = ${id}`;
  else
    await besideClock(sql, organizationId, operator, turn =>
      updateStatus(turn, id, { status: 'inactive', action: 'deactivate' }),
    );
}

/** Resolves when the keyring answers from memory. */
async function warm(keyring: Keyring, key: { id: string; key: string }): Promise<void> {
  for (let requests = 1; ; requests++) {
    await setQuotaSilently(key.id, requests);
    const found = await keyring.authenticate(key.key);
    if (found?.quota?.requests !== requests) return;
    await delay(20);
  }
}

describe('authentication', () => {
  test('a key is answered with its name, scope and quota', () =>
    withKeyring(async keyring => {
      const whole = await makeKey();
      assert.deepEqual(await keyring.authenticate(whole.key), {
        actor: { type: 'api_key', id: whole.id, name: 'test' },
        scope: { organizationId, callerId: whole.id, grants: 'all' },
        permissions: new Set(),
        quota: null,
        authority: null,
      });
      const limited = await makeKey('all', { requests: 5, seconds: 10 });
      assert.deepEqual((await keyring.authenticate(limited.key))?.quota, { requests: 5, seconds: 10 });
    }));

  test('the grants of a key are loaded by tenant, and a grant of all divisions covers single ones', () =>
    withKeyring(async keyring => {
      const other = await createTenant(sql, organizationId, 'Andere GmbH');
      const division = await inTurn(sql, organizationId, operator, (turn, session) =>
        createDivision(turn, session, { tenantId: other, parentId: null, name: 'Vertrieb' }),
      );
      const divided = await makeKey([
        { tenantId, divisionId: null },
        { tenantId: other, divisionId: division },
      ]);
      const grants = (await keyring.authenticate(divided.key))?.scope.grants;
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
      assert.deepEqual((await keyring.authenticate(both.key))?.scope.grants, [
        { tenantId: other, divisions: 'all' },
      ]);
    }));

  test('a missing or unknown key, and a known one with another secret, are refused', () =>
    withKeyring(async keyring => {
      const { id, key } = await makeKey();
      assert.equal(await keyring.authenticate(undefined), null);
      assert.equal(await keyring.authenticate(newKey().text), null);
      const forged = newKey();
      await besideClock(sql, organizationId, operator, turn =>
        insertKey(turn, {
          id: forged.id,
          name: 'other secret',
          secretHash: hashKey({ id, text: key }, pepper),
          quota: null,
          grants: 'all',
        }),
      );
      assert.equal(await keyring.authenticate(forged.text), null);
      assert.ok(await keyring.authenticate(key));
    }));

  test('a key with a wrong checksum is refused without a query', async () => {
    const away = connect({ url: 'postgres://nobody@127.0.0.1:1/none' });
    await withKeyring(async keyring => {
      const { text } = newKey();
      const mistyped = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
      assert.equal(await keyring.authenticate(mistyped), null);
      await assert.rejects(keyring.authenticate(text));
    }, away);
    await away.close();
  });

  test('a key that was unknown a moment ago is accepted as soon as it exists, however often it was tried', () =>
    withKeyring(async keyring => {
      await warm(keyring, await makeKey());
      const key = newKey();
      for (let n = 0; n < 3; n++) assert.equal(await keyring.authenticate(key.text), null);
      await besideClock(sql, organizationId, operator, turn =>
        insertKey(turn, {
          id: key.id,
          name: 'new',
          secretHash: hashKey(key, pepper),
          quota: null,
          grants: 'all',
        }),
      );
      assert.equal((await keyring.authenticate(key.text))?.actor.id, key.id);
    }));

  test('a key that was unknown a moment ago is looked up again when the listening connection has fallen silent', () =>
    throughProxy(async (proxy, keyring) => {
      await warm(keyring, await makeKey());
      const { text } = newKey();
      assert.equal(await keyring.authenticate(text), null);
      proxy.stallListeners();
      // Half the time after which a silent connection is replaced.
      const answer = await Promise.race([keyring.authenticate(text), delay(2500, 'no answer')]);
      assert.equal(answer, null);
    }));

  test('of keys that do not exist, one that was tried before costs no query', async () => {
    const texts: string[] = [];
    const { reads } = testing.database;
    const recorded = { ...testing.database, reads: recordingPool(reads, text => texts.push(text)) };
    await withKeyring(async keyring => {
      await warm(keyring, await makeKey());
      const { text } = newKey();
      texts.length = 0;
      await Promise.all(Array.from({ length: 50 }, () => keyring.authenticate(text)));
      for (let n = 0; n < 4; n++) assert.equal(await keyring.authenticate(text), null);
      assert.equal(texts.filter(one => one.includes('FROM key_organization')).length, 1);
    }, recorded);
  });

  test('only a key that is not in memory waits for its lookup', () =>
    withKeyring(async keyring => {
      const known = await makeKey();
      await warm(keyring, known);
      let lookups = 0;
      const lookUp: LookUp = read => {
        lookups++;
        return read();
      };
      await keyring.authenticate(known.key, lookUp);
      await keyring.authenticate('no key', lookUp);
      assert.equal(lookups, 0);
      await keyring.authenticate(newKey().text, lookUp);
      assert.equal(lookups, 1);
    }));

  test('requests with one key that wait for their lookups read it once', async () => {
    const texts: string[] = [];
    const recorded = {
      ...testing.database,
      reads: recordingPool(testing.database.reads, text => texts.push(text)),
    };
    await withKeyring(async keyring => {
      const { key } = await makeKey();
      // Afterwards the notification of the first key has arrived.
      await warm(keyring, await makeKey());
      const lookUp = new CredentialLookups().from('192.0.2.1');
      texts.length = 0;
      const found = await Promise.all(Array.from({ length: 50 }, () => keyring.authenticate(key, lookUp)));
      assert.ok(found.every(caller => caller !== null));
      assert.equal(texts.filter(one => one.includes('FROM key_organization')).length, 1);
    }, recorded);
  });

  test('when a key was last used is written at the latest on closing, and not by the request', async () => {
    const { id, key } = await makeKey();
    const lastUsed = async () =>
      (await sql`SELECT last_used_at FROM api_key WHERE id = ${id}`)[0]!['last_used_at'];
    await withKeyring(async keyring => {
      await keyring.authenticate(key);
      assert.equal(await lastUsed(), null);
    });
    assert.ok((await lastUsed()) instanceof Date);
  });
});

test('uses that wait for a lock hold up no read', async () => {
  const { id, key } = await makeKey();
  const database = connect({ url: testing.url });
  const keyring = createKeyring({ database, pepper });
  await keyring.authenticate(key);
  let closing: Promise<void> | undefined;
  await sql.begin(async holder => {
    await holder`SELECT FROM api_key WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`;
    closing = keyring.close();
    await waitForLocks(sql, [closing]);
    const { sessions, idle } = database.reads.state;
    assert.equal(sessions - idle, 0);
  });
  await closing;
  await database.close();
});

test('a key that is in memory is refused from the instant on at which it expires', async () => {
  await withKeyring(async keyring => {
    const expiresAt = new Date(Date.now() + 1000);
    const key = { organizationId, name: 'test', quota: null, grants: 'all', expiresAt } as const;
    const { key: text } = await createKey(sql, pepper, key);
    assert.notEqual(await keyring.authenticate(text), null);
    while ((await keyring.authenticate(text)) !== null) await delay(5);
    const late = Date.now() - expiresAt.getTime();
    assert.ok(late >= -5 && late < 1000, `refused ${late} ms after its end`);
  });
});

describe('a key that is no longer active is refused 1 s later', () => {
  test('by a process that answers from memory', () =>
    withKeyring(async keyring => {
      const key = await makeKey();
      await warm(keyring, key);
      await deactivate(key.id, true);
      await delay(1000);
      assert.equal(await keyring.authenticate(key.key), null);
    }));

  test('by a process whose listening connection was closed and cannot be opened again', () =>
    throughProxy(async (proxy, keyring) => {
      const key = await makeKey();
      await warm(keyring, key);
      proxy.refuseConnections();
      await closeListeners();
      await deactivate(key.id, true);
      await delay(1000);
      assert.equal(await keyring.authenticate(key.key), null);
    }));

  test('by a process whose listening connection has fallen silent', () =>
    throughProxy(async (proxy, keyring) => {
      const key = await makeKey();
      await warm(keyring, key);
      proxy.stallListeners();
      await deactivate(key.id, true);
      await delay(1000);
      assert.equal(await keyring.authenticate(key.key), null);
    }));

  test('by a process whose listening connection was closed and opened again meanwhile', () =>
    withKeyring(async keyring => {
      const key = await makeKey();
      await warm(keyring, key);
      await closeListeners();
      await deactivate(key.id, false);
      await warm(keyring, await makeKey());
      assert.equal(await keyring.authenticate(key.key), null);
    }));

  test('by a process behind a pooler that passes on no notifications', () =>
    throughProxy(
      async (_proxy, keyring) => {
        const key = await makeKey();
        // Long enough for many beats: LISTEN succeeds, and yet the memory must not be used.
        await delay(1000);
        for (let requests = 1; requests <= 3; requests++) {
          await setQuotaSilently(key.id, requests);
          assert.equal((await keyring.authenticate(key.key))?.quota?.requests, requests);
        }
      },
      { notifications: false },
    ));
});
