import type { Pool } from '../../db/connect.ts';
import {
  findAuditDays,
  mayRemoveAudit,
  organizationsWithAuditDays,
  pruneAudit,
  setAuditDays,
} from '../../features/audit/retention.ts';
import { writeUnordered, operator } from '../../write/writes.ts';
import { CommandError, databaseSettings, defineCommand } from '../command.ts';
import { wholeNumber } from '../pages.ts';
import { placeOf, placeOptions } from './place.ts';

/** A hundred years. */
const maxDays = 36_500;

export const auditRetentionCommand = defineCommand({
  name: 'audit retention',
  summary: 'Show or set for how many days the audit of an organization is kept',
  options: [
    ...placeOptions,
    { flags: '--days <days>', description: 'Keep entries so long', parse: wholeNumber(maxDays) },
    { flags: '--for-ever', description: 'Never remove entries, which is the default' },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    if (options.days !== undefined && options.forEver === true)
      throw new CommandError('give either --days, or --for-ever');
    const wanted = options.forEver === true ? null : (options.days as number | undefined);
    const organizationId = await placeOf(db, options);
    if (wanted !== undefined)
      await writeUnordered(db, organizationId, operator, turn => setAuditDays(turn, wanted));
    const days = await findAuditDays(db, organizationId);
    return {
      json: { organizationId: organizationId || null, days },
      text: `The audit is kept ${days === null ? 'for ever' : `for ${days} days`}`,
    };
  },
});

export const auditPruneCommand = defineCommand({
  name: 'audit prune',
  summary: 'Remove entries that are older than the audit is kept, of all organizations or of one',
  options: placeOptions,
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizations = await organizationsOf(db, options);
    if (!(await mayRemoveAudit(db)))
      throw new CommandError(
        'the role of DATABASE_URL may not remove entries: use the one that owns the tables',
      );
    const removed: { organizationId: string | null; removed: number }[] = [];
    const how = { author: operator, signal: context.signal };
    for (const organizationId of organizations)
      removed.push({
        organizationId: organizationId || null,
        removed: await pruneAudit(db, organizationId, how),
      });
    const sum = removed.reduce((total, each) => total + each.removed, 0);
    return { json: { removed }, text: `Removed ${sum} entries of ${removed.length} organizations` };
  },
});

async function organizationsOf(db: Pool, options: Readonly<Record<string, unknown>>): Promise<string[]> {
  if (options.organization === undefined && options.platform !== true) return organizationsWithAuditDays(db);
  const organizationId = await placeOf(db, options);
  if ((await findAuditDays(db, organizationId)) === null)
    throw new CommandError('this audit is kept for ever: say otherwise with kontor audit retention');
  return [organizationId];
}
