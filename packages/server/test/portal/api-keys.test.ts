import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, type Operation, type PortalPermission } from '@kontor/contract';
import { parseKey } from '../../src/auth/api-keys.ts';
import { anonymous } from '../../src/auth/caller.ts';
import { RejectionLog } from '../../src/features/audit/rejections.ts';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { exampleRequest, pathOf } from '../support/contract/examples.ts';
import { backdateSession, signedInUser } from '../support/data/users.ts';
import { testDivision, testKey } from '../support/data/test-data.ts';
import { outcome, usePortal } from './support.ts';

/** Keys of the organization, by what they see; `foreign` is of another one. */
const keys: Record<string, string> = {};
/** Sessions, by who they are of. */
const users: Record<string, string> = {};

const fixture = usePortal(async ({ sql, testData }) => {
  const { organization, tenantA, tenantB, sales } = testData;
  const made = {
    all: await testKey(sql, organization, 'all'),
    tenantA: await testKey(sql, organization, { tenants: [tenantA] }),
    divisionOfA: await testKey(sql, organization, { divisions: [{ tenant: tenantA, id: sales }] }),
    tenantB: await testKey(sql, organization, { tenants: [tenantB] }),
    both: await testKey(sql, organization, { tenants: [tenantA, tenantB] }),
    foreign: testData.keys.foreign,
  };
  for (const [name, text] of Object.entries(made)) keys[name] = parseKey(text)!.id;
  const user = async (permissions: PortalPermission[], hrTenants?: string[] | null) =>
    (
      await signedInUser(sql, organization, {
        permissions,
        ...(hrTenants !== undefined && { hrTenants }),
      })
    ).secret;
  Object.assign(users, {
    it: await user(['IT']),
    admin: await user(['COMPANY_ADMIN']),
    hr: await user(['HR'], null),
    hrOfA: await user(['HR'], [tenantA]),
    itAndHrOfA: await user(['IT', 'HR'], [tenantA]),
    stranger: (await signedInUser(sql, testData.foreign.organization)).secret,
  });
});

/** What each user may look after: everything of the own organization, or what sees nothing but tenant A. */
const mayInspectAfter: Record<string, readonly string[]> = {
  it: ['all', 'tenantA', 'divisionOfA', 'tenantB', 'both'],
  admin: ['all', 'tenantA', 'divisionOfA', 'tenantB', 'both'],
  hr: ['all', 'tenantA', 'divisionOfA', 'tenantB', 'both'],
  hrOfA: ['tenantA', 'divisionOfA'],
  itAndHrOfA: ['all', 'tenantA', 'divisionOfA', 'tenantB', 'both'],
  stranger: ['foreign'],
};

const operations = Object.entries<Operation>(apis.portal.operations);

describe('the matrix of users and keys', () => {
  for (const [id, operation] of operations.filter(([, { path }]) => path.startsWith('/api-keys/{id}')))
    test(`${id} answers for the keys that a user may look after, and 404 for all others`, async () => {
      for (const [user, allowed] of Object.entries(mayInspectAfter))
        for (const [name, key] of Object.entries(keys)) {
          const options: RequestOptions = {
            key: users[user]!,
            ...(operation.method !== 'GET' && { query: { dryRun: true } }),
            ...(await exampleRequest(operation, 'portal')),
          };
          const place = pathOf(operation, () => key);
          const answer = await fixture.portal.request(operation.method, place, options);
          assert.equal(outcome(answer), allowed.includes(name) ? '200' : '404 NOT_FOUND', `${user} ${name}`);
        }
    });

  test('listPortalApiKeys has the same keys', async () => {
    for (const [user, allowed] of Object.entries(mayInspectAfter)) {
      const { body } = await fixture.portal.post('/api-keys/search', {}, { key: users[user]! });
      const ids = new Set(body.items.map(({ id }: { id: string }) => id));
      for (const [name, key] of Object.entries(keys))
        assert.equal(ids.has(key), allowed.includes(name), `${user} ${name}`);
      assert.equal(body.totalElements, body.items.length);
    }
  });

  test('createPortalApiKey makes keys that see no more than the user', async () => {
    const { tenantA, tenantB, sales, foreign } = fixture.testData;
    const grants = (...tenants: string[]) => ({
      grants: tenants.map(tenant => ({ tenant, divisions: null })),
    });
    const wanted: [string, object, string][] = [
      ['the organization', { wholeOrganization: true }, '422 VALIDATION_ERROR'],
      ['tenant A', grants(tenantA), '200'],
      ['a division of A', { grants: [{ tenant: tenantA, divisions: [sales] }] }, '200'],
      ['tenant B', grants(tenantB), '422 INVALID_REFERENCE'],
      ['both', grants(tenantA, tenantB), '422 INVALID_REFERENCE'],
      ['another organization', grants(foreign.tenant), '422 INVALID_REFERENCE'],
    ];
    for (const [what, body, ofHr] of wanted)
      for (const user of ['it', 'admin', 'hr', 'hrOfA', 'itAndHrOfA']) {
        const expected = user === 'hrOfA' || what === 'another organization' ? ofHr : '200';
        const answer = await fixture.portal.post(
          '/api-keys',
          { name: 'Lohn', ...body },
          { key: users[user]!, query: { dryRun: true } },
        );
        assert.equal(outcome(answer), expected, `${user}: ${what}`);
      }
  });

  test('previewPortalApiKeyScope counts what a key would see, of scopes that the user could give', async () => {
    const { tenantA, tenantB, sales, north, foreign } = fixture.testData;
    const { sql, testData } = fixture;
    await storeEmployees(sql, testData.organization, [
      { tenant: tenantA },
      { tenant: tenantA, divisionId: sales },
      { tenant: tenantA, divisionId: north },
      { tenant: tenantB },
      {},
    ]);
    const ask = (user: string, body: object) =>
      fixture.portal.post('/api-key-scope-previews', body, { key: users[user]! });
    const counted = async (user: string, body: object) => {
      const { tenants, divisions, employees, orders } = (await ask(user, body)).body;
      return [tenants, divisions, employees, orders];
    };
    const ofA = { tenant: tenantA, divisions: null };
    const ofSales = { tenant: tenantA, divisions: [sales, north] };
    const ofB = { tenant: tenantB, divisions: null };
    assert.deepEqual(await counted('it', { wholeOrganization: true }), [2, 4, 5, 0]);
    assert.deepEqual(await counted('it', { grants: [ofA, ofB] }), [2, 4, 4, 0]);
    assert.deepEqual(await counted('hrOfA', { grants: [ofA] }), [1, 3, 3, 0]);
    assert.deepEqual(await counted('hrOfA', { grants: [ofSales] }), [1, 2, 2, 0]);
    assert.equal(outcome(await ask('hrOfA', { wholeOrganization: true })), '422 VALIDATION_ERROR');
    assert.equal(outcome(await ask('hrOfA', { grants: [ofB] })), '422 INVALID_REFERENCE');
    const strange = { tenant: foreign.tenant, divisions: null };
    assert.equal(outcome(await ask('it', { grants: [strange] })), '422 INVALID_REFERENCE');
    const grants = [{ tenant: 'one', divisions: null }];
    assert.equal(outcome(await ask('it', { grants })), '400 INVALID_REFERENCE_ID');
    assert.equal(outcome(await ask('it', { wholeOrganization: 'yes' })), '400 VALIDATION_ERROR');
  });

  test('getPortalApiKeyScope names what a key is granted, and counts what it can access', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA, tenantB, sales, north, support } = testData;
    const key = await testKey(sql, organization, {
      tenants: [tenantB],
      divisions: [
        { tenant: tenantA, id: support },
        { tenant: tenantA, id: north },
      ],
    });
    const ask = (id: string) => fixture.portal.get(`/api-keys/${id}/scope`, { key: users['it']! });
    const { tenants, divisions, grantedTenants } = (await ask(parseKey(key)!.id)).body;
    assert.deepEqual([tenants, divisions], [2, 3]);
    assert.deepEqual(grantedTenants, [
      {
        id: tenantA,
        name: 'Muster GmbH',
        grantedDivisions: 2,
        divisions: [
          { id: north, path: ['Sales', 'North'] },
          { id: support, path: ['Support'] },
        ],
      },
      { id: tenantB, name: 'Muster Logistik GmbH', grantedDivisions: null, divisions: [] },
    ]);
    const whole = (await ask(keys['all']!)).body;
    assert.deepEqual([whole.tenants, whole.divisions, whole.grantedTenants], [2, 4, []]);
    const below = (await ask(keys['divisionOfA']!)).body;
    assert.deepEqual(
      [below.divisions, below.grantedTenants[0].divisions],
      [2, [{ id: sales, path: ['Sales'] }]],
    );
  });

  test('getPortalApiKeyScope names the first hundred divisions of many', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantB: tenant } = testData;
    const place = { organizationId: organization, tenantId: tenant };
    const divisions = [];
    for (let number = 100; number < 205; number++)
      divisions.push({ tenant, id: await testDivision(sql, place, `Team ${number}`) });
    const { id } = parseKey(await testKey(sql, organization, { divisions }))!;
    const { body } = await fixture.portal.get(`/api-keys/${id}/scope`, { key: users['it']! });
    const [granted] = body.grantedTenants;
    assert.equal(granted.grantedDivisions, 105);
    assert.equal(granted.divisions.length, 100);
    assert.deepEqual(granted.divisions.at(-1).path, ['Team 199']);
  });

  test('getPortalApiKeyHistory has who changed a key, and counts requests that were rejected for it', async () => {
    const { sql, testData } = fixture;
    const { user, secret } = await signedInUser(sql, testData.organization, { name: 'Petra Lang' });
    const { body } = await fixture.portal.post(
      '/api-keys',
      { name: 'Lohn', wholeOrganization: true },
      { key: secret },
    );
    await fixture.portal.post(`/api-keys/${body.id}/deactivation`, undefined, { key: secret });
    const log = new RejectionLog(sql, { warn: () => {} });
    const { organization: organizationId } = testData;
    const { actor } = anonymous;
    for (const [reason, address] of [
      ['wrong_secret', '192.0.2.1'],
      ['deactivated', '192.0.2.2'],
      ['deactivated', '192.0.2.3'],
    ] as const)
      log.record({ action: 'key.use', id: body.id, organizationId, reason, actor, requestId: '1', address });
    await log.close();
    const { changes, rejectedUses } = (
      await fixture.portal.get(`/api-keys/${body.id}/history`, { key: users['it']! })
    ).body;
    const shown = changes.map((change: Record<string, unknown>) => [
      change['action'],
      change['actorType'],
      change['actorId'],
      change['actorName'],
    ]);
    const by = ['user', user.id, 'Petra Lang'];
    assert.deepEqual(shown, [
      ['key.deactivate', ...by],
      ['key.create', ...by],
    ]);
    const counts = rejectedUses.map(({ reason, count }: { reason: string; count: number }) => [
      reason,
      count,
    ]);
    assert.deepEqual(counts.sort(), [
      ['deactivated', 2],
      ['wrong_secret', 1],
    ]);
    assert.match(rejectedUses[0].address, /^192\.0\.2\.[123]$/);
    const hidden = await fixture.portal.get(`/api-keys/${body.id}/history`, { key: users['stranger']! });
    assert.equal(hidden.status, 404);
  });

  test('tenants and divisions are those of the user', async () => {
    const { tenantA, tenantB, foreign } = fixture.testData;
    for (const [user, expected] of Object.entries({
      it: [tenantA, tenantB],
      hr: [tenantA, tenantB],
      hrOfA: [tenantA],
      itAndHrOfA: [tenantA, tenantB],
      stranger: [foreign.tenant],
    })) {
      const key = users[user]!;
      const tenants = await fixture.portal.post('/tenants/search', {}, { key });
      assert.deepEqual(tenants.body.items.map(({ id }: { id: string }) => id).sort(), [...expected].sort());
      for (const tenant of [tenantA, tenantB, foreign.tenant]) {
        const { status } = await fixture.portal.get(`/tenants/${tenant}`, { key });
        assert.equal(status, expected.includes(tenant) ? 200 : 404, user);
      }
      const divisions = await fixture.portal.get('/divisions', { key, query: { pageSize: 1000 } });
      assert.equal(divisions.body.totalElements, divisions.body.items.length);
      for (const { tenant } of divisions.body.items) assert.ok(expected.includes(tenant), user);
      assert.ok(user === 'stranger' || divisions.body.items.length > 0, user);
    }
  });

  test('the settings are those of the organization of the user', async () => {
    for (const user of ['it', 'hr', 'hrOfA', 'stranger']) {
      const { body } = await fixture.portal.get('/organization', { key: users[user]! });
      const [own] = await fixture.sql`
        SELECT name FROM organization WHERE id = ${user === 'stranger' ? fixture.testData.foreign.organization : fixture.testData.organization}`;
      assert.equal(body.name, own!['name'], user);
    }
  });

  test('every operation of the portal with an identifier, and every list, is in this matrix, is of the user alone, or takes a permission', () => {
    const others = operations.filter(
      ([, { path, tag, permission, authenticated }]) =>
        authenticated &&
        !/^\/(api-keys|api-key-scope-previews|organization|tenants|divisions|summary|tasks|search)(\/|$)/.test(
          path,
        ) &&
        !['Sessions', 'Passkeys', 'OpenID Connect', 'Notifications'].includes(tag) &&
        permission === undefined,
    );
    assert.deepEqual(others, []);
  });
});

describe('API keys in the portal', () => {
  const create = (body: object = {}): Promise<Answer<any>> =>
    fixture.portal.post(
      '/api-keys',
      { name: 'Lohn', wholeOrganization: true, ...body },
      { key: users['it']! },
    );
  const ask = (method: string, path: string, options: RequestOptions = {}) =>
    fixture.portal.request(method, path, { key: users['it']!, ...options });
  const works = async (key: string) => (await fixture.client.get('/divisions', { key })).status === 200;

  test('201: shown once, works at once, and is audited under the name of the user', async () => {
    const { status, headers, body } = await create();
    assert.equal(status, 201);
    assert.equal(headers.location, `/portal/api/api-keys/${body.id}`);
    assert.ok(await works(body.key));
    assert.equal('key' in (await ask('GET', `/api-keys/${body.id}`)).body, false);
    const [entry] = await fixture.sql`
      SELECT action, actor_type, actor_name FROM audit WHERE target_id = ${body.id}`;
    assert.deepEqual({ ...entry }, { action: 'key.create', actor_type: 'user', actor_name: 'Petra Lang' });
  });

  test('deactivated, reactivated, replaced, deleted', async () => {
    const { id, key } = (await create()).body;
    const states = [];
    for (const [method, action] of [
      ['POST', '/deactivation'],
      ['POST', '/reactivation'],
    ] as const)
      states.push((await ask(method, `/api-keys/${id}${action}`)).body.status);
    const replacement = await fixture.portal.post(
      `/api-keys/${id}/replacement`,
      { graceSeconds: 60 },
      { key: users['it']! },
    );
    assert.equal(replacement.status, 201);
    assert.deepEqual([await works(key), await works(replacement.body.key)], [true, true]);
    states.push((await ask('DELETE', `/api-keys/${id}`)).body.status);
    assert.deepEqual(states, ['inactive', 'active', 'deleted']);
    assert.equal((await ask('GET', `/api-keys/${id}/usage`)).status, 200);
    for (const action of ['deactivation', 'reactivation'])
      assert.equal(outcome(await ask('POST', `/api-keys/${id}/${action}`)), '409 INVALID_STATE_TRANSITION');
    const again = await fixture.portal.post(`/api-keys/${id}/replacement`, {}, { key: users['it']! });
    assert.equal(outcome(again), '409 INVALID_STATE_TRANSITION');
    const interval = { expectedIntervalSeconds: 86_400 };
    const late = await fixture.portal.patch(`/api-keys/${id}`, interval, { key: users['it']! });
    assert.equal(outcome(late), '409 INVALID_STATE_TRANSITION');
  });

  test('a key is replaced again for its first lifetime when its successor, itself replaced at once, is deleted', async () => {
    const replace = async (id: string) =>
      (await fixture.portal.post(`/api-keys/${id}/replacement`, { graceSeconds: 0 }, { key: users['it']! }))
        .body;
    const { id } = (await create()).body;
    const successor = await fixture.portal.post(
      `/api-keys/${id}/replacement`,
      { graceSeconds: 3600 },
      { key: users['it']! },
    );
    await replace(successor.body.id);
    assert.equal((await ask('DELETE', `/api-keys/${successor.body.id}`)).status, 200);
    const { key, expiresAt } = await replace(id);
    assert.deepEqual([expiresAt, await works(key)], [null, true]);
  });

  test('422 VALIDATION_ERROR: a replacement that has expired already', async () => {
    const body = { expiresAt: '2026-01-01T00:00:00Z' };
    const answer = await fixture.portal.post(`/api-keys/${keys['all']!}/replacement`, body, {
      key: users['it']!,
    });
    assert.equal(outcome(answer), '422 VALIDATION_ERROR');
  });

  test('403 FRESH_SIGN_IN_REQUIRED: what makes a key, ten minutes after the password was shown', async () => {
    const { sql, testData } = fixture;
    const { secret: key, sessionId } = await signedInUser(sql, testData.organization);
    await backdateSession(sql, sessionId, { authenticated_at: 11 });
    const rejection = '403 FRESH_SIGN_IN_REQUIRED';
    const place = `/api-keys/${keys['all']!}`;
    const body = { name: 'Lohn', wholeOrganization: true };
    assert.equal(outcome(await fixture.portal.post('/api-keys', body, { key })), rejection);
    assert.equal(outcome(await fixture.portal.post(`${place}/replacement`, {}, { key })), rejection);
    // What only stops a key, or reads, does not wait for that.
    const query = { dryRun: true };
    for (const [method, path] of [
      ['DELETE', place],
      ['POST', `${place}/deactivation`],
    ] as const)
      assert.equal((await fixture.portal.request(method, path, { key, query })).status, 200);
  });

  test('400 INVALID_REFERENCE_ID and 422 VALIDATION_ERROR: no identifier of a tenant, and neither organization nor grants', async () => {
    const grants = [{ tenant: 'one', divisions: null }];
    assert.equal(outcome(await create({ wholeOrganization: false, grants })), '400 INVALID_REFERENCE_ID');
    assert.equal(outcome(await create({ wholeOrganization: false })), '422 VALIDATION_ERROR');
    assert.equal(outcome(await create({ name: ' ' })), '400 VALIDATION_ERROR');
  });
});

describe('who has made a key, and how it ends', () => {
  const read = async (id: string) =>
    (await fixture.portal.get(`/api-keys/${id}`, { key: users['it']! })).body;

  test('are shown of keys of users and of commands, and filtered by', async () => {
    const { sql, testData } = fixture;
    const { user, secret } = await signedInUser(sql, testData.organization, { name: 'Änne Groß' });
    const { body } = await fixture.portal.post(
      '/api-keys',
      { name: 'Lohn', wholeOrganization: true },
      { key: secret },
    );
    const shown = await read(body.id);
    assert.deepEqual([shown.createdBy, shown.lastFour], ['Änne Groß', body.key.slice(-4)]);
    const { body: found } = await fixture.portal.post(
      '/api-keys/search',
      { filter: `createdBy = 'änne GROSS' AND lastFour = ${body.key.slice(-4)}` },
      { key: users['it']! },
    );
    assert.deepEqual(
      found.items.map(({ id }: { id: string }) => id),
      [body.id],
    );
    assert.equal((await read(keys['all']!)).createdBy, 'operator');
    await sql`DELETE FROM portal_session WHERE user_id = ${user.id}`;
    await sql`DELETE FROM portal_user WHERE id = ${user.id}`;
    assert.equal((await read(body.id)).createdBy, null, 'a user who is deleted is gone');
  });
});
