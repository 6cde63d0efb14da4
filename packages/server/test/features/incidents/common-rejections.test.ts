import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey } from '../../../src/cli/access/key.ts';
import { connect, type Database } from '../../../src/db/connect.ts';
import {
  type Answer,
  type ApiClient,
  apiClient,
  multipart,
  type RequestOptions,
} from '../../support/client.ts';
import { startService, type TestService } from '../../support/service.ts';
import { testPepper } from '../../support/test-data.ts';
import { files, incidentTestData, type IncidentTestData, type Report } from './support.ts';
import { testSql } from '../../support/sql.ts';

let context: IncidentTestData;
/** A service with connections that the tests may close. */
let lost: { database: Database; service: TestService; client: ApiClient };
let id: string;
let body: Report;
let form: { raw: Buffer; contentType: string };

before(async () => {
  context = await incidentTestData();
  id = (await context.reported()).id;
  body = await context.report();
  form = await multipart({ bytes: files['image/png'], fileName: 'a.png' });
  const database = connect({ url: context.database.url });
  const service = await startService(testSql(database));
  lost = { database, service, client: apiClient(service.url, { key: context.testData.keys.all }) };
});
after(async () => {
  lost.client.close();
  await lost.service.stop();
  await context.close();
});

type Rejection = { error: { code: string; message: string } };
type Ask = (client: ApiClient, options: RequestOptions) => Promise<Answer<Rejection>>;

const json = (method: string, path: () => string, content: () => unknown): Ask => {
  return (client, options) =>
    client.request(method, path(), {
      raw: JSON.stringify(content()),
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
    });
};

/** Each operation with a request that succeeds as it is. */
const asks: Record<string, Ask> = {
  listIncidents: (client, options) => client.get('/incidents', options),
  getIncident: (client, options) => client.get(`/incidents/${id}`, options),
  createIncident: json(
    'POST',
    () => '/incidents',
    () => body,
  ),
  updateIncident: json(
    'PATCH',
    () => `/incidents/${id}`,
    () => ({ requestedSolution: 'repair' }),
  ),
  uploadIncidentAttachment: (client, options) =>
    client.request('POST', `/incidents/${id}/attachments`, {
      raw: form.raw,
      ...options,
      headers: { 'content-type': form.contentType, ...options.headers },
    }),
};
const writes = ['createIncident', 'updateIncident', 'uploadIncidentAttachment'];

const rejections: [status: number, code: string, options: () => RequestOptions][] = [
  [400, 'INVALID_REQUEST_ID', () => ({ headers: { 'x-request-id': 'x' } })],
  [400, 'UNKNOWN_QUERY_PARAMETER', () => ({ query: { dryrun: 'true' } })],
  [400, 'UNSUPPORTED_HEADER', () => ({ headers: { 'if-match': '"1"' } })],
  [400, 'VALIDATION_ERROR', () => ({ tenant: 'not-an-identifier' })],
  [401, 'INVALID_API_KEY', () => ({ key: null })],
  [403, 'TENANT_NOT_IN_SCOPE', () => ({ tenant: context.testData.foreign.tenant })],
  [406, 'NOT_ACCEPTABLE', () => ({ headers: { accept: 'text/html' } })],
];
const rejectionsOfWrites: typeof rejections = [
  [413, 'PAYLOAD_TOO_LARGE', () => ({ raw: Buffer.alloc(5 * 1024 * 1024 + 1) })],
  [415, 'UNSUPPORTED_MEDIA_TYPE', () => ({ headers: { 'content-type': 'text/plain' } })],
];

for (const [operation, ask] of Object.entries(asks)) {
  describe(`${operation}, as every operation`, () => {
    for (const [status, code, options] of [
      ...rejections,
      ...(writes.includes(operation) ? rejectionsOfWrites : []),
    ])
      test(`${status} ${code}`, async () => {
        const answer = await ask(context.client, options());
        assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
      });

    test('429 RATE_LIMIT_EXCEEDED', async () => {
      const { key } = await createKey(context.sql, testPepper, {
        organizationId: context.testData.organization,
        name: 'one an hour',
        quota: { requests: 1, seconds: 3600 },
        grants: 'all',
      });
      assert.ok((await ask(context.client, { key })).status < 300);
      const answer = await ask(context.client, { key });
      assert.deepEqual([answer.status, answer.body.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
    });
  });
}

describe('when the database fails', () => {
  test('500 INTERNAL_SERVER_ERROR of every operation, without a cause', async () => {
    await context.sql`ALTER TABLE incident RENAME TO incident_elsewhere`;
    try {
      for (const [operation, ask] of Object.entries(asks)) {
        const answer = await ask(context.client, {});
        assert.deepEqual([answer.status, answer.body.error.code], [500, 'INTERNAL_SERVER_ERROR'], operation);
        assert.doesNotMatch(answer.body.error.message, /incident/);
      }
    } finally {
      await context.sql`ALTER TABLE incident_elsewhere RENAME TO incident`;
    }
  });

  test('503 SERVICE_UNAVAILABLE of every operation without a connection', async () => {
    await lost.database.close();
    for (const [operation, ask] of Object.entries(asks)) {
      const answer = await ask(lost.client, {});
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE'], operation);
    }
  });
});
