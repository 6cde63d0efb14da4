import { apis, bodyLimits, type ErrorCode, type Recorded } from '@kontor/contract';
import { apiClient } from '../support/contract/client.ts';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { FileStoreError } from '../../src/files/file-store.ts';
import { testDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { insertTestData } from '../support/data/test-data.ts';
import { employees, orders, rejectedUploads } from './platform-orders.ts';
import { payroll } from './platform-payroll.ts';
import { type PlatformStage, Recorder, type Sent } from './recorder.ts';
import { transitions } from './platform-transitions.ts';
import { settle } from './settle.ts';

/** Asks a live service for everything that the examples of the platform API show, as `recordExamples` does for the public one. */
export async function recordPlatformExamples(): Promise<Recorded> {
  await using resources = new AsyncDisposableStack();
  const startedAt = new Date();
  const { database, drop } = await testDatabase();
  resources.defer(drop);
  const { sql } = database;
  const testData = await insertTestData(sql);
  const service = await startService(sql);
  resources.defer(() => service.stop());
  const key = await testToken(sql);
  const client = apiClient(service.managementUrl, { api: 'platform', key });
  resources.defer(() => client.close());
  const stage: PlatformStage = { sql, testData, service, client, recorder: new Recorder(apis.platform) };
  await organizations(stage);
  const deleted = await apiKeys(stage);
  await users(stage);
  await activations(stage);
  await employees(stage);
  const order = await orders(stage);
  await transitions(stage);
  await payroll(stage);
  const kept = await staff(stage);
  await audit(stage);
  await stage.recorder.askRest(stage.client, 'platform-scenario.ts');
  await rejections(stage, { deleted, order, kept });
  return settle(stage.recorder.recorded, startedAt);
}

const unknown = 'f'.repeat(24);

async function organizations({ client, recorder, testData }: PlatformStage): Promise<void> {
  const organizationId = testData.organization;
  await recorder.ask(client, 'listOrganizations', { query: { filter: "name STARTS_WITH 'muster'" } });
  const answer = await recorder.ask(client, 'getOrganization', { path: { id: organizationId } });
  recorder.header('X-Request-ID', answer);
  const customer = { name: 'Muster Energie AG' };
  await recorder.ask(client, 'createOrganization', { body: customer, query: { dryRun: true } });
  await recorder.ask(client, 'createOrganization', { body: customer });
  const body = { name: 'Muster Wien GmbH', decisionDays: 30 };
  const path = { organizationId };
  await recorder.ask(client, 'createTenant', { path, body, query: { dryRun: true } });
  const created = await recorder.ask(client, 'createTenant', { path, body });
  recorder.header('Location', created);
  await recorder.ask(client, 'getTenant', { path: { organizationId, id: created.body.id } });
  const patch = { name: 'Muster Wien Holding GmbH', decisionDays: 14 };
  const tenant = { path: { organizationId, id: created.body.id }, body: patch };
  await recorder.ask(client, 'updateTenant', tenant);
  await recorder.ask(client, 'listTenants', { path, query: { filter: "name CONTAINS 'wien'" } });
}

/** Ends with a deleted key and returns its path. */
async function apiKeys({ client, recorder, testData }: PlatformStage): Promise<Record<string, string>> {
  const organizationId = testData.organization;
  const body = {
    name: 'Payroll of Muster GmbH',
    grants: [{ tenant: testData.tenantA, divisions: [testData.sales] }],
    quota: { requests: 600, seconds: 60 },
    expiresAt: '2099-12-31T23:00:00Z',
  };
  await recorder.ask(client, 'createApiKey', { path: { organizationId }, body, query: { dryRun: true } });
  const { id } = (await recorder.ask(client, 'createApiKey', { path: { organizationId }, body })).body;
  const path = { organizationId, id };
  await recorder.ask(client, 'getApiKey', { path });
  await recorder.ask(client, 'listApiKeys', {
    path: { organizationId },
    query: { filter: "name CONTAINS 'payroll'" },
  });
  await recorder.ask(client, 'deactivateApiKey', { path });
  await recorder.ask(client, 'reactivateApiKey', { path });
  const replacement = { name: 'Payroll of Muster GmbH, new', graceSeconds: 604_800 };
  await recorder.ask(client, 'replaceApiKey', { path, body: replacement, query: { dryRun: true } });
  await recorder.ask(client, 'replaceApiKey', { path, body: replacement });
  await recorder.ask(client, 'getApiKeyUsage', { path });
  await recorder.ask(client, 'deleteApiKey', { path });
  return path;
}

async function users({ client, recorder, testData }: PlatformStage): Promise<void> {
  const organizationId = testData.organization;
  const body = {
    email: 'petra.lang@example.com',
    name: 'Petra Lang',
    language: 'de',
    permissions: ['HR'],
    hrTenants: [testData.tenantA],
  };
  await recorder.ask(client, 'createUser', { path: { organizationId }, body, query: { dryRun: true } });
  const { id } = (await recorder.ask(client, 'createUser', { path: { organizationId }, body })).body;
  const path = { organizationId, id };
  await recorder.reject(client, 'createUser', [409, 'DUPLICATE_RESOURCE'], { path, body });
  const email = 'anna@example.com';
  const unsaid = { ...body, email, hrTenants: undefined };
  await recorder.reject(client, 'createUser', [422, 'VALIDATION_ERROR'], { path, body: unsaid, own: true });
  const strange = { ...body, email, hrTenants: [unknown] };
  await recorder.reject(client, 'createUser', [422, 'INVALID_REFERENCE'], { path, body: strange, own: true });
  await recorder.ask(client, 'getUser', { path });
  const filter = "name CONTAINS 'lang' AND status = invited";
  await recorder.ask(client, 'listUsers', { path: { organizationId }, query: { filter } });
  await recorder.ask(client, 'updateUser', { path, body: { permissions: ['HR', 'COMPANY_ADMIN'] } });
  const stray = { hrTenants: [unknown] };
  await recorder.reject(client, 'updateUser', [422, 'INVALID_REFERENCE'], { path, body: stray, own: true });
  const none = { permissions: ['IT'], hrTenants: [testData.tenantA] };
  await recorder.reject(client, 'updateUser', [422, 'VALIDATION_ERROR'], { path, body: none, own: true });
  await recorder.ask(client, 'inviteUser', { path });
  await recorder.ask(client, 'deactivateUser', { path });
  await recorder.reject(client, 'inviteUser', [409, 'INVALID_STATE_TRANSITION'], { path, own: true });
  await recorder.ask(client, 'reactivateUser', { path });
  await recorder.ask(client, 'deleteUser', { path });
}

async function activations({ client, recorder, sql, testData }: PlatformStage): Promise<void> {
  const person = { tenant: testData.tenantA, divisionId: testData.sales };
  const [employee] = await storeEmployees(sql, testData.organization, [person]);
  const path = { organizationId: testData.organization, id: employee!.id };
  await recorder.ask(client, 'getEmployeeActivation', { path });
  await recorder.ask(client, 'activateEmployee', { path });
}

/** One who has left and whose order keeps the data, and one whose data go. Answers the path of the first. */
async function staff({ client, recorder, sql, testData }: PlatformStage): Promise<Record<string, string>> {
  const organizationId = testData.organization;
  const left = { tenant: testData.tenantB, blocked: true };
  const [kept, gone] = await storeEmployees(sql, organizationId, [
    { ...left, email: 'anna.schulz@example.com', firstName: 'Anna', lastName: 'Schulz' },
    left,
  ]);
  const [order] = await storeOrders(sql, { organizationId, tenantId: testData.tenantB }, [
    orderInput({
      employeeId: kept!.id,
      orderNumber: 'A-2021-000123',
      status: 'completed',
      contract: contractInput({ startDate: '2021-10-01', endDate: '2024-09-30' }),
      hrHistory: historyInput('approved'),
    }),
  ]);
  const document = { kind: 'contract', fileName: 'Vertrag.pdf', mediaType: 'application/pdf' } as const;
  await attachToOrder(
    { db: sql, files: databaseStore(sql) },
    { organizationId, orderId: order!.id },
    { ...document, bytes: Buffer.from('%PDF-1.7') },
  );
  const path = { organizationId, id: kept!.id };
  const exported = await recorder.ask(client, 'exportEmployee', { path });
  recorder.header('Content-Disposition', exported);
  await recorder.ask(client, 'getEmployeeErasure', { path });
  await recorder.ask(client, 'getTenantRetention', { path: { organizationId, id: testData.tenantB } });
  await recorder.ask(client, 'eraseEmployee', { path: { organizationId, id: gone!.id } });
  return path;
}

async function withBrokenFiles(
  { recorder, sql }: Pick<PlatformStage, 'recorder' | 'sql'>,
  path: Record<string, string>,
): Promise<void> {
  for (const [status, code, open] of [
    [502, 'BAD_GATEWAY', () => Promise.reject(new FileStoreError('away'))],
    [504, 'GATEWAY_TIMEOUT', () => new Promise<never>(() => {})],
  ] as const) {
    const files = { store: { ...databaseStore(sql), open }, timeout: 100 };
    const service = await startService(sql, { files });
    const client = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
    await recorder.reject(client, 'exportEmployee', [status, code], { path });
    client.close();
    await service.stop();
  }
}

async function audit({ client, recorder, testData }: PlatformStage): Promise<void> {
  const path = { organizationId: testData.organization };
  const filter = "action = 'tenant.create' AND actorType = platform_token";
  await recorder.ask(client, 'listAuditEntries', { path, query: { filter } });
  await recorder.ask(client, 'listPlatformAuditEntries', {
    query: { filter: "action = 'platform_token.create'" },
  });
  await recorder.ask(client, 'exportAuditEntries', { path, query: { format: 'csv', filter } });
  const file = await recorder.ask(client, 'exportPlatformAuditEntries');
  recorder.header('Content-Disposition', file);
  await recorder.ask(client, 'updateAuditRetention', { path, body: { days: 400 } });
  await recorder.ask(client, 'getAuditRetention', { path });
}

/** The paths of a key that is deleted, of an order, and of an employee whose data are kept. */
type Rejected = Readonly<Record<'deleted' | 'order' | 'kept', Record<string, string>>>;

async function rejections(stage: PlatformStage, { deleted, order, kept }: Rejected): Promise<void> {
  const { client, recorder, sql, testData } = stage;
  const reject = (operation: string, rejection: [number, ErrorCode], sent: Sent = {}) =>
    recorder.reject(client, operation, rejection, sent);
  const id = testData.organization;
  await reject('getOrganization', [400, 'UNKNOWN_QUERY_PARAMETER'], {
    path: { id },
    query: { expand: 'all' },
  });
  await reject('getOrganization', [400, 'UNSUPPORTED_HEADER'], { path: { id }, tenant: testData.tenantA });
  await reject('getOrganization', [406, 'NOT_ACCEPTABLE'], {
    path: { id },
    headers: { accept: 'text/html' },
  });
  await reject('getOrganization', [400, 'INVALID_REFERENCE_ID'], { path: { id: 'muster' } });
  await reject('getOrganization', [404, 'NOT_FOUND'], { path: { id: unknown } });
  await reject('getOrganization', [401, 'INVALID_TOKEN'], { path: { id }, key: null });
  const key = await testToken(sql, { permissions: [] });
  await reject('getOrganization', [403, 'PERMISSION_DENIED'], { path: { id }, key });
  await ofLists(stage);
  await ofBodies(stage);
  const conflict: [number, ErrorCode] = [409, 'INVALID_STATE_TRANSITION'];
  await reject('deactivateApiKey', conflict, { path: deleted });
  await reject('reactivateApiKey', conflict, { path: deleted });
  await reject('replaceApiKey', conflict, { path: deleted, body: {} });
  await rejectedUploads(stage, order);
  await reject('eraseEmployee', conflict, { path: kept });
  await withBrokenFiles(stage, kept);
  await sql`ALTER TABLE organization RENAME TO elsewhere`;
  await reject('listOrganizations', [500, 'INTERNAL_SERVER_ERROR']);
  await sql`ALTER TABLE elsewhere RENAME TO organization`;
  await sql.database.close();
  await reject('listOrganizations', [503, 'SERVICE_UNAVAILABLE']);
}

async function ofLists({ client, recorder }: PlatformStage): Promise<void> {
  const list = (status: number, code: ErrorCode, query: Record<string, string>) =>
    recorder.reject(client, 'listOrganizations', [status, code], { query });
  await list(400, 'VALIDATION_ERROR', { page: '0' });
  await list(400, 'INVALID_FILTER_SYNTAX', { filter: 'name = Muster AND' });
  await list(400, 'UNSUPPORTED_FILTER_FIELD', { filter: 'city = Bonn' });
  await list(400, 'UNSUPPORTED_FILTER_OPERATOR', { filter: 'createdAt CONTAINS 2026' });
  await list(400, 'UNSUPPORTED_SORT_FIELD', { sort: 'city' });
  await list(422, 'VALIDATION_ERROR', { filter: 'createdAt > yesterday' });
}

async function ofBodies({ client, recorder, testData }: PlatformStage): Promise<void> {
  const path = { organizationId: testData.organization };
  const tenant = (status: number, code: ErrorCode, sent: Sent) =>
    recorder.reject(client, 'createTenant', [status, code], { path, ...sent });
  await tenant(400, 'UNSUPPORTED_FIELD', { body: { name: 'Muster Bern AG', city: 'Bern' } });
  await tenant(415, 'UNSUPPORTED_MEDIA_TYPE', { raw: 'name=x', headers: { 'content-type': 'text/plain' } });
  await tenant(413, 'PAYLOAD_TOO_LARGE', { raw: Buffer.alloc(bodyLimits.ordinary + 1, ' ') });
  const apiKey = (status: number, code: ErrorCode, body: object) =>
    recorder.reject(client, 'createApiKey', [status, code], { path, body: { name: 'Payroll', ...body } });
  await apiKey(400, 'VALIDATION_ERROR', { wholeOrganization: 'yes' });
  await apiKey(422, 'VALIDATION_ERROR', {});
  await apiKey(422, 'INVALID_REFERENCE', { grants: [{ tenant: unknown, divisions: null }] });
}
