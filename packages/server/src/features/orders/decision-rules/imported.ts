import { orderResource } from '../mapping.ts';
import { appliedOrdersMaximum } from '@kontor/contract';
import type { Pool } from '../../../db/connect.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Job, Due } from '../../../jobs/job.ts';
import { writeOrdered, operator, type Write } from '../../../write/writes.ts';
import { type Found, lastDay } from '../store.ts';
import { applyRule, first } from './rule.ts';
import { findRule, findUndecided, type Place } from './store.ts';

/**
 * A rule decides on imported orders in separate writes after the import. A row of `undecided_import` marks an import with pending
 * decisions. The import deletes it with the last decision. After an interruption the job {@link importDecision} continues.
 */

interface ImportedOrders {
  readonly tenantId: string;
  readonly importedAt: Date;
}

interface FoundImported extends Found, ImportedOrders {}

/** Milliseconds until the job takes over the decisions of an import. */
const timeout = 5 * 60_000;

/** Records in the write of an import that decisions are pending. Returns false without a rule. */
export async function awaitDecisions(write: Write, session: Queryable, place: Place): Promise<boolean> {
  if (!(await findRule(session, place))?.rule) return false;
  write.send(sql`
    INSERT INTO undecided_import (organization_id, tenant_id, imported_at, due_at)
    VALUES (${write.organizationId}, ${place.tenantId}, ${write.at}, ${new Date(write.at.getTime() + timeout)})`);
  return true;
}

/** Returns the number of decisions. */
export async function decideImported(db: Pool, place: Place, importedAt: Date): Promise<number> {
  const imported = { tenantId: place.tenantId, importedAt };
  let decided = 0;
  const decideSome = async (write: Write, session: Queryable, after: string): Promise<string | null> => {
    const rule = (await findRule(session, place))?.rule ?? null;
    const limits = { after, limit: appliedOrdersMaximum, createdAt: importedAt };
    const applied = applyRule(write, rule, await findUndecided(session, place, limits));
    if (applied.next === null) recordEnd(write, imported);
    else recordProgress(write, imported, applied.next);
    decided += applied.approved + applied.rejected;
    return applied.next;
  };
  for (let after: string | null = first; after !== null;) {
    const from: string = after;
    after = await writeOrdered(db, place.organizationId, operator, (write, session) =>
      decideSome(write, session, from),
    );
  }
  return decided;
}

/** Decides on the orders of imports that were interrupted before their decisions. */
export const importDecision: Job = {
  name: 'import_decision',
  inspect: findWaitingImports,
  find: findWaitingOrders,
  carryOut: (writes, request, ids) =>
    writes.runOrdered(request, {
      targets: ids,
      async read(session) {
        const found = await readImported(session, request.organizationId, ids);
        const imports = Map.groupBy(
          found,
          ({ tenantId, importedAt }) => `${tenantId} ${importedAt.getTime()}`,
        );
        return Promise.all(
          [...imports.values()].map(async orders => {
            const place = { organizationId: request.organizationId, tenantId: orders[0]!.tenantId };
            return { orders, rule: (await findRule(session, place))?.rule ?? null };
          }),
        );
      },
      change(write, imports) {
        let decided = 0;
        for (const { orders, rule } of imports) {
          const { approved, rejected } = applyRule(write, rule, orders);
          recordProgress(write, orders[0]!, orders.at(-1)!.order.id);
          decided += approved + rejected;
        }
        deleteFinished(write);
        return decided;
      },
    }),
};

function recordProgress(write: Write, { tenantId, importedAt }: ImportedOrders, last: string): void {
  write.send(sql`
    UPDATE undecided_import SET behind = ${last}
    WHERE organization_id = ${write.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

function recordEnd(write: Write, { tenantId, importedAt }: ImportedOrders): void {
  write.send(sql`
    DELETE FROM undecided_import
    WHERE organization_id = ${write.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

/** Orders `o` of an import `u` that were not processed yet. */
const isWaiting = sql`o.tenant_id = u.tenant_id AND o.created_at = u.imported_at AND o.id > u.behind AND o.status = 'under_review'`;

/** Deletes the organization's imports without pending orders. It runs after the decisions of a write. */
function deleteFinished(write: Write): void {
  write.send(sql`
    DELETE FROM undecided_import u WHERE u.organization_id = ${write.organizationId} AND u.due_at <= ${write.at}
      AND NOT EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${write.organizationId} AND ${isWaiting})`);
}

/** Counts the orders of interrupted imports. `lastDay IS NULL` lets PostgreSQL use the index of orders without a decision. */
function findWaitingImports(db: Queryable): Promise<Due[]> {
  return db.rows<{ organizationId: string; count: number; since: Date }>(sql`
    SELECT due.* FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, u.due_at AS since
      FROM employee_order o
      WHERE o.organization_id = u.organization_id AND ${isWaiting} AND ${lastDay} IS NULL GROUP BY o.organization_id) AS due
    WHERE u.due_at <= statement_timestamp() ORDER BY due.since`);
}

/** Finds pending orders of an organization by import and identifier. */
async function findWaitingOrders(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT due.id FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.id FROM employee_order o WHERE o.organization_id = ${organizationId} AND ${isWaiting}
      ORDER BY o.id LIMIT ${max}) AS due
    WHERE u.organization_id = ${organizationId} AND u.due_at <= statement_timestamp()
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
