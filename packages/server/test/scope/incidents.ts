import assert from 'node:assert/strict';
import type { Incident } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import { canAccessEmployee } from '../support/data/scope-model.ts';
import { askInWrite, assertRejected, type Case, type Mode, placesToTry, targetsOf } from './case.ts';
import { employees } from './employees.ts';
import { checkTargets, type ResourceType } from './resource-type.ts';
import { reportOf, type TestedEmployee, type TestedIncident } from './organization.ts';
import { pick } from './plan.ts';

export const incidents: ResourceType<TestedIncident> = {
  path: '/incidents',
  of: organization => organization.incidents,
  canAccess: (key, selected, { employee }) => canAccessEmployee(key, selected, employee),
  known: ({ employee, orderId, description, attachments }) => [
    employee.id,
    orderId,
    description,
    attachments,
  ],
  shown: ({ employeeId, orderId, description, attachments }: Incident) => [
    employeeId,
    orderId,
    description,
    attachments.map(({ id }) => id),
  ],
};

/** No order, and all that there are: an incident takes those of its employee only. */
function ordersToName(tested: Case): (string | null)[] {
  return [null, ...targetsOf(tested, organization => organization.orders).map(({ id }) => id)];
}

/** Employees are reported with an order of theirs, and with others, alternating. */
export async function checkCreates(tested: Case, mode: Mode): Promise<void> {
  const { client, key } = tested;
  const { dryRun } = mode;
  const orders = ordersToName(tested);
  const staff = placesToTry(tested, targetsOf(tested, employees.of), mode);
  for (const [n, { id, own }] of staff.entries()) {
    const ordered = key.organization.orders.find(order => order.employee === own);
    const orderId = n % 2 === 0 && ordered ? ordered.id : pick(orders, tested.write);
    const asked = await askInWrite(tested, options =>
      client.post('/incidents', reportOf(id, orderId), { ...options, query: { dryRun } }),
    );
    if (!asked) continue;
    const { selected, answer } = asked;
    const kind = 'incident create';
    if (!own || !canAccessEmployee(key, selected, own)) {
      assertRejected(tested, kind, answer, [422, 'INVALID_REFERENCE']);
      continue;
    }
    const rejection = rejectionOf(tested, own, orderId);
    if (rejection) {
      assertRejected(tested, `${kind} of one who is seen`, answer, [422, rejection]);
      continue;
    }
    assert.deepEqual([answer.status, answer.body.employeeId], [dryRun ? 200 : 201, id], kind);
    if (dryRun) continue;
    const { id: incidentId, description } = answer.body;
    key.organization.incidents.push({ id: incidentId, employee: own, orderId, description, attachments: [] });
  }
}

function rejectionOf(tested: Case, employee: TestedEmployee, orderId: string | null): string | null {
  if (employee.account === 'not activated') return 'EMPLOYEE_NOT_ACTIVATED';
  if (employee.account === 'blocked') return 'EMPLOYEE_BLOCKED';
  return isOrderOf(tested, employee, orderId) ? null : 'INVALID_REFERENCE';
}

function isOrderOf({ key }: Case, employee: TestedEmployee, orderId: string | null): boolean {
  if (orderId === null) return true;
  return key.organization.orders.find(order => order.id === orderId)?.employee === employee;
}

export async function checkUpdates(tested: Case, { dryRun }: Mode): Promise<void> {
  const { client } = tested;
  const orders = ordersToName(tested).filter(id => id !== null);
  let write = tested.write;
  let patch: { description: string; orderId?: string } = { description: '' };
  await checkTargets(tested, incidents, {
    name: 'update',
    ask({ id }, options) {
      patch = { description: newId(), ...(write++ % 2 === 0 && { orderId: pick(orders, write) }) };
      return client.patch(`/incidents/${id}`, patch, { ...options, query: { dryRun } });
    },
    found(incident, answer) {
      const { description, orderId = incident.orderId } = patch;
      if (orderId !== incident.orderId && !isOrderOf(tested, incident.employee, orderId))
        return assertRejected(tested, 'incident order', answer, [422, 'INVALID_REFERENCE']);
      const { status, body } = answer;
      assert.deepEqual([status, body.description, body.orderId], [200, description, orderId], 'update');
      if (!dryRun) Object.assign(incident, { description, orderId });
    },
  });
}

const file = { bytes: Buffer.from('%PDF-1.7\n%%EOF\n', 'latin1'), fileName: 'evidence.pdf' };

export function checkUploads(tested: Case, { dryRun }: Mode): Promise<void> {
  return checkTargets(tested, incidents, {
    name: 'upload',
    ask: ({ id }, options) =>
      tested.client.upload(`/incidents/${id}/attachments`, file, { ...options, query: { dryRun } }),
    found(incident, { status, body }) {
      const taken = incident.orderId !== null;
      const expected = taken ? [dryRun ? 200 : 201, null] : [409, 'INVALID_STATE_TRANSITION'];
      assert.deepEqual([status, body.error?.code ?? null], expected, 'upload');
      if (taken && !dryRun) incident.attachments.push(body.id);
    },
  });
}
