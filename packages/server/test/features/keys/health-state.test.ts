import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeyUse } from '../../../src/features/keys/usage/key-use.ts';
import { parseKey } from '../../../src/auth/api-keys.ts';
import { writeUses } from '../../../src/features/keys/usage/write.ts';
import { usePortal } from '../../portal/support.ts';
import { apiClient } from '../../support/contract/client.ts';
import { startService } from '../../support/service/service.ts';
import { signedInUser } from '../../support/data/users.ts';
import { testKey } from '../../support/data/test-data.ts';

let session: string;
const fixture = usePortal(async ({ sql, testData }) => {
  session = (await signedInUser(sql, testData.organization)).secret;
});

const hour = 3_600_000;

async function newKey(): Promise<string> {
  return parseKey(await testKey(fixture.sql, fixture.testData.organization, 'all'))!.id;
}

/** Stores requests that were answered with these statuses, so many hours ago. */
async function answered(id: string, statuses: readonly number[], hoursAgo = 0): Promise<void> {
  const use = new KeyUse(id);
  for (const status of statuses)
    use.answered({ operation: 'listEmployees', requestId: '1', rejection: null, readTo: null }, status);
  use.at = Date.now() - hoursAgo * hour;
  if (use.succeededAt > 0) use.succeededAt = use.succeededFrom = use.at;
  await writeUses(fixture.sql, fixture.testData.organization, [use]);
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

async function stateOf(id: string): Promise<string> {
  const { body } = await fixture.portal.get(`/api-keys/${id}`, { key: session });
  const filter = `id = '${id}' AND health = '${body.health}'`;
  const listed = await fixture.portal.post('/api-keys/search', { filter }, { key: session });
  assert.deepEqual(
    listed.body.items.map((key: { health: string }) => key.health),
    [body.health],
    'the list has the same',
  );
  return body.health;
}

/** A replacement has a body, the other actions none. */
const act = (id: string, what: string, body = what === 'replacement' ? {} : undefined) =>
  fixture.portal.post(`/api-keys/${id}/${what}`, body, { key: session });

const update = (
  id: string,
  columns: { last_success_at?: Date; expected_interval?: number; expires_at?: Date },
) => {
  const { last_success_at = null, expected_interval = null, expires_at = null } = columns;
  return fixture.sql`
    UPDATE api_key SET last_success_at = coalesce(${last_success_at}::timestamptz, last_success_at),
      expected_interval = coalesce(${expected_interval}::int, expected_interval),
      expires_at = coalesce(${expires_at}::timestamptz, expires_at)
    WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
};

describe('the health state of a key', () => {
  test('is the first that applies: deleted, expired or inactive, failing, being replaced, no recent activity, never used, active', async () => {
    const id = await newKey();
    assert.equal(await stateOf(id), 'never_used');
    await answered(id, [200]);
    assert.equal(await stateOf(id), 'active');
    await update(id, { last_success_at: new Date(Date.now() - 2 * hour), expected_interval: 3600 });
    assert.equal(await stateOf(id), 'no_recent_activity');
    await act(id, 'replacement');
    assert.equal(await stateOf(id), 'being_replaced');
    await answered(id, times(6, 403));
    assert.equal(await stateOf(id), 'failing');
    await act(id, 'deactivation');
    assert.equal(await stateOf(id), 'inactive');
    await act(id, 'reactivation');
    await update(id, { expires_at: new Date(Date.now() - 1000) });
    assert.equal(await stateOf(id), 'expired');
    await fixture.portal.request('DELETE', `/api-keys/${id}`, { key: session });
    assert.equal(await stateOf(id), 'deleted');
  });

  test('is no recent activity for a key that was never used and is overdue', async () => {
    const id = await newKey();
    await fixture.sql`
      UPDATE api_key SET watched_from = ${new Date(Date.now() - 2 * hour)}, expected_interval = 3600
      WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
    assert.equal(await stateOf(id), 'no_recent_activity');
  });
});

describe('a key is failing', () => {
  test('when 30 of 30 requests are rejected, over HTTP', async () => {
    const text = await testKey(fixture.sql, fixture.testData.organization, 'all');
    const service = await startService(fixture.sql);
    const client = apiClient(service.url, { key: text });
    for (let n = 0; n < 30; n++) await client.get('/employees', { query: { page: 0 } });
    client.close();
    await service.stop();
    assert.equal(await stateOf(parseKey(text)!.id), 'failing');
  });

  for (const status of [400, 403, 500, 502, 503])
    test(`by answers with ${status}`, async () => {
      const id = await newKey();
      await answered(id, times(5, status));
      assert.equal(await stateOf(id), 'failing');
    });

  test('and comes first in the order of urgency, before newer keys that are fine', async () => {
    const failing = await newKey();
    await answered(failing, times(5, 500));
    const fine = await newKey();
    await answered(fine, [200]);
    const newest = await newKey();
    await answered(newest, [200]);
    const search = { sort: 'urgency', pageSize: 100 };
    const { body } = await fixture.portal.post('/api-keys/search', search, { key: session });
    const keys: { id: string; health: string }[] = body.items;
    const failures = keys.filter(({ health }) => health === 'failing');
    assert.deepEqual(keys.slice(0, failures.length), failures);
    assert.equal(keys[0]!.id, failing);
    assert.deepEqual(
      keys.filter(({ id }) => id === fine || id === newest).map(({ id }) => id),
      [newest, fine],
    );
  });

  for (const status of [401, 404, 409, 413, 422, 429, 499])
    test(`but not by answers with ${status}`, async () => {
      const id = await newKey();
      await answered(id, times(10, status));
      assert.equal(await stateOf(id), 'active');
    });

  test('from five requests of 24 hours on, when over half of them failed', async () => {
    const [four, half, over] = [await newKey(), await newKey(), await newKey()];
    await answered(four, times(4, 500));
    await answered(half, [...times(50, 500), ...times(50, 200)]);
    await answered(over, [...times(50, 500), ...times(49, 200)]);
    assert.deepEqual(await Promise.all([four, half, over].map(stateOf)), ['active', 'active', 'failing']);
    await answered(over, [200]);
    assert.equal(await stateOf(over), 'active');
    await answered(four, [200], 23);
    assert.equal(await stateOf(four), 'failing');
  });

  test('not by failures that are older than 24 hours', async () => {
    const id = await newKey();
    await answered(id, times(100, 500), 25);
    await answered(id, times(5, 200), 25);
    assert.equal(await stateOf(id), 'active');
    await answered(id, times(100, 500), 12);
    await answered(id, times(5, 200), 0);
    assert.equal(await stateOf(id), 'failing');
  });

  test('when six of the last ten requests failed, also of many and long ago', async () => {
    const id = await newKey();
    await answered(id, [...times(4, 200), ...times(5, 500), ...times(1000, 200)], 100);
    await answered(id, times(5, 500), 99);
    assert.equal(await stateOf(id), 'active');
    await answered(id, [500], 98);
    assert.equal(await stateOf(id), 'failing');
    await answered(id, times(4, 200), 97);
    assert.equal(await stateOf(id), 'failing');
    await answered(id, [200], 96);
    assert.equal(await stateOf(id), 'active');
  });

  test('by requests that could not be written at once, too', async () => {
    const id = await newKey();
    const [earlier, later] = [new KeyUse(id), new KeyUse(id)];
    const request = { operation: 'listEmployees', requestId: '1', rejection: null, readTo: null };
    for (const status of [...times(6, 500), 499]) earlier.answered(request, status);
    for (const status of times(4, 200)) later.answered(request, status);
    later.addEarlier(earlier);
    assert.deepEqual([later.answers, later.failures, later.recentFailures], [10, 6, 0b1111110000]);
    await writeUses(fixture.sql, fixture.testData.organization, [later]);
    assert.equal(await stateOf(id), 'failing');
  });

  test('by hours that take the place of those of the day before; a late write of that day adds nothing', async () => {
    const id = await newKey();
    await answered(id, times(7, 200), 24);
    await answered(id, times(6, 200), 0);
    await answered(id, times(5, 500), 24);
    const rows = await fixture.sql<{ requests: string; failures: string }[]>`
      SELECT requests, failures FROM key_hour WHERE key_id = ${id}`;
    assert.deepEqual(
      rows.map(row => [Number(row.requests), Number(row.failures)]),
      [[6, 0]],
    );
  });
});

describe('a key is being replaced', () => {
  const successor = async (id: string) => (await act(id, 'replacement')).body.id as string;

  test('while its successor works', async () => {
    const id = await newKey();
    const next = await successor(id);
    await answered(next, [200]);
    assert.deepEqual([await stateOf(id), await stateOf(next)], ['being_replaced', 'active']);
    await act(next, 'deactivation');
    assert.equal(await stateOf(id), 'never_used');
    await act(next, 'reactivation');
    assert.equal(await stateOf(id), 'being_replaced');
    await update(next, { expires_at: new Date(Date.now() - 1000) });
    assert.equal(await stateOf(id), 'never_used');
  });

  test('when its successor was replaced as well, and works no more', async () => {
    const id = await newKey();
    const next = await successor(id);
    await successor(next);
    await act(next, 'deactivation');
    assert.equal(await stateOf(id), 'being_replaced');
  });
});
