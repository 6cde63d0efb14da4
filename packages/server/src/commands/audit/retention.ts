import type { Pool } from '../../database/connect.ts';
import {
  auditDays,
  type AuditRetention,
  auditRetentions,
  mayRemoveAudit,
  pruneAudit,
  setAuditDays,
} from '../../features/audit/retention.ts';
import { besideClock, operator } from '../../writes/writes.ts';
import { type CommandDefinition, CommandError, databaseSettings } from '../command.ts';
import { wholeNumber } from '../pages.ts';
import { placeOf, placeOptions } from './place.ts';

/** A hundred years. */
const mostDays = 36_500;

export const auditRetentionCommand: CommandDefinition = {
  name: 'audit retention',
  summary: 'Show or set for how many days the audit is kept',
  options: [
    ...placeOptions,
    { flags: '--days <days>', description: 'Keep entries so long', parse: wholeNumber(mostDays) },
    { flags: '--for-ever', description: 'Keep all entries, as it is unless said' },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizationId = await placeOf(db, options);
    if (options.days !== undefined && options.forEver === true)
      throw new CommandError('give either --days, or --for-ever');
    const wanted = options.forEver === true ? null : (options.days as number | undefined);
    if (wanted !== undefined)
      await besideClock(db, organizationId, operator, turn => setAuditDays(turn, wanted));
    const days = await auditDays(db, organizationId);
    return {
      json: { organizationId: organizationId || null, days },
      text: days === null ? 'The audit is kept for ever' : `The audit is kept for ${days} days`,
    };
  },
};

export const auditPruneCommand: CommandDefinition = {
  name: 'audit prune',
  summary: 'Remove entries that are older than the audit is kept, of all organizations or of one',
  options: placeOptions,
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const retentions = await retentionsOf(db, options);
    if (!(await mayRemoveAudit(db)))
      throw new CommandError(
        'the role of DATABASE_URL may not remove entries: use the one that owns the tables',
      );
    const removed: { organizationId: string | null; removed: number }[] = [];
    const how = { author: operator, now: new Date(), signal: context.signal };
    for (const retention of retentions) {
      const { organizationId } = retention;
      removed.push({ organizationId: organizationId || null, removed: await pruneAudit(db, retention, how) });
    }
    const sum = removed.reduce((total, each) => total + each.removed, 0);
    return { json: { removed }, text: `Removed ${sum} entries of ${removed.length} organizations` };
  },
};

async function retentionsOf(db: Pool, options: Readonly<Record<string, unknown>>): Promise<AuditRetention[]> {
  if (options.organization === undefined && options.platform !== true) return auditRetentions(db);
  const organizationId = await placeOf(db, options);
  const days = await auditDays(db, organizationId);
  if (days === null)
    throw new CommandError('this audit is kept for ever: say otherwise with kontor audit retention');
  return [{ organizationId, days }];
}
