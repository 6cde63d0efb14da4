import type { Employee, Incident } from '@kontor/contract';
import { attachToOrder } from '../../packages/server/src/features/orders/attachments.ts';
import { databaseStore } from '../../packages/server/src/files/database-store.ts';
import { type ApiClient, apiClient } from '../../packages/server/test/support/contract/client.ts';
import { contractInput, orderInput, storeOrders } from '../../packages/server/test/support/data/orders.ts';
import { storePayrollDocument } from '../../packages/server/test/support/data/payroll-documents.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { insertTestData, testKey, type TestData } from '../../packages/server/test/support/data/test-data.ts';
import { type FaultStatus, faultStatuses } from './broken-files.ts';

/** What a session must know, as it reads it from `facts.json` in its folder. */
export interface Facts {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly key: string;
  /** A key with a quota of one request, which is used up. */
  readonly spentKey: string;
  readonly tenant: string;
  /** A tenant that the key does not see. */
  readonly foreignTenant: string;
  /** One of three employees with last names that start with `Sch`; has a street and a phone number, and no city. */
  readonly employee: string;
  /** An order under review, with a document and a contract of a list price of 3599.00. */
  readonly order: string;
  readonly document: string;
  /** An incident that takes files. */
  readonly incident: string;
  readonly payrollDocument: string;
  /** Payroll documents whose downloads are answered with the status that is their name. */
  readonly brokenFiles: Readonly<Record<FaultStatus, string>>;
}

export const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n%%EOF\n', 'latin1');
export const payroll = Buffer.from(
  'Personalnummer;Monat;Betrag\r\n4711;2026-10;12,50\r\n4712;2026-10;8,00 €\r\n',
);

/** Makes an organization with everything that a session needs; what it is to find broken is put into `broken`. */
export async function makeFacts(sql: Sql, url: string, broken: Map<string, FaultStatus>): Promise<Facts> {
  const testData = await insertTestData(sql);
  const client = apiClient(url, { key: testData.keys.all });
  const employee = await hire(client, testData.tenantA);
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employee.id}`;
  const { order, document } = await orderWithDocument(sql, testData, employee.id);
  const report = { occurredOn: '2026-09-02', description: 'Rahmen gebrochen', type: 'damage' };
  const incident = { employeeId: employee.id, orderId: order, ...report };
  const reported = (await client.post<Incident>('/incidents', incident)).body;
  const spentKey = await testKey(sql, testData.organization, 'all', { requests: 1, seconds: 86_400 });
  await client.get('/employees', { key: spentKey });
  client.close();
  const storeFile = () =>
    storePayrollDocument(sql, testData.organization, { tenant: testData.tenantA }, payroll);
  const brokenFiles: Partial<Record<FaultStatus, string>> = {};
  for (const status of faultStatuses) {
    const { id } = await storeFile();
    broken.set(id, status);
    brokenFiles[status] = id;
  }
  return {
    url: `${url}/v1`,
    key: testData.keys.all,
    spentKey,
    tenant: testData.tenantA,
    foreignTenant: testData.foreign.tenant,
    employee: employee.id,
    order,
    document,
    incident: reported.id,
    payrollDocument: (await storeFile()).id,
    brokenFiles: brokenFiles as Record<FaultStatus, string>,
  };
}

async function orderWithDocument(
  sql: Sql,
  { organization: organizationId, tenantA: tenantId }: TestData,
  employeeId: string,
): Promise<{ order: string; document: string }> {
  const input = orderInput({ employeeId, contract: contractInput() });
  const [order] = await storeOrders(sql, { organizationId, tenantId }, [input]);
  const attached = {
    kind: 'offer',
    fileName: 'angebot.pdf',
    mediaType: 'application/pdf',
    bytes: pdf,
  } as const;
  const place = { organizationId, orderId: order!.id };
  const document = await attachToOrder({ db: sql, files: databaseStore(sql) }, place, attached);
  return { order: order!.id, document: document.id };
}

/** Three employees with last names that start with `Sch`, of whom the first is answered, and one other. */
async function hire(client: ApiClient, tenant: string): Promise<Employee> {
  const address = { street: 'Lange Straße 12', phoneNumber: '+49 30 1234567' };
  const hired: Employee[] = [];
  for (const [firstName, lastName] of [
    ['Maria', 'Schulz'],
    ['Jörg', 'Schäfer'],
    ['Ali', 'Schmidt'],
    ['Ida', 'Kaya'],
  ]) {
    const body = { email: `${firstName!.toLowerCase()}@example.com`, firstName, lastName, ...address };
    hired.push((await client.post<Employee>('/employees', body, { tenant })).body);
  }
  return hired[0]!;
}
