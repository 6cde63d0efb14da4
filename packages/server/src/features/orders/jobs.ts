import { orderResource } from './mapping.ts';
import type { ContractRecord, Order } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Job, JobCall, Due } from '../../jobs/job.ts';
import { decision } from '../../write/writes.ts';
import { importDecision } from './decision-rules/imported.ts';
import { endOf, hasRunOut, hasWaitedTooLong } from './rules.ts';
import { showToday } from './contract-record.ts';
import { lastDay, updateOrders } from './store.ts';
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

/** Shows the amounts of the versions whose month has come. */
const contractVersions: Job = {
  name: 'contract_versions',
  inspect: findOrganizationsWithVersions,
  find: findWithVersions,
  carryOut: (writes, call, ids) => writes.decide({ ...call, ids }, versionShow),
};

export const orderJobs: readonly Job[] = [orderExpiry, orderCompletion, contractVersions, importDecision];

const versionShow = decision({
  early: false,
  targets: ({ ids }: JobCall) => ids,
  async read(db, { scope: { organizationId }, ids }) {
    const rows = await db.rows<{ doc: string; record: ContractRecord | null }>(sql`
      SELECT doc, contract_record AS record FROM employee_order
      WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
    return rows.map(({ doc, record }) => ({ order: orderResource.parse(doc), record }));
  },
  /** A version may have been withdrawn since, or an erasure has emptied the record. */
  plan: (_call, found, at) =>
    found.flatMap(({ order, record }) => {
      if (order.contract === null || record === null) return [];
      const { contract } = showToday({ contract: order.contract, record }, at);
      const isShown = JSON.stringify(contract) === JSON.stringify(order.contract);
      return isShown ? [] : { ...order, contract };
    }),
  store(write, orders, { ids }) {
    const action = 'order.apply_version';
    const updates = orders.map(
      order => ({ order: { ...order, updatedAt: write.instant }, action, fields: ['contract'] }) as const,
    );
    updateOrders(write, updates);
    write.send(sql`
      DELETE FROM contract_version_due
      WHERE organization_id = ${write.organizationId} AND order_id = ANY(${[...ids]}::text[])
        AND from_month <= ${write.instant.slice(0, 7)}`);
    return ids.length;
  },
});

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

const hasCome = sql`from_month <= to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM') COLLATE "C"`;

async function findOrganizationsWithVersions(db: Queryable): Promise<Due[]> {
  const rows = await db.rows<DueRow<string>>(sql`
    SELECT due.* FROM organization g CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, min(o.from_month) AS since
      FROM contract_version_due o WHERE o.organization_id = g.id AND ${hasCome} GROUP BY o.organization_id) AS due
    ORDER BY due.since`);
  return rows.map(row => ({ ...row, since: new Date(`${row.since}-01T00:00:00Z`) }));
}

async function findWithVersions(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT DISTINCT order_id AS id FROM contract_version_due
    WHERE organization_id = ${organizationId} AND ${hasCome} LIMIT ${max}`);
  return rows.map(({ id }) => id);
}
