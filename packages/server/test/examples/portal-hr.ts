import type { ErrorCode } from '@kontor/contract';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { advance } from '../features/incidents/support.ts';
import { storeEmployees } from '../support/employees.ts';
import { contractInput, orderInput, productInput, storeOrders } from '../support/orders.ts';
import { employees } from './portal-employees.ts';
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
  await ask('listPortalEmployees', { tenant: tenantA, body: { filter: "lastName STARTS_WITH 'sch'" } });
  await employees({ sql, testData, ask, reject });
  await client.patch(`/employees/${person!.id}`, { employeeNumber: '4713' }, { key });
  await reject('updatePortalEmployee', [409, 'DUPLICATE_RESOURCE'], {
    path: { id: other!.id },
    body: { employeeNumber: '4713' },
  });
  const target = { organizationId: organization, tenantId: tenantA };
  const order = (more: object = {}) => orderInput({ employeeId: person!.id, ...more });
  const [decided, expired, underReview] = await storeOrders(sql, target, [
    order({ orderNumber: 'A-2026-000125', products: [productInput()], contract: contractInput() }),
    order({ orderNumber: 'A-2026-000126', status: 'expired' }),
    order({ orderNumber: 'A-2026-000127' }),
  ]);
  const place = { organizationId: organization, orderId: decided!.id };
  const offer = { kind: 'offer', fileName: 'angebot.png', mediaType: 'image/png', bytes: png } as const;
  const attachment = await attachToOrder({ db: sql, files: databaseStore(sql) }, place, offer);
  const ofOrder = { id: decided!.id };
  await ask('listPortalOrders', { body: { filter: "orderNumber = 'A-2026-000125'" } });
  const body = { decision: 'approved', comment: 'Budget geprüft' };
  await ask('decidePortalOrder', { path: ofOrder, body, query: { dryRun: true } });
  await ask('decidePortalOrder', { path: ofOrder, body });
  await ask('getPortalOrder', { path: ofOrder });
  const document = { path: { ...ofOrder, attachmentId: attachment.id } };
  await ask('downloadPortalOrderAttachment', document);
  await reject('listPortalOrders', [403, 'PERMISSION_DENIED'], { body: {}, key: stranger });
  await reject('listPortalOrders', [403, 'TENANT_NOT_IN_SCOPE'], { body: {}, tenant: tenantB });
  await reject('decidePortalOrder', [409, 'ORDER_ALREADY_DECIDED'], { path: ofOrder, body });
  await reject('decidePortalOrder', [409, 'INVALID_STATE_TRANSITION'], { path: { id: expired!.id }, body });
  await incidents({ client, sql, ask, reject }, { employeeId: person!.id, orderId: decided!.id });
  await reject('createPortalIncident', [422, 'EMPLOYEE_NOT_ACTIVATED'], {
    body: { employeeId: other!.id, type: 'other' },
  });
  await client.patch(`/employees/${person!.id}`, { blocked: true }, { key });
  await reject('createPortalIncident', [422, 'EMPLOYEE_BLOCKED'], {
    body: { employeeId: person!.id, type: 'other' },
  });
  await reject('decidePortalOrder', [422, 'EMPLOYEE_BLOCKED'], { path: { id: underReview!.id }, body });
  await sql`DELETE FROM file_slice WHERE file_id = ${attachment.id}`;
  await reject('downloadPortalOrderAttachment', [404, 'FILE_NOT_FOUND'], document);
}

interface Asking extends Pick<Stage, 'client' | 'sql'> {
  readonly ask: (operation: string, sent?: Sent) => Promise<{ body: any }>;
  readonly reject: (operation: string, rejection: [number, ErrorCode], sent?: Sent) => Promise<unknown>;
}

async function incidents(
  { sql, ask, reject }: Asking,
  { employeeId, orderId }: { employeeId: string; orderId: string },
): Promise<void> {
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employeeId}`;
  const report = { employeeId, type: 'theft' };
  await ask('createPortalIncident', { body: report, query: { dryRun: true } });
  const { incident } = (await ask('createPortalIncident', { body: { ...report, orderId } })).body;
  const path = { id: incident.id as string };
  const file = { fileName: 'anzeige.png', bytes: png };
  const upload = { path, file };
  await ask('getPortalIncident', { path });
  await reject('uploadPortalIncidentAttachment', [409, 'INVALID_STATE_TRANSITION'], upload);
  const empty = { path, file: { ...file, bytes: Buffer.alloc(0) } };
  await reject('uploadPortalIncidentAttachment', [400, 'MISSING_ATTACHMENT'], empty);
  const policeReference = 'ST/0123456/2026';
  const body = { occurredOn: '2026-09-02', description: 'Am Bahnhof gestohlen', policeReference };
  await ask('updatePortalIncident', { path, body, query: { dryRun: true } });
  await ask('updatePortalIncident', { path, body });
  await ask('uploadPortalIncidentAttachment', { ...upload, query: { dryRun: true } });
  const attachment = (await ask('uploadPortalIncidentAttachment', upload)).body;
  const document = { path: { ...path, attachmentId: attachment.id as string } };
  await ask('downloadPortalIncidentAttachment', document);
  await ask('listPortalIncidents', { body: { filter: 'type = theft' } });
  await reject('updatePortalIncident', [422, 'INVALID_REFERENCE'], { path, body: { orderId: employeeId } });
  await advance(sql, path.id, 'in_progress');
  await reject('updatePortalIncident', [409, 'INVALID_STATE_TRANSITION'], { path, body: { orderId } });
  await sql`DELETE FROM file_slice WHERE file_id = ${attachment.id as string}`;
  await reject('downloadPortalIncidentAttachment', [404, 'FILE_NOT_FOUND'], document);
}
