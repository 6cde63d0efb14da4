import { AuditEntry, type PortalAuditEntry } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicateOfOne } from '../../auth/scope-predicate.ts';
import { type Fragment, join, raw, sql } from '../../db/sql.ts';
import { type ChangedValues, listValues } from '../../lib/changed-values.ts';
import { renderRow } from '../../lib/render-row.ts';
import type { RowList } from '../../query/rows.ts';
import { displayName } from '../../query/search-all.ts';
import { auditList, auditRows } from './entries.ts';
import { describeEntry } from './sentences.ts';

/** The target of an entry, as a query finds it. */
interface FoundTarget extends NonNullable<PortalAuditEntry['target']> {
  /** The change of an employee as its history has it, while that is kept. */
  readonly change?: {
    readonly changes: Readonly<Record<string, readonly [before: Value, after: Value]>>;
    readonly reason: string | null;
  } | null;
}

/** Entries with their sentence and the present name of their target. */
export const portalAuditList: RowList<PortalAuditEntry> = {
  ...auditList,
  item(row) {
    const entry = renderRow(AuditEntry, row);
    const found = row['target'] as FoundTarget | null;
    const { change = null, ...target } = found ?? {};
    return {
      ...entry,
      sentence: describeEntry(entry),
      target: found && (target as PortalAuditEntry['target']),
      values: listValues(change?.changes ?? (row['changes'] as ChangedValues | null)),
      comment: change?.reason ?? null,
    };
  },
};

type Value = string | boolean | null;

/**
 * The entries of an organization. Names and values of employees, which are personal data, are shown to users with HR for them alone. The others
 * see which company it was.
 */
export function portalAuditRows(organizationId: string, hrScope: Scope): Fragment {
  const targets = targetsOf(organizationId, sql`(${scopePredicateOfOne(hrScope, null)})`);
  const cases = Object.entries(targets).map(([type, target]) => sql`WHEN ${type}::text THEN ${target}`);
  return sql`SELECT entry.*, CASE entry.target_type ${join(cases, ' ')} END AS target
    FROM (${auditRows(organizationId)}) AS entry`;
}

/** The target of an entry, by its type. `isInScope` is a condition on a row with tenant and division. */
function targetsOf(organizationId: string, isInScope: Fragment): Readonly<Record<string, Fragment>> {
  const tenantName = sql`(SELECT t.name FROM tenant t WHERE t.organization_id = ${organizationId} AND t.id = tenant_id)`;
  const ofTenant = { tenant: sql`tenant_id`, tenantName };
  const target = (
    table: string,
    { name = sql`NULL::text`, tenant = sql`NULL::text`, tenantName = sql`NULL::text`, ...more }: Parts,
  ) => sql`(SELECT jsonb_build_object('name', ${name}, 'tenant', ${tenant}, 'tenantName', ${tenantName},
      'canOpen', ${more.canOpen ?? sql`true`}${more.change ? sql`, 'change', ${more.change}` : sql``})
    FROM ${raw(table)} WHERE organization_id = ${organizationId} AND id = entry.target_id)`;
  const change = sql`(SELECT jsonb_build_object('changes', c.changes, 'reason', c.reason) FROM employee_change c
    WHERE c.organization_id = ${organizationId} AND c.employee_id = entry.target_id AND c.at = entry.created_at LIMIT 1)`;
  const named = { name: sql`name` };
  const closed = { canOpen: sql`false` };
  const user = target('portal_user', named);
  return {
    employee: target('employee', {
      name: sql`CASE WHEN erased_at IS NULL AND ${isInScope} THEN ${displayName(sql`doc::jsonb`)} END`,
      ...ofTenant,
      canOpen: isInScope,
      change: sql`CASE WHEN ${isInScope} THEN ${change} END`,
    }),
    order: target('employee_order', { name: sql`order_number`, ...ofTenant, canOpen: isInScope }),
    incident: target('incident', {
      name: sql`doc::jsonb ->> 'incidentNumber'`,
      ...ofTenant,
      canOpen: isInScope,
    }),
    division: target('division', { ...named, ...ofTenant }),
    tenant: target('tenant', named),
    key: target('api_key', named),
    user,
    openid: user,
    passkey: target('portal_passkey', { ...named, ...closed }),
    payroll_run: target('payroll_run', { name: sql`period`, ...ofTenant, ...closed }),
    payroll_export_document: target('payroll_export_document', {
      name: sql`period`,
      ...ofTenant,
      ...closed,
    }),
    payroll_proposal: target('payroll_proposal', { ...ofTenant, ...closed }),
    employee_import: target('employee_import', { ...ofTenant, ...closed }),
  };
}

interface Parts {
  readonly name?: Fragment;
  readonly tenant?: Fragment;
  readonly tenantName?: Fragment;
  readonly canOpen?: Fragment;
  readonly change?: Fragment;
}
