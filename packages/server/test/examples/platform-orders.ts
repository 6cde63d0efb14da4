import type { ErrorCode } from '@kontor/contract';
import { databaseStore } from '../../src/files/database-store.ts';
import { FileStoreError, type FileStore, FileStoreTooSlow } from '../../src/files/file-store.ts';
import { apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import type { PlatformStage, Sent } from './recorder.ts';

const unknown = 'f'.repeat(24);
const product = {
  model: 'Helium 5.9',
  vatRate: '19.00',
  manufacturerName: 'Nox Cycles',
  articleGroupName: 'E-Bike',
  grossAmount: '3599.00',
  netAmount: '3024.3697',
};
const contract = {
  termMonths: 36,
  currency: 'EUR',
  listPrice: '3599.00',
  purchasePrice: '3419.05',
  leasingRate: '98.10',
  leasingRateSubsidy: '20.00',
  insuranceRate: '9.90',
  insuranceRateSubsidy: '9.90',
  serviceRate: '5.00',
  serviceRateSubsidy: '0.00',
};
const offer = { fileName: 'angebot.pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') };

/** Has an order taken in, alone and in a batch, and a document attached to it. */
export async function orders({
  client,
  recorder,
  sql,
  testData,
}: PlatformStage): Promise<Record<string, string>> {
  const path = { organizationId: testData.organization };
  const [employee] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
  const body = {
    externalId: 'shop-2026-000123',
    orderNumber: 'A-2026-000123',
    employeeId: employee!.id,
    products: [product],
    contract,
    submittedAt: '2026-09-02T08:15:30.123Z',
  };
  const { id } = (await recorder.ask(client, 'createOrder', { path, body })).body;
  await recorder.ask(client, 'createOrder', { path, body });
  // The last answer of a status is the one that is shown: of 200 that of a dry run, as with every create.
  const tried = { ...body, externalId: 'shop-2026-000126', orderNumber: 'A-2026-000126' };
  await recorder.ask(client, 'createOrder', { path, body: tried, query: { dryRun: true } });
  const another = { ...body, externalId: 'shop-2026-000124', orderNumber: 'A-2026-000124' };
  const items = [body, another, { ...another, externalId: 'shop-2026-000125' }];
  await recorder.ask(client, 'createOrderBatch', { path, body: { items } });
  const ofOrder = { ...path, id };
  const query = { kind: 'offer' };
  await recorder.ask(client, 'uploadOrderAttachment', { path: ofOrder, file: offer, query });
  await recorder.ask(client, 'uploadOrderAttachment', { path: ofOrder, file: offer, query });
  const triedFile = { ...offer, bytes: Buffer.from('%PDF-1.7\n%\n%%EOF\n') };
  const dryRun = { ...query, dryRun: true };
  await recorder.ask(client, 'uploadOrderAttachment', { path: ofOrder, file: triedFile, query: dryRun });
  await recorder.ask(client, 'getOrganizationOrder', { path: ofOrder });
  await rejectedIntakes({ client, recorder, path, body });
  return ofOrder;
}

async function rejectedIntakes({
  client,
  recorder,
  path,
  body,
}: Pick<PlatformStage, 'client' | 'recorder'> & {
  path: Record<string, string>;
  body: object;
}): Promise<void> {
  const reject = (status: number, code: ErrorCode, more: object) =>
    recorder.reject(client, 'createOrder', [status, code], { path, body: { ...body, ...more } });
  await reject(400, 'VALIDATION_ERROR', { products: [{ ...product, netAmount: 3024.37 }] });
  await reject(400, 'INVALID_REFERENCE_ID', { employeeId: '10042' });
  await reject(409, 'DUPLICATE_RESOURCE', { orderNumber: 'A-2026-000126' });
  const other = { externalId: 'shop-2026-000126', orderNumber: 'A-2026-000126' };
  await reject(422, 'INVALID_REFERENCE', { ...other, employeeId: unknown });
  await reject(422, 'VALIDATION_ERROR', { ...other, contract: { ...contract, serviceRateSubsidy: '9.00' } });
}

/** Finds an employee without a tenant, and gives her one. */
export async function employees({ client, recorder, sql, testData }: PlatformStage): Promise<void> {
  const path = { organizationId: testData.organization };
  const person = { email: 'maria.schulz@example.com', firstName: 'Maria', lastName: 'Schulz' };
  const store = async (data: object) => (await storeEmployees(sql, testData.organization, [data]))[0]!.id;
  const id = await store({ ...person, employeeNumber: '10042' });
  const filter = "tenant IS NULL AND email = 'maria.schulz@example.com'";
  await recorder.ask(client, 'listOrganizationEmployees', { path, query: { filter } });
  const body = { tenant: testData.tenantA, divisionId: testData.sales };
  const assign = { path: { ...path, id }, body };
  await recorder.ask(client, 'assignEmployee', assign);
  const reject = (status: number, code: ErrorCode, sent: Sent) =>
    recorder.reject(client, 'assignEmployee', [status, code], { ...assign, ...sent });
  await reject(409, 'INVALID_STATE_TRANSITION', { body: { tenant: testData.tenantB } });
  const twin = await store({ employeeNumber: '10042' });
  await reject(409, 'DUPLICATE_RESOURCE', { path: { ...path, id: twin } });
  await reject(422, 'INVALID_REFERENCE', { body: { tenant: unknown } });
  const rename = { path: { ...path, id }, body: { email: 'maria.braun@example.com' } };
  await recorder.ask(client, 'changeEmployeeEmail', rename);
  await recorder.reject(client, 'changeEmployeeEmail', [409, 'DUPLICATE_RESOURCE'], {
    ...rename,
    path: { ...path, id: twin },
  });
  const block = { blocked: true, reason: 'Left the company' };
  await recorder.ask(client, 'blockEmployee', { path: { ...path, id }, body: block });
  const items = [{ employeeId: id }, { employeeId: unknown }];
  await recorder.ask(client, 'activateEmployeeBatch', { path, body: { items } });
}

/** Has uploads rejected, the last ones by a store that is away and one that is too slow. */
export async function rejectedUploads(
  { client, recorder, sql }: PlatformStage,
  path: Record<string, string>,
): Promise<void> {
  const reject = (status: number, code: ErrorCode, sent: Sent, at = client) =>
    recorder.reject(at, 'uploadOrderAttachment', [status, code], { path, file: offer, ...sent });
  const record = new FormData();
  record.append('note', 'Unterschrieben');
  await reject(400, 'VALIDATION_ERROR', { query: { kind: 'poem' } });
  await reject(400, 'UNKNOWN_QUERY_PARAMETER', { query: { type: 'offer' } });
  await reject(400, 'UNSUPPORTED_FIELD', { file: record });
  await reject(400, 'MISSING_ATTACHMENT', { file: { ...offer, bytes: Buffer.alloc(0) } });
  await reject(415, 'UNSUPPORTED_MEDIA_TYPE', { file: { ...offer, bytes: Buffer.from('Rahmen gebrochen') } });
  const key = await testToken(sql);
  const other = { ...offer, bytes: Buffer.from('%PDF-1.7\n% other\n%%EOF\n') };
  for (const [error, status, code] of [
    [new FileStoreError('down'), 502, 'BAD_GATEWAY'],
    [new FileStoreTooSlow('late'), 504, 'GATEWAY_TIMEOUT'],
  ] as const) {
    const store: FileStore = { ...databaseStore(sql), put: () => Promise.reject(error) };
    const service = await startService(sql, { files: { store, timeout: 100 } });
    const broken = apiClient(service.managementUrl, { api: 'platform', key });
    await reject(status, code, { file: other }, broken);
    broken.close();
    await service.stop();
  }
  await sql`UPDATE employee SET erased_at = now() WHERE id = (SELECT employee_id FROM employee_order WHERE id = ${path['id']!})`;
  await reject(409, 'INVALID_STATE_TRANSITION', { file: other });
}
