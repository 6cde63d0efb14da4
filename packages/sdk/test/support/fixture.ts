import type { Order, PayrollExportDocument } from '@kontor/contract';
import { attachToOrder } from '../../../server/src/features/orders/attachments.ts';
import { databaseStore } from '../../../server/src/files/database-store.ts';
import { storeEmployees } from '../../../server/test/support/data/employees.ts';
import { type Fixture, useFixture } from '../../../server/test/support/service/fixture.ts';
import { orderInput, storeOrders } from '../../../server/test/support/data/orders.ts';
import { storePayrollDocument } from '../../../server/test/support/data/payroll-documents.ts';
import { Kontor, type KontorOptions } from '../../src/index.ts';

/** A PDF for uploads. */
export const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'kontor')]);

/** The service with resources of every type, and clients of it. */
export interface SdkFixture extends Fixture {
  /** An activated employee of tenant A. */
  readonly employeeId: string;
  /** The bytes of the payroll document. */
  readonly payroll: Buffer;
  readonly payrollDocument: PayrollExportDocument;
  /** A client with the key of the whole organization. */
  kontor(options?: KontorOptions): Kontor;
  /** Stores an order under review. */
  order(): Promise<Order>;
  /** Stores an order with one attachment, `pdf`. */
  orderWithAttachment(): Promise<{ id: string; attachmentId: string }>;
}

/** @param prepare what else a file needs before its tests, when the service answers */
export function useSdkFixture(prepare: () => Promise<void> = async () => {}): SdkFixture {
  const payroll = Buffer.from('4711;2026-10;12,50\n'.repeat(20_000));
  const fixture: Fixture = useFixture(async ({ sql, testData }) => {
    const { organization, tenantA: tenant } = testData;
    const [employee] = await storeEmployees(sql, organization, [{ tenant, lastName: 'Schulz' }]);
    const employeeId = employee!.id;
    await sql`UPDATE employee SET activated_at = now()
      WHERE organization_id = ${organization} AND id = ${employeeId}`;
    const payrollDocument = await storePayrollDocument(sql, organization, { tenant }, payroll);
    Object.assign(fixture, { employeeId, payrollDocument });
    await prepare();
  });
  const order = async () => {
    const { organization, tenantA } = fixture.testData;
    const target = { organizationId: organization, tenantId: tenantA };
    const [stored] = await storeOrders(fixture.sql, target, [
      orderInput({ employeeId: (fixture as SdkFixture).employeeId }),
    ]);
    return stored!;
  };
  const own = {
    payroll,
    kontor: (options: KontorOptions = {}) =>
      new Kontor({
        apiKey: fixture.testData.keys.all,
        baseUrl: fixture.service.url,
        tenant: fixture.testData.tenantA,
        ...options,
      }),
    order,
    async orderWithAttachment() {
      const { id } = await order();
      const parts = { db: fixture.sql, files: databaseStore(fixture.sql) };
      const target = { organizationId: fixture.testData.organization, orderId: id };
      const document = {
        kind: 'offer',
        fileName: 'Übergabe "1".pdf',
        mediaType: 'application/pdf',
        bytes: pdf,
      } as const;
      return { id, attachmentId: (await attachToOrder(parts, target, document)).id };
    },
  };
  // The rest is there when the tests begin.
  return Object.assign(fixture as SdkFixture, own);
}
