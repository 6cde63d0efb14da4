import { apis, type Recorded } from '@kontor/contract';
import { createKey } from '../../src/cli/access/key.ts';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { apiClient } from '../support/contract/client.ts';
import { testDatabase } from '../support/database/database.ts';
import { contractInput, orderInput, productInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { startService } from '../support/service/service.ts';
import { insertTestData, testPepper } from '../support/data/test-data.ts';
import { Recorder, type Stage } from './recorder.ts';
import { rejections } from './rejections.ts';
import { settle } from './settle.ts';

const pdf = {
  fileName: 'angebot.pdf',
  mediaType: 'application/pdf',
  bytes: Buffer.from('%PDF-1.7\n%%EOF\n'),
};
const photo = {
  fileName: 'schaden.png',
  mediaType: 'image/png',
  bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
};

/**
 * Asks a live service for everything that the examples of the contract show: each operation with a success, each error
 * code with a rejection. The answers come with fixed values where each run has others, so that two runs give the same.
 */
export async function recordExamples(): Promise<Recorded> {
  await using resources = new AsyncDisposableStack();
  const startedAt = new Date();
  const { database, drop } = await testDatabase();
  resources.defer(drop);
  const testData = await insertTestData(database.sql);
  const service = await startService(database.sql);
  resources.defer(() => service.stop());
  const client = apiClient(service.url, { key: testData.keys.all });
  resources.defer(() => client.close());
  const recorder = new Recorder(apis.public);
  const stage: Stage = { sql: database.sql, testData, client, recorder };
  const division = await divisions(stage);
  const employee = await employees(stage, division);
  const orders = await ordersOf(stage, employee);
  const incident = await incidents(stage, { employee, order: orders.decided });
  const payrollDocument = await payrollDocuments(stage);
  await recorder.ask(client, 'getHealth');
  await quotaHeaders(stage);
  await recorder.askRest(client, 'scenario.ts');
  await rejections(stage, { division, employee, ...orders, incident, payrollDocument });
  return settle(recorder.recorded, startedAt);
}

async function divisions({ client, recorder, testData }: Stage): Promise<string> {
  const body = { name: 'Vertrieb Süd', parentId: testData.sales, order: 1.5, costCenter: '4711' };
  await recorder.ask(client, 'createDivision', { body, query: { dryRun: true } });
  const { id } = (await recorder.ask(client, 'createDivision', { body })).body;
  await recorder.ask(client, 'getDivision', { path: { id } });
  await recorder.ask(client, 'listDivisions', { query: { filter: "costCenter = '4711'" } });
  await recorder.ask(client, 'updateDivision', {
    path: { id },
    body: { name: 'Vertrieb Süd-West', order: 2 },
  });
  return id;
}

async function employees({ client, recorder, sql }: Stage, divisionId: string): Promise<string> {
  const body = {
    email: 'maria.schulz@example.com',
    firstName: 'Maria',
    lastName: 'Schulz',
    employeeNumber: '10042',
    street: 'Lange Straße 12',
    postalCode: '10115',
    city: 'Berlin',
    countryCode: 'DE',
    phoneNumber: '+49 30 1234567',
    divisionId,
  };
  await recorder.ask(client, 'createEmployee', { body, query: { dryRun: true } });
  const created = await recorder.ask(client, 'createEmployee', { body });
  recorder.header('Location', created);
  const { id } = created.body;
  await recorder.ask(client, 'getEmployee', { path: { id } });
  await recorder.ask(client, 'listEmployees', { query: { filter: "lastName STARTS_WITH 'sch'" } });
  const moved = { street: 'Elbchaussee 7', postalCode: '22765', city: 'Hamburg', phoneNumber: null };
  await recorder.ask(client, 'updateEmployee', { path: { id }, body: moved });
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${id}`;
  return id;
}

async function ordersOf({ client, recorder, sql, testData }: Stage, employeeId: string) {
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const products = [
    productInput({ model: 'Helium', manufacturerName: 'Nox Cycles', articleGroupName: 'E-Bike' }),
  ];
  // Between what the employee and the order show as their creation.
  const submittedAt = '2026-09-02T08:21:00Z';
  const inputs = [
    { orderNumber: 'A-2026-000123', contract: contractInput() },
    { orderNumber: 'A-2026-000124' },
  ].map(more => orderInput({ employeeId, products, submittedAt, ...more }));
  const [decided, underReview] = await storeOrders(sql, target, inputs);
  const place = { organizationId: testData.organization, orderId: decided!.id };
  const attachment = await attachToOrder({ db: sql, files: databaseStore(sql) }, place, {
    kind: 'offer',
    ...pdf,
  });
  const path = { id: decided!.id };
  await recorder.ask(client, 'getOrder', { path });
  await recorder.ask(client, 'listOrders', { query: { filter: "orderNumber = 'A-2026-000123'" } });
  const body = { decision: 'approved', comment: 'Budget geprüft' };
  await recorder.ask(client, 'decideOrder', { path, body });
  await recorder.ask(client, 'downloadOrderAttachment', { path: { ...path, attachmentId: attachment.id } });
  return { decided: decided!.id, underReview: underReview!.id };
}

async function incidents(
  { client, recorder }: Stage,
  { employee, order }: { employee: string; order: string },
): Promise<string> {
  const body = {
    employeeId: employee,
    type: 'theft',
    orderId: order,
    requestedSolution: 'replacement',
    occurredOn: '2026-09-02',
    description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
    policeReference: 'ST/0123456/2026',
  };
  await recorder.ask(client, 'createIncident', { body, query: { dryRun: true } });
  const { id } = (await recorder.ask(client, 'createIncident', { body })).body;
  const path = { id };
  await recorder.ask(client, 'uploadIncidentAttachment', { path, file: photo, query: { dryRun: true } });
  await recorder.ask(client, 'uploadIncidentAttachment', { path, file: photo });
  await recorder.ask(client, 'getIncident', { path });
  await recorder.ask(client, 'listIncidents', { query: { filter: 'type = theft' } });
  await recorder.ask(client, 'updateIncident', { path, body: { requestedSolution: 'early_purchase' } });
  return id;
}

async function payrollDocuments({ client, recorder, sql, testData }: Stage): Promise<string> {
  const bytes = Buffer.from('4711;2026-08;12,50\n');
  const lodas = { format: 'datev_lodas', mediaType: 'text/plain', fileName: 'lohn-2026-08.txt' } as const;
  const { id } = await storePayrollDocument(
    sql,
    testData.organization,
    { tenant: testData.tenantA, period: '2026-08', ...lodas },
    bytes,
  );
  const path = { id };
  await recorder.ask(client, 'getPayrollExportDocument', { path });
  await recorder.ask(client, 'listPayrollExportDocuments', { query: { filter: "period = '2026-08'" } });
  const file = await recorder.ask(client, 'downloadPayrollExportDocument', { path });
  recorder.header('Content-Disposition', file);
  return id;
}

/** The headers of a key's first request. */
async function quotaHeaders({ client, recorder, sql, testData }: Stage): Promise<void> {
  const quota = { requests: 600, seconds: 60 };
  const grants = { organizationId: testData.organization, name: 'first', grants: 'all', quota } as const;
  const { key } = await createKey(sql, testPepper, grants);
  const answer = await recorder.ask(client, 'listEmployees', {
    key,
    query: { filter: "lastName STARTS_WITH 'sch'" },
  });
  for (const name of ['X-Request-ID', 'RateLimit-Policy', 'RateLimit']) recorder.header(name, answer);
}
