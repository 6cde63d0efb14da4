import {
  AuditEntry,
  type AuditRetention,
  exportAuditEntries,
  exportPlatformAuditEntries,
  exportPortalAuditEntries,
  fieldsOf,
  getAuditRetention,
  listAuditEntries,
  listPlatformAuditEntries,
  listPortalAuditEntries,
  type PortalAuditEntry,
  updateAuditRetention,
  type ValueChange,
} from '@kontor/contract';
import { type Caller, noOrganization } from '../../auth/caller.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { type FileAnswer, ok, type Route, type RouteParts } from '../../http/route.ts';
import type { CheckedList } from '../../query/check.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import { pageOfRows, slicesOfRows } from '../../query/rows.ts';
import { auditList, auditRows } from './entries.ts';
import { auditFile, type AuditFormat, auditMediaTypes } from './export.ts';
import { portalAuditList, portalAuditRows } from './portal-entries.ts';
import { findAuditDays, setAuditDays } from './retention.ts';

export function auditRoutes(parts: RouteParts): Route[] {
  const { reads } = parts;
  const page = async (
    rows: Fragment,
    call: CallOf<typeof listAuditEntries | typeof listPlatformAuditEntries>,
  ) => ok(await pageOfRows(auditList, rows, call, reads));
  const file = async (rows: Fragment, { list, query }: Exporting, name: string): Promise<FileAnswer> => {
    const format = query['format'] as AuditFormat;
    const stream = await auditFile(slicesOfRows(auditList, rows, list, reads), format);
    const fileName = `audit-${name}.${format}`;
    return { status: 200, file: { stream, fileName, mediaType: auditMediaTypes[format], size: null } };
  };
  return [
    implement(listAuditEntries, call => page(auditRows(call.scope.organizationId), call)),
    implement(listPlatformAuditEntries, call => page(platformRows(call.caller), call)),
    implement(exportAuditEntries, call =>
      file(auditRows(call.scope.organizationId), call, call.scope.organizationId),
    ),
    implement(exportPlatformAuditEntries, call => file(platformRows(call.caller), call, 'platform')),
    implement(getAuditRetention, async ({ scope }) =>
      ok(JSON.stringify({ days: await findAuditDays(reads, scope.organizationId) } satisfies AuditRetention)),
    ),
    implement(updateAuditRetention, call => updateRetention(parts, call)),
  ];
}

export function portalAuditRoutes(parts: RouteParts): Route[] {
  return [
    implement(listPortalAuditEntries, async call =>
      ok(await pageOfRows(portalAuditList, rowsFor(call), call, parts.reads)),
    ),
    implement(exportPortalAuditEntries, call =>
      exportList(parts, call, {
        list: portalAuditList,
        rows: rowsFor(call),
        fields: exportedFields(call.body.language),
        fileName: 'audit.csv',
        action: 'audit.export',
      }),
    ),
  ];
}

interface Exporting {
  readonly list: CheckedList;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Entries without an organization. Only callers for all organizations can access them. */
function platformRows({ scope }: Caller): Fragment {
  const hasAccessToAll = 'organizations' in scope && scope.organizations === 'all';
  return sql`${auditRows(noOrganization)} AND ${hasAccessToAll}::boolean`;
}

/** The retention is not in the public API, so the organization clock does not move. */
async function updateRetention(
  { writes }: RouteParts,
  call: CallOf<typeof updateAuditRetention>,
): Promise<AnswerOf<typeof updateAuditRetention>> {
  const { days } = call.body;
  await writes.runWithoutClock(call, (write, db) => setAuditDays(write, db, days));
  return ok(JSON.stringify({ days } satisfies AuditRetention));
}

/** The fields with the entry in words: who did what, to what, in which company. */
function exportedFields(language: 'de' | 'en') {
  return fileFields<PortalAuditEntry>(fieldsOf(AuditEntry), {
    fields: { type: 'string', read: ({ fields }) => fields },
    values: {
      type: 'string',
      read: ({ values }, wordOf) => values.map(change => describeValue(change, wordOf)).join('; '),
    },
    entry: {
      type: 'string',
      read({ sentence, target }) {
        const name = target?.name ? `: ${target.name}` : '';
        const company = target?.tenantName ? ` (${target.tenantName})` : '';
        return sentence[language] + name + company;
      },
    },
  });
}

/** Such as "Cut-off day: 10 → 15". A path has a word for each of its names, and a list one for each of its parts. */
function describeValue({ field, before, after }: ValueChange, wordOf: (value: string) => string): string {
  const text = (value: string | null) => value?.split(', ').map(wordOf).join(', ') ?? '–';
  return `${field.split('.').map(wordOf).join(' · ')}: ${text(before)} → ${text(after)}`;
}

/** The entries with what a user may see of their targets. */
function rowsFor({
  scope,
  caller,
}: Pick<CallOf<typeof listPortalAuditEntries>, 'scope' | 'caller'>): Fragment {
  return portalAuditRows(scope.organizationId, caller.hrScope ?? { ...scope, grants: [] });
}
