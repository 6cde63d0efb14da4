import { ApiError, type AuditRetention } from '@kontor/contract';
import { type Caller, noOrganization } from '../../auth/caller.ts';
import type { CheckedList } from '../../query/check.ts';
import { pageOfRows, slicesOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/session.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, type FileAnswer, ok } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { auditFile, type AuditFormat, auditMediaTypes } from './export.ts';
import { auditList, auditRows } from './listed.ts';
import { findTenantAuditDays, setTenantAuditDays } from './retention.ts';

/** What the operations of the audit stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

/** The operations of the audit, which are the platform's. */
export function auditHandlers(parts: Parts): HandlersOf<'platform', 'Audit'> {
  const { reads } = parts;
  const read = <Row extends object>(statement: Fragment) => reads.rows<Row>(statement, { shared: false });
  const page = async (rows: Fragment, list: CheckedList) => ok(await pageOfRows(auditList, rows, list, read));
  const file = async (rows: Fragment, { list, query }: Exporting, name: string): Promise<FileAnswer> => {
    const format = query['format'] as AuditFormat;
    const stream = await auditFile(slicesOfRows(auditList, rows, list, read), format);
    const fileName = `audit-${name}.${format}`;
    return { status: 200, file: { stream, fileName, mediaType: auditMediaTypes[format], size: null } };
  };
  return {
    listAuditEntries: ({ scope, list }) => page(auditRows(scope.organizationId), list),
    listPlatformAuditEntries: ({ caller, list }) => page(platformRows(caller), list),
    exportAuditEntries: call => file(auditRows(call.scope.organizationId), call, call.scope.organizationId),
    exportPlatformAuditEntries: call => file(platformRows(call.caller), call, 'platform'),
    getAuditRetention: async call => ok(JSON.stringify(await retentionOf(reads, call))),
    updateAuditRetention: call => updateRetention(parts, call),
  };
}

interface Exporting {
  readonly list: CheckedList;
  readonly query: Readonly<Record<string, unknown>>;
}

/** What belongs to no organization, which only a caller for all of them sees. */
function platformRows({ scope }: Caller): Fragment {
  const seesAll = 'organizations' in scope && scope.organizations === 'all';
  return sql`${auditRows(noOrganization)} AND ${seesAll}::boolean`;
}

type OfTenant = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

/** @throws ApiError NOT_FOUND without such a tenant. */
async function retentionOf(db: Queryable, { scope, parameters }: OfTenant): Promise<AuditRetention> {
  const found = await findTenantAuditDays(db, scope.organizationId, parameters.id);
  if (found === null) throw new ApiError('NOT_FOUND', 'No tenant with this id is visible to the token');
  const { tenantId, days, organizationDays } = found;
  return { tenantId, days, organizationDays };
}

/** No client of the public API sees it, so it takes no turn. */
async function updateRetention(
  { reads, writes }: Parts,
  call: CallOf<'updateAuditRetention'>,
): Promise<AnswerOf<'updateAuditRetention'>> {
  await retentionOf(reads, call);
  const { id: tenantId } = call.parameters;
  const retention = await writes.beside(requestOf(call), async (turn, session) => {
    await setTenantAuditDays(turn, session, { tenantId, days: call.body.days });
    return retentionOf(session, call);
  });
  return ok(JSON.stringify(retention));
}
