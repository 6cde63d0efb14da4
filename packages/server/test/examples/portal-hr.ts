import type { ErrorCode } from '@kontor/contract';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { storeEmployees } from '../support/employees.ts';
import { contractInput, orderInput, productInput, storeOrders } from '../support/orders.ts';
import type { Sent, Stage } from './recorder.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Records the work of HR in the portal, and its rejections. */
export async function workOfHr(
  { client, recorder, sql, testData }: Stage,
  { key, stranger }: { key: string; stranger: string },
): Promise<void> {
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  const reject = (operation: string, rejection: [number, ErrorCode], sent: Sent = {}) =>
    recorder.reject(client, operation, rejection, { key, ...sent });
  const { organization, tenantA, tenantB, sales } = testData;
  const [person, other] = await storeEmployees(sql, organization, [
    {
      tenant: tenantA,
      divisionId: sales,
      email: 'jana.schmidt@example.com',
      firstName: 'Jana',
      lastName: 'Schmidt',
      employeeNumber: '4711',
    },
    { tenant: tenantA, email: 'ali.kaya@example.com', employeeNumber: '4712' },
  ]);
  const path = { id: person!.id };
  await ask('listPortalEmployees', { tenant: tenantA, query: { filter: "lastName STARTS_WITH 'sch'" } });
  await ask('getPortalEmployee', { path });
  await ask('updatePortalEmployee', { path, body: { employeeNumber: '4713' }, query: { dryRun: true } });
  await ask('updatePortalEmployee', { path, body: { employeeNumber: '4713' } });
  await reject('updatePortalEmployee', [409, 'DUPLICATE_RESOURCE'], {
    path: { id: other!.id },
    body: { employeeNumber: '4713' },
  });
  const target = { organizationId: organization, tenantId: tenantA };
  const order = (more: object = {}) => orderInput({ employeeId: person!.id, ...more });
  const [decided, expired, underReview] = await storeOrders(sql, target, [
    order({ orderNumber: 'A-2026-000125', products: [productInput()], contract: contractInput() }),
    order({ status: 'expired' }),
    order(),
  ]);
  const place = { organizationId: organization, orderId: decided!.id };
  const offer = { kind: 'offer', fileName: 'angebot.png', mediaType: 'image/png', bytes: png } as const;
  const attachment = await attachToOrder({ db: sql, files: databaseStore(sql) }, place, offer);
  const ofOrder = { id: decided!.id };
  await ask('listPortalOrders', { query: { filter: "orderNumber = 'A-2026-000125'" } });
  const body = { decision: 'approved', comment: 'Budget geprüft' };
  await ask('decidePortalOrder', { path: ofOrder, body, query: { dryRun: true } });
  await ask('decidePortalOrder', { path: ofOrder, body });
  await ask('getPortalOrder', { path: ofOrder });
  const document = { path: { ...ofOrder, attachmentId: attachment.id } };
  await ask('downloadPortalOrderAttachment', document);
  await reject('listPortalOrders', [403, 'PERMISSION_DENIED'], { key: stranger });
  await reject('listPortalOrders', [403, 'TENANT_NOT_IN_SCOPE'], { tenant: tenantB });
  await reject('decidePortalOrder', [409, 'ORDER_ALREADY_DECIDED'], { path: ofOrder, body });
  await reject('decidePortalOrder', [409, 'INVALID_STATE_TRANSITION'], { path: { id: expired!.id }, body });
  await client.patch(`/employees/${person!.id}`, { blocked: true }, { key });
  await reject('decidePortalOrder', [422, 'EMPLOYEE_BLOCKED'], { path: { id: underReview!.id }, body });
  await sql`DELETE FROM file_slice WHERE file_id = ${attachment.id}`;
  await reject('downloadPortalOrderAttachment', [404, 'FILE_NOT_FOUND'], document);
}
