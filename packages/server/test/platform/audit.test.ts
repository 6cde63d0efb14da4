import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testToken } from '../support/data/tokens.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

/** The entries of the organization that a filter selects, the latest first. */
async function entries(filter: string): Promise<any[]> {
  const { own, testData } = fixture;
  const query = { filter, sort: '-createdAt' };
  return (await own.get(`/organizations/${testData.organization}/audit-entries`, { query })).body.items;
}

describe('the audit records who did what', () => {
  test('a token of the platform: its name, the request and the address', async () => {
    const { own, testData } = fixture;
    const path = `/organizations/${testData.organization}/tenants`;
    const { headers, body } = await own.post(path, { name: 'Muster Graz GmbH' });
    const [entry, ...others] = await entries(`targetId = ${body.id.toUpperCase()}`);
    assert.deepEqual(others, []);
    const { id, actorId, ...given } = entry;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.match(actorId, /^[0-9A-Za-z]{12}$/);
    assert.deepEqual(given, {
      createdAt: body.createdAt,
      actorType: 'platform_token',
      actorName: 'back office',
      action: 'tenant.create',
      targetType: 'tenant',
      targetId: body.id,
      requestId: headers['x-request-id'],
      address: '127.0.0.1',
      fields: [],
      outcome: 'done',
      reason: null,
      count: 1,
    });
  });

  test('an API key: the names of the fields that it has changed, never their values', async () => {
    const { client, testData } = fixture;
    const person = { email: 'a@example.com', firstName: 'A', lastName: 'B', divisionId: testData.sales };
    const { id } = (await client.post('/employees', person)).body;
    await client.patch(`/employees/${id}`, { lastName: 'Geheim', city: 'Geheimstadt' });
    const found = await entries(`targetId = ${id}`);
    assert.deepEqual(
      found.map(({ action, actorType, actorName, fields }) => [action, actorType, actorName, fields]),
      [
        ['employee.update', 'api_key', 'test', ['lastName', 'city']],
        ['employee.create', 'api_key', 'test', []],
      ],
    );
    assert.doesNotMatch(JSON.stringify(found), /Geheim/);
  });

  test('a command: without request and address', async () => {
    const [entry] = await entries("action = 'division.create'");
    assert.deepEqual(
      [entry.actorType, entry.actorId, entry.requestId, entry.address],
      ['operator', 'operator', null, null],
    );
  });

  test('by the name as it was then', async () => {
    const { sql, testData, own } = fixture;
    const { id } = (await own.post(`/organizations/${testData.organization}/tenants`, { name: 'Y' })).body;
    await sql`UPDATE platform_token SET name = 'another'`;
    assert.equal((await entries(`targetId = ${id}`))[0].actorName, 'back office');
  });
});

describe('the list of the audit', () => {
  test('has the filter language, order and pages of every list', async () => {
    const { own, testData } = fixture;
    const path = `/organizations/${testData.organization}/audit-entries`;
    const all = (await own.get(path, { query: { pageSize: 1000 } })).body;
    const query = {
      filter: "targetType IN (tenant, division) AND actorName != 'BACK OFFICE'",
      sort: 'createdAt',
      pageSize: 2,
    };
    const page = (await own.get(path, { query })).body;
    const expected = all.items.filter(
      (entry: any) => ['tenant', 'division'].includes(entry.targetType) && entry.actorName !== 'back office',
    );
    assert.equal(page.totalElements, expected.length);
    assert.equal(page.items.length, 2);
    const instants = page.items.map(({ createdAt }: { createdAt: string }) => createdAt);
    assert.deepEqual(instants, instants.toSorted());
    const sooner = (await own.get(path, { query: { createdAtTo: '2020-01-01T00:00:00Z' } })).body;
    assert.equal(sooner.totalElements, 0);
  });

  test('has nothing of another organization', async () => {
    const { platform, testData } = fixture;
    const path = `/organizations/${testData.foreign.organization}/audit-entries`;
    const { items } = (await platform.get(path)).body;
    assert.ok(items.length > 0);
    for (const { id } of items) assert.deepEqual(await entries(`id = ${id}`), []);
  });

  test('what belongs to no organization is seen by a token for all of them only', async () => {
    const { platform, own, sql } = fixture;
    const token = await testToken(sql);
    const query = { filter: `targetId = ${token.split('_')[1]}` };
    const [entry] = (await platform.get('/audit-entries', { query })).body.items;
    assert.deepEqual([entry.action, entry.actorType], ['platform_token.create', 'operator']);
    assert.equal((await own.get('/audit-entries')).body.totalElements, 0);
  });
});
