import type { Order } from '@kontor/contract';
import type { Job } from '../../src/jobs/job.ts';
import { type JobEvents, runJob } from '../../src/jobs/run.ts';
import { orderJobs } from '../../src/features/orders/jobs.ts';
import { Writes } from '../../src/write/writes.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import type { Sql } from '../support/database/sql.ts';

export const [expiry, completion] = orderJobs as readonly [Job, Job, Job];

/** The records of a run. */
export interface Reported {
  /** What there was to be done at each look. */
  readonly inspections: number[];
  /** To how many it was done in each write. */
  readonly writes: number[];
  /** The organizations of which the rest was left. */
  readonly postponed: string[];
}

/** Runs a job once, as a process of its own does. */
export async function runOnce(
  sql: Sql,
  job: Job,
  { signal = new AbortController().signal, ...more }: { signal?: AbortSignal } & Partial<JobEvents> = {},
): Promise<Reported> {
  const reported: Reported = { inspections: [], writes: [], postponed: [] };
  const { database } = sql;
  await runJob(
    job,
    { database, writes: new Writes(database), signal },
    {
      inspected: due => reported.inspections.push(due.reduce((sum, { count }) => sum + count, 0)),
      done: count => reported.writes.push(count),
      postponed: organizationId => reported.postponed.push(organizationId),
      ...more,
    },
  );
  return reported;
}

/** An instant so many days ago, or in the future where that is negative. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

/** A day so many days ago. */
export const dayAgo = (days: number) => daysAgo(days).slice(0, 10);

/** An order under review since so many days, as an import takes it. */
export const waiting = (days: number) => orderInput({ status: 'under_review', submittedAt: daysAgo(days) });

/** An active order with a contract that ended so many days ago; null: it has no last day. */
export function running(days: number | null) {
  const contract = contractInput(
    days === null ? {} : { startDate: dayAgo(days + 1000), endDate: dayAgo(days) },
  );
  return orderInput({ status: 'active', contract, hrHistory: historyInput('approved') });
}

/** Stores orders of one new employee of a tenant, and answers them in order. */
export async function store(
  sql: Sql,
  { organizationId, tenantId }: { organizationId: string; tenantId: string },
  orders: readonly Record<string, unknown>[],
): Promise<Order[]> {
  const [employee] = await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
  const inputs = orders.map(order => ({ ...order, employeeId: employee!.id }));
  return storeOrders(sql, { organizationId, tenantId }, inputs);
}

/** Says in how many days orders of a tenant are decided. */
export async function giveDays(
  sql: Sql,
  { organizationId, tenantId }: { organizationId: string; tenantId: string },
  days: number | null,
): Promise<void> {
  await sql`
    UPDATE tenant SET decision_days = ${days} WHERE organization_id = ${organizationId} AND id = ${tenantId}`;
}

/** The stored documents of orders, in the order of their identifiers given. */
export async function documentsOf(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<Order[]> {
  const rows = await sql<{ id: string; doc: string }[]>`
    SELECT id, doc FROM employee_order WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`;
  const found = new Map(rows.map(({ id, doc }) => [id, JSON.parse(doc) as Order]));
  return ids.map(id => found.get(id)!);
}
