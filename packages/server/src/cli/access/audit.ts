import { oneOf, integer } from '../../config.ts';
import { type AuditEntry, auditEntryFields } from '@kontor/contract';
import { noOrganization } from '../../auth/caller.ts';
import type { Pool } from '../../db/connect.ts';
import { auditFile, type AuditFormat, auditMediaTypes } from '../../features/audit/export.ts';
import { auditList, auditRows } from '../../features/audit/entries.ts';
import {
  findAuditDays,
  mayRemoveAudit,
  organizationsWithAuditDays,
  pruneAudit,
  setAuditDays,
} from '../../features/audit/retention.ts';
import { checkList } from '../../query/check.ts';
import { pageOfRows, slicesOfRows } from '../../query/rows.ts';
import { operator, writeAsOperator } from '../../write/writes.ts';
import { checkOrganization } from '../organization/store.ts';
import { CommandError, defineDatabaseCommand, flag, option } from '../program/command.ts';
import { writeWhole } from '../../lib/draft-file.ts';
import { checkIsNew } from '../program/files.ts';
import { listTable, minute } from '../program/output.ts';
import { filterOption, listParameters, type Page, pageOptions, pageResult } from '../program/pages.ts';
import { organizationOption } from '../program/values.ts';

/** The options that choose an audit. */
const ownerOptions = {
  organization: organizationOption,
  platform: flag('--platform', 'Entries that belong to no organization'),
};

interface AuditOwner {
  readonly organization: string | undefined;
  readonly platform: boolean;
}

/** @throws CommandError when the options name neither an organization nor the platform, or both */
function checkOwner({ organization, platform }: AuditOwner): void {
  if ((organization === undefined) !== platform)
    throw new CommandError('name either --organization, or --platform');
}

/**
 * Returns the organization that the options name, `noOrganization` for `--platform`.
 * @throws CommandError when it does not exist
 */
async function findOwner(db: Pool, { organization }: AuditOwner): Promise<string> {
  if (organization === undefined) return noOrganization;
  await checkOrganization(db, organization);
  return organization;
}

const filter = filterOption('outcome = rejected');

export const auditListCommand = defineDatabaseCommand({
  summary: 'List entries of the audit log, the latest first, with the filter and sort of the API',
  example: 'audit list --organization 64b7e3f0a1c2d3e4f5a6b7c8 --page-size 20',
  input: { ...ownerOptions, filter, ...pageOptions },
  check({ organization, platform, sort = '-createdAt', ...parameters }) {
    checkOwner({ organization, platform });
    return checkList(listParameters({ sort, ...parameters }), auditEntryFields);
  },
  async run({ db }, owner, list) {
    const organizationId = await findOwner(db, owner);
    const page = JSON.parse(
      await pageOfRows(auditList, auditRows(organizationId), { list }, db),
    ) as Page<AuditEntry>;
    return pageResult(page, ['entry', 'entries'], () => tableOf(page.items));
  },
});

function tableOf(entries: readonly AuditEntry[]): string {
  return listTable(entries, '', {
    at: ({ createdAt }) => minute(createdAt),
    who: ({ actorName }) => actorName,
    action: ({ action }) => action,
    target: ({ targetId }) => targetId,
    fields: ({ fields }) => fields.join(' '),
    outcome: ({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`),
    count: ({ count }) => count,
    address: ({ address }) => address ?? '',
  });
}

export const auditExport = defineDatabaseCommand({
  summary: 'Export all selected entries of the audit log into a file',
  example: 'audit export --organization 64b7e3f0a1c2d3e4f5a6b7c8 --file audit.csv --format csv',
  input: {
    ...ownerOptions,
    filter,
    format: option(
      '--format <format>',
      'jsonl or csv (default jsonl)',
      oneOf(Object.keys(auditMediaTypes) as AuditFormat[]),
    ),
    file: option('--file <file>', 'The target file (default audit-<organization>.<format>)'),
  },
  check({ filter, ...owner }) {
    checkOwner(owner);
    return checkList(filter === undefined ? {} : { filter }, auditEntryFields);
  },
  async run({ db }, { format = 'jsonl', file: named, ...owner }, list) {
    const organizationId = await findOwner(db, owner);
    const file = named ?? `audit-${organizationId || 'platform'}.${format}`;
    await checkIsNew(file);
    const slices = slicesOfRows(auditList, auditRows(organizationId), list, db);
    let entries = 0;
    const counted = countEntries(slices, count => (entries += count));
    await writeWhole(file, await auditFile(counted, format));
    return { json: { file, entries }, text: `Exported ${entries} entries to ${file}` };
  },
});

async function* countEntries(
  slices: AsyncGenerator<AuditEntry[]>,
  add: (count: number) => void,
): AsyncGenerator<AuditEntry[]> {
  for await (const slice of slices) {
    add(slice.length);
    yield slice;
  }
}

export const auditRetention = defineDatabaseCommand({
  summary: 'Show or set the retention of the audit log of an organization, in days',
  example: 'audit retention --organization 64b7e3f0a1c2d3e4f5a6b7c8 --days 3650',
  input: {
    ...ownerOptions,
    days: option('--days <days>', 'Keep entries for this number of days', integer(1, 36_500)),
    forEver: flag('--for-ever', 'Never remove entries, which is the default'),
  },
  check({ days, forEver, ...owner }) {
    checkOwner(owner);
    if (days !== undefined && forEver) throw new CommandError('give either --days, or --for-ever');
  },
  async run({ db }, { days, forEver, ...owner }) {
    const organizationId = await findOwner(db, owner);
    if (days !== undefined || forEver)
      await writeAsOperator(db, organizationId, (write, session) =>
        setAuditDays(write, session, days ?? null),
      );
    const kept = await findAuditDays(db, organizationId);
    return {
      json: { organizationId: organizationId || null, days: kept },
      text: `The audit log is kept ${kept === null ? 'for ever' : `for ${kept} days`}`,
    };
  },
});

export const auditPrune = defineDatabaseCommand({
  summary: 'Remove entries after their retention, of all organizations or one',
  example: 'audit prune --organization 64b7e3f0a1c2d3e4f5a6b7c8',
  input: ownerOptions,
  check(owner) {
    if (!isEveryOwner(owner)) checkOwner(owner);
  },
  async run({ db, signal }, owner) {
    const organizations = await organizationsToPrune(db, owner);
    if (!(await mayRemoveAudit(db)))
      throw new CommandError(
        'the role of DATABASE_URL may not remove entries: use the one that owns the tables',
      );
    const removed: { organizationId: string | null; removed: number }[] = [];
    for (const organizationId of organizations) {
      const count = await pruneAudit(db, organizationId, { author: operator, signal: signal });
      removed.push({ organizationId: organizationId || null, removed: count });
    }
    const sum = removed.reduce((total, each) => total + each.removed, 0);
    return { json: { removed }, text: `Removed ${sum} entries of ${removed.length} organizations` };
  },
});

const isEveryOwner = ({ organization, platform }: AuditOwner) => organization === undefined && !platform;

async function organizationsToPrune(db: Pool, owner: AuditOwner): Promise<string[]> {
  if (isEveryOwner(owner)) return organizationsWithAuditDays(db);
  const organizationId = await findOwner(db, owner);
  if ((await findAuditDays(db, organizationId)) === null)
    throw new CommandError('this audit is kept for ever: set its retention with kontor audit retention');
  return [organizationId];
}
