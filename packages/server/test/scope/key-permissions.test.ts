import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  allOperations,
  type ApiKeyPermission,
  apiKeyPermissions,
  type ApiKeyPermissions,
  type DeclaredOperation,
} from '@kontor/contract';
import { createKey } from '../../src/cli/access/key.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { exampleRequest, unknownPathOf } from '../support/contract/examples.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { startService, type TestService } from '../support/service/service.ts';

/** The model: the resource type of an operation by its tag, where the service takes its path. */
const typeOfTag: Readonly<Record<string, string>> = {
  Employees: 'employees',
  Divisions: 'divisions',
  Orders: 'orders',
  Incidents: 'incidents',
  'Payroll export documents': 'payroll-export-documents',
};

const operations = allOperations.filter(
  ({ apiName, operation }) => apiName === 'public' && operation.authenticated,
);

function isAllowed(
  permissions: ApiKeyPermissions,
  { operation: { tag, method } }: DeclaredOperation,
): boolean {
  if (permissions === null) return true;
  const granted = new Set<string>(permissions);
  if (granted.has(`${typeOfTag[tag]}:write`)) return true;
  return method === 'GET' && (granted.has('read') || granted.has(`${typeOfTag[tag]}:read`));
}

let database: TestDatabase;
let service: TestService;
let client: ApiClient;
let testData: TestData;
before(async () => {
  database = await testDatabase();
  testData = await insertTestData(database.database.sql);
  service = await startService(database.database.sql);
  client = apiClient(service.url);
});
after(async () => {
  client?.close();
  await service?.stop();
  await database?.drop();
});

async function keyFor(
  permissions: ApiKeyPermissions,
  quota: { requests: number; seconds: number } | null = null,
) {
  const { sql } = database.database;
  const wanted = { organizationId: testData.organization, name: 'Limited', quota, grants: 'all' as const };
  return (await createKey(sql, testPepper, { ...wanted, permissions })).key;
}

/** Sends the example of an operation about a resource that nobody has. */
async function send({ operation }: DeclaredOperation, key: string, query = {}): Promise<Answer<any>> {
  const { headers, ...body } = await exampleRequest(operation, 'public');
  const sent = { ...body, headers: { ...headers }, key, query: { ...body.query, ...query } };
  return client.request(operation.method, unknownPathOf(operation, {}), sent);
}

test('each operation of the public API has a permission that keys can be limited to', () => {
  const needed = operations.map(({ operation: { tag, method } }) => {
    assert.ok(typeOfTag[tag], `${tag} has a resource type in the model of this test`);
    return `${typeOfTag[tag]}:${method === 'GET' ? 'read' : 'write'}`;
  });
  assert.deepEqual(new Set(['read', ...needed]), new Set(apiKeyPermissions));
});

const limits: readonly ApiKeyPermissions[] = [
  null,
  ...apiKeyPermissions.map((permission): [ApiKeyPermission] => [permission]),
  ['employees:read', 'orders:write', 'payroll-export-documents:read'],
];

describe('each operation of the public API with each limit', () => {
  for (const permissions of limits)
    test(`a key for ${permissions?.join(', ') ?? 'everything'}`, async () => {
      const key = await keyFor(permissions);
      for (const operation of operations)
        for (const query of operation.operation.method === 'GET' ? [{}] : [{}, { dryRun: true }]) {
          const { status, body, headers } = await send(operation, key, query);
          const shown = `${operation.id} ${JSON.stringify(query)}: ${status} ${JSON.stringify(body)}`;
          assert.equal(status !== 401, isAllowed(permissions, operation), shown);
          if (status !== 401) continue;
          assert.equal(body.error.code, 'INVALID_API_KEY');
          assert.match(body.error.message, /^This key may only read.*; use a key that may read/);
          assert.equal(headers['ratelimit'], undefined);
          assert.equal(headers['ratelimit-policy'], undefined);
        }
    });
});

const listEmployees = operations.find(({ id }) => id === 'listEmployees')!;
const createEmployee = operations.find(({ id }) => id === 'createEmployee')!;

test('the message names what the key is for, and what the request needs', async () => {
  const key = await keyFor(['orders:write', 'payroll-export-documents:read']);
  assert.equal(
    (await send(listEmployees, key)).body.error.message,
    'This key may only read and write orders, read payroll export documents; use a key that may read employees',
  );
});

test('a request outside of the limit costs one of the quota, and comes after it', async () => {
  const key = await keyFor(['orders:read'], { requests: 1, seconds: 3600 });
  assert.equal((await send(listEmployees, key)).status, 401);
  assert.equal((await send(listEmployees, key)).status, 429);
});

test('it is checked before the contract of the operation', async () => {
  const key = await keyFor(['read']);
  const answer = await client.post('/employees?surprise=1', {}, { key });
  assert.deepEqual([answer.status, answer.body.error.code], [401, 'INVALID_API_KEY']);
});

test('references in a body are checked against the scope, not the limit', async () => {
  const key = await keyFor(['employees:write']);
  const body = {
    email: 'limited@example.com',
    firstName: 'Lea',
    lastName: 'Winter',
    divisionId: testData.sales,
  };
  const { status } = await client.post('/employees', body, { key });
  assert.equal(status, 201);
});

test('requests outside of the limit are counted apart, leave the key active and lock nobody out', async () => {
  const key = await keyFor(['employees:read']);
  for (let n = 0; n < 20; n++) assert.equal((await send(createEmployee, key)).status, 401);
  assert.equal((await send(listEmployees, key)).status, 200);
  await service.stop();
  const { id } = parseKey(key)!;
  const { sql } = database.database;
  const [day] =
    await sql`SELECT requests::int, rejected::int, denied::int, failed::int FROM key_usage WHERE key_id = ${id}`;
  assert.deepEqual({ ...day }, { requests: 21, rejected: 0, denied: 20, failed: 0 });
  const [row] = await sql`SELECT recent_failures::text AS failures FROM api_key WHERE id = ${id}`;
  assert.equal(row!['failures'], '0000000000');
  const [hours] =
    await sql`SELECT sum(requests)::int AS n, sum(failures)::int AS failures FROM key_hour WHERE key_id = ${id}`;
  assert.deepEqual({ ...hours }, { n: 1, failures: 0 });
  const audited = await sql`
    SELECT reason, sum(n)::int AS n FROM audit WHERE target_id = ${id} AND outcome = 'rejected' GROUP BY reason`;
  assert.deepEqual(
    audited.map(entry => ({ ...entry })),
    [{ reason: 'permission_missing', n: 20 }],
  );
});
