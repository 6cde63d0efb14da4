import type { ContractEnd, Incident } from '@kontor/contract';
import { attachToOrder } from '../../../src/features/orders/attachments.ts';
import { endContractOf } from '../../../src/features/orders/contract-changes.ts';
import type { EmployeeData } from '../../../src/features/employees/mapping.ts';
import { databaseStore } from '../../../src/files/database-store.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { storeEmployees } from './employees.ts';
import type { Fixture } from '../service/fixture.ts';
import { contractInput, historyInput, orderInput, productInput, storeOrders } from './orders.ts';

/** Somebody of whom each kind of thing is stored. */
export interface DataSubject {
  readonly id: string;
  readonly orderId: string;
  readonly orderFile: { readonly id: string; readonly bytes: Buffer };
  readonly incidentId: string;
  readonly incidentFile: { readonly id: string; readonly bytes: Buffer };
}

/** Everything stored of a data subject: data of the employee, an order as an import takes it, and an incident. */
export interface GivenFields {
  readonly employee?: Partial<EmployeeData>;
  readonly order?: Record<string, unknown>;
  readonly incident?: Record<string, unknown>;
  /** An early end of the contract. */
  readonly contractEnd?: ContractEnd;
  /** The beginning of the bytes and of the names of the files. */
  readonly mark?: string;
  readonly store?: FileStore;
}

/** Stores an employee of tenant A with an order that is over since 2019, a report of it, and a file of each. */
export async function storeDataSubject(
  { sql, testData, client }: Fixture,
  given: GivenFields = {},
): Promise<DataSubject> {
  const { mark = 'plain' } = given;
  const organizationId = testData.organization;
  const [employee] = await storeEmployees(sql, organizationId, [
    { tenant: testData.tenantA, divisionId: testData.north, ...given.employee },
  ]);
  const { id } = employee!;
  await sql`UPDATE employee SET activated_at = now() WHERE organization_id = ${organizationId} AND id = ${id}`;
  const [order] = await storeOrders(sql, { organizationId, tenantId: testData.tenantA }, [
    orderInput({
      employeeId: id,
      status: 'completed',
      products: [productInput()],
      contract: contractInput({ startDate: '2016-10-01', endDate: '2019-09-30' }),
      hrHistory: historyInput('approved'),
      ...given.order,
    }),
  ]);
  const { contractEnd } = given;
  if (contractEnd) await endContractOf(sql, { organizationId, orderId: order!.id }, contractEnd);
  const orderBytes = Buffer.from(`%PDF-1.7 ${mark} order`);
  const attached = await attachToOrder(
    { db: sql, files: given.store ?? databaseStore(sql) },
    { organizationId, orderId: order!.id },
    { kind: 'contract', fileName: `${mark} contract.pdf`, mediaType: 'application/pdf', bytes: orderBytes },
  );
  const incidentBytes = Buffer.from(`%PDF-1.7 ${mark} incident`);
  const reported = await client.post<Incident>('/incidents', {
    employeeId: id,
    orderId: order!.id,
    type: 'damage',
    occurredOn: '2018-05-06',
    description: 'Rahmen gebrochen',
    ...given.incident,
  });
  if (reported.status !== 201) throw new Error(JSON.stringify(reported.body));
  const upload = { bytes: incidentBytes, fileName: `${mark} evidence.pdf` };
  const evidence = await client.upload(`/incidents/${reported.body.id}/attachments`, upload);
  if (evidence.status !== 201) throw new Error(JSON.stringify(evidence.body));
  return {
    id,
    orderId: order!.id,
    orderFile: { id: attached.id, bytes: orderBytes },
    incidentId: reported.body.id,
    incidentFile: { id: evidence.body.id, bytes: incidentBytes },
  };
}
