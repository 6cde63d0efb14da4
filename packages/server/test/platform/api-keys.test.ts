import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { usePlatform } from './support.ts';

let path: string;
const fixture = usePlatform(async ({ testData }) => {
  path = `/organizations/${testData.organization}/api-keys`;
});

const create = (body: object, options: RequestOptions = {}): Promise<Answer<any>> =>
  fixture.own.post(path, { name: 'Lohn', wholeOrganization: true, ...body }, options);

/** The status that the public API answers a key with. */
async function statusWith(key: string): Promise<number> {
  return (await fixture.client.get('/employees', { key })).status;
}

/** Keys, grants and their audit, as comparable text. */
async function keysOf(): Promise<string> {
  const { sql } = fixture;
  const keys =
    await sql`SELECT to_jsonb(k) - 'last_used_at' - 'last_success_at' AS key FROM api_key k ORDER BY id`;
  const grants =
    await sql`SELECT to_jsonb(g) AS granted FROM api_key_grant g ORDER BY key_id, tenant_id, division_id`;
  const audit = await sql`SELECT to_jsonb(a) AS entry FROM audit a ORDER BY at, target_id`;
  return JSON.stringify([keys, grants, audit]);
}

/** Resolves when the public API rejects a key; that must be within a second. */
async function untilRejected(key: string): Promise<void> {
  const end = performance.now() + 1000;
  while ((await statusWith(key)) !== 401) assert.ok(performance.now() < end, 'the key still works');
}

describe('POST …/api-keys', () => {
  test('201: a key of the whole organization, which works and is shown this once', async () => {
    const quota = { requests: 5, seconds: 10 };
    const { status, headers, body } = await create({ quota, expiresAt: '2099-01-01T00:00:00Z' });
    assert.equal(status, 201);
    const { key, ...shown } = body;
    assert.equal(await statusWith(key), 200);
    assert.partialDeepStrictEqual(shown, {
      name: 'Lohn',
      status: 'active',
      wholeOrganization: true,
      grants: [],
    });
    assert.deepEqual([shown.quota, shown.expiresAt], [quota, '2099-01-01T00:00:00.000Z']);
    const found = await fixture.own.get(headers.location!.slice('/platform/v1'.length));
    assert.deepEqual({ ...found.body, lastUsedAt: null }, shown);
    assert.ok(!found.bytes.includes(key.split('_')[2]));
  });

  test('201: a key of tenants and divisions reads what is granted', async () => {
    const { tenantA, tenantB, sales } = fixture.testData;
    const grants = [
      { tenant: tenantA.toUpperCase(), divisions: [sales.toUpperCase()] },
      { tenant: tenantB, divisions: null },
    ];
    const { body } = await create({ wholeOrganization: false, grants });
    assert.deepEqual(
      body.grants.toSorted((a: { tenant: string }, b: { tenant: string }) => (a.tenant < b.tenant ? -1 : 1)),
      [
        { tenant: tenantA, divisions: [sales] },
        { tenant: tenantB, divisions: null },
      ].toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1)),
    );
    const { items } = (await fixture.client.get('/divisions', { key: body.key })).body;
    const seen = items.map(({ id }: { id: string }) => id).sort();
    assert.deepEqual(seen, [sales, fixture.testData.north, fixture.testData.lager].sort());
  });

  test('201: a limited key shows its permissions in their order, without what others include', async () => {
    const permissions = ['orders:write', 'employees:read', 'orders:read'];
    const { body } = await create({ permissions });
    assert.deepEqual(body.permissions, ['employees:read', 'orders:write']);
    const { items } = (await fixture.own.get(path, { query: { filter: `id = '${body.id}'` } })).body;
    assert.deepEqual(items[0].permissions, ['employees:read', 'orders:write']);
    assert.equal((await create({ permissions: null })).body.permissions, null);
    assert.equal((await create({})).body.permissions, null);
  });

  test('201: a key that replaces a limited one has the same permissions', async () => {
    const { body } = await create({ permissions: ['read'] });
    const { body: successor } = await fixture.own.post(`${path}/${body.id}/replacement`, {});
    assert.deepEqual(successor.permissions, ['read']);
    const sent = { email: 'x@example.com', firstName: 'X', lastName: 'Y' };
    const { status } = await fixture.client.post('/employees', sent, { key: successor.key });
    assert.deepEqual([await statusWith(successor.key), status], [200, 401]);
  });

  test('201: it is audited under the token', async () => {
    const { body } = await create({});
    const [audited] = await fixture.sql`SELECT action, actor FROM audit WHERE target_id = ${body.id}`;
    assert.equal(audited!['action'], 'key.create');
    const [token] = await fixture.sql`SELECT name FROM platform_token WHERE id = ${audited!['actor']}`;
    assert.equal(token!['name'], 'back office');
  });

  const rejections: [name: string, expected: [number, string], body: () => object][] = [
    ['neither all nor grants', [422, 'VALIDATION_ERROR'], () => ({ wholeOrganization: false })],
    [
      'all and grants',
      [422, 'VALIDATION_ERROR'],
      () => ({ grants: [{ tenant: fixture.testData.tenantA, divisions: null }] }),
    ],
    [
      'a tenant twice',
      [422, 'VALIDATION_ERROR'],
      () => {
        const grant = { tenant: fixture.testData.tenantA, divisions: null };
        return { wholeOrganization: false, grants: [grant, grant] };
      },
    ],
    ['reading and more', [422, 'VALIDATION_ERROR'], () => ({ permissions: ['read', 'orders:write'] })],
    ['no permission', [400, 'VALIDATION_ERROR'], () => ({ permissions: [] })],
    ['an unknown permission', [400, 'VALIDATION_ERROR'], () => ({ permissions: ['users:read'] })],
    ['an end that is over', [422, 'VALIDATION_ERROR'], () => ({ expiresAt: '2020-01-01T00:00:00Z' })],
    [
      'the tenant of another organization',
      [422, 'INVALID_REFERENCE'],
      () => ({
        wholeOrganization: false,
        grants: [{ tenant: fixture.testData.foreign.tenant, divisions: null }],
      }),
    ],
    [
      'a division of another tenant',
      [422, 'INVALID_REFERENCE'],
      () => {
        const { tenantA, lager } = fixture.testData;
        return { wholeOrganization: false, grants: [{ tenant: tenantA, divisions: [lager] }] };
      },
    ],
    [
      'a tenant that is no identifier',
      [400, 'INVALID_REFERENCE_ID'],
      () => ({ wholeOrganization: false, grants: [{ tenant: 'one', divisions: null }] }),
    ],
    [
      'an unknown property of a grant',
      [400, 'UNSUPPORTED_FIELD'],
      () => ({
        wholeOrganization: false,
        grants: [{ tenant: fixture.testData.tenantA, divisions: null, all: true }],
      }),
    ],
    [
      'a day that is not in the calendar',
      [400, 'VALIDATION_ERROR'],
      () => ({ expiresAt: '2099-02-30T00:00:00Z' }),
    ],
    ['an offset', [400, 'VALIDATION_ERROR'], () => ({ expiresAt: '2099-02-03T00:00:00+01:00' })],
    ['a quota of nothing', [400, 'VALIDATION_ERROR'], () => ({ quota: { requests: 0, seconds: 60 } })],
    [
      'an unknown property of what may be null',
      [400, 'UNSUPPORTED_FIELD'],
      () => ({ quota: { requests: 1, seconds: 60, burst: 2 } }),
    ],
    ['an unknown property', [400, 'UNSUPPORTED_FIELD'], () => ({ secret: 'x' })],
  ];
  for (const [name, expected, body] of rejections)
    test(`${expected.join(' ')}: ${name}`, async () => {
      const before = await keysOf();
      const answer = await create(body());
      assert.deepEqual([answer.status, answer.body.error.code], expected, answer.body.error.message);
      assert.equal(await keysOf(), before);
    });
});

describe('the states of a key', () => {
  test('deactivated it is rejected within a second, reactivated it works, deleted it is gone for ever', async () => {
    const { own } = fixture;
    const { id, key } = (await create({})).body;
    const place = `${path}/${id}`;
    assert.equal(await statusWith(key), 200);
    assert.equal((await own.post(`${place}/deactivation`, undefined)).body.status, 'inactive');
    await untilRejected(key);
    assert.equal((await own.post(`${place}/deactivation`, undefined)).body.status, 'inactive');
    assert.equal((await own.post(`${place}/reactivation`, undefined)).body.status, 'active');
    assert.equal(await statusWith(key), 200);
    assert.equal((await own.request('DELETE', place)).body.status, 'deleted');
    await untilRejected(key);
    assert.equal((await own.request('DELETE', place)).body.status, 'deleted');
    for (const action of ['deactivation', 'reactivation']) {
      const rejected = await own.post(`${place}/${action}`, undefined);
      assert.deepEqual([rejected.status, rejected.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
    }
    const audited = await fixture.sql`SELECT action FROM audit WHERE target_id = ${id} ORDER BY at`;
    assert.deepEqual(
      audited.map(row => row['action']),
      ['key.create', 'key.deactivate', 'key.reactivate', 'key.delete'],
    );
  });
});

describe('POST …/replacement', () => {
  test('201: the new key has the same access, and the old one works until its grace is over', async () => {
    const grants = [{ tenant: fixture.testData.tenantA, divisions: [fixture.testData.sales] }];
    const quota = { requests: 77, seconds: 7 };
    const old = (await create({ wholeOrganization: false, grants, quota })).body;
    const { status, headers, body } = await fixture.own.post(`${path}/${old.id}/replacement`, {
      graceSeconds: 3600,
    });
    assert.equal(status, 201);
    assert.equal(headers.location, `/platform/v1${path}/${body.id}`);
    assert.partialDeepStrictEqual(body, { name: 'Lohn', grants, quota, expiresAt: null });
    assert.deepEqual([await statusWith(old.key), await statusWith(body.key)], [200, 200]);
    const { expiresAt } = (await fixture.own.get(`${path}/${old.id}`)).body;
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000) < 60_000, expiresAt);
  });

  test('201: without grace the old key is rejected from then on, and is expired', async () => {
    const old = (await create({})).body;
    const { body } = await fixture.own.post(`${path}/${old.id}/replacement`, {
      graceSeconds: 0,
      name: 'Neu',
    });
    assert.equal(body.name, 'Neu');
    await untilRejected(old.key);
    assert.equal(await statusWith(body.key), 200);
    assert.equal((await fixture.own.get(`${path}/${old.id}`)).body.status, 'expired');
  });

  test('201: the new key lives as long as the old one was to live, unless its expiry is given', async () => {
    const day = 86_400_000;
    const lifetimeOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
      Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / day);
    const old = (await create({ expiresAt: new Date(Date.now() + 365 * day).toISOString() })).body;
    const { body: same } = await fixture.own.post(`${path}/${old.id}/replacement`, {});
    assert.equal(lifetimeOf(same), 365);
    const expiresAt = new Date(Date.now() + 30 * day).toISOString();
    const { body: shorter } = await fixture.own.post(`${path}/${same.id}/replacement`, { expiresAt });
    assert.equal(shorter.expiresAt, expiresAt);
    const { body: endless } = await fixture.own.post(`${path}/${shorter.id}/replacement`, {
      expiresAt: null,
    });
    assert.equal(endless.expiresAt, null);
    const past = await fixture.own.post(`${path}/${endless.id}/replacement`, { expiresAt: old.createdAt });
    assert.deepEqual([past.status, past.body.error.code], [422, 'VALIDATION_ERROR']);
  });

  test('409 INVALID_STATE_TRANSITION: a key with a successor, until that is deleted', async () => {
    const expiresAt = new Date(Date.now() + 365 * 86_400_000).toISOString();
    const old = (await create({ expiresAt })).body;
    const { body: successor } = await fixture.own.post(`${path}/${old.id}/replacement`, {});
    const again = await fixture.own.post(`${path}/${old.id}/replacement`, {});
    assert.deepEqual([again.status, again.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
    assert.match(again.body.error.message, new RegExp(`being replaced by ${successor.id}`));
    await fixture.own.request('DELETE', `${path}/${successor.id}`);
    const third = await fixture.own.post(`${path}/${old.id}/replacement`, {});
    assert.equal(third.status, 201);
    // Not what the first replacement has left of the old key.
    assert.ok(Date.parse(third.body.expiresAt) >= Date.parse(expiresAt));
  });

  test('409 INVALID_STATE_TRANSITION: a key that does not work', async () => {
    const old = (await create({})).body;
    await fixture.own.post(`${path}/${old.id}/deactivation`, undefined);
    const answer = await fixture.own.post(`${path}/${old.id}/replacement`, {});
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
  });

  test('409 INVALID_STATE_TRANSITION: a key that another caller deletes at the same time', async () => {
    const old = (await create({})).body;
    const before = (await fixture.own.get(path)).body.totalElements;
    let answer: Promise<Answer<any>> | undefined;
    await fixture.sql.begin(async transaction => {
      await transaction`
        UPDATE api_key SET status = 'deleted' WHERE organization_id = ${fixture.testData.organization} AND id = ${old.id}`;
      answer = fixture.own.post(`${path}/${old.id}/replacement`, {});
      await waitForLocks(fixture.sql, [answer]);
    });
    const { status, body } = await answer!;
    assert.deepEqual([status, body.error?.message], [409, 'The key is deleted: create a new one']);
    assert.equal((await fixture.own.get(path)).body.totalElements, before);
  });
});

describe('GET', () => {
  test('…/api-keys 200: filtered by what it shows; identifiers in any letter case', async () => {
    const { id } = (await create({ name: 'Straße' })).body;
    await fixture.own.post(`${path}/${id}/deactivation`, undefined);
    const ids = async (filter: string) =>
      (await fixture.own.get(path, { query: { filter } })).body.items.map((key: { id: string }) => key.id);
    assert.deepEqual(await ids("name = 'STRASSE'"), [id]);
    assert.deepEqual(await ids(`id = ${id.toUpperCase()}`), [id]);
    assert.deepEqual(await ids("status = inactive AND wholeOrganization = true AND name CONTAINS 'ss'"), [
      id,
    ]);
    assert.deepEqual(await ids("name = 'STRASSE' AND lastUsedAt IS NOT NULL"), []);
    assert.deepEqual(await ids("name = 'STRASSE' AND createdAt > 2099-01-01T00:00:00Z"), []);
  });

  test('…/usage 200: requests by the day', async () => {
    const { id } = (await create({})).body;
    const { organization } = fixture.testData;
    await fixture.sql`
      INSERT INTO key_usage (organization_id, key_id, day, requests, rejected, limited, failed, last_at)
      SELECT ${organization}, ${id}, (now() AT TIME ZONE 'UTC')::date - n, 10 + n, 0, 0, 0, now() FROM unnest(ARRAY[0, 1, 40]) AS n`;
    const { body } = await fixture.own.get(`${path}/${id}/usage`);
    assert.deepEqual(
      [body.requests, body.lastUsedAt, body.days.map((day: { requests: number }) => day.requests)],
      [21, null, [11, 10]],
    );
  });

  test('400 INVALID_REFERENCE_ID: no identifier of a key', async () => {
    const answer = await fixture.own.get(`${path}/${fixture.testData.tenantA}`);
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REFERENCE_ID']);
    assert.match(answer.body.error.message, /12 letters and digits/);
  });
});
