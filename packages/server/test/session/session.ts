import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { testDatabase } from '../support/database/database.ts';
import { contractInput, orderInput, productInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { startService } from '../support/service/service.ts';
import { insertTestData, testKey } from '../support/data/test-data.ts';
import { rejections } from './rejections.ts';
import { sentRequestId, settled } from './settled.ts';
import { asking, type Stage, upload } from './stage.ts';
import { type Sent, Wire } from './wire.ts';

/** Notes a session with `/v1` on a service of its own, settled, one entry an exchange. */
export async function recordSession(): Promise<string[]> {
  await using resources = new AsyncDisposableStack();
  const startedAt = new Date();
  const { database, drop } = await testDatabase();
  resources.defer(drop);
  const { sql } = database;
  const testData = await insertTestData(sql);
  const service = await startService(sql);
  resources.defer(() => service.stop());
  const wire = new Wire(service.url);
  resources.defer(() => wire.close());
  const quota = (requests: number) => ({ requests, seconds: 86_400 });
  const sales = { divisions: [{ tenant: testData.tenantA, id: testData.sales }] };
  const keys = {
    all: await testKey(sql, testData.organization, 'all', quota(5000)),
    sales: await testKey(sql, testData.organization, sales, quota(5000)),
    spent: await testKey(sql, testData.organization, 'all', quota(1)),
  };
  const stage: Stage = { sql, testData, wire, keys };
  await successes(stage);
  await rejections(stage);
  // In one text, so that an identifier has one number throughout.
  return settled(wire.readRecorded.join('\0'), startedAt).split('\0');
}

async function successes(stage: Stage): Promise<void> {
  await divisions(stage);
  const employee = await employees(stage);
  const order = await orders(stage, employee);
  await incidents(stage, employee, order);
  await payrollDocuments(stage);
  await without(stage);
}

async function divisions(stage: Stage): Promise<void> {
  const ask = asking(stage);
  const { sales, tenantA } = stage.testData;
  const body = { name: 'Vertrieb Süd', parentId: sales, order: 1.5, costCenter: '4711' };
  await ask('createDivision, dry run', 'POST', '/v1/divisions?dryRun=true', body);
  const { id } = (await ask('createDivision', 'POST', '/v1/divisions', body)).json;
  await ask('getDivision', 'GET', `/v1/divisions/${id}`);
  await ask('getDivision, in capitals', 'GET', `/v1/divisions/${id.toUpperCase()}`);
  await ask('updateDivision, dry run', 'PATCH', `/v1/divisions/${id}?dryRun=true`, { costCenter: null });
  await ask('updateDivision', 'PATCH', `/v1/divisions/${id}`, { name: 'Vertrieb Süd-West', order: 2 });
  await ask('updateDivision, nothing new', 'PATCH', `/v1/divisions/${id}`, { order: 2 });
  await ask('listDivisions', 'GET', '/v1/divisions?sort=-order&pageSize=2');
  await ask('listDivisions, of a tenant', 'GET', '/v1/divisions', undefined, { 'X-Tenant-ID': tenantA });
}

async function employees(stage: Stage): Promise<string> {
  const ask = asking(stage);
  const person = {
    email: 'maria.schulz@example.com',
    firstName: 'Maria',
    lastName: 'Schulz',
    employeeNumber: '10042',
    city: 'Köln',
    countryCode: 'DE',
    divisionId: stage.testData.north,
  };
  await ask('createEmployee, dry run', 'POST', '/v1/employees?dryRun=true', person);
  const { id } = (await ask('createEmployee', 'POST', '/v1/employees', person)).json;
  await ask('getEmployee', 'GET', `/v1/employees/${id}`);
  await ask('updateEmployee', 'PATCH', `/v1/employees/${id}`, { city: 'Hamburg', phoneNumber: '+49 40 1' });
  await ask('updateEmployee, nothing new', 'PATCH', `/v1/employees/${id}`, { city: 'Hamburg' });
  const other = { email: 'cem.kaya@example.com', firstName: 'Cem', lastName: 'Kaya' };
  const inTenant = { 'X-Tenant-ID': stage.testData.tenantB };
  await ask('createEmployee, in a tenant', 'POST', '/v1/employees', other, inTenant);
  await ask('listEmployees', 'GET', '/v1/employees');
  await ask('listEmployees, filtered', 'GET', "/v1/employees?filter=city%20CONTAINS%20'burg'&sort=-lastName");
  await ask('listEmployees, past the end', 'GET', '/v1/employees?page=9&pageSize=1');
  await ask('listEmployees, in a range', 'GET', '/v1/employees?createdAtTo=2020-01-01T00:00:00Z');
  const ofSales = { 'X-API-Key': stage.keys.sales };
  await ask('listEmployees, of a division', 'GET', '/v1/employees', undefined, ofSales);
  await stage.sql`UPDATE employee SET activated_at = now() WHERE id = ${id}`;
  return id;
}

async function orders(stage: Stage, employeeId: string): Promise<string> {
  const { sql, testData } = stage;
  const ask = asking(stage);
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const products = [productInput({ manufacturerName: 'Nox Cycles' })];
  const inputs = ['A-1', 'A-2'].map(orderNumber =>
    orderInput({ employeeId, products, orderNumber, contract: contractInput() }),
  );
  const [order] = await storeOrders(sql, target, inputs);
  const { id } = order!;
  const place = { organizationId: testData.organization, orderId: id };
  const file = {
    fileName: 'angebot „neu“.pdf',
    mediaType: 'application/pdf',
    bytes: Buffer.from('%PDF-1.7\n'),
  };
  const attachment = await attachToOrder({ db: sql, files: databaseStore(sql) }, place, {
    kind: 'offer',
    ...file,
  });
  await ask('getOrder', 'GET', `/v1/orders/${id}`);
  await ask('listOrders', 'GET', '/v1/orders?filter=orderNumber%20%3D%20A-1');
  const decision = { decision: 'approved', comment: 'Budget geprüft' };
  await ask('decideOrder, dry run', 'POST', `/v1/orders/${id}/decision?dryRun=true`, decision);
  await ask('decideOrder', 'POST', `/v1/orders/${id}/decision`, decision);
  await ask('decideOrder, again', 'POST', `/v1/orders/${id}/decision`, decision);
  const path = `/v1/orders/${id}/attachments/${attachment.id}`;
  await ask('downloadOrderAttachment', 'GET', path, undefined, { Accept: 'application/pdf' });
  return id;
}

async function incidents(stage: Stage, employeeId: string, orderId: string): Promise<void> {
  const ask = asking(stage);
  const body = {
    employeeId,
    orderId,
    type: 'damage',
    occurredOn: '2026-09-02',
    description: 'Rahmen gebrochen',
  };
  await ask('createIncident, dry run', 'POST', '/v1/incidents?dryRun=true', body);
  const { id } = (await ask('createIncident', 'POST', '/v1/incidents', body)).json;
  await ask('getIncident', 'GET', `/v1/incidents/${id}`);
  await upload(stage, 'uploadIncidentAttachment, dry run', `/v1/incidents/${id}/attachments?dryRun=true`);
  await upload(stage, 'uploadIncidentAttachment', `/v1/incidents/${id}/attachments`);
  await ask('updateIncident', 'PATCH', `/v1/incidents/${id}`, { requestedSolution: 'repair' });
  await ask('listIncidents', 'GET', '/v1/incidents?filter=type%20%3D%20damage');
}

async function payrollDocuments(stage: Stage): Promise<void> {
  const { sql, testData } = stage;
  const ask = asking(stage);
  const { id } = await storePayrollDocument(sql, testData.organization, { tenant: testData.tenantA });
  const path = `/v1/payroll-export-documents/${id}`;
  await ask('getPayrollExportDocument', 'GET', path);
  await ask('listPayrollExportDocuments', 'GET', '/v1/payroll-export-documents');
  await ask('downloadPayrollExportDocument', 'GET', `${path}/download`);
  const none = await storePayrollDocument(sql, testData.organization, { tenant: testData.tenantA }, null);
  await ask(
    'downloadPayrollExportDocument, no file',
    'GET',
    `/v1/payroll-export-documents/${none.id}/download`,
  );
}

/** What needs no key. */
async function without({ wire }: Stage): Promise<void> {
  const get = (name: string, path: string, headers: Sent['headers'] = {}) =>
    wire.send(name, 'GET', path, { headers: { 'X-Request-ID': sentRequestId, ...headers } });
  await get('getHealth', '/v1/health');
  await get('the entrance, for programs', '/');
  await get('the entrance, for people', '/v1', { Accept: 'text/html' });
  await get('the reference', '/docs');
  await get('the start of the reference', '/docs/start.js');
  await wire.send('an identifier made by the service', 'GET', '/v1/health');
}
