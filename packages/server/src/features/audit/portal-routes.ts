import { exportPortalAuditEntries, listPortalAuditEntries } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { ok, type Route } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import { pageOfRows, slicesOfRows } from '../../query/rows.ts';
import { recordExport, type Writes } from '../../write/writes.ts';
import { auditList, auditRows } from './entries.ts';
import { auditColumns, auditMediaTypes } from './export.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

export function portalAuditRoutes(parts: Parts): Route[] {
  return [
    implement(listPortalAuditEntries, async call =>
      ok(await pageOfRows(auditList, auditRows(call.scope.organizationId), call, parts.reads)),
    ),
    implement(exportPortalAuditEntries, call => exportAudit(parts, call)),
  ];
}

async function exportAudit(
  { reads, writes }: Parts,
  call: CallOf<typeof exportPortalAuditEntries>,
): Promise<AnswerOf<typeof exportPortalAuditEntries>> {
  const slices = slicesOfRows(auditList, auditRows(call.scope.organizationId), call.list, reads);
  const stream = await csvFile(slices, auditColumns, 'spreadsheet');
  await recordExport(writes, call, 'audit.export');
  return { status: 200, file: { stream, fileName: 'audit.csv', mediaType: auditMediaTypes.csv, size: null } };
}
