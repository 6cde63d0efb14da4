import { createKey } from '../../src/cli/access/key.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { FileStoreError, type FileStore } from '../../src/files/file-store.ts';
import { advance } from '../features/incidents/support.ts';
import { apiClient } from '../support/contract/client.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { startService } from '../support/service/service.ts';
import { testPepper } from '../support/data/test-data.ts';
import type { Cast, Stage } from './recorder.ts';
import { safeWrites } from './safe-writes.ts';
import { wordings } from './wordings.ts';

const unknown = 'f'.repeat(24);
const conflict = 409;
const unprocessable = 422;

/** Provokes every error code; what an operation words in its own way, at each such operation. */
export async function rejections(stage: Stage, cast: Cast): Promise<void> {
  await ofRequests(stage, cast);
  await wordings(stage, cast);
  await ofEmployees(stage, cast);
  await ofDivisions(stage, cast);
  await ofOrders(stage, cast);
  await ofIncidents(stage, cast);
  await ofFiles(stage, cast);
  await safeWrites(stage, cast);
  await ofQuota(stage);
  await ofFaults(stage, cast);
}

async function ofRequests({ client, recorder, testData }: Stage, { employee }: Cast): Promise<void> {
  const list = (query: Record<string, string | number>) => ({ query });
  const path = { id: employee };
  await recorder.reject(client, 'listEmployees', [400, 'VALIDATION_ERROR'], list({ pageSize: 5000 }));
  const fromAfterTo = { createdAtFrom: '2026-09-02T00:00:00Z', createdAtTo: '2026-09-01T00:00:00Z' };
  await recorder.reject(client, 'listEmployees', [unprocessable, 'VALIDATION_ERROR'], list(fromAfterTo));
  const noUuid = { headers: { 'x-request-id': 'sync-42' } };
  await recorder.reject(client, 'listEmployees', [400, 'INVALID_REQUEST_ID'], noUuid);
  await recorder.reject(client, 'listEmployees', [400, 'UNKNOWN_QUERY_PARAMETER'], list({ pagesize: 10 }));
  const condition = {
    path,
    body: { city: 'Hamburg' },
    headers: { 'if-unmodified-since': 'Wed, 02 Sep 2026 08:15:30 GMT' },
  };
  await recorder.reject(client, 'updateEmployee', [400, 'UNSUPPORTED_HEADER'], condition);
  await recorder.reject(
    client,
    'listEmployees',
    [400, 'INVALID_FILTER_SYNTAX'],
    list({ filter: 'city = null' }),
  );
  const filter = (text: string) => list({ filter: text });
  await recorder.reject(
    client,
    'listEmployees',
    [400, 'UNSUPPORTED_FILTER_FIELD'],
    filter("lastname = 'Schulz'"),
  );
  await recorder.reject(
    client,
    'listEmployees',
    [400, 'UNSUPPORTED_FILTER_OPERATOR'],
    filter('blocked > false'),
  );
  await recorder.reject(client, 'listEmployees', [400, 'UNSUPPORTED_SORT_FIELD'], list({ sort: '-updated' }));
  const readOnly = { path, body: { tenant: testData.tenantB } };
  await recorder.reject(client, 'updateEmployee', [400, 'UNSUPPORTED_FIELD'], readOnly);
  await recorder.reject(client, 'getEmployee', [400, 'INVALID_REFERENCE_ID'], { path: { id: '10042' } });
  await recorder.reject(client, 'listEmployees', [401, 'INVALID_API_KEY'], { key: null });
  const foreign = { tenant: testData.foreign.tenant };
  await recorder.reject(client, 'listEmployees', [403, 'TENANT_NOT_IN_SCOPE'], foreign);
  await recorder.reject(client, 'getEmployee', [404, 'NOT_FOUND'], { path: { id: unknown } });
  await recorder.reject(client, 'listEmployees', [406, 'NOT_ACCEPTABLE'], {
    headers: { accept: 'text/csv' },
  });
  const large = { path, raw: Buffer.alloc(5 * 1024 * 1024 + 1, ' ') };
  await recorder.reject(client, 'updateEmployee', [413, 'PAYLOAD_TOO_LARGE'], large);
  const text = { path, raw: '{}', headers: { 'content-type': 'text/plain' } };
  await recorder.reject(client, 'updateEmployee', [415, 'UNSUPPORTED_MEDIA_TYPE'], text);
}

async function ofEmployees({ client, recorder, testData }: Stage, { employee }: Cast): Promise<void> {
  const body = { email: 'ali.kaya@example.com', firstName: 'Ali', lastName: 'Kaya' };
  const create = (status: number, code: Parameters<typeof recorder.reject>[2][1], sent: object) =>
    recorder.reject(client, 'createEmployee', [status, code], { body, ...sent });
  await create(400, 'INVALID_REFERENCE_ID', { body: { ...body, divisionId: 'Vertrieb' } });
  await create(unprocessable, 'INVALID_REFERENCE', { body: { ...body, divisionId: unknown } });
  await create(unprocessable, 'TENANT_CONTEXT_AMBIGUOUS', {});
  await create(unprocessable, 'EMPLOYEE_PLACEMENT_AMBIGUOUS', { key: testData.keys.salesAndSupport });
  const sameMail = { body: { ...body, email: 'Maria.Schulz@example.com' }, tenant: testData.tenantA };
  await create(conflict, 'DUPLICATE_RESOURCE', sameMail);
  await client.post('/employees', { ...body, employeeNumber: '10043' }, { tenant: testData.tenantA });
  const path = { id: employee };
  const sameNumber = { path, body: { employeeNumber: '10043' } };
  await recorder.reject(client, 'updateEmployee', [conflict, 'DUPLICATE_RESOURCE'], sameNumber);
  const elsewhere = { path, body: { divisionId: testData.lager } };
  await recorder.reject(client, 'updateEmployee', [unprocessable, 'INVALID_REFERENCE'], elsewhere);
}

async function ofDivisions({ client, recorder, testData }: Stage, { division }: Cast): Promise<void> {
  const create = (
    status: number,
    code: Parameters<typeof recorder.reject>[2][1],
    body: object,
    key?: string,
  ) => recorder.reject(client, 'createDivision', [status, code], { body, ...(key !== undefined && { key }) });
  const name = 'Einkauf';
  await create(400, 'INVALID_REFERENCE_ID', { name, parentId: 'Vertrieb' });
  await create(unprocessable, 'INVALID_REFERENCE', { name, parentId: unknown });
  await create(unprocessable, 'TENANT_CONTEXT_AMBIGUOUS', { name });
  await create(unprocessable, 'VALIDATION_ERROR', { name }, testData.keys.sales);
  await create(conflict, 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', {
    name: 'north',
    parentId: testData.sales,
  });
  const update = (status: number, code: Parameters<typeof recorder.reject>[2][1], body: object) =>
    recorder.reject(client, 'updateDivision', [status, code], { path: { id: testData.sales }, body });
  await update(conflict, 'DIVISION_CYCLE', { parentId: division });
  await update(unprocessable, 'INVALID_REFERENCE', { parentId: testData.lager });
  await update(conflict, 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', { name: 'SUPPORT' });
  let parentId = testData.support;
  for (let depth = 2; depth <= 20; depth++)
    parentId = (await client.post<{ id: string }>('/divisions', { name: `Ebene ${depth}`, parentId })).body
      .id;
  await update(unprocessable, 'VALIDATION_ERROR', { parentId });
}

async function ofOrders({ client, recorder, sql, testData }: Stage, cast: Cast): Promise<void> {
  const decide = (id: string, status: number, code: Parameters<typeof recorder.reject>[2][1]) =>
    recorder.reject(client, 'decideOrder', [status, code], { path: { id }, body: { decision: 'approved' } });
  await decide(cast.decided, conflict, 'ORDER_ALREADY_DECIDED');
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const [expired] = await storeOrders(sql, target, [
    orderInput({ employeeId: cast.employee, status: 'expired' }),
  ]);
  await decide(expired!.id, conflict, 'INVALID_STATE_TRANSITION');
  await client.patch(`/employees/${cast.employee}`, { blocked: true });
  await decide(cast.underReview, unprocessable, 'EMPLOYEE_BLOCKED');
  const reported = { body: { employeeId: cast.employee, type: 'damage' } };
  await recorder.reject(client, 'createIncident', [unprocessable, 'EMPLOYEE_BLOCKED'], reported);
  await client.patch(`/employees/${cast.employee}`, { blocked: false });
}

async function ofIncidents({ client, recorder, sql }: Stage, cast: Cast): Promise<void> {
  const body = { employeeId: cast.employee, type: 'parental_leave' };
  const create = (status: number, code: Parameters<typeof recorder.reject>[2][1], more: object) =>
    recorder.reject(client, 'createIncident', [status, code], { body: { ...body, ...more } });
  await create(400, 'INVALID_REFERENCE_ID', { orderId: 'A-2026-000123' });
  await create(unprocessable, 'INVALID_REFERENCE', { orderId: unknown });
  const backwards = { effectiveFrom: '2026-10-01', effectiveTo: '2026-09-01' };
  await create(unprocessable, 'VALIDATION_ERROR', backwards);
  const { items } = (await client.get('/employees', { query: { filter: "lastName = 'Kaya'" } })).body;
  await create(unprocessable, 'EMPLOYEE_NOT_ACTIVATED', { employeeId: items[0].id });
  const update = (
    id: string,
    status: number,
    code: Parameters<typeof recorder.reject>[2][1],
    patch: object,
  ) => recorder.reject(client, 'updateIncident', [status, code], { path: { id }, body: patch });
  await update(cast.incident, unprocessable, 'INVALID_REFERENCE', { orderId: unknown });
  await update(cast.incident, unprocessable, 'VALIDATION_ERROR', backwards);
  const draft = (await client.post('/incidents', body)).body.id as string;
  const file = { bytes: Buffer.from('%PDF-1.7\n%%EOF\n'), fileName: 'antrag.pdf' };
  const upload = { path: { id: draft }, file };
  await recorder.reject(client, 'uploadIncidentAttachment', [conflict, 'INVALID_STATE_TRANSITION'], upload);
  const empty = { path: { id: cast.incident }, file: { ...file, bytes: Buffer.alloc(0) } };
  await recorder.reject(client, 'uploadIncidentAttachment', [400, 'MISSING_ATTACHMENT'], empty);
  await advance(sql, draft, 'cancelled');
  await update(draft, conflict, 'INVALID_STATE_TRANSITION', { effectiveFrom: '2026-10-01' });
}

async function ofFiles(
  { client, recorder, sql, testData }: Stage,
  { decided, payrollDocument }: Cast,
): Promise<void> {
  const none = await storePayrollDocument(sql, testData.organization, { tenant: testData.tenantA }, null);
  const download = 'downloadPayrollExportDocument';
  await recorder.reject(client, download, [404, 'FILE_NOT_FOUND'], { path: { id: none.id } });
  const { attachments } = (await client.get(`/orders/${decided}`)).body;
  const attachmentId = attachments[0].id as string;
  await sql`DELETE FROM file_slice WHERE file_id = ${attachmentId}`;
  const gone = { path: { id: decided, attachmentId }, own: true } as const;
  await recorder.reject(client, 'downloadOrderAttachment', [404, 'FILE_NOT_FOUND'], gone);
  const path = { id: payrollDocument };
  for (const [open, rejection] of [
    [() => Promise.reject(new FileStoreError('down')), [502, 'BAD_GATEWAY']],
    [() => new Promise<never>(() => {}), [504, 'GATEWAY_TIMEOUT']],
  ] as const) {
    const store: FileStore = { ...databaseStore(sql), open };
    const service = await startService(sql, { files: { store, timeout: 100 } });
    const broken = apiClient(service.url, { key: testData.keys.all });
    await recorder.reject(broken, download, [...rejection], { path });
    broken.close();
    await service.stop();
  }
}

async function ofQuota({ client, recorder, sql, testData }: Stage): Promise<void> {
  const quota = { requests: 1, seconds: 18 };
  const grants = { organizationId: testData.organization, name: 'small', grants: 'all', quota } as const;
  const { key } = await createKey(sql, testPepper, grants);
  await client.get('/employees', { key });
  const answer = await recorder.reject(client, 'listEmployees', [429, 'RATE_LIMIT_EXCEEDED'], { key });
  recorder.header('Retry-After', answer);
}

/** The last ones: a table is away, then the database. */
async function ofFaults({ client, recorder, sql, testData }: Stage, { employee }: Cast): Promise<void> {
  const sent = { path: { id: employee }, tenant: testData.tenantB };
  await sql`ALTER TABLE tenant RENAME TO elsewhere`;
  await recorder.reject(client, 'getEmployee', [500, 'INTERNAL_SERVER_ERROR'], sent);
  await sql`ALTER TABLE elsewhere RENAME TO tenant`;
  await sql.database.close();
  await recorder.reject(client, 'getEmployee', [503, 'SERVICE_UNAVAILABLE'], { path: { id: employee } });
}
