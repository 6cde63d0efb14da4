import { orderResource } from '../mapping.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Job, JobCall, Due } from '../../../jobs/job.ts';
import { decision, type Write } from '../../../write/writes.ts';
import { type Found, lastDay } from '../store.ts';
import { moveOrders } from '../transitions.ts';
import { applyRule } from './rule.ts';
import { findRule, type TenantKey } from './store.ts';

/**
 * A rule decides on imported orders after the import, because the audit entry of an order at the instant of the import is its creation. The
 * import marks with a row of `undecided_import` that decisions are pending. The job {@link importDecision} makes them in small writes, and
 * deletes the row after the last one.
 */

interface ImportedOrders {
  readonly tenantId: string;
  readonly importedAt: Date;
}

interface FoundImported extends Found, ImportedOrders {}

/** Records in the write of an import that decisions are pending. Returns false without a rule. */
export async function awaitDecisions(write: Write, session: Queryable, tenant: TenantKey): Promise<boolean> {
  if (!(await findRule(session, tenant))?.rule) return false;
  // HR may have decided on all orders of an earlier import before the job did.
  deleteFinished(write);
  write.send(sql`
    INSERT INTO undecided_import (organization_id, tenant_id, imported_at)
    VALUES (${write.organizationId}, ${tenant.tenantId}, ${write.at})`);
  return true;
}

const decideImported = decision({
  // The job has just found them.
  early: false,
  targets: ({ ids }: JobCall) => ids,
  async read(db, { scope: { organizationId }, ids }) {
    const found = await readImported(db, organizationId, ids);
    const imports = Map.groupBy(found, ({ tenantId, importedAt }) => `${tenantId} ${importedAt.getTime()}`);
    return Promise.all(
      [...imports.values()].map(async orders => {
        const tenant = { organizationId, tenantId: orders[0]!.tenantId };
        return { orders, rule: (await findRule(db, tenant))?.rule ?? null };
      }),
    );
  },
  plan: (_call, imports, at) =>
    imports.map(({ orders, rule }) => ({ orders, moves: applyRule(rule, orders, at).moves })),
  store(write, imports) {
    for (const { orders, moves } of imports) {
      moveOrders(write, moves);
      recordProgress(write, orders[0]!, orders.at(-1)!.order.id);
    }
    deleteFinished(write);
    return imports.reduce((sum, { moves }) => sum + moves.length, 0);
  },
});

export const importDecision: Job = {
  name: 'import_decision',
  inspect: findWaitingImports,
  find: findWaitingOrders,
  carryOut: (writes, call, ids) => writes.decide({ ...call, ids }, decideImported),
};

function recordProgress(write: Write, { tenantId, importedAt }: ImportedOrders, last: string): void {
  write.send(sql`
    UPDATE undecided_import SET behind = ${last}
    WHERE organization_id = ${write.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

/** Orders `o` of an import `u` that were not processed yet. */
const isWaiting = sql`o.tenant_id = u.tenant_id AND o.created_at = u.imported_at AND o.id > u.behind AND o.status = 'under_review'`;

/** Deletes the organization's imports without pending orders. */
function deleteFinished(write: Write): void {
  write.send(sql`
    DELETE FROM undecided_import u WHERE u.organization_id = ${write.organizationId}
      AND NOT EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${write.organizationId} AND ${isWaiting})`);
}

/** Counts the pending orders of imports. `lastDay IS NULL` lets PostgreSQL use the index of orders without a decision. */
function findWaitingImports(db: Queryable): Promise<Due[]> {
  return db.rows<{ organizationId: string; count: number; since: Date }>(sql`
    SELECT due.* FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, u.imported_at AS since
      FROM employee_order o
      WHERE o.organization_id = u.organization_id AND ${isWaiting} AND ${lastDay} IS NULL GROUP BY o.organization_id) AS due
    ORDER BY due.since`);
}

/** Finds pending orders of an organization by import and identifier. */
async function findWaitingOrders(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT due.id FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.id FROM employee_order o WHERE o.organization_id = ${organizationId} AND ${isWaiting}
      ORDER BY o.id LIMIT ${max}) AS due
    WHERE u.organization_id = ${organizationId}
    ORDER BY u.imported_at, u.tenant_id, due.id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

async function readImported(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<FoundImported[]> {
  const rows = await db.rows<{ doc: string; blocked: boolean } & ImportedOrders>(sql`
    SELECT o.doc, e.blocked, o.tenant_id AS "tenantId", o.created_at AS "importedAt" FROM employee_order o
    JOIN employee e ON e.organization_id = o.organization_id AND e.id = o.employee_id
    WHERE o.organization_id = ${organizationId} AND o.id = ANY(${[...ids]}::text[]) ORDER BY o.id`);
  return rows.map(({ doc, blocked, ...imported }) => ({
    order: orderResource.parse(doc),
    employee: { blocked },
    ...imported,
  }));
}
