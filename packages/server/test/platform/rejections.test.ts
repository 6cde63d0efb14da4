import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { anonymous } from '../../src/auth/caller.ts';
import { maxNamed, RejectionLog } from '../../src/features/audit/rejections.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import { newRequestId } from '../../src/http/request-context.ts';
import { newSecret } from '../../src/auth/secrets.ts';
import { createKey } from '../../src/cli/access/key.ts';
import { type ApiClient, apiClient, type RequestOptions } from '../support/contract/client.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { testPepper } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

interface Sending {
  readonly api?: 'public' | 'platform';
  readonly path: string;
  readonly times?: number;
  readonly options: RequestOptions;
}

/** Has a service of its own reject a request, and answers what the audits have of it once the service has stopped. */
async function auditedAfter({ api = 'public', path, times = 1, options }: Sending, expected: string) {
  const { sql, platform, testData } = fixture;
  const service = await startService(sql);
  const client = apiClient(api === 'public' ? service.url : service.managementUrl, { api });
  const requestIds = Array.from({ length: times }, () => newRequestId());
  try {
    for (const id of requestIds) {
      const { status, body } = await client.get(path, { ...options, headers: { 'x-request-id': id } });
      assert.equal(`${status} ${body.error.code}`, expected);
    }
  } finally {
    client.close();
    await service.stop();
  }
  const query = { filter: `requestId IN (${requestIds.join(', ')})`, pageSize: 1000 };
  const own = await entriesOf(platform, `/organizations/${testData.organization}/audit-entries`, query);
  const foreign = await entriesOf(
    platform,
    `/organizations/${testData.foreign.organization}/audit-entries`,
    query,
  );
  return { own, foreign, operator: await entriesOf(platform, '/audit-entries', query), requestIds };
}

async function entriesOf(client: ApiClient, path: string, query: RequestOptions['query']): Promise<any[]> {
  return (await client.get(path, { ...(query && { query }) })).body.items;
}

/** A key of the organization of the fixture, after something was done to it in the database. */
async function keyWith(change: (id: string) => Promise<unknown>): Promise<{ id: string; key: string }> {
  const { sql, testData } = fixture;
  const place = { organizationId: testData.organization, name: 'Lohn', quota: null, grants: 'all' as const };
  const created = await createKey(sql, testPepper, place);
  await change(created.id);
  return created;
}

describe('a rejected key is in the audit of its organization', () => {
  const changes: Record<string, (id: string) => Promise<unknown>> = {
    wrong_secret: id => fixture.sql`UPDATE api_key SET secret_hash = sha256('x') WHERE id = ${id}`,
    deactivated: id => fixture.sql`UPDATE api_key SET status = 'inactive' WHERE id = ${id}`,
    deleted: id => fixture.sql`UPDATE api_key SET status = 'deleted' WHERE id = ${id}`,
    expired: id => fixture.sql`UPDATE api_key SET expires_at = now() WHERE id = ${id}`,
  };
  for (const [reason, change] of Object.entries(changes))
    test(reason, async () => {
      const { id, key } = await keyWith(change);
      const sent = { path: '/employees', options: { key } };
      const { own, foreign, operator, requestIds } = await auditedAfter(sent, '401 INVALID_API_KEY');
      assert.deepEqual([foreign, operator], [[], []]);
      const [{ id: entryId, createdAt, ...entry }, ...others] = own;
      assert.deepEqual(others, []);
      assert.match(entryId, /^[0-9a-f]{24}$/);
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
      assert.deepEqual(entry, {
        actorType: 'anonymous',
        actorId: 'anonymous',
        actorName: 'anonymous',
        action: 'key.use',
        targetType: 'key',
        targetId: id,
        requestId: requestIds[0],
        address: '127.0.0.1',
        fields: [],
        outcome: 'rejected',
        reason,
        count: 1,
      });
      assert.ok(!JSON.stringify(own).includes(key.split('_')[2]!));
    });
});

describe('what belongs to no organization is in the audit of the platform', () => {
  const tokens: Record<string, (id: string) => Promise<unknown>> = {
    wrong_secret: id => fixture.sql`UPDATE platform_token SET secret_hash = sha256('x') WHERE id = ${id}`,
    revoked: id => fixture.sql`UPDATE platform_token SET revoked_at = now() WHERE id = ${id}`,
    expired: id => fixture.sql`UPDATE platform_token SET expires_at = now() WHERE id = ${id}`,
  };
  for (const [reason, change] of Object.entries(tokens))
    test(`a token of the platform: ${reason}`, async () => {
      const key = await testToken(fixture.sql);
      const id = key.split('_')[1]!;
      await change(id);
      const sent = { api: 'platform', path: '/organizations', options: { key } } as const;
      const { own, operator } = await auditedAfter(sent, '401 INVALID_TOKEN');
      assert.deepEqual(own, []);
      assert.partialDeepStrictEqual(operator, [{ action: 'platform_token.use', targetId: id, reason }]);
    });

  test('a permission that a token has not', async () => {
    const { sql, testData } = fixture;
    const key = await testToken(sql, { permissions: ['tenants:read'] });
    const path = `/organizations/${testData.organization}/api-keys`;
    const { own, operator } = await auditedAfter(
      { api: 'platform', path, options: { key } },
      '403 PERMISSION_DENIED',
    );
    assert.deepEqual(own, []);
    assert.partialDeepStrictEqual(operator, [
      {
        actorType: 'platform_token',
        actorId: key.split('_')[1]!,
        actorName: 'back office',
        action: 'operation.call',
        targetId: 'listApiKeys',
        reason: 'permission_missing',
      },
    ]);
  });

  test('an organization that a token does not work for', async () => {
    const { sql, testData } = fixture;
    const key = await testToken(sql, { organizations: [testData.organization] });
    const foreignId = testData.foreign.organization;
    const sent = { api: 'platform', path: `/organizations/${foreignId}/tenants`, options: { key } } as const;
    const { foreign, operator } = await auditedAfter(sent, '404 NOT_FOUND');
    assert.deepEqual(foreign, []);
    const entry = { action: 'organization.select', targetId: foreignId, reason: 'organization_not_in_scope' };
    assert.partialDeepStrictEqual(operator, [entry]);
  });
});

test('a tenant out of the scope of a key is in the audit of the organization of the key, under its name', async () => {
  const { testData } = fixture;
  const options = { key: testData.keys.tenantA, tenant: testData.tenantB };
  const { own, foreign } = await auditedAfter({ path: '/employees', options }, '403 TENANT_NOT_IN_SCOPE');
  assert.deepEqual(foreign, []);
  assert.partialDeepStrictEqual(own, [
    {
      actorType: 'api_key',
      actorId: parseKey(testData.keys.tenantA)!.id,
      actorName: 'test',
      action: 'tenant.select',
      targetType: 'tenant',
      targetId: testData.tenantB,
      reason: 'tenant_not_in_scope',
    },
  ]);
});

describe('an unknown credential is logged and counted, not audited', () => {
  const credentials: Record<string, RequestOptions> = {
    unknown: { key: newSecret('kontor').text },
    malformed: { key: 'kontor_secret' },
    missing: { key: null },
  };
  for (const [reason, options] of Object.entries(credentials))
    test(`a key: ${reason}`, async () => {
      const service = await startService(fixture.sql);
      const client = apiClient(service.url);
      try {
        assert.equal((await client.get('/employees', options)).status, 401);
        const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
        assert.match(metrics, new RegExp(`^kontor_access_rejections_total\\{reason="${reason}"\\} 1$`, 'm'));
      } finally {
        client.close();
        await service.stop();
      }
      const logged = service.log
        .map(line => JSON.parse(line))
        .filter(({ msg }) => msg === 'rejected an unknown credential');
      const expected = reason === 'missing' ? [] : [{ operation: 'listEmployees', reason }];
      assert.partialDeepStrictEqual(logged, expected);
      assert.equal(logged.length, expected.length);
      const [, id, secret] = options.key?.split('_') ?? [];
      for (const part of [id, secret])
        if (part !== undefined) assert.ok(!JSON.stringify(logged).includes(part));
    });

  test('a token of the platform: unknown', async () => {
    const { text: key } = newSecret('kontorp');
    const sent = { api: 'platform', path: '/organizations', options: { key } } as const;
    const { own, operator } = await auditedAfter(sent, '401 INVALID_TOKEN');
    assert.deepEqual([own, operator], [[], []]);
  });
});

describe('what is no matter of rights is not audited', () => {
  const missing: Record<string, RequestOptions> = {
    'no key': { key: null },
    'something that has not the form of a key': { key: 'kontor_secret' },
    'a key that nobody has': { key: newSecret('kontor').text },
  };
  for (const [name, options] of Object.entries(missing))
    test(name, async () => {
      const { own, operator } = await auditedAfter({ path: '/employees', options }, '401 INVALID_API_KEY');
      assert.deepEqual([own, operator], [[], []]);
    });

  test('what does not exist, under an organization that the token works for', async () => {
    const key = await testToken(fixture.sql);
    const path = `/organizations/${fixture.testData.organization}/tenants/${'f'.repeat(24)}`;
    const sent = { api: 'platform', path, options: { key } } as const;
    const { own, operator } = await auditedAfter(sent, '404 NOT_FOUND');
    assert.deepEqual([own, operator], [[], []]);
  });
});

test('equal rejections of a minute are one entry, with their number and the last request', async () => {
  const { testData } = fixture;
  const options = { key: testData.keys.sales, tenant: testData.tenantB };
  const sent = { path: '/employees', options, times: 25 };
  const { own, requestIds } = await auditedAfter(sent, '403 TENANT_NOT_IN_SCOPE');
  assert.partialDeepStrictEqual(own, [{ count: 25, requestId: requestIds.at(-1) }]);
  assert.equal(own.length, 1);
});

describe('a flood', () => {
  const stack = new AsyncDisposableStack();
  after(() => stack.disposeAsync());

  /** A log of rejections that nothing but the test writes. */
  function newLog() {
    const warnings: unknown[] = [];
    const log = new RejectionLog(fixture.sql.database.writes, {
      warn: (...args: unknown[]) => warnings.push(args),
    });
    stack.defer(() => log.close());
    return { log, warnings };
  }
  const rejected = async () => {
    const rows = await fixture.sql<{ place: string; n: number; named: boolean }[]>`
      SELECT organization_id AS place, coalesce(n, 1) AS n, address IS NOT NULL AS named FROM audit
      WHERE outcome = 'rejected'`;
    return rows.map(({ place, n, named }) => ({ place, n, named }));
  };
  /** A wrong secret of a key. */
  const rejectionOf = (id: string) => ({
    action: 'key.use' as const,
    id,
    organizationId: fixture.testData.organization,
    reason: 'wrong_secret' as const,
    actor: anonymous.actor,
  });
  const begin = () => fixture.sql`DELETE FROM audit WHERE outcome = 'rejected'`;

  test('of one key from everywhere becomes a bounded number of entries, and none is lost count of', async () => {
    await begin();
    const { log } = newLog();
    const { organization } = fixture.testData;
    const { id } = await keyWith(async () => {});
    const requests = 30_000;
    for (let n = 0; n < requests; n++) {
      const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
      log.record({ ...rejectionOf(id), requestId: newRequestId(), address });
    }
    await log.flush();
    const entries = await rejected();
    assert.equal(entries.length, maxNamed + 1);
    assert.ok(entries.every(({ place }) => place === organization));
    assert.equal(entries.filter(({ named }) => named).length, maxNamed);
    assert.equal(
      entries.reduce((sum, { n }) => sum + n, 0),
      requests,
    );
  });

  test('of tenants tried with one key does so, too, and leaves the audits of others alone', async () => {
    await begin();
    const { log } = newLog();
    const { testData } = fixture;
    const actor = { type: 'api_key', id: parseKey(testData.keys.all)!.id, name: 'test' } as const;
    for (let n = 0; n < 500; n++)
      log.record({
        action: 'tenant.select',
        id: n.toString(16).padStart(24, '0'),
        organizationId: testData.organization,
        reason: 'tenant_not_in_scope',
        actor,
        requestId: newRequestId(),
        address: '10.0.0.1',
      });
    await log.flush();
    const entries = await rejected();
    assert.deepEqual(new Set(entries.map(({ place }) => place)), new Set([testData.organization]));
    assert.equal(entries.length, maxNamed + 1);
    assert.equal(
      entries.reduce((sum, { n }) => sum + n, 0),
      500,
    );
  });

  test('what cannot be written now is kept, reported, and written later', async () => {
    await begin();
    const { log, warnings } = newLog();
    const { id } = await keyWith(async () => {});
    for (let n = 0; n < 3; n++)
      log.record({ ...rejectionOf(id), requestId: newRequestId(), address: '10.0.0.2' });
    await fixture.sql`ALTER TABLE audit RENAME TO audit_elsewhere`;
    await log.flush();
    await fixture.sql`ALTER TABLE audit_elsewhere RENAME TO audit`;
    assert.equal(warnings.length, 1);
    log.record({ ...rejectionOf(id), requestId: newRequestId(), address: '10.0.0.2' });
    await log.flush();
    assert.deepEqual(await rejected(), [{ place: fixture.testData.organization, n: 4, named: true }]);
  });
});

test('a rejection waits for nothing of this: it is answered while nothing can be written, after the same statements', async () => {
  const { sql, testData } = fixture;
  const { key: inactive } = await keyWith(id => sql`UPDATE api_key SET status = 'inactive' WHERE id = ${id}`);
  const service = await startService(sql);
  const client = apiClient(service.url);
  try {
    await sql`ALTER TABLE audit RENAME TO audit_elsewhere`;
    for (const key of [inactive, newSecret('kontor').text])
      assert.equal((await client.get('/employees', { key })).status, 401);
    const options = { key: testData.keys.tenantA, tenant: testData.tenantB };
    assert.equal((await client.get('/employees', options)).status, 403);
  } finally {
    await sql`ALTER TABLE audit_elsewhere RENAME TO audit`;
    client.close();
    await service.stop();
  }
});
