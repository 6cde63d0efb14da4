import { findListedKey, type ListedKey, listKeys } from '../../features/keys/store.ts';
import type { Refusals } from '../../features/keys/usage/key-use.ts';
import { type DayOfUse, readUsage } from '../../features/keys/usage/read.ts';
import type { Queryable } from '../../db/session.ts';
import { CommandError, databaseSettings, defineCommand, keyArgument, parseId } from '../command.ts';
import { minute, sheet, table } from '../table.ts';

/** Days that the usage of a key is shown for. */
const usageDays = 30;

export const keyList = defineCommand({
  name: 'key list',
  summary: 'List API keys, without their secrets',
  options: [{ flags: '--organization <id>', description: 'Only those of this organization', parse: parseId }],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const keys = await listKeys(db, (options.organization as string | undefined) ?? null);
    return { json: { keys }, text: keys.length === 0 ? 'No keys' : keyTable(keys) };
  },
});

const columns = ['id', 'status', 'name', 'organization', 'scope', 'quota', 'last used', 'expires'];

function keyTable(keys: readonly ListedKey[]): string {
  return table(
    columns,
    keys.map(key => [
      key.id,
      key.status,
      key.name,
      key.organizationId,
      scopeInWords(key),
      key.quota && `${key.quota.requests}/${key.quota.seconds}`,
      key.lastUsedAt === null ? 'never' : minute(key.lastUsedAt),
      key.expiresAt && minute(key.expiresAt),
    ]),
  );
}

function scopeInWords({ grants }: ListedKey): string {
  if (grants === 'all') return 'whole organization';
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
  const divisions = grants.reduce((n, { divisions }) => n + (divisions === 'all' ? 0 : divisions.length), 0);
  const tenants = grants.filter(grant => grant.divisions === 'all').length;
  const parts = [tenants > 0 && count(tenants, 'tenant'), divisions > 0 && count(divisions, 'division')];
  return parts.filter(part => part !== false).join(', ');
}

export const keyShow = defineCommand({
  name: 'key show',
  summary: 'Show an API key, without its secret: what it sees, its quota, its end and its last use',
  arguments: [keyArgument],
  settings: databaseSettings,
  async run(context, input) {
    const { writes: db } = await context.openDatabase();
    const key = await keyOf(db, input.arguments[0]);
    return { json: { ...key }, text: sheet({ ...key }) };
  },
});

export const usage = defineCommand({
  name: 'usage',
  summary: `Show what was done with an API key, by the day (UTC) of the last ${usageDays}, and how much of it was refused`,
  arguments: [keyArgument],
  settings: databaseSettings,
  async run(context, input) {
    const { writes: db } = await context.openDatabase();
    const { id, organizationId, lastUsedAt } = await keyOf(db, input.arguments[0]);
    const days = await readUsage(db, { organizationId, id }, usageDays);
    const sum = (name: 'requests' | keyof Refusals) => days.reduce((total, day) => total + day[name], 0);
    const totals = {
      requests: sum('requests'),
      refused: sum('refused'),
      limited: sum('limited'),
      failed: sum('failed'),
    };
    return { json: { id, lastUsedAt, ...totals, days }, text: usageText(lastUsedAt, totals, days) };
  },
});

function usageText(
  lastUsedAt: string | null,
  { requests, refused, limited, failed }: Refusals & { requests: number },
  days: readonly DayOfUse[],
): string {
  const total = `${requests} requests in ${usageDays} days, ${refused} refused (4xx), ${limited} over the quota (429), ${failed} failed (5xx)`;
  const last = lastUsedAt === null ? 'never used' : `last used ${minute(lastUsedAt)} UTC`;
  const rows = days.map(day => [
    day.day,
    day.requests,
    day.refused,
    day.limited,
    day.failed,
    day.lastUsedAt && day.lastUsedAt.slice(11, 16),
  ]);
  const columns = ['day', 'requests', 'refused', 'over quota', 'failed', 'last'];
  return [...(rows.length === 0 ? [] : [table(columns, rows)]), `${total}; ${last}`].join('\n');
}

async function keyOf(db: Queryable, id: unknown): Promise<ListedKey> {
  const key = await findListedKey(db, id as string);
  if (key === null) throw new CommandError(`there is no key ${id as string}`);
  return key;
}
