import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '@kontor/contract';
import type { Queryable } from '../../src/db/session.ts';
import { createDivision, insertDivision } from '../../src/features/divisions/store.ts';
import type { DivisionRow } from '../../src/features/divisions/mapping.ts';
import type { EmployeeRow } from '../../src/features/employees/mapping.ts';
import { insertEmployees, updateEmployees } from '../../src/features/employees/store.ts';
import { insertStaged as insertEmployeesOfFile } from '../../src/features/employees/import/store.ts';
import type { IncidentRow } from '../../src/features/incidents/mapping.ts';
import { insertIncident, updateIncident } from '../../src/features/incidents/store.ts';
import { insertKey, type NewKey, updateStatus } from '../../src/features/keys/store.ts';
import { insertStaged as insertOrdersOfFile } from '../../src/features/orders/import/store.ts';
import { updateOrder } from '../../src/features/orders/store.ts';
import type { Session } from '../../src/db/transaction.ts';
import type { Caller } from '../../src/auth/caller.ts';
import type { Write, WriteAtClock, WriteCall } from '../../src/write/writes.ts';

/** An object with all properties of a `WriteAtClock`, not made by `write/`. */
type NoWrite = { [Name in keyof WriteAtClock]: WriteAtClock[Name] };

/** Checked by the compiler, never called: each line marked as an error must be one. */
export function withoutWrite(
  none: NoWrite,
  db: Queryable & Session,
  rows: { employee: EmployeeRow; division: DivisionRow; incident: IncidentRow; order: Order; key: NewKey },
): void {
  const { employee, division, incident, order, key } = rows;
  const place = { tenantId: null, divisionId: null };
  const target = { organizationId: '', tenantId: '' };
  const fields: string[] = [];
  // @ts-expect-error: no `Write`
  insertEmployees([{ write: none, row: employee }]);
  // @ts-expect-error: no `Write`
  updateEmployees([{ write: none, row: employee, createdAt: '', divisionBefore: null, fields }]);
  // @ts-expect-error: no `Write`
  insertDivision(none, division);
  // @ts-expect-error: no `Write`
  void createDivision(none, db, { tenantId: '', parentId: null, name: '' });
  // @ts-expect-error: no `Write`
  insertIncident(none, incident, place);
  // @ts-expect-error: no `Write`
  updateIncident(none, { row: incident, action: 'incident.update', fields });
  // @ts-expect-error: no `Write`
  updateOrder(none, { order, action: 'order.decide', fields });
  // @ts-expect-error: no `Write`
  insertKey(none, key);
  // @ts-expect-error: no `Write`
  updateStatus(none, '', { status: 'inactive', action: 'deactivate' });
  // @ts-expect-error: no `Write`
  void insertEmployeesOfFile(none, db, target);
  // @ts-expect-error: no `Write`
  void insertOrdersOfFile(none, db, target);
}

/** Checked by the compiler, never called: each line marked as an error must be one. */
export function withoutClock(
  write: Write,
  db: Queryable & Session,
  rows: { employee: EmployeeRow; division: DivisionRow; incident: IncidentRow; order: Order },
): void {
  const { employee, division, incident, order } = rows;
  const fields: string[] = [];
  // @ts-expect-error: no clock
  insertEmployees([{ write, row: employee }]);
  // @ts-expect-error: no clock
  updateEmployees([{ write, row: employee, createdAt: '', divisionBefore: null, fields }]);
  // @ts-expect-error: no clock
  insertDivision(write, division);
  // @ts-expect-error: no clock
  void createDivision(write, db, { tenantId: '', parentId: null, name: '' });
  // @ts-expect-error: no clock
  insertIncident(write, incident, { tenantId: null, divisionId: null });
  // @ts-expect-error: no clock
  updateIncident(write, { row: incident, action: 'incident.update', fields });
  // @ts-expect-error: no clock
  updateOrder(write, { order, action: 'order.decide', fields });
}

/** Checked by the compiler, never called: each line marked as an error must be one. */
export function withoutAuthority(caller: Caller): Caller[] {
  const hrScope = { organizationId: '', callerId: '', grants: [] };
  const access = { scope: caller.scope, hrScope, permissions: caller.permissions, quota: caller.quota };
  const session = { id: '', isFresh: true, method: 'password', lacksPasskey: false } as const;
  const user = { actor: { type: 'user', id: '', name: '' }, session } as const;
  // @ts-expect-error: a write without what permits it
  const call: Pick<WriteCall, 'caller'> = { caller: { actor: user.actor } };
  // @ts-expect-error: a user without an authority
  const without: Caller = { ...access, ...user };
  // @ts-expect-error: a user with the authority of a program
  const unchecked: Caller = { ...access, ...user, authority: null };
  return [without, unchecked, { ...access, ...user, authority: call.caller.authority! }];
}

test('a request of a user does not type-check without the authority that permits it', () => {
  assert.equal(typeof withoutAuthority, 'function');
});

test('a store that writes does not type-check without a write, however similar its argument is', () => {
  assert.equal(typeof withoutWrite, 'function');
});

test('a change of what the public API shows does not type-check in a write without the clock', () => {
  assert.equal(typeof withoutClock, 'function');
});
