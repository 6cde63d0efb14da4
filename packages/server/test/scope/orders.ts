import assert from 'node:assert/strict';
import type { Order } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import { canAccessEmployee } from '../support/data/scope-model.ts';
import { askInWrite, assertRejected, type Case, type Mode } from './case.ts';
import { assertDownload, checkTargets, type ResourceType } from './resource-type.ts';
import type { TestedOrder } from './organization.ts';

export const orders: ResourceType<TestedOrder> = {
  path: '/orders',
  of: organization => organization.orders,
  canAccess: (key, selected, { employee }) => canAccessEmployee(key, selected, employee),
  known: ({ employee, status, attachment }) => [employee.id, status, [attachment.id]],
  shown: ({ employeeId, status, attachments }: Order) => [
    employeeId,
    status,
    attachments.map(({ id }) => id),
  ],
};

export function checkDecisions(tested: Case, { dryRun }: Mode): Promise<void> {
  const { client } = tested;
  return checkTargets(tested, orders, {
    name: 'decision',
    ask: ({ id }, options) =>
      client.post(`/orders/${id}/decision`, { decision: 'approved' }, { ...options, query: { dryRun } }),
    found(order, { status, body }) {
      const rejection = rejectionOf(order);
      assert.deepEqual([status, body.error?.code ?? null], rejection ?? [200, null], 'decision');
      if (!rejection && !dryRun) order.status = 'approved';
    },
  });
}

function rejectionOf({ status, employee }: TestedOrder): [number, string] | null {
  if (status === 'approved') return [409, 'ORDER_ALREADY_DECIDED'];
  return employee.account === 'blocked' ? [422, 'EMPLOYEE_BLOCKED'] : null;
}

export async function checkDownloads(tested: Case): Promise<void> {
  const { client, key, other } = tested;
  const owners = [...key.organization.orders, ...other.orders];
  const attachmentOf = (id: string) => owners.find(order => order.id === id)?.attachment.id ?? newId();
  await checkTargets(tested, orders, {
    name: 'download',
    ask: ({ id }, options) => client.get(`/orders/${id}/attachments/${attachmentOf(id)}`, options),
    found: ({ attachment }, answer) => assertDownload(answer, attachment.bytes),
  });
  await checkStrayDownloads(tested);
}

/** The attachment of one order is not one of another, whichever of the two is seen. */
async function checkStrayDownloads(tested: Case): Promise<void> {
  const { client, key } = tested;
  const { orders } = key.organization;
  for (const [n, { attachment }] of orders.slice(1).entries()) {
    const path = `/orders/${orders[n]!.id}/attachments/${attachment.id}`;
    const asked = await askInWrite(tested, options => client.get(path, options));
    if (asked) assertRejected(tested, '/orders download', asked.answer, [404, 'NOT_FOUND']);
  }
}
