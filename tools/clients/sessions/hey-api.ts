import { readFile } from 'node:fs/promises';
import { brokenFiles, equal, equalBytes, facts, filter, newEmployee, newKey, patch, step } from './check.ts';
import * as api from './client/index.ts';
import { createClient } from './client/client/index.ts';

const as = (key: string, headers = {}) => createClient({ baseUrl: facts.url, auth: key, headers });
const client = as(facts.key);

type Failure = { error?: api.ErrorEnvelope; response?: Response };

/** The code of an error, by its type. */
function rejected({ error, response }: Failure, status: number, code: api.ErrorCode): void {
  equal([response?.status, error?.error.code], [status, code]);
}

async function upload(name: string) {
  const file = new File([await readFile(name)], name);
  return api.uploadIncidentAttachment({
    client,
    headers: newKey(),
    path: { id: facts.incident },
    body: { file },
  });
}

const headers = { 'X-Tenant-ID': facts.tenant };

await step('list', async () => {
  const query = { filter, createdAtFrom: '2026-01-01T00:00:00Z' };
  const { data } = await api.listEmployees({ client, query });
  equal(data?.totalElements, 3);
  equal(data?.items.map(({ lastName }) => lastName).sort(), ['Schmidt', 'Schulz', 'Schäfer']);
});
await step('page', async () => {
  const query = { filter, sort: 'lastName', page: 2, pageSize: 2 };
  const { data } = await api.listEmployees({ client, query });
  equal([data?.page, data?.totalPages, data?.items.length], [2, 2, 1]);
});
await step('get', async () => {
  const { data } = await api.getEmployee({ client, path: { id: facts.employee } });
  equal([data?.id, data?.city, data?.tenant], [facts.employee, null, facts.tenant]);
});
await step('create', async () => {
  const request = { client, headers: { ...headers, ...newKey() }, body: newEmployee };
  const { data, response } = await api.createEmployee(request);
  equal([response?.status, data?.email, data?.blocked], [201, 'neu@example.com', false]);
  const repeated = await api.createEmployee(request);
  equal([repeated.response?.headers.get('Idempotency-Replayed'), repeated.data], ['true', data]);
});
await step('dry run', async () => {
  const body = { ...newEmployee, email: 'probe@example.com' };
  const { data, response } = await api.createEmployee({ client, headers, query: { dryRun: true }, body });
  equal([response?.status, data?.id], [200, '0'.repeat(24)]);
});
await step('update', async () => {
  const { data } = await api.updateEmployee({ client, path: { id: facts.employee }, body: patch });
  equal([data?.city, data?.phoneNumber, data?.street], ['Köln', null, 'Lange Straße 12']);
});
await step('decide', async () => {
  const body = { decision: 'approved', comment: 'Budget geprüft' } as const;
  const { data } = await api.decideOrder({ client, headers: newKey(), path: { id: facts.order }, body });
  equal([data?.status, data?.hrHistory?.source], ['approved', 'api_key']);
  equal([data?.contract?.listPrice, data?.products[0]?.netAmount], ['3599.00', '3024.3697']);
});
await step('upload', async () => {
  const { data, response } = await upload('beleg.pdf');
  equal([response?.status, data?.fileName, data?.mediaType], [201, 'beleg.pdf', 'application/pdf']);
});
await step('download document', async () => {
  const path = { id: facts.order, attachmentId: facts.document };
  const { data } = await api.downloadOrderAttachment({ client, path, parseAs: 'blob' });
  await equalBytes(data, 'expected-document');
});
const download = (id: string) => api.downloadPayrollExportDocument({ client, path: { id }, parseAs: 'blob' });
await step('download payroll', async () => {
  const { data } = await download(facts.payrollDocument);
  await equalBytes(data, 'expected-payroll');
});
const get = (id: string, own = client) => api.getEmployee({ client: own, path: { id } });
await step('400', async () =>
  rejected(await api.listEmployees({ client, query: { sort: 'salary' } }), 400, 'UNSUPPORTED_SORT_FIELD'),
);
await step('401', async () => rejected(await get(facts.employee, as('wrong')), 401, 'INVALID_API_KEY'));
await step('403', async () => {
  const foreign = { 'X-Tenant-ID': facts.foreignTenant };
  rejected(await api.listEmployees({ client, headers: foreign }), 403, 'TENANT_NOT_IN_SCOPE');
});
await step('404', async () => rejected(await get('f'.repeat(24)), 404, 'NOT_FOUND'));
await step('406', async () => {
  const asking = as(facts.key, { Accept: 'text/csv' });
  rejected(await get(facts.employee, asking), 406, 'NOT_ACCEPTABLE');
});
await step('409', async () =>
  rejected(await api.createEmployee({ client, headers, body: newEmployee }), 409, 'DUPLICATE_RESOURCE'),
);
await step('413', async () => rejected(await upload('zu-gross.pdf'), 413, 'PAYLOAD_TOO_LARGE'));
await step('415', async () => rejected(await upload('kein.pdf'), 415, 'UNSUPPORTED_MEDIA_TYPE'));
await step('422', async () => {
  const query = { createdAtFrom: '2026-09-02T00:00:00Z', createdAtTo: '2026-09-01T00:00:00Z' };
  rejected(await api.listEmployees({ client, query }), 422, 'VALIDATION_ERROR');
});
await step('429', async () =>
  rejected(await get(facts.employee, as(facts.spentKey)), 429, 'RATE_LIMIT_EXCEEDED'),
);
for (const [status, code] of brokenFiles)
  await step(`${status}`, async () => rejected(await download(facts.brokenFiles[status]!), status, code));
