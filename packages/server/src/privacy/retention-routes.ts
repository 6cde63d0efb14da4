import {
  auditDaysMinimum,
  type CompanyRetention,
  getOrganizationRetention,
  getPersonalLogs,
  getPortalTenantDueData,
  getPortalTenantRetention,
  type OrganizationRetention,
  updateOrganizationRetention,
  updatePortalTenantRetention,
  voucherYearsMinimum,
} from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { findAuditDays, mayRemoveAudit, setAuditDays } from '../features/audit/retention.ts';
import { findTenant } from '../features/organizations/store.ts';
import { type AnswerOf, type CallOf, implement } from '../http/implement.ts';
import { notFound, type ResourceCall } from '../http/read-resource.ts';
import { ok, type Route, type RouteParts } from '../http/route.ts';
import { readPersonalLogs } from './personal-logs.ts';
import { readRetention, storeRetention, type TenantPlace } from './store.ts';
import { retentionOf } from './routes.ts';

export function retentionRoutes(parts: RouteParts): Route[] {
  const { reads } = parts;
  return [
    implement(getOrganizationRetention, async ({ scope }) =>
      ok(JSON.stringify(await ofOrganization(reads, scope.organizationId))),
    ),
    implement(updateOrganizationRetention, call => updateOrganization(parts, call)),
    implement(getPersonalLogs, async ({ scope }) =>
      ok(JSON.stringify(await readPersonalLogs(reads, scope.organizationId))),
    ),
    implement(getPortalTenantRetention, async call =>
      ok(JSON.stringify(await ofCompany(reads, await findPlace(reads, call)))),
    ),
    implement(updatePortalTenantRetention, call => updateCompany(parts, call)),
    implement(getPortalTenantDueData, async call => ok(JSON.stringify(await retentionOf(reads, call)))),
  ];
}

async function ofOrganization(db: Queryable, organizationId: string): Promise<OrganizationRetention> {
  const [auditDays, removesAudit] = await Promise.all([
    findAuditDays(db, organizationId),
    mayRemoveAudit(db),
  ]);
  return { auditDays, auditDaysMinimum, removesAudit };
}

async function updateOrganization(
  { writes }: RouteParts,
  call: CallOf<typeof updateOrganizationRetention>,
): Promise<AnswerOf<typeof updateOrganizationRetention>> {
  const { auditDays } = call.body;
  const { organizationId } = call.scope;
  const after = await writes.runWithoutClock(call, async (write, db) => {
    const before = await ofOrganization(db, organizationId);
    if (auditDays === undefined || auditDays === before.auditDays) return before;
    await setAuditDays(write, db, auditDays);
    return { ...before, auditDays };
  });
  return ok(JSON.stringify(after));
}

/** @throws ApiError NOT_FOUND */
async function findPlace(db: Pool, call: ResourceCall): Promise<TenantPlace> {
  const { id: tenantId } = call.parameters;
  if (!(await findTenant(db, call.scope, tenantId))) notFound('tenant', call);
  return { organizationId: call.scope.organizationId, tenantId };
}

async function ofCompany(
  db: Queryable,
  { organizationId, tenantId }: TenantPlace,
): Promise<CompanyRetention> {
  const retention = await readRetention(db, organizationId, tenantId);
  return { tenantId, ...retention, voucherYearsMinimum };
}

/** Locks the tenant, so that two changes of different fields are both stored. */
async function updateCompany(
  { reads, writes }: RouteParts,
  call: CallOf<typeof updatePortalTenantRetention>,
): Promise<AnswerOf<typeof updatePortalTenantRetention>> {
  const place = await findPlace(reads, call);
  const after = await writes.runWithoutClock(call, async (write, db) => {
    const { organizationId, tenantId } = place;
    await db.run(sql`
      SELECT FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenantId} FOR NO KEY UPDATE`);
    const before = await ofCompany(db, place);
    const after = { ...before, ...call.body };
    storeRetention(write, tenantId, before, after);
    return after;
  });
  return ok(JSON.stringify(after));
}
