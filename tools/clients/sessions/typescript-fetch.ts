import { readFile } from 'node:fs/promises';
import { brokenFiles, equal, equalBytes, facts, filter, newEmployee, patch, step } from './check.ts';
import * as api from './client/index.ts';

const as = (key: string, headers = {}) =>
  new api.Configuration({ basePath: facts.url, apiKey: key, headers });
const own = as(facts.key);
const employees = new api.EmployeesApi(own);
const orders = new api.OrdersApi(own);
const incidents = new api.IncidentsApi(own);
const documents = new api.PayrollExportDocumentsApi(own);

/** The code of an error, by its type. */
async function refused(request: Promise<unknown>, status: number, code: api.ErrorCode): Promise<void> {
  const error = await request.then(
    () => new Error(`no ${status}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof api.ResponseError)) throw error;
  const body = api.ErrorEnvelopeFromJSON(await error.response.json());
  equal([error.response.status, body.error.code], [status, code]);
}

async function upload(name: string) {
  const file = new File([await readFile(name)], name);
  return incidents.uploadIncidentAttachment({ id: facts.incident, file });
}

const xTenantID = facts.tenant;

await step('list', async () => {
  const page = await employees.listEmployees({ filter, createdAtFrom: '2026-01-01T00:00:00Z' });
  equal(page.totalElements, 3);
  equal(page.items.map(({ lastName }) => lastName).sort(), ['Schmidt', 'Schulz', 'Schäfer']);
});
await step('page', async () => {
  const page = await employees.listEmployees({ filter, sort: 'lastName', page: 2, pageSize: 2 });
  equal([page.page, page.totalPages, page.items.length], [2, 2, 1]);
});
await step('get', async () => {
  const found = await employees.getEmployee({ id: facts.employee });
  equal([found.id, found.city, found.tenant], [facts.employee, null, facts.tenant]);
});
await step('create', async () => {
  const answer = await employees.createEmployeeRaw({ xTenantID, employeeCreate: newEmployee });
  const { email, blocked } = await answer.value();
  equal([answer.raw.status, email, blocked], [201, 'neu@example.com', false]);
});
await step('dry run', async () => {
  const employeeCreate = { ...newEmployee, email: 'probe@example.com' };
  const answer = await employees.createEmployeeRaw({ xTenantID, dryRun: true, employeeCreate });
  equal([answer.raw.status, (await answer.value()).id], [200, '0'.repeat(24)]);
});
await step('update', async () => {
  const changed = await employees.updateEmployee({ id: facts.employee, employeePatch: patch });
  equal([changed.city, changed.phoneNumber, changed.street], ['Köln', null, 'Lange Straße 12']);
});
await step('decide', async () => {
  const orderDecision = { decision: api.HrDecision.Approved, comment: 'Budget geprüft' };
  const order = await orders.decideOrder({ id: facts.order, orderDecision });
  equal([order.status, order.hrHistory?.source], [api.OrderStatus.Approved, api.HrDecisionSource.ApiKey]);
  equal([order.contract?.listPrice, order.products[0]?.netAmount], ['3599.00', '3024.3697']);
});
await step('upload', async () => {
  const { fileName, mediaType } = await upload('beleg.pdf');
  equal([fileName, mediaType], ['beleg.pdf', 'application/pdf']);
});
await step('download document', async () => {
  const request = { id: facts.order, attachmentId: facts.document };
  await equalBytes(await orders.downloadOrderAttachment(request), 'expected-document');
});
const download = (id: string) => documents.downloadPayrollExportDocument({ id });
await step('download payroll', async () =>
  equalBytes(await download(facts.payrollDocument), 'expected-payroll'),
);
const get = (id: string, key = facts.key) => new api.EmployeesApi(as(key)).getEmployee({ id });
await step('400', () => refused(employees.listEmployees({ sort: 'salary' }), 400, 'UNSUPPORTED_SORT_FIELD'));
await step('401', () => refused(get(facts.employee, 'wrong'), 401, 'INVALID_API_KEY'));
await step('403', () =>
  refused(employees.listEmployees({ xTenantID: facts.foreignTenant }), 403, 'TENANT_NOT_IN_SCOPE'),
);
await step('404', () => refused(get('f'.repeat(24)), 404, 'NOT_FOUND'));
await step('406', () => {
  const asking = new api.EmployeesApi(as(facts.key, { Accept: 'text/csv' }));
  return refused(asking.listEmployees(), 406, 'NOT_ACCEPTABLE');
});
await step('409', () =>
  refused(employees.createEmployee({ xTenantID, employeeCreate: newEmployee }), 409, 'DUPLICATE_RESOURCE'),
);
await step('413', () => refused(upload('zu-gross.pdf'), 413, 'PAYLOAD_TOO_LARGE'));
await step('415', () => refused(upload('kein.pdf'), 415, 'UNSUPPORTED_MEDIA_TYPE'));
await step('422', () => {
  const bounds = { createdAtFrom: '2026-09-02T00:00:00Z', createdAtTo: '2026-09-01T00:00:00Z' };
  return refused(employees.listEmployees(bounds), 422, 'VALIDATION_ERROR');
});
await step('429', () => refused(get(facts.employee, facts.spentKey), 429, 'RATE_LIMIT_EXCEEDED'));
for (const [status, code] of brokenFiles)
  await step(`${status}`, () => refused(download(facts.brokenFiles[status]!), status, code));
