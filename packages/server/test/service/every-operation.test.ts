import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apis, type ErrorCode, type Operation } from '@kontor/contract';
import { createKey } from '../../src/commands/keys.ts';
import { type Answer, type ApiClient, apiClient, multipart, type RequestOptions } from '../support/client.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { exampleBody, pathOf } from '../support/examples.ts';
import { startService, type TestService } from '../support/service.ts';
import { createWorld, testPepper, type World } from '../support/world.ts';

/** What all operations have in common, asked of each that there is. What is special to one is tested beside its feature. */

const all = Object.entries<Operation>(apis.public.operations);
const protectedOnes = all.filter(([, { authenticated }]) => authenticated);
const lists = all.filter(([, { fields }]) => fields);
const withId = all.filter(([, { path }]) => path.includes('{id}'));
const withBody = all.filter(([, { body }]) => body);
const uploads = all.filter(([, { upload }]) => upload);

let database: TestDatabase;
let service: TestService;
let client: ApiClient;
let world: World;
before(async () => {
  database = await testDatabase();
  world = await createWorld(database.database.sql);
  service = await startService(database.database.sql);
  client = apiClient(service.url, { key: world.keys.all });
});
after(async () => {
  client?.close();
  await service?.stop();
  await database?.drop();
});

interface Sent extends RequestOptions {
  readonly id?: string;
}

const unknownId = 'ffffffffffffffffffffffff';

/** Sends an operation as its example in the document shows it, but for what `sent` changes. */
async function send(operation: Operation, sent: Sent = {}): Promise<Answer<any>> {
  const path = pathOf(operation, () => sent.id ?? unknownId);
  const { headers, ...body } = await exampleBody(operation);
  return client.request(operation.method, path, {
    ...body,
    ...sent,
    headers: { ...headers, ...sent.headers },
  });
}

/** One test for each of the operations, that it answers this error. */
function each(
  chosen: typeof all,
  [status, code]: [number, ErrorCode],
  rule: string,
  request: (operation: Operation) => Promise<Answer<any>>,
): void {
  for (const [id, operation] of chosen) {
    test(`${id} ${status} ${code}: ${rule}`, async () => {
      const answer = await request(operation);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.body.error.message);
    });
  }
}

describe('every operation', () => {
  each(all, [400, 'INVALID_REQUEST_ID'], 'X-Request-ID is no UUID', operation =>
    send(operation, { headers: { 'x-request-id': 'one' } }),
  );
  each(all, [400, 'UNKNOWN_QUERY_PARAMETER'], 'a parameter that nobody declares', operation =>
    send(operation, { query: { surprise: 1 } }),
  );
  each(all, [400, 'UNSUPPORTED_HEADER'], 'a condition that would be ignored', operation =>
    send(operation, { headers: { 'if-unmodified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' } }),
  );
  each(all, [406, 'NOT_ACCEPTABLE'], 'a media type that none has', operation =>
    send(operation, { headers: { accept: 'audio/ogg' } }),
  );
});

test('getHealth 400 VALIDATION_ERROR: bad percent-encoding', async () => {
  const answer = await client.get('/health?a=%zz');
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
});

describe('every operation with a key', () => {
  let spent: string;
  before(async () => {
    const organizationId = world.organization;
    const quota = { requests: 1, seconds: 3600 };
    const { sql } = database.database;
    ({ key: spent } = await createKey(sql, testPepper, {
      organizationId,
      name: 'spent',
      quota,
      grants: 'all',
    }));
    await client.get('/employees', { key: spent });
  });

  each(protectedOnes, [400, 'VALIDATION_ERROR'], 'X-Tenant-ID is no identifier', operation =>
    send(operation, { tenant: 'one' }),
  );
  each(protectedOnes, [401, 'INVALID_API_KEY'], 'no key', operation => send(operation, { key: null }));
  each(protectedOnes, [403, 'TENANT_NOT_IN_SCOPE'], 'the tenant of another organization', operation =>
    send(operation, { tenant: world.foreign.tenant }),
  );
  each(protectedOnes, [429, 'RATE_LIMIT_EXCEEDED'], 'the quota is spent', operation =>
    send(operation, { key: spent }),
  );
});

describe('every list', () => {
  const filtered = (filter: string) => (operation: Operation) => send(operation, { query: { filter } });
  each(lists, [400, 'INVALID_FILTER_SYNTAX'], 'an open bracket', filtered('('));
  each(lists, [400, 'UNSUPPORTED_FILTER_FIELD'], 'a field that it has not', filtered('surprise = 1'));
  each(
    lists,
    [400, 'UNSUPPORTED_FILTER_OPERATOR'],
    'part of an instant',
    filtered('createdAt CONTAINS 2026'),
  );
  each(lists, [400, 'UNSUPPORTED_SORT_FIELD'], 'a field that it has not', operation =>
    send(operation, { query: { sort: 'surprise' } }),
  );
  each(lists, [422, 'VALIDATION_ERROR'], 'from after to', operation =>
    send(operation, {
      query: { createdAtFrom: '2026-09-02T00:00:00Z', createdAtTo: '2026-09-01T00:00:00Z' },
    }),
  );
});

describe('every operation on one resource', () => {
  each(withId, [400, 'INVALID_REFERENCE_ID'], 'no identifier in the path', operation =>
    send(operation, { id: 'one' }),
  );
  each(withId, [404, 'NOT_FOUND'], 'nobody has the identifier', operation => send(operation));
});

const tooLarge = Buffer.alloc(5 * 1024 * 1024 + 1, ' ');

describe('every operation with a body', () => {
  each(withBody, [400, 'UNSUPPORTED_FIELD'], 'a property that it has not', operation =>
    send(operation, { raw: '{"surprise":1}' }),
  );
  each(withBody, [415, 'UNSUPPORTED_MEDIA_TYPE'], 'text', operation =>
    send(operation, { headers: { 'content-type': 'text/plain' } }),
  );
  each(withBody, [413, 'PAYLOAD_TOO_LARGE'], 'more than 5 MiB', operation =>
    send(operation, { raw: tooLarge }),
  );
});

describe('every upload', () => {
  const parts = async (operation: Operation, form: FormData) => {
    const { raw, contentType } = await multipart(form);
    return send(operation, { raw, headers: { 'content-type': contentType } });
  };
  each(uploads, [400, 'UNSUPPORTED_FIELD'], 'another part', operation => {
    const form = new FormData();
    form.append('surprise', new Blob(['%PDF-1.7\n']), 'a.pdf');
    return parts(operation, form);
  });
  each(uploads, [400, 'MISSING_ATTACHMENT'], 'an empty file', operation => {
    const form = new FormData();
    form.append('file', new Blob([]), 'a.pdf');
    return parts(operation, form);
  });
  each(uploads, [415, 'UNSUPPORTED_MEDIA_TYPE'], 'JSON', operation =>
    send(operation, { raw: '{}', headers: { 'content-type': 'application/json' } }),
  );
  each(uploads, [413, 'PAYLOAD_TOO_LARGE'], 'more than 5 MiB', operation =>
    send(operation, { raw: tooLarge }),
  );
});

describe('every operation with a key, on a database without the table of tenants', () => {
  before(() => database.database.sql`ALTER TABLE tenant RENAME TO elsewhere`);
  after(() => database.database.sql`ALTER TABLE elsewhere RENAME TO tenant`);
  each(protectedOnes, [500, 'INTERNAL_SERVER_ERROR'], 'a fault', operation =>
    send(operation, { tenant: world.tenantB }),
  );
});

describe('every operation, when the database is away', () => {
  before(() => database.database.close());
  each(all, [503, 'SERVICE_UNAVAILABLE'], 'there is no connection', operation => send(operation));
});
