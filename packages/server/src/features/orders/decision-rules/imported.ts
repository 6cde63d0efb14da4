import { type Order, appliedOrdersMaximum } from '@kontor/contract';
import type { Clockwork, Due } from '../../../jobs/clockwork.ts';
import type { Pool } from '../../../db/connect.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Turn, inTurn, operator } from '../../../write/writes.ts';
import { type Rule, applyRule, first } from './rule.ts';
import { type Place, findRule, findUndecided } from './store.ts';
import { sql } from '../../../db/sql.ts';
import { lastDay } from '../jobs.ts';
import type { Found } from '../store.ts';

/** Whether the rule of the tenant is to decide on what an import brings in this turn; then that is noted, until it is done. */
export async function awaitDecisions(turn: Turn, session: Queryable, place: Place): Promise<boolean> {
  // Who has no rule, as most, takes no turn more.
  if (!(await findRule(session, place))?.rule) return false;
  noteImport(turn, { tenantId: place.tenantId, importedAt: turn.at });
  return true;
}

/**
 * Decides on the orders that the turn of an import has created, in turns of their own behind that one, by the rule of their tenant.
 * Returns on how many. What it does not come to, because it is ended, {@link importDecision} does.
 */
export async function decideImported(db: Pool, place: Place, importedAt: Date): Promise<number> {
  const imported = { tenantId: place.tenantId, importedAt };
  let decided = 0;
  for (let after: string | null = first; after !== null;) {
    const from: string = after;
    const { approved, rejected, next } = await inTurn(
      db,
      place.organizationId,
      operator,
      async (turn, session) => {
        const rule = (await findRule(session, place))?.rule;
        const limits = { after: from, limit: appliedOrdersMaximum, createdAt: importedAt };
        const applied = applyRule(turn, rule ?? null, await findUndecided(session, place, limits));
        if (applied.next === null) noteEnd(turn, imported);
        else noteProgress(turn, imported, applied.next);
        return applied;
      },
    );
    decided += approved + rejected;
    after = next;
  }
  return decided;
}

/** The rule of a tenant decides on the orders of imports that were ended before they had done so themselves. */
export const importDecision: Clockwork = {
  name: 'import_decision',
  look: leftInAll,
  find: leftIn,
  carryOut: (writes, request, ids) =>
    writes.run(request, {
      targets: ids,
      async read(session) {
        const found = await readImported(session, request.organizationId, ids);
        const rules = new Map<string, Rule | null>();
        for (const { tenantId } of found)
          if (!rules.has(tenantId)) rules.set(tenantId, await ruleOf(session, request, tenantId));
        return { found, rules };
      },
      change(turn, { found, rules }) {
        let decided = 0;
        for (const orders of byImport(found)) {
          const { approved, rejected } = applyRule(turn, rules.get(orders[0]!.tenantId)!, orders);
          noteProgress(turn, orders[0]!, orders.at(-1)!.order.id);
          decided += approved + rejected;
        }
        forgetDone(turn);
        return decided;
      },
    }),
};

async function ruleOf(
  session: Queryable,
  { organizationId }: Pick<Place, 'organizationId'>,
  tenantId: string,
): Promise<Rule | null> {
  return (await findRule(session, { organizationId, tenantId }))?.rule ?? null;
}

function byImport(found: readonly FoundImported[]): Iterable<FoundImported[]> {
  return Map.groupBy(found, ({ tenantId, importedAt }) => `${tenantId} ${importedAt.getTime()}`).values();
}

/** Orders that came in together by an import. */
export interface ImportedOrders {
  readonly tenantId: string;
  readonly importedAt: Date;
}

/** How long an import has for its decisions before the clockwork makes them, in milliseconds. */
const timeout = 5 * 60_000;

/** Notes, in the turn of an import, that the rule of the tenant is still to decide on its orders. */
export function noteImport(turn: Turn, { tenantId, importedAt }: ImportedOrders): void {
  turn.write(sql`
    INSERT INTO undecided_import (organization_id, tenant_id, imported_at, due_at)
    VALUES (${turn.organizationId}, ${tenantId}, ${importedAt}, ${new Date(turn.at.getTime() + timeout)})`);
}

/** Notes, in a turn that decides, up to which order that was done. */
export function noteProgress(turn: Turn, { tenantId, importedAt }: ImportedOrders, behind: string): void {
  turn.write(sql`
    UPDATE undecided_import SET behind = ${behind}
    WHERE organization_id = ${turn.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

/** Notes that all of an import is done. */
export function noteEnd(turn: Turn, { tenantId, importedAt }: ImportedOrders): void {
  turn.write(sql`
    DELETE FROM undecided_import
    WHERE organization_id = ${turn.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

/** Orders of an import that were not looked at yet. */
const left = sql`o.tenant_id = u.tenant_id AND o.created_at = u.imported_at AND o.id > u.behind AND o.status = 'under_review'`;

/** Forgets, behind the decisions of a turn, the imports of its organization of which no order is left. */
export function forgetDone(turn: Turn): void {
  turn.write(sql`
    DELETE FROM undecided_import u WHERE u.organization_id = ${turn.organizationId} AND u.due_at <= ${turn.at}
      AND NOT EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${turn.organizationId} AND ${left})`);
}

/** Orders of imports that were ended before their decisions, by import. They have no last day: so they are found by the index of what waits. */
export function leftInAll(db: Queryable): Promise<Due[]> {
  return db.rows<{ organizationId: string; count: number; since: Date }>(sql`
    SELECT due.* FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, u.due_at AS since
      FROM employee_order o
      WHERE o.organization_id = u.organization_id AND ${left} AND ${lastDay} IS NULL GROUP BY o.organization_id) AS due
    WHERE u.due_at <= statement_timestamp() ORDER BY due.since`);
}

/** Such orders of an organization, so many at most: import by import, in the order of their identifiers. */
export async function leftIn(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT due.id FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.id FROM employee_order o WHERE o.organization_id = ${organizationId} AND ${left}
      ORDER BY o.id LIMIT ${max}) AS due
    WHERE u.organization_id = ${organizationId} AND u.due_at <= statement_timestamp()
    ORDER BY u.imported_at, u.tenant_id, due.id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** An order with its import, as a decision starts from it. */
export interface FoundImported extends Found, ImportedOrders {}

/** Reads imported orders as they are, in the order of their identifiers. */
export async function readImported(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<FoundImported[]> {
  const rows = await db.rows<{ doc: string; blocked: boolean; tenantId: string; importedAt: Date }>(sql`
    SELECT o.doc, e.blocked, o.tenant_id AS "tenantId", o.created_at AS "importedAt" FROM employee_order o
    JOIN employee e ON e.organization_id = o.organization_id AND e.id = o.employee_id
    WHERE o.organization_id = ${organizationId} AND o.id = ANY(${[...ids]}::text[]) ORDER BY o.id`);
  return rows.map(({ doc, blocked, ...imported }) => ({
    order: JSON.parse(doc) as Order,
    employee: { blocked },
    ...imported,
  }));
}
