import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '../../../../src/db/connect.ts';
import { sql as fragment } from '../../../../src/db/sql.ts';
import { parseKey } from '../../../../src/auth/api-keys.ts';
import { type DayOfUse, readUsage } from '../../../../src/features/keys/usage/read.ts';
import { collectUses } from '../../../../src/features/keys/usage/write.ts';
import type { RequestRecord } from '../../../../src/http/request-context.ts';
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts';
import { waitForLocks } from '../../../support/database/locks.ts';
import { startService } from '../../../support/service/service.ts';
import { insertTestData, type TestData } from '../../../support/data/test-data.ts';

let testing: TestDatabase;
let testData: TestData;
before(async () => {
  testing = await testDatabase();
  testData = await insertTestData(testing.database.sql);
});
after(() => testing.drop());

const usageOf = (key: string): Promise<DayOfUse[]> =>
  readUsage(testing.database.sql, { organizationId: testData.organization, id: parseKey(key)!.id }, 30);

/** A request with a key. */
const listed = (id: string): RequestRecord => ({
  operation: 'listEmployees',
  startedAt: 0,
  requestId: '1',
  rejection: null,
  readTo: null,
  caller: {
    actor: { type: 'api_key', id, name: id },
    scope: { organizationId: testData.organization, callerId: id, grants: 'all' },
  },
});

describe('the usage of a key', () => {
  test('has the answers over HTTP: all requests, and the rejected ones', async () => {
    const service = await startService(testing.database.sql);
    const { all } = testData.keys;
    const ask = async (path: string, key = all) =>
      (await fetch(`${service.url}/v1${path}`, { headers: { 'X-API-Key': key } })).status;
    const statuses = await Promise.all(
      ['/employees', '/employees?page=0', '/employees?nothing=1', `/orders/${'0'.repeat(24)}`].map(path =>
        ask(path),
      ),
    );
    assert.deepEqual(statuses, [200, 400, 400, 404]);
    // Nobody's: a wrong secret, and a route that there is not.
    assert.equal(await ask('/employees', `${all.slice(0, -1)}x`), 401);
    assert.equal(await ask('/nowhere'), 404);
    await service.stop();
    const [day, ...more] = await usageOf(all);
    assert.deepEqual(more, []);
    const { requests, rejected, limited, failed } = day!;
    assert.deepEqual(
      { requests, rejected, limited, failed },
      { requests: 4, rejected: 3, limited: 0, failed: 0 },
    );
    assert.ok(Math.abs(Date.parse(day!.lastUsedAt) - Date.now()) < 60_000);
  });

  test('that could not be written is added to what came after it', async () => {
    const { id } = parseKey(testData.keys.tenantA)!;
    const { sql, writes } = testing.database;
    const usage = collectUses(writes, () => {});
    const use = async () => {
      for (const status of [429, 500]) usage.answered(listed(id), status);
      await usage.flush();
    };
    await sql.run(fragment`ALTER TABLE key_usage RENAME TO key_usage_away`);
    await use();
    await sql.run(fragment`ALTER TABLE key_usage_away RENAME TO key_usage`);
    await use();
    await usage.close();
    const [day] = await usageOf(testData.keys.tenantA);
    assert.deepEqual([day?.requests, day?.rejected, day?.limited, day?.failed], [4, 0, 2, 2]);
  });

  test('reports when a key was last used, which is written at the latest on closing, and not by the request', async () => {
    const { id } = parseKey(testData.keys.sales)!;
    const { sql, writes } = testing.database;
    const lastUsed = async () =>
      (await sql`SELECT last_used_at FROM api_key WHERE id = ${id}`)[0]!['last_used_at'];
    const usage = collectUses(writes, () => {});
    usage.answered(listed(id), 200);
    assert.equal(await lastUsed(), null);
    await usage.close();
    assert.ok((await lastUsed()) instanceof Date);
  });

  test('that waits for a lock holds up no read', async () => {
    const { id } = parseKey(testData.keys.sales)!;
    const { sql } = testing.database;
    const database = connect({ url: testing.url });
    const usage = collectUses(database.writes, () => {});
    usage.answered(listed(id), 200);
    let closing: Promise<void> | undefined;
    await sql.begin(async holder => {
      await holder`SELECT FROM api_key WHERE organization_id = ${testData.organization} AND id = ${id} FOR UPDATE`;
      closing = usage.close();
      await waitForLocks(sql, [closing]);
      const { sessions, idle } = database.reads.state;
      assert.equal(sessions - idle, 0);
    });
    await closing;
    await database.close();
  });
});
