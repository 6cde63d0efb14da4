import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  allOperations,
  type ApiName,
  bodyLimitOf,
  type DeclaredOperation,
  type ErrorCode,
  requestIdPattern,
  selectsTenant,
} from '@kontor/contract';
import { createKey } from '../../src/cli/access/key.ts';
import {
  type Answer,
  type ApiClient,
  apiClient,
  multipart,
  type RequestOptions,
} from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { exampleRequest, unknownPathOf } from '../support/contract/examples.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';
import { testToken } from '../support/data/tokens.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';

/** What all operations of all APIs have in common, asked of each that there is. What is special to one is tested beside its feature. */

const authenticated = allOperations.filter(({ operation }) => operation.authenticated);
const [checked, replacing] = [true, false].map(isChecked =>
  allOperations.filter(({ api }) => api.checksRequestId === isChecked),
) as [DeclaredOperation[], DeclaredOperation[]];
const ofTenants = authenticated.filter(({ operation, api }) => selectsTenant(operation, api));
const counted = authenticated.filter(({ api }) => api.hasQuota);
const lists = allOperations.filter(({ operation }) => operation.fields);
const pages = lists.filter(({ operation: { query, body = query } }) => 'page' in body.properties);
const sortable = lists.filter(({ operation: { query, body = query } }) => 'sort' in body.properties);
const withId = allOperations.filter(({ operation }) => operation.path.includes('{id}'));
const ofOrganizations = allOperations.filter(({ operation }) => operation.path.includes('{organizationId}'));
const withBody = allOperations.filter(({ operation }) => operation.body);
const uploads = allOperations.filter(({ operation }) => operation.upload);
const withoutBody = allOperations.filter(
  ({ operation: { method, body, upload } }) => method !== 'GET' && !body && !upload,
);

let database: TestDatabase;
let service: TestService;
let clients: Record<ApiName, ApiClient>;
let testData: TestData;
before(async () => {
  database = await testDatabase();
  const { sql } = database.database;
  testData = await insertTestData(sql);
  service = await startService(sql);
  clients = {
    public: apiClient(service.url, { key: testData.keys.all }),
    platform: apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) }),
    portal: apiClient(service.url, {
      api: 'portal',
      key: (
        await signedInUser(sql, testData.organization, {
          permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
          hrTenants: null,
        })
      ).secret,
    }),
  };
});
after(async () => {
  for (const client of Object.values(clients ?? {})) client.close();
  await service?.stop();
  await database?.drop();
});

interface Sent extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>;
}

/** Sends an operation as its example in the document shows it, on unknown resources, but for what `sent` changes. */
async function send({ operation, apiName }: DeclaredOperation, sent: Sent = {}): Promise<Answer<any>> {
  const path = unknownPathOf(operation, { organizationId: testData.organization, ...sent.path });
  const { headers, ...body } = await exampleRequest(operation, apiName);
  return clients[apiName].request(operation.method, path, {
    ...body,
    ...sent,
    headers: { ...headers, ...sent.headers },
    query: { ...body.query, ...sent.query },
  });
}

/** One test for each of the operations, that it answers this error. */
function each(
  chosen: readonly DeclaredOperation[],
  [status, code]: [number, ErrorCode | ((operation: DeclaredOperation) => ErrorCode)],
  rule: string,
  request: (operation: DeclaredOperation) => Promise<Answer<any>>,
): void {
  for (const operation of chosen) {
    const expected = typeof code === 'string' ? code : code(operation);
    test(`${operation.id} ${status} ${expected}: ${rule}`, async () => {
      const answer = await request(operation);
      assert.deepEqual([answer.status, answer.body.error?.code], [status, expected], answer.bytes.toString());
      // The cause of a fault is in the log only.
      if (status === 500)
        assert.doesNotMatch(answer.body.error.message, /tenant|organization|audit|portal_session/);
    });
  }
}

describe('every operation', () => {
  each(checked, [400, 'INVALID_REQUEST_ID'], 'X-Request-ID is no UUID', operation =>
    send(operation, { headers: { 'x-request-id': 'one' } }),
  );
  for (const operation of replacing)
    test(`${operation.id} replaces an X-Request-ID that is no UUID`, async () => {
      const headers = { 'x-request-id': 'one', accept: 'audio/ogg' };
      const answer = await send(operation, { headers });
      assert.deepEqual([answer.status, answer.body.error.code], [406, 'NOT_ACCEPTABLE']);
      assert.match(String(answer.headers['x-request-id']), new RegExp(requestIdPattern));
    });
  each(allOperations, [400, 'UNKNOWN_QUERY_PARAMETER'], 'a parameter that nobody declares', operation =>
    send(operation, { query: { surprise: 1 } }),
  );
  each(allOperations, [400, 'UNSUPPORTED_HEADER'], 'a condition that would be ignored', operation =>
    send(operation, { headers: { 'if-unmodified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' } }),
  );
  each(allOperations, [406, 'NOT_ACCEPTABLE'], 'a media type that none has', operation =>
    send(operation, { headers: { accept: 'audio/ogg' } }),
  );
});

test('getHealth 400 VALIDATION_ERROR: bad percent-encoding', async () => {
  const answer = await clients.public.get('/health?a=%zz');
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
});

describe('every operation with a credential', () => {
  each(authenticated, [401, ({ api }) => api.credential.rejection.code], 'none is sent', operation =>
    send(operation, { key: null }),
  );
  each(
    authenticated.filter(({ operation, api }) => !selectsTenant(operation, api)),
    [400, 'UNSUPPORTED_HEADER'],
    'X-Tenant-ID, which would be ignored',
    operation => send(operation, { tenant: testData.tenantA }),
  );
});

describe('every operation that takes a permission', () => {
  const idle: Partial<Record<ApiName, string>> = {};
  before(async () => {
    const { sql } = database.database;
    idle.platform = await testToken(sql, { permissions: [] });
    idle.portal = (await signedInUser(sql, testData.organization, { permissions: ['IT'] })).secret;
  });
  each(
    authenticated.filter(({ operation }) => operation.permission !== undefined),
    [403, 'PERMISSION_DENIED'],
    'a caller without it',
    operation => send(operation, { key: idle[operation.apiName]! }),
  );
});

describe('every operation with a key', () => {
  let spent: string;
  before(async () => {
    const organizationId = testData.organization;
    const quota = { requests: 1, seconds: 3600 };
    const { sql } = database.database;
    ({ key: spent } = await createKey(sql, testPepper, {
      organizationId,
      name: 'spent',
      quota,
      grants: 'all',
    }));
    await clients.public.get('/employees', { key: spent });
  });

  each(ofTenants, [400, 'VALIDATION_ERROR'], 'X-Tenant-ID is no identifier', operation =>
    send(operation, { tenant: 'one' }),
  );
  each(ofTenants, [403, 'TENANT_NOT_IN_SCOPE'], 'the tenant of another organization', operation =>
    send(operation, { tenant: testData.foreign.tenant }),
  );
  each(counted, [429, 'RATE_LIMIT_EXCEEDED'], 'the quota is spent', operation =>
    send(operation, { key: spent }),
  );
});

describe('every operation on one organization', () => {
  const unknown = { path: { organizationId: 'f'.repeat(24) } };
  each(ofOrganizations, [404, 'NOT_FOUND'], 'nobody has the organization', operation =>
    send(operation, unknown),
  );
  each(ofOrganizations, [400, 'INVALID_REFERENCE_ID'], 'no identifier of an organization', operation =>
    send(operation, { path: { organizationId: 'one' } }),
  );
  each(ofOrganizations, [400, 'VALIDATION_ERROR'], 'bad percent-encoding', operation =>
    send(operation, { path: { organizationId: '%zz' } }),
  );
});

describe('every list', () => {
  /** Sends the page, order or filter of a list, which some take in the query and some in the body. */
  const asked = (values: object) => async (declared: DeclaredOperation) => {
    const { operation, apiName } = declared;
    if (operation.method === 'GET') return send(declared, { query: values as Record<string, string> });
    const { raw } = await exampleRequest(operation, apiName);
    return send(declared, { raw: JSON.stringify({ ...JSON.parse(String(raw)), ...values }) });
  };
  each(lists, [400, 'VALIDATION_ERROR'], 'no instant', asked({ createdAtFrom: 'yesterday' }));
  each(pages, [400, 'VALIDATION_ERROR'], 'no page', asked({ page: 0 }));
  each(lists, [400, 'INVALID_FILTER_SYNTAX'], 'an open bracket', asked({ filter: '(' }));
  each(
    lists,
    [400, 'UNSUPPORTED_FILTER_FIELD'],
    'a field that it has not',
    asked({ filter: 'surprise = 1' }),
  );
  each(
    lists,
    [400, 'UNSUPPORTED_FILTER_OPERATOR'],
    'part of an instant',
    asked({ filter: 'createdAt CONTAINS 2026' }),
  );
  each(sortable, [400, 'UNSUPPORTED_SORT_FIELD'], 'a field that it has not', asked({ sort: 'surprise' }));
  each(
    // Those of one resource answer 404 first: it is unknown.
    lists.filter(({ operation }) => !operation.path.includes('{id}')),
    [422, 'VALIDATION_ERROR'],
    'from after to',
    asked({ createdAtFrom: '2026-09-02T00:00:00Z', createdAtTo: '2026-09-01T00:00:00Z' }),
  );
});

describe('every operation on one resource', () => {
  each(withId, [400, 'VALIDATION_ERROR'], 'bad percent-encoding', operation =>
    send(operation, { path: { id: '%zz' } }),
  );
  each(withId, [400, 'INVALID_REFERENCE_ID'], 'no identifier in the path', operation =>
    send(operation, { path: { id: 'one' } }),
  );
  each(withId, [404, 'NOT_FOUND'], 'nobody has the identifier', operation => send(operation));
});

/** One byte more than the operation takes. */
const tooLarge = ({ operation, api }: DeclaredOperation) =>
  Buffer.alloc(bodyLimitOf(operation, api) + 1, ' ');

describe('every operation with a body', () => {
  each(withBody, [400, 'UNSUPPORTED_FIELD'], 'a property that it has not', operation =>
    send(operation, { raw: '{"surprise":1}' }),
  );
  each(withBody, [415, 'UNSUPPORTED_MEDIA_TYPE'], 'text', operation =>
    send(operation, { headers: { 'content-type': 'text/plain' } }),
  );
  each(withBody, [413, 'PAYLOAD_TOO_LARGE'], 'a byte more than its limit', operation =>
    send(operation, { raw: tooLarge(operation) }),
  );
});

describe('every write without a body', () => {
  each(withoutBody, [400, 'VALIDATION_ERROR'], 'a body, even an empty object', operation =>
    // Node declares no length of the body of a DELETE.
    send(operation, { raw: '{}', headers: { 'content-type': 'application/json', 'content-length': '2' } }),
  );
});

describe('every upload', () => {
  const parts = async (operation: DeclaredOperation, form: FormData) => {
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
  each(uploads, [413, 'PAYLOAD_TOO_LARGE'], 'a byte more than its limit', operation =>
    send(operation, { raw: tooLarge(operation) }),
  );
});

describe('every operation with a credential, on a database without some tables', () => {
  const tables = ['tenant', 'organization', 'audit', 'portal_session'];
  const rename = async (to: (name: string) => string) => {
    for (const name of tables) await database.database.sql.unsafe(`ALTER TABLE ${to(name)}`);
  };
  before(() => rename(name => `${name} RENAME TO ${name}_elsewhere`));
  after(() => rename(name => `${name}_elsewhere RENAME TO ${name}`));
  each(authenticated, [500, 'INTERNAL_SERVER_ERROR'], 'a fault', operation =>
    send(operation, {
      ...(selectsTenant(operation.operation, operation.api) && { tenant: testData.tenantB }),
      path: { organizationId: 'e'.repeat(24) },
    }),
  );
});

describe('every operation, when the database is away', () => {
  before(() => database.database.close());
  // The first two ask nothing of it before they answer, the others not where there is no issuer.
  const unresponsive = ['getSignInMethods', 'requestPasswordReset', 'beginOpenIdSignIn', 'signInWithOpenId'];
  const asking = allOperations.filter(({ id }) => !unresponsive.includes(id));
  each(asking, [503, 'SERVICE_UNAVAILABLE'], 'there is no connection', operation => send(operation));
  test('getSignInMethods 200: it needs none', async () => {
    assert.equal((await clients.portal.get('/sign-in-methods')).status, 200);
  });
});
