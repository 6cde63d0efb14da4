import { orderResource } from './mapping.ts';
import type { Order } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Job, JobCall, Due } from '../../jobs/job.ts';
import { decision } from '../../write/writes.ts';
import { importDecision } from './decision-rules/imported.ts';
import { endOf, hasRunOut, hasWaitedTooLong } from './rules.ts';
import { lastDay } from './store.ts';
import { moveOrders, type Step } from './transitions.ts';

interface DueOrder {
  readonly order: Order;
  readonly decisionDays: number | null;
}

const orderExpiry: Job = {
  name: 'order_expiry',
  inspect: findUndecidedTenants,
  find: findUndecided,
  carryOut: moveWhenDue('expired', ({ order, decisionDays }, at) =>
    hasWaitedTooLong(order, decisionDays, at),
  ),
};

const orderCompletion: Job = {
  name: 'order_completion',
  inspect: findEndedOrganizations,
  find: findEnded,
  carryOut: moveWhenDue('completed', ({ order }, at) => hasRunOut(order, at)),
};

export const orderJobs: readonly Job[] = [orderExpiry, orderCompletion, importDecision];

/** Moves the orders that are still due during the write. */
function moveWhenDue(to: Step['to'], isDue: (due: DueOrder, at: Date) => boolean): Job['carryOut'] {
  const move = decision({
    // The job has just found them.
    early: false,
    targets: ({ ids }: JobCall) => ids,
    read: (db, { scope, ids }) => readOrders(db, scope.organizationId, ids),
    plan: (_call, found, at) => found.filter(order => isDue(order, at)),
    store(write, due) {
      moveOrders(
        write,
        due.map(({ order }) => ({ order, step: { to } })),
      );
      return due.length;
    },
  });
  return (writes, call, ids) => writes.decide({ ...call, ids }, move);
}

async function readOrders(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<DueOrder[]> {
  const rows = await db.rows<{ doc: string; decisionDays: number | null }>(sql`
    SELECT o.doc, t.decision_days AS "decisionDays"
    FROM employee_order o LEFT JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = o.tenant_id
    WHERE o.organization_id = ${organizationId} AND o.id = ANY(${[...ids]}::text[])`);
  return rows.map(({ doc, decisionDays }) => ({ order: orderResource.parse(doc), decisionDays }));
}

/** Orders `o` without a decision for the days of their tenant `t`. */
const isUndecided = sql`o.status = 'under_review' AND ${lastDay} IS NULL AND o.tenant_id = t.id
  AND o.submitted_at <= statement_timestamp() - make_interval(hours => 24 * t.decision_days)`;

const isEnded = sql`o.status = 'active'
  AND ${lastDay} < to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

interface DueRow<Since> {
  readonly organizationId: string;
  readonly count: number;
  readonly since: Since;
}

/** Counts the orders to expire, by tenant. The sub-select names the organization, so Citus can run it. */
function findUndecidedTenants(db: Queryable): Promise<Due[]> {
  return db.rows<DueRow<Date>>(sql`
    SELECT due.* FROM tenant t CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count,
        min(o.submitted_at) + make_interval(hours => 24 * t.decision_days) AS since
      FROM employee_order o WHERE o.organization_id = t.organization_id AND ${isUndecided} GROUP BY o.organization_id) AS due
    WHERE t.decision_days IS NOT NULL ORDER BY due.since`);
}

async function findUndecided(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT due.id FROM tenant t CROSS JOIN LATERAL (
      SELECT o.id FROM employee_order o WHERE o.organization_id = ${organizationId} AND ${isUndecided} LIMIT ${max}) AS due
    WHERE t.organization_id = ${organizationId} AND t.decision_days IS NOT NULL LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

async function findEndedOrganizations(db: Queryable): Promise<Due[]> {
  const rows = await db.rows<DueRow<string>>(sql`
    SELECT due.* FROM organization g CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, min(${lastDay}) AS since
      FROM employee_order o WHERE o.organization_id = g.id AND ${isEnded} GROUP BY o.organization_id) AS due
    ORDER BY due.since`);
  return rows.map(row => ({ ...row, since: endOf(row.since) }));
}

async function findEnded(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT o.id FROM employee_order o
    WHERE o.organization_id = ${organizationId} AND ${isEnded} LIMIT ${max}`);
  return rows.map(({ id }) => id);
}
