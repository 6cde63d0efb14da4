import type { ErrorCode } from '@kontor/contract';
import { storeEmployees } from '../support/employees.ts';
import { orderInput, storeOrders } from '../support/orders.ts';
import { signedInUser } from '../support/users.ts';
import type { Sent, Stage } from './recorder.ts';

interface Asking extends Pick<Stage, 'sql' | 'testData'> {
  readonly ask: (operation: string, sent?: Sent) => Promise<{ body: any }>;
  readonly reject: (operation: string, rejection: [number, ErrorCode], sent?: Sent) => Promise<unknown>;
}

/** Records the work on employees, up to the erasure of one. */
export async function employees({ sql, testData, ask, reject }: Asking): Promise<void> {
  const { organization, tenantA, sales } = testData;
  const body = {
    email: 'lea.winter@example.com',
    firstName: 'Lea',
    lastName: 'Winter',
    employeeNumber: '4720',
    divisionId: sales,
  };
  await ask('createPortalEmployee', { body, query: { dryRun: true } });
  const { id } = (await ask('createPortalEmployee', { body })).body as { id: string };
  const path = { id };
  await reject('createPortalEmployee', [409, 'DUPLICATE_RESOURCE'], { body });
  const everywhere = { permissions: ['HR' as const], hrTenants: null };
  const { secret: key } = await signedInUser(sql, organization, everywhere);
  const { divisionId: _division, ...placeless } = body;
  await reject('createPortalEmployee', [422, 'TENANT_CONTEXT_AMBIGUOUS'], { body: placeless, key });
  await ask('activatePortalEmployee', { path, query: { dryRun: true } });
  await ask('activatePortalEmployee', { path });
  const patch = { city: 'Bonn', postalCode: '53113' };
  await ask('updatePortalEmployee', { path, body: patch, query: { dryRun: true } });
  await ask('updatePortalEmployee', { path, body: patch });
  const unchangedSince = '2026-09-02T08:15:30.123Z';
  await reject('updatePortalEmployee', [409, 'INVALID_STATE_TRANSITION'], {
    path,
    body: { city: 'Köln', unchangedSince },
  });
  await ask('getPortalEmployee', { path });
  await ask('listPortalEmployeeChanges', { path });
  await ask('exportPortalEmployees', { tenant: tenantA, body: { filter: "employeeNumber = '4720'" } });
  await ask('exportPortalEmployee', { path });
  await ask('getPortalEmployeeErasure', { path });
  const [busy] = await storeEmployees(sql, organization, [
    { tenant: tenantA, email: 'tom.sommer@example.com', employeeNumber: '4721' },
  ]);
  const target = { organizationId: organization, tenantId: tenantA };
  await storeOrders(sql, target, [
    orderInput({ employeeId: busy!.id, status: 'approved', orderNumber: 'A-2026-000140' }),
  ]);
  await reject('erasePortalEmployee', [409, 'INVALID_STATE_TRANSITION'], { path: { id: busy!.id } });
  await ask('erasePortalEmployee', { path, query: { dryRun: true } });
  await ask('erasePortalEmployee', { path });
}
