import { readFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';
import { brokenFiles, equal, equalBytes, facts, filter, newEmployee, newKey, patch, step } from './check.ts';

const as = (key: string) => createClient<paths>({ baseUrl: facts.url, headers: { 'X-API-Key': key } });
const client = as(facts.key);

type Failure = { error?: components['schemas']['ErrorEnvelope']; response: Response };

/** The code of an error, by its type. */
function rejected(
  { error, response }: Failure,
  status: number,
  code: components['schemas']['ErrorCode'],
): void {
  equal([response.status, error?.error.code], [status, code]);
}

async function upload(file: string) {
  const bytes = await readFile(file);
  return client.POST('/incidents/{id}/attachments', {
    params: { path: { id: facts.incident }, header: newKey() },
    // The type of a file is string, as in the document; what goes out is the form.
    body: { file: '' },
    bodySerializer: () => {
      const form = new FormData();
      form.append('file', new Blob([bytes]), file);
      return form;
    },
  });
}

const header = { 'X-Tenant-ID': facts.tenant };

await step('list', async () => {
  const createdAtFrom = '2026-01-01T00:00:00Z';
  const { data } = await client.GET('/employees', { params: { query: { filter, createdAtFrom } } });
  equal(data?.totalElements, 3);
  equal(data?.items.map(({ lastName }) => lastName).sort(), ['Schmidt', 'Schulz', 'Schäfer']);
});
await step('page', async () => {
  const { data } = await client.GET('/employees', {
    params: { query: { filter, sort: 'lastName', page: 2, pageSize: 2 } },
  });
  equal([data?.page, data?.totalPages, data?.items.length], [2, 2, 1]);
});
await step('get', async () => {
  const { data } = await client.GET('/employees/{id}', { params: { path: { id: facts.employee } } });
  equal([data?.id, data?.city, data?.tenant], [facts.employee, null, facts.tenant]);
});
await step('create', async () => {
  const params = { header: { ...header, ...newKey() } };
  const { data, response } = await client.POST('/employees', { params, body: newEmployee });
  equal([response.status, data?.email, data?.blocked], [201, 'neu@example.com', false]);
  const repeated = await client.POST('/employees', { params, body: newEmployee });
  equal([repeated.response.headers.get('Idempotency-Replayed'), repeated.data], ['true', data]);
});
await step('dry run', async () => {
  const { data, response } = await client.POST('/employees', {
    params: { header, query: { dryRun: true } },
    body: { ...newEmployee, email: 'probe@example.com' },
  });
  equal([response.status, data?.id], [200, '0'.repeat(24)]);
});
await step('update', async () => {
  const { data } = await client.PATCH('/employees/{id}', {
    params: { path: { id: facts.employee } },
    body: patch,
  });
  equal([data?.city, data?.phoneNumber, data?.street], ['Köln', null, 'Lange Straße 12']);
});
await step('decide', async () => {
  const { data } = await client.POST('/orders/{id}/decision', {
    params: { path: { id: facts.order }, header: newKey() },
    body: { decision: 'approved', comment: 'Budget geprüft' },
  });
  equal([data?.status, data?.hrHistory?.source], ['approved', 'api_key']);
  equal([data?.contract?.listPrice, data?.products[0]?.netAmount], ['3599.00', '3024.3697']);
});
await step('upload', async () => {
  const { data, response } = await upload('beleg.pdf');
  equal([response.status, data?.fileName, data?.mediaType], [201, 'beleg.pdf', 'application/pdf']);
});
await step('download document', async () => {
  const path = { id: facts.order, attachmentId: facts.document };
  const { data } = await client.GET('/orders/{id}/attachments/{attachmentId}', {
    params: { path },
    parseAs: 'arrayBuffer',
  });
  await equalBytes(data, 'expected-document');
});
const download = (id: string) =>
  client.GET('/payroll-export-documents/{id}/download', {
    params: { path: { id } },
    parseAs: 'arrayBuffer',
  });
await step('download payroll', async () => {
  const { data } = await download(facts.payrollDocument);
  await equalBytes(data, 'expected-payroll');
});
const get = (id: string, key = client) => key.GET('/employees/{id}', { params: { path: { id } } });
await step('400', async () =>
  rejected(
    await client.GET('/employees', { params: { query: { sort: 'salary' } } }),
    400,
    'UNSUPPORTED_SORT_FIELD',
  ),
);
await step('401', async () => rejected(await get(facts.employee, as('wrong')), 401, 'INVALID_API_KEY'));
await step('403', async () => {
  const answer = await client.GET('/employees', {
    params: { header: { 'X-Tenant-ID': facts.foreignTenant } },
  });
  rejected(answer, 403, 'TENANT_NOT_IN_SCOPE');
});
await step('404', async () => rejected(await get('f'.repeat(24)), 404, 'NOT_FOUND'));
await step('406', async () => {
  const answer = await client.GET('/employees', { headers: { Accept: 'text/csv' } });
  rejected(answer, 406, 'NOT_ACCEPTABLE');
});
await step('409', async () => {
  const answer = await client.POST('/employees', { params: { header }, body: newEmployee });
  rejected(answer, 409, 'DUPLICATE_RESOURCE');
});
await step('413', async () => rejected(await upload('zu-gross.pdf'), 413, 'PAYLOAD_TOO_LARGE'));
await step('415', async () => rejected(await upload('kein.pdf'), 415, 'UNSUPPORTED_MEDIA_TYPE'));
await step('422', async () => {
  const query = { createdAtFrom: '2026-09-02T00:00:00Z', createdAtTo: '2026-09-01T00:00:00Z' };
  rejected(await client.GET('/employees', { params: { query } }), 422, 'VALIDATION_ERROR');
});
await step('429', async () =>
  rejected(await get(facts.employee, as(facts.spentKey)), 429, 'RATE_LIMIT_EXCEEDED'),
);
for (const [status, code] of brokenFiles)
  await step(`${status}`, async () => rejected(await download(facts.brokenFiles[status]!), status, code));
