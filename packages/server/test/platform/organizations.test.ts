import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOrganization } from '../../src/features/organizations/store.ts';
import { testToken } from '../support/data/tokens.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

describe('GET /organizations', () => {
  test('200: those of the token, in the order asked for', async () => {
    const { platform, own, testData } = fixture;
    const all = await platform.get('/organizations', { query: { sort: '-name' } });
    assert.deepEqual(
      all.body.items.map(({ id, name }: { id: string; name: string }) => [id, name]),
      [
        [testData.organization, 'Muster Holding'],
        [testData.foreign.organization, 'Anders AG'],
      ],
    );
    const some = await own.get('/organizations');
    assert.deepEqual([some.body.totalElements, some.body.items[0].id], [1, testData.organization]);
  });

  test('200: filters fold letters, and pages count from one', async () => {
    const { platform, sql } = fixture;
    await createOrganization(sql, 'Ärztehaus Süd');
    const found = await platform.get('/organizations', { query: { filter: "name STARTS_WITH 'ÄRZTE'" } });
    assert.deepEqual(
      found.body.items.map(({ name }: { name: string }) => name),
      ['Ärztehaus Süd'],
    );
    const page = await platform.get('/organizations', { query: { pageSize: 2, page: 2, sort: 'name' } });
    const { items, ...totals } = page.body;
    assert.deepEqual(totals, { page: 2, pageSize: 2, totalPages: 2, totalElements: 3 });
    assert.equal(items.length, 1);
    const past = await platform.get('/organizations', { query: { page: 9 } });
    assert.deepEqual([past.body.items, past.body.totalElements], [[], 3]);
  });
});

describe('POST /organizations', () => {
  const name = 'Muster Energie AG';

  test('201: there it is, without anything in it, and audited under the name of the token', async () => {
    const { platform } = fixture;
    const { status, headers, body } = await platform.post('/organizations', { name });
    assert.deepEqual([status, headers.location], [201, `/platform/v1/organizations/${body.id}`]);
    assert.deepEqual((await platform.get(`/organizations/${body.id}`)).body, body);
    assert.equal((await platform.get(`/organizations/${body.id}/tenants`)).body.totalElements, 0);
    const { items } = (await platform.get(`/organizations/${body.id}/audit-entries`)).body;
    assert.partialDeepStrictEqual(items, [
      { action: 'organization.create', actorType: 'platform_token', targetId: body.id },
    ]);
    const tenant = await platform.post(`/organizations/${body.id}/tenants`, { name });
    assert.equal(tenant.status, 201);
  });

  test('403 PERMISSION_DENIED: a token for some organizations, in a dry run too', async () => {
    const { own, sql } = fixture;
    const before = await stateOf(sql);
    for (const dryRun of [false, true]) {
      const { status, body } = await own.post('/organizations', { name }, { query: { dryRun } });
      assert.deepEqual([status, body.error.code], [403, 'PERMISSION_DENIED']);
    }
    assert.equal(await stateOf(sql), before);
  });

  for (const wrong of ['', ' ', 'a\nb', 'x'.repeat(201), 1, null])
    test(`400 VALIDATION_ERROR: ${JSON.stringify(wrong).slice(0, 9)} for a name`, async () => {
      const { status, body } = await fixture.platform.post('/organizations', { name: wrong });
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
    });
});

describe('GET /organizations/{id}', () => {
  test('200: the organization', async () => {
    const { own, testData } = fixture;
    const { body } = await own.get(`/organizations/${testData.organization.toUpperCase()}`);
    assert.deepEqual(Object.keys(body), ['id', 'name', 'createdAt']);
    assert.equal(body.id, testData.organization);
  });
});

describe('tenants', () => {
  test('GET …/tenants 200: those of the organization', async () => {
    const { own, testData } = fixture;
    const { body } = await own.get(`/organizations/${testData.organization}/tenants`, {
      query: { sort: 'name' },
    });
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      [testData.tenantA, testData.tenantB],
    );
    assert.equal(body.items[0].organizationId, testData.organization);
  });

  test('GET …/tenants/{id} 200, and 404 NOT_FOUND for the tenant of another organization', async () => {
    const { platform, testData } = fixture;
    const found = await platform.get(`/organizations/${testData.organization}/tenants/${testData.tenantA}`);
    assert.equal(found.body.name, 'Muster GmbH');
    const strange = await platform.get(
      `/organizations/${testData.organization}/tenants/${testData.foreign.tenant}`,
    );
    assert.equal(strange.status, 404);
  });

  test('POST …/tenants 201: keys of the whole organization work on it at once, and it is audited', async () => {
    const { own, client, sql, testData } = fixture;
    const { status, headers, body } = await own.post(`/organizations/${testData.organization}/tenants`, {
      name: 'Muster Wien GmbH',
    });
    assert.equal(status, 201);
    assert.equal(headers.location, `/platform/v1/organizations/${testData.organization}/tenants/${body.id}`);
    const again = await own.get(headers.location.slice('/platform/v1'.length));
    assert.deepEqual(again.body, body);
    assert.equal((await client.get('/divisions', { tenant: body.id })).status, 200);
    const [audited] = await sql`SELECT action, actor FROM audit WHERE target_id = ${body.id}`;
    assert.equal(audited!['action'], 'tenant.create');
    assert.match(String(audited!['actor']), /^[0-9A-Za-z]{12}$/);
  });

  for (const [name, why] of [
    ['', 'empty'],
    [' ', 'blank'],
    ['a\nb', 'two lines'],
    ['x'.repeat(201), 'too long'],
  ] as const)
    test(`POST …/tenants 400 VALIDATION_ERROR: a name that is ${why}`, async () => {
      const { own, testData } = fixture;
      const answer = await own.post(`/organizations/${testData.organization}/tenants`, { name });
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
      assert.match(answer.body.error.message, /name/);
    });

  test('404 NOT_FOUND: an organization that the token does not work for, written to or read', async () => {
    const { own, clientOf, sql, testData } = fixture;
    const none = clientOf(await testToken(sql, { organizations: [] }));
    const before = await stateOf(sql);
    for (const client of [own, none]) {
      const path = `/organizations/${testData.foreign.organization}/tenants`;
      assert.equal((await client.post(path, { name: 'x' })).status, 404);
      assert.equal((await client.get(path)).status, 404);
    }
    assert.equal(await stateOf(sql), before);
  });
});
