import type { Pool } from '../../../db/connect.ts';
import { columnsOf, type InsertedColumn, insertRows } from '../../../db/insert-rows.ts';
import { type Fragment, raw, sql } from '../../../db/sql.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { groupsKept, groupsKeptPerCode, requestIdsKept } from './error-groups.ts';
import { type Counts, type KeyUse, KeyUsage } from './key-use.ts';

/** Buffers the use of keys, and writes it in intervals. */
export function collectUses(db: Pool, failed: (error: unknown) => void): KeyUsage {
  return new KeyUsage((organizationId, uses) => writeUses(db, organizationId, uses), failed);
}

/** Key rows are locked in order. Two processes therefore cannot deadlock, and each reads the success that the other has written. */
export async function writeUses(db: Pool, organizationId: string, uses: readonly KeyUse[]): Promise<void> {
  await inTransaction(db, async session => {
    const ids = uses.map(({ id }) => id);
    const rows = await session.rows<ActivityRow>(sql`
      SELECT id, last_success_at, watched_from FROM api_key
      WHERE organization_id = ${organizationId} AND id = ANY(${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`);
    const before = new Map(rows.map(row => [row.id, row]));
    const recorded = uses.flatMap((use): Recorded[] => {
      const row = before.get(use.id);
      return row ? [{ use, day: dayOf(use.at), pause: pauseBefore(use, row) }] : [];
    });
    if (recorded.length === 0) return;
    for (const statement of statementsOf(organizationId, recorded)) session.post(statement);
  });
}

interface ActivityRow {
  id: string;
  last_success_at: Date | null;
  watched_from: Date | null;
}

interface Recorded {
  readonly use: KeyUse;
  /** In UTC. */
  readonly day: string;
  /** Seconds of the pause before the first success; null without a success, or without an earlier one. */
  readonly pause: number | null;
}

function pauseBefore({ succeededFrom }: KeyUse, row: ActivityRow): number | null {
  if (succeededFrom === 0 || row.last_success_at === null) return null;
  const since = Math.max(row.last_success_at.getTime(), row.watched_from?.getTime() ?? 0);
  return Math.max(0, Math.ceil((succeededFrom - since) / 1000));
}

function statementsOf(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  return [
    updateKeys(organizationId, recorded),
    insertDays(organizationId, recorded),
    ...insertHours(organizationId, recorded),
    ...insertOperations(organizationId, recorded),
    ...insertErrors(organizationId, recorded),
    ...insertPolls(organizationId, recorded),
  ];
}

function updateKeys(organizationId: string, recorded: readonly Recorded[]): Fragment {
  return sql`
    UPDATE api_key k SET last_used_at = greatest(k.last_used_at, h.at),
      last_success_at = greatest(k.last_success_at, h.succeeded_at),
      recent_failures = (k.recent_failures << least(h.answers, length(k.recent_failures))) | h.failures::bit(10)
    FROM unnest(${recorded.map(({ use }) => use.id)}::text[],
      ${recorded.map(({ use }) => instant(use.at))}::timestamptz[],
      ${recorded.map(({ use }) => instant(use.succeededAt))}::timestamptz[], ${recorded.map(({ use }) => use.answers)}::int[],
      ${recorded.map(({ use }) => use.recentFailures)}::int[]) AS h (id, at, succeeded_at, answers, failures)
    WHERE k.organization_id = ${organizationId} AND k.id = h.id`;
}

function insertDays(organizationId: string, recorded: readonly Recorded[]): Fragment {
  const rows = recorded.map(({ use, ...rest }) => ({
    ...rest,
    ...countsOf(use),
    id: use.id,
    at: instant(use.at),
  }));
  const column = columnsOf(rows);
  const inserted = insertRows('key_usage AS d', [
    ...placeOf(organizationId, rows),
    ...countColumns(rows),
    column('day', ({ day }) => day, 'date'),
    column('last_at', ({ at }) => at, 'timestamptz'),
    column('longest_pause', ({ pause }) => pause, 'int'),
  ]);
  return sql`${inserted} ON CONFLICT (organization_id, key_id, day) DO UPDATE SET ${addedCounts},
      last_at = greatest(d.last_at, excluded.last_at),
      longest_pause = greatest(d.longest_pause, excluded.longest_pause)`;
}

/** The row of an hour is that of the same hour of earlier days. A late write of such a day is left out. */
function insertHours(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, at, answers, failures } }) =>
    answers === 0 ? [] : [{ id, hour: new Date(at - (at % 3_600_000)), answers, failures }],
  );
  if (rows.length === 0) return [];
  const column = columnsOf(rows);
  const inserted = insertRows('key_hour AS h', [
    ...placeOf(organizationId, rows),
    column('hour_of_day', ({ hour }) => hour.getUTCHours(), 'int'),
    column('hour', ({ hour }) => hour.toISOString(), 'timestamptz'),
    column('requests', ({ answers }) => answers, 'bigint'),
    column('failures', ({ failures }) => failures, 'bigint'),
  ]);
  const added = (name: string) =>
    raw(`${name} = excluded.${name} + CASE WHEN h.hour = excluded.hour THEN h.${name} ELSE 0 END`);
  return [
    sql`${inserted} ON CONFLICT (organization_id, key_id, hour_of_day) DO UPDATE SET
      hour = excluded.hour, ${added('requests')}, ${added('failures')}
    WHERE h.hour <= excluded.hour`,
  ];
}

function insertOperations(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, operations }, day }) =>
    Array.from(operations, ([operation, counts]) => ({ id, day, operation, ...counts })),
  );
  if (rows.length === 0) return [];
  const column = columnsOf(rows);
  const inserted = insertRows('key_operation AS d', [
    ...placeOf(organizationId, rows),
    ...countColumns(rows),
    column('day', ({ day }) => day, 'date'),
    column('operation', ({ operation }) => operation),
  ]);
  return [
    sql`${inserted} ON CONFLICT (organization_id, key_id, day, operation) DO UPDATE SET ${addedCounts}`,
  ];
}

/**
 * Adds errors to their groups, and keeps the groups with the latest errors. Behind ON CONFLICT, Citus 13.2 takes no parameter, and a slice of
 * an array (`[1:5]`) makes its server crash.
 */
function insertErrors(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, errors } }) => Array.from(errors, group => ({ ...group, id })));
  if (rows.length === 0) return [];
  const keys = [...new Set(rows.map(({ id }) => id))];
  const column = columnsOf(rows);
  const inserted = insertRows('key_error AS e', [
    ...placeOf(organizationId, rows),
    column('operation', ({ operation }) => operation),
    column('code', ({ code }) => code),
    column('pattern', ({ pattern }) => pattern),
    column('status', ({ status }) => status, 'int'),
    column('message', ({ message }) => message),
    column('count', ({ count }) => count, 'bigint'),
    column('first_at', ({ firstAt }) => instant(firstAt), 'timestamptz'),
    column('last_at', ({ lastAt }) => instant(lastAt), 'timestamptz'),
    column('request_ids', ({ requestIds }) => requestIds, 'text[]'),
  ]);
  return [
    sql`${inserted} ON CONFLICT (organization_id, key_id, operation, code, pattern) DO UPDATE SET
      status = excluded.status, message = excluded.message, count = e.count + excluded.count,
      first_at = least(e.first_at, excluded.first_at), last_at = greatest(e.last_at, excluded.last_at),
      request_ids = trim_array(excluded.request_ids || e.request_ids,
        greatest(0, cardinality(excluded.request_ids) + cardinality(e.request_ids) - ${raw(String(requestIdsKept))}))`,
    dropGroups(organizationId, keys),
  ];
}

/** Drops groups beyond the bound of an operation and code, and of the rest those beyond the bound of a key. */
function dropGroups(organizationId: string, keys: readonly string[]): Fragment {
  return sql`
    DELETE FROM key_error e USING (
      SELECT *, row_number() OVER (PARTITION BY key_id ORDER BY of_code > ${groupsKeptPerCode}::int, last_at DESC) AS of_key
      FROM (
        SELECT key_id, operation, code, pattern, last_at,
          row_number() OVER (PARTITION BY key_id, operation, code ORDER BY last_at DESC) AS of_code
        FROM key_error WHERE organization_id = ${organizationId} AND key_id = ANY(${keys}::text[])) AS grouped) AS ranked
    WHERE e.organization_id = ${organizationId} AND e.key_id = ranked.key_id AND e.operation = ranked.operation
      AND e.code = ranked.code AND e.pattern = ranked.pattern
      AND (ranked.of_code > ${groupsKeptPerCode}::int OR ranked.of_key > ${groupsKept}::int)`;
}

function insertPolls(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, polls } }) =>
    Array.from(polls, ([operation, poll]) => ({ id, operation, ...poll })),
  );
  if (rows.length === 0) return [];
  const column = columnsOf(rows);
  const inserted = insertRows('key_poll AS p', [
    ...placeOf(organizationId, rows),
    column('operation', ({ operation }) => operation),
    column('asked_at', ({ at }) => instant(at), 'timestamptz'),
    column('read_to', ({ readTo }) => readTo, 'timestamptz'),
  ]);
  return [
    sql`${inserted} ON CONFLICT (organization_id, key_id, operation) DO UPDATE SET
      asked_at = excluded.asked_at, read_to = excluded.read_to
    WHERE p.asked_at < excluded.asked_at`,
  ];
}

function placeOf(organizationId: string, rows: readonly { id: string }[]): InsertedColumn[] {
  return [
    { name: 'organization_id', type: 'text', value: organizationId },
    columnsOf(rows)('key_id', ({ id }) => id),
  ];
}

const counts = ['requests', 'rejected', 'denied', 'limited', 'failed'] as const;

function countsOf({ requests, rejected, denied, limited, failed }: Counts): Counts {
  return { requests, rejected, denied, limited, failed };
}

function countColumns(rows: readonly Counts[]): InsertedColumn[] {
  const column = columnsOf(rows);
  return counts.map(name => column(name, row => row[name], 'bigint'));
}

/** `d` is the existing row. */
const addedCounts = raw(counts.map(name => `${name} = d.${name} + excluded.${name}`).join(', '));

/** Converts milliseconds to an instant; null for 0. */
function instant(milliseconds: number): string | null {
  return milliseconds === 0 ? null : new Date(milliseconds).toISOString();
}

/** The day in UTC of an instant in milliseconds. */
function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
