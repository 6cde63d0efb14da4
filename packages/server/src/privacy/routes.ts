import {
  dueEmployeesMaximum,
  type EmployeeErasure,
  eraseEmployee,
  erasePortalEmployee,
  type Erasure,
  exportEmployee,
  exportPortalEmployee,
  getEmployeeErasure,
  getPortalEmployeeErasure,
  type getPortalTenantDueData,
  getTenantRetention,
  type TenantRetention,
} from '@kontor/contract';
import { once } from 'node:events';
import { findInScope } from '../auth/find-in-scope.ts';
import type { Database, Pool } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { tenantsAmong } from '../features/organizations/store.ts';
import { type Files, inTime, storeFailure } from '../files/download.ts';
import { type AnswerOf, type CallOf, implement } from '../http/implement.ts';
import { notFound, type ResourceCall } from '../http/read-resource.ts';
import { type Call, ok, type Route } from '../http/route.ts';
import { requestOf, type Writes } from '../write/writes.ts';
import { findDueDocuments, readLeavers } from './due.ts';
import { findErasability, type Erasability, erasure, type EmployeeKey } from './erase.ts';
import { exportDataSubject } from './export.ts';
import { readRetention } from './store.ts';

export interface Parts {
  readonly database: Pick<Database, 'reads' | 'writes'>;
  readonly writes: Writes;
  readonly files: Files;
}

/** The operations of data-subject requests on the platform API, for systems of the operator. */
export function dataSubjectRoutes(parts: Parts): Route[] {
  const { reads } = parts.database;
  return [
    implement(exportEmployee, call => sendExport(parts, call)),
    implement(getEmployeeErasure, async call => {
      const key = await findExisting(reads, call);
      const found = await findErasability(reads, key, dayOf(call));
      return ok(JSON.stringify(erasureOf(key, found)));
    }),
    implement(eraseEmployee, call => erase(parts, call)),
    implement(getTenantRetention, async call => ok(JSON.stringify(await retentionOf(reads, call)))),
  ];
}

/** The data-subject requests of employees in the scope of the user's permission HR. */
export function portalDataSubjectRoutes(parts: Parts): Route[] {
  const { database, writes, files } = parts;
  const { reads } = database;
  return [
    implement(exportPortalEmployee, call => sendExport(parts, call)),
    implement(getPortalEmployeeErasure, async call => {
      const key = await findExisting(reads, call);
      return ok(JSON.stringify(portalErasureOf(await findErasability(reads, key, dayOf(call)))));
    }),
    implement(erasePortalEmployee, async call => {
      const { employeeId } = await findExisting(reads, call);
      const erased = await writes.decide({ ...call, employeeId, store: files.store }, erasure);
      return ok(JSON.stringify(portalErasureOf({ ...erased, holds: [], from: null })));
    }),
  ];
}

/** @throws ApiError NOT_FOUND */
async function findExisting(db: Pool, call: ResourceCall): Promise<EmployeeKey> {
  const { scope, tenant, parameters } = call;
  const { id } = parameters;
  const found = await findInScope(db, { table: 'employee', scope, tenant, id }, sql`id`);
  if (found === null) notFound('employee', call);
  return { organizationId: scope.organizationId, employeeId: id };
}

function dayOf({ receivedAt }: Pick<Call, 'receivedAt'>): string {
  return receivedAt.toISOString().slice(0, 10);
}

/** Responds once the first bytes are available: a failing file store then causes an error instead of a broken ZIP. */
async function sendExport(
  { database, files }: Parts,
  call: ResourceCall,
): Promise<AnswerOf<typeof exportEmployee>> {
  const key = await findExisting(database.reads, call);
  const { author } = requestOf(call);
  const how = { author, now: call.receivedAt, advance() {}, unhurried: false };
  const { zip } = await exportDataSubject({ ...database, files }, key, how);
  try {
    await inTime(files.timeout, once(zip, 'readable'));
  } catch (error) {
    zip.destroy();
    throw storeFailure(error);
  }
  const fileName = `employee-${key.employeeId}.zip`;
  return { status: 200, file: { stream: zip, fileName, mediaType: 'application/zip', size: null } };
}

async function erase(
  { database: { reads }, writes, files }: Parts,
  call: CallOf<typeof eraseEmployee>,
): Promise<AnswerOf<typeof eraseEmployee>> {
  const key = await findExisting(reads, call);
  const { employeeId } = key;
  const erased = await writes.decide({ ...call, employeeId, store: files.store }, erasure);
  return ok(JSON.stringify(erasureOf(key, { holds: [], from: null, ...erased })));
}

function erasureOf(
  { employeeId }: EmployeeKey,
  { holds, from, erasedAt, orders, incidents, files }: Erasability,
): Erasure {
  return {
    employeeId,
    erasedAt: erasedAt?.toISOString() ?? null,
    possible: holds.length === 0,
    possibleFrom: holds.length === 0 ? null : from,
    reasons: holds.map(({ reason }) => reason),
    orders,
    incidents,
    files,
  };
}

/** @throws ApiError NOT_FOUND */
export async function retentionOf(
  reads: Pool,
  call: CallOf<typeof getTenantRetention | typeof getPortalTenantDueData>,
): Promise<TenantRetention> {
  const { id: tenantId } = call.parameters;
  const place = { organizationId: call.scope.organizationId, tenantId };
  if (!(await tenantsAmong(reads, place.organizationId, [tenantId])).has(tenantId)) notFound('tenant', call);
  const today = dayOf(call);
  const retention = await readRetention(reads, place.organizationId, tenantId);
  const how = { today, maxIds: dueEmployeesMaximum, advance() {} };
  const { due, later, next } = await readLeavers(reads, place, retention, how);
  const documents = await findDueDocuments(reads, place, retention, today);
  return {
    tenantId,
    ...retention,
    dueCount: due.count,
    dueEmployeeIds: [...due.employees],
    keptCount: later,
    nextDueOn: next,
    documentCount: documents.count,
    firstPeriod: documents.first,
    lastPeriod: documents.last,
  };
}

function portalErasureOf({ holds, from, erasedAt: _shown, ...counts }: Erasability): EmployeeErasure {
  return {
    possible: holds.length === 0,
    possibleFrom: holds.length === 0 ? null : from,
    holds: holds.map(({ kind, subject, until }) => ({ kind, subject, until })),
    ...counts,
  };
}
