import { type Caller, noOrganization } from '../../caller.ts';
import type { CheckedList } from '../../collection/check.ts';
import { pageOfRows } from '../../collection/rows.ts';
import { slicesOfRows } from '../../collection/slices.ts';
import type { Pool } from '../../database/connect.ts';
import { type Fragment, sql } from '../../database/sql.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { type FileAnswer, ok } from '../../http/route.ts';
import { auditFile, type AuditFormat, auditMediaTypes } from './export.ts';
import { auditList, auditRows } from './listed.ts';

/** The operations of the audit, which are the platform's. */
export function auditHandlers(reads: Pool): HandlersOf<'platform', 'Audit'> {
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
