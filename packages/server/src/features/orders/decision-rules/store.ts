import type { DecisionRule } from '@kontor/contract';
import { orderResource } from '../mapping.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Write } from '../../../write/writes.ts';
import type { Found } from '../store.ts';
import type { Rule } from './rule.ts';

export interface TenantKey {
  readonly organizationId: string;
  readonly tenantId: string;
}

/** `rule` is null for a tenant without one. */
export interface TenantRule {
  readonly rule: DecisionRule | null;
  /** Counts the rules of the tenant, removed ones included. */
  readonly version: number;
}

interface Row extends Rule {
  version: number | null;
  changedAt: Date;
}

/** Finds the rule of a tenant. It cannot change during an ordered write. Null for an unknown tenant. */
export async function findRule(
  db: Queryable,
  { organizationId, tenantId: tenant }: TenantKey,
): Promise<TenantRule | null> {
  const [row] = await db.rows<Row>(sql`
    SELECT version, approve_up_to::text AS "approveUpTo", reject_above::text AS "rejectAbove",
      within_days AS "withinDays", changed_at AS "changedAt"
    FROM tenant t LEFT JOIN decision_rule r ON r.organization_id = t.organization_id AND r.tenant_id = t.id
    WHERE t.organization_id = ${organizationId} AND t.id = ${tenant} ORDER BY version DESC NULLS LAST LIMIT 1`);
  if (row === undefined) return null;
  const { version, approveUpTo, rejectAbove, withinDays, changedAt } = row;
  if (version === null) return { rule: null, version: 0 };
  if (approveUpTo === null && rejectAbove === null) return { rule: null, version };
  const rule = { tenant, version, approveUpTo, rejectAbove, withinDays, changedAt: changedAt.toISOString() };
  return { rule, version };
}

/** Stores a rule as the next version. A rule that decides nothing removes the previous one. */
export function insertRule(
  write: Write,
  { rule, version, tenantId }: { rule: Rule; version: number; tenantId: string },
): DecisionRule {
  const { approveUpTo, rejectAbove, withinDays } = rule;
  write.send(sql`
    INSERT INTO decision_rule
      (organization_id, tenant_id, version, approve_up_to, reject_above, within_days, changed_at)
    VALUES (${write.organizationId}, ${tenantId}, ${version}, ${approveUpTo}, ${rejectAbove}, ${withinDays}, ${write.at})`);
  return { tenant: tenantId, version, approveUpTo, rejectAbove, withinDays, changedAt: write.instant };
}

/** Ordered by identifier. */
export async function findUndecided(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
  { after, limit }: { after: string; limit: number },
): Promise<Found[]> {
  const rows = await db.rows<{ doc: string; blocked: boolean }>(sql`
    SELECT o.doc, e.blocked FROM employee_order o
    JOIN employee e ON e.organization_id = o.organization_id AND e.id = o.employee_id
    WHERE o.organization_id = ${organizationId} AND o.tenant_id = ${tenantId} AND o.status = 'under_review'
      AND o.id > ${after}
    ORDER BY o.id LIMIT ${limit}`);
  return rows.map(({ doc, blocked }) => ({ order: orderResource.parse(doc), employee: { blocked } }));
}

/** Orders in any state, ordered by identifier. */
export function ordersBehind(
  { organizationId, tenantId }: TenantKey,
  after: string,
  limit: number,
): Fragment {
  return sql`SELECT doc FROM employee_order
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id > ${after} ORDER BY id LIMIT ${limit}`;
}

/** The documents of the last orders, the newest first. */
export async function readLastOrders(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ doc: string }>(sql`
    SELECT doc FROM employee_order WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}
    ORDER BY id DESC LIMIT ${limit}`);
  return rows.map(({ doc }) => doc);
}
