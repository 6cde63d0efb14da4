import type { Pool } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { type InsertedColumn, insertRows } from '../../../db/insert-rows.ts';
import { type Fragment, raw, sql } from '../../../db/sql.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Counts, errorsKept, type KeyUse, KeyUsage } from './key-use.ts';

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
    ...insertOperations(organizationId, recorded),
    ...insertErrors(organizationId, recorded),
    ...insertPolls(organizationId, recorded),
  ];
}

function updateKeys(organizationId: string, recorded: readonly Recorded[]): Fragment {
  return sql`
    UPDATE api_key k SET last_used_at = greatest(k.last_used_at, h.at),
      last_success_at = greatest(k.last_success_at, h.succeeded_at)
    FROM unnest(${recorded.map(({ use }) => use.id)}::text[],
      ${recorded.map(({ use }) => instant(use.at))}::timestamptz[],
      ${recorded.map(({ use }) => instant(use.succeededAt))}::timestamptz[]) AS h (id, at, succeeded_at)
    WHERE k.organization_id = ${organizationId} AND k.id = h.id`;
}

function insertDays(organizationId: string, recorded: readonly Recorded[]): Fragment {
  const rows = recorded.map(({ use, ...rest }) => ({
    ...rest,
    ...countsOf(use),
    id: use.id,
    at: instant(use.at),
  }));
  const inserted = insertRows(
    'key_usage AS d',
    [
      ...placeOf(organizationId, rows),
      ...countColumns(rows),
      column('day', 'date', rows, ({ day }) => day),
      column('last_at', 'timestamptz', rows, ({ at }) => at),
      column('longest_pause', 'int', rows, ({ pause }) => pause),
    ],
    rows.length,
  );
  return sql`${inserted} ON CONFLICT (organization_id, key_id, day) DO UPDATE SET ${addedCounts},
      last_at = greatest(d.last_at, excluded.last_at),
      longest_pause = greatest(d.longest_pause, excluded.longest_pause)`;
}

function insertOperations(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, operations }, day }) =>
    Array.from(operations, ([operation, counts]) => ({ id, day, operation, ...counts })),
  );
  if (rows.length === 0) return [];
  const inserted = insertRows(
    'key_operation AS d',
    [
      ...placeOf(organizationId, rows),
      ...countColumns(rows),
      column('day', 'date', rows, ({ day }) => day),
      column('operation', 'text', rows, ({ operation }) => operation),
    ],
    rows.length,
  );
  return [
    sql`${inserted} ON CONFLICT (organization_id, key_id, day, operation) DO UPDATE SET ${addedCounts}`,
  ];
}

/** Keeps the latest errors of each key, so their number is bounded. */
function insertErrors(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, errors } }) => errors.map(error => ({ ...error, id })));
  if (rows.length === 0) return [];
  const keys = [...new Set(rows.map(({ id }) => id))];
  return [
    insertRows(
      'key_error',
      [
        ...placeOf(organizationId, rows),
        column('id', 'text', rows, () => newId()),
        column('at', 'timestamptz', rows, ({ at }) => instant(at)),
        column('operation', 'text', rows, ({ operation }) => operation),
        column('status', 'int', rows, ({ status }) => status),
        column('code', 'text', rows, ({ code }) => code),
        column('message', 'text', rows, ({ message }) => message),
        column('request_id', 'text', rows, ({ requestId }) => requestId),
      ],
      rows.length,
    ),
    sql`
    DELETE FROM key_error e USING (
      SELECT key_id, id, row_number() OVER (PARTITION BY key_id ORDER BY at DESC, id DESC) AS n FROM key_error
      WHERE organization_id = ${organizationId} AND key_id = ANY(${keys}::text[])) AS ranked
    WHERE e.organization_id = ${organizationId} AND e.key_id = ranked.key_id AND e.id = ranked.id
      AND ranked.n > ${errorsKept}`,
  ];
}

function insertPolls(organizationId: string, recorded: readonly Recorded[]): Fragment[] {
  const rows = recorded.flatMap(({ use: { id, polls } }) =>
    Array.from(polls, ([operation, poll]) => ({ id, operation, ...poll })),
  );
  if (rows.length === 0) return [];
  const inserted = insertRows(
    'key_poll AS p',
    [
      ...placeOf(organizationId, rows),
      column('operation', 'text', rows, ({ operation }) => operation),
      column('asked_at', 'timestamptz', rows, ({ at }) => instant(at)),
      column('read_to', 'timestamptz', rows, ({ readTo }) => readTo),
    ],
    rows.length,
  );
  return [
    sql`${inserted} ON CONFLICT (organization_id, key_id, operation) DO UPDATE SET
      asked_at = excluded.asked_at, read_to = excluded.read_to
    WHERE p.asked_at < excluded.asked_at`,
  ];
}

function column<Row>(name: string, type: string, rows: readonly Row[], read: (row: Row) => unknown) {
  return { name, type, values: rows.map(read) };
}

function placeOf(organizationId: string, rows: readonly { id: string }[]): InsertedColumn[] {
  return [
    { name: 'organization_id', type: 'text', value: organizationId },
    column('key_id', 'text', rows, ({ id }) => id),
  ];
}

const counts = ['requests', 'rejected', 'limited', 'failed'] as const;

function countsOf({ requests, rejected, limited, failed }: Counts): Counts {
  return { requests, rejected, limited, failed };
}

function countColumns(rows: readonly Counts[]): InsertedColumn[] {
  return counts.map(name => column(name, 'bigint', rows, row => row[name]));
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
