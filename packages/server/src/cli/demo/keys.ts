import { randomUUID } from 'node:crypto';
import type { Pool } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import type { GrantRow } from '../../features/keys/rules.ts';
import { updateStatus } from '../../features/keys/store.ts';
import { KeyUse } from '../../features/keys/usage/key-use.ts';
import { writeUses } from '../../features/keys/usage/write.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { createKey } from '../access/key.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Days of usage that the portal shows of the connected systems. */
const history = 90;

const error = {
  code: 'UNSUPPORTED_SORT_FIELD',
  message:
    'Cannot sort by "…". Sortable fields: id, email, privateEmail, employeeNumber, firstName, lastName, phoneNumber, street, postalCode, city, countryCode, additionalInfo, blocked, tenant, divisionId, createdAt, updatedAt',
} as const;

/** A system that works with the demo. Days count back from today. */
interface System {
  readonly name: string;
  readonly operations: readonly string[];
  readonly requestsPerDay: number;
  readonly lastDay: number;
  /** Since this day most requests are rejected. */
  readonly failsFrom?: number;
  readonly expectedIntervalHours?: number;
  readonly expiresInDays?: number;
  readonly isInactive?: true;
}

/** A system in each state that needs attention, beside a healthy one. */
const systems: readonly System[] = [
  {
    name: 'DATEV Lohn',
    operations: ['listEmployees', 'listPayrollExportDocuments', 'downloadPayrollExportDocument'],
    requestsPerDay: 420,
    lastDay: 0,
    expiresInDays: 20,
  },
  {
    name: 'Zeiterfassung',
    operations: ['listEmployees', 'listOrders'],
    requestsPerDay: 96,
    lastDay: 0,
    failsFrom: 1,
  },
  {
    name: 'Intranet',
    operations: ['listEmployees', 'listDivisions'],
    requestsPerDay: 60,
    lastDay: 4,
    expectedIntervalHours: 24,
  },
  { name: 'Reporting', operations: ['listOrders'], requestsPerDay: 24, lastDay: 35, isInactive: true },
];

/** Creates the keys of these systems with their usage. Their secrets are not kept. */
export async function createConnectedSystems(
  db: Pool,
  pepper: Buffer,
  { organizationId, tenantIds }: { organizationId: string; tenantIds: readonly string[] },
): Promise<void> {
  const now = Date.now();
  const uses: KeyUse[] = [];
  for (const [index, system] of systems.entries()) {
    const grants: 'all' | GrantRow[] =
      index === 0 ? 'all' : tenantIds.slice(0, index).map(tenantId => ({ tenantId, divisionId: null }));
    const { name, expiresInDays, expectedIntervalHours = null, isInactive } = system;
    const expiresAt = expiresInDays === undefined ? null : new Date(now + expiresInDays * day);
    const { id } = await createKey(db, pepper, { organizationId, name, quota: null, grants, expiresAt });
    const createdAt = new Date(now - (history + 5) * day);
    const interval = expectedIntervalHours === null ? null : expectedIntervalHours * 3600;
    await db.run(sql`
      UPDATE api_key SET created_at = ${createdAt}, watched_from = ${createdAt}, expected_interval = ${interval}
      WHERE organization_id = ${organizationId} AND id = ${id}`);
    for (let back = history; back >= system.lastDay; back--)
      uses.push(usesOf(id, system, now - back * day, back));
    if (isInactive)
      await writeAsOperator(db, organizationId, write => {
        updateStatus(write, id, { status: 'inactive', action: 'deactivate' });
      });
  }
  // One after the other: each success sets the pause since the one before.
  for (const use of uses.toSorted((a, b) => a.at - b.at)) await writeUses(db, organizationId, [use]);
}

/** The usage of a day: less at the weekend, with a few errors in between. */
function usesOf(id: string, system: System, at: number, back: number): KeyUse {
  const weekday = new Date(at).getUTCDay();
  const share = (weekday === 0 || weekday === 6 ? 0.25 : 1) * (0.85 + ((back * 37) % 30) / 100);
  const requests = Math.round(system.requestsPerDay * share);
  const isFailing = system.failsFrom !== undefined && back <= system.failsFrom;
  const rejected = isFailing ? requests : back % 9 === 4 ? Math.ceil(requests / 12) : 0;
  const use = new KeyUse(id);
  const success = isFailing ? 0 : at;
  Object.assign(use, { at, requests, rejected, succeededFrom: success, succeededAt: success });
  Object.assign(use, {
    answers: requests,
    failures: rejected,
    recentFailures: isFailing ? 0b11_1111_1111 : 0,
  });
  const others = Math.round(requests / system.operations.length);
  for (const [index, operation] of system.operations.entries()) {
    const isFirst = index === 0;
    const part = isFirst ? requests - others * (system.operations.length - 1) : others;
    const counts = { requests: part, rejected: isFirst ? rejected : 0, denied: 0, limited: 0, failed: 0 };
    use.operations.set(operation, counts);
  }
  const [operation] = system.operations as [string];
  for (let n = rejected; n > 0; n--)
    use.errors.add({ operation, requestId: randomUUID(), rejection: error }, 400, at - n * minute);
  if (!isFailing) use.polls.set(operation, { at, readTo: new Date(at).toISOString() });
  return use;
}
