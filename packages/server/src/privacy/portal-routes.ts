import {
  auditDaysMinimum,
  type CompanyRetention,
  type EmployeeErasure,
  type OrganizationRetention,
  voucherYearsMinimum,
} from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { findAuditDays, mayRemoveAudit, setAuditDays } from '../features/audit/retention.ts';
import { findTenant } from '../features/organizations/store.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../http/handlers.ts';
import { notFound, type ResourceCall } from '../http/read-resource.ts';
import { ok } from '../http/route.ts';
import { requestOf, type Writes } from '../write/writes.ts';
import { createErasure, type Erasability, findErasability } from './erase.ts';
import { readPersonalLogs } from './personal-logs.ts';
import { dayOf, exportEmployee, findExisting, type Parts, retentionOf } from './platform-routes.ts';
import { readRetention, storeRetention, type TenantPlace } from './store.ts';

/** The data-subject requests of employees in the scope of the user's permission HR. */
export function portalDataSubjectHandlers(parts: Parts): HandlersOf<'portal', 'Data subjects'> {
  const { database, writes, files } = parts;
  const { reads } = database;
  return {
    exportPortalEmployee: call => exportEmployee(parts, call),
    async getPortalEmployeeErasure(call) {
      const key = await findExisting(reads, call);
      return ok(JSON.stringify(erasureOf(await findErasability(reads, key, dayOf(call)))));
    },
    async erasePortalEmployee(call) {
      const key = await findExisting(reads, call);
      const erased = await writes.runOrdered(requestOf(call), createErasure(files.store, key));
      return ok(JSON.stringify(erasureOf({ ...erased, holds: [], from: null })));
    },
  };
}

function erasureOf({ holds, from, erasedAt: _shown, ...counts }: Erasability): EmployeeErasure {
  return {
    possible: holds.length === 0,
    possibleFrom: holds.length === 0 ? null : from,
    holds: holds.map(({ kind, subject, until }) => ({ kind, subject, until })),
    ...counts,
  };
}

interface RetentionParts {
  readonly reads: Pool;
  readonly writes: Writes;
}

export function portalRetentionHandlers(parts: RetentionParts): HandlersOf<'portal', 'Retention'> {
  const { reads } = parts;
  return {
    getOrganizationRetention: async ({ scope }) =>
      ok(JSON.stringify(await ofOrganization(reads, scope.organizationId))),
    updateOrganizationRetention: call => updateOrganization(parts, call),
    getPersonalLogs: async ({ scope }) =>
      ok(JSON.stringify(await readPersonalLogs(reads, scope.organizationId))),
    getPortalTenantRetention: async call =>
      ok(JSON.stringify(await ofCompany(reads, await findPlace(reads, call)))),
    updatePortalTenantRetention: call => updateCompany(parts, call),
    getPortalTenantDueData: async call => ok(JSON.stringify(await retentionOf(reads, call))),
  };
}

async function ofOrganization(db: Queryable, organizationId: string): Promise<OrganizationRetention> {
  const [auditDays, removesAudit] = await Promise.all([
    findAuditDays(db, organizationId),
    mayRemoveAudit(db),
  ]);
  return { auditDays, auditDaysMinimum, removesAudit };
}

async function updateOrganization(
  { writes }: RetentionParts,
  call: CallOf<'updateOrganizationRetention'>,
): Promise<AnswerOf<'updateOrganizationRetention'>> {
  const { auditDays } = call.body;
  const { organizationId } = call.scope;
  const after = await writes.runUnordered(requestOf(call), async (write, db) => {
    const before = await ofOrganization(db, organizationId);
    if (auditDays === undefined || auditDays === before.auditDays) return before;
    setAuditDays(write, auditDays);
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
  { reads, writes }: RetentionParts,
  call: CallOf<'updatePortalTenantRetention'>,
): Promise<AnswerOf<'updatePortalTenantRetention'>> {
  const place = await findPlace(reads, call);
  const after = await writes.runUnordered(requestOf(call), async (write, db) => {
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
