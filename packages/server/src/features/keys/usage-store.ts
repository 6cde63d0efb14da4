import type { Pool } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import type { Queryable } from '../../database/session.ts';
import { type Fragment, sql } from '../../database/sql.ts';
import { inTransaction } from '../../database/transaction.ts';
import { errorsKept, type KeyUse } from './key-use.ts';
import { allowedPause, type Pause, rhythmDays, usualPause } from './rhythm.ts';

/**
 * Writes the uses of keys of one organization, with what follows from them: pauses, the usual one, and how far polls have read. The rows of
 * the keys are locked in order, so that two processes neither deadlock nor learn from half of what was done.
 */
export async function writeUses(db: Pool, organizationId: string, uses: readonly KeyUse[]): Promise<void> {
  await inTransaction(db, async session => {
    const ids = uses.map(({ id }) => id);
    const rhythms = await lockRhythms(session, organizationId, ids);
    const heard = uses.flatMap(use => {
      const rhythm = rhythms.get(use.id);
      return rhythm ? [hear(use, rhythm)] : [];
    });
    if (heard.length === 0) return;
    for (const statement of statementsOf(organizationId, heard)) session.post(statement);
  });
}

/** What is known of the rhythm of a key. */
interface RhythmRow {
  id: string;
  last_success_at: Date | null;
  watched_from: Date | null;
  expected_pause: number | null;
  pauses: Pause[] | null;
}

async function lockRhythms(
  session: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, RhythmRow>> {
  const since = dayOf(Date.now() - rhythmDays * dayLength);
  const rows = await session.rows<RhythmRow>(sql`
    SELECT k.id, k.last_success_at, k.watched_from, k.expected_pause, (
      SELECT json_agg(json_build_object('day', u.day, 'seconds', u.longest_pause)) FROM key_usage u
      WHERE u.organization_id = ${organizationId} AND u.key_id = k.id AND u.day > ${since}::date
        AND u.longest_pause IS NOT NULL) AS pauses
    FROM api_key k WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[])
    ORDER BY k.id FOR NO KEY UPDATE OF k`);
  return new Map(rows.map(row => [row.id, row]));
}

/** A use with what it says of the rhythm of its key. */
interface Heard {
  readonly use: KeyUse;
  /** In UTC. */
  readonly day: string;
  /** Seconds of the pause that ended with it; null where nothing succeeded, or nothing had before. */
  readonly pause: number | null;
  readonly usual: number | null;
  readonly allowed: number | null;
}

function hear(use: KeyUse, row: RhythmRow): Heard {
  const day = dayOf(use.at);
  const pause = pauseBefore(use, row);
  const known = row.pauses ?? [];
  const usual = usualPause(pause === null ? known : [...known, { day, seconds: pause }], day);
  return { use, day, pause, usual, allowed: allowedPause({ expected: row.expected_pause, usual }) };
}

function pauseBefore({ succeededFrom }: KeyUse, row: RhythmRow): number | null {
  if (succeededFrom === 0 || row.last_success_at === null) return null;
  const since = Math.max(row.last_success_at.getTime(), row.watched_from?.getTime() ?? 0);
  return Math.max(0, Math.ceil((succeededFrom - since) / 1000));
}

function statementsOf(organizationId: string, heard: readonly Heard[]): Fragment[] {
  return [
    updateKeys(organizationId, heard),
    insertDays(organizationId, heard),
    ...insertOperations(organizationId, heard),
    ...insertErrors(organizationId, heard),
    ...insertPolls(organizationId, heard),
  ];
}

function updateKeys(organizationId: string, heard: readonly Heard[]): Fragment {
  const column = columnsOf(heard);
  return sql`
    UPDATE api_key k SET last_used_at = greatest(k.last_used_at, h.at),
      last_success_at = greatest(k.last_success_at, h.succeeded_at), usual_pause = h.usual, allowed_pause = h.allowed
    FROM (SELECT * FROM unnest(${column(({ use }) => use.id)}::text[],
      ${column(({ use }) => instant(use.at))}::timestamptz[],
      ${column(({ use }) => instant(use.succeededAt))}::timestamptz[], ${column(({ usual }) => usual)}::int[],
      ${column(({ allowed }) => allowed)}::int[]) AS u (id, at, succeeded_at, usual, allowed)) AS h
    WHERE k.organization_id = ${organizationId} AND k.id = h.id`;
}

function insertDays(organizationId: string, heard: readonly Heard[]): Fragment {
  const column = columnsOf(heard);
  return sql`
    INSERT INTO key_usage AS d (organization_id, key_id, day, requests, refused, limited, failed, last_at, longest_pause)
    SELECT ${organizationId}::text, * FROM unnest(${column(({ use }) => use.id)}::text[],
      ${column(({ day }) => day)}::date[], ${column(({ use }) => use.requests)}::bigint[],
      ${column(({ use }) => use.refused)}::bigint[], ${column(({ use }) => use.limited)}::bigint[],
      ${column(({ use }) => use.failed)}::bigint[], ${column(({ use }) => instant(use.at))}::timestamptz[],
      ${column(({ pause }) => pause)}::int[])
    ON CONFLICT (organization_id, key_id, day) DO UPDATE SET
      requests = d.requests + excluded.requests, refused = d.refused + excluded.refused,
      limited = d.limited + excluded.limited, failed = d.failed + excluded.failed,
      last_at = greatest(d.last_at, excluded.last_at),
      longest_pause = greatest(d.longest_pause, excluded.longest_pause)`;
}

function insertOperations(organizationId: string, heard: readonly Heard[]): Fragment[] {
  const rows = heard.flatMap(({ use: { id, operations }, day }) =>
    Array.from(operations, ([operation, counts]) => ({ id, day, operation, ...counts })),
  );
  if (rows.length === 0) return [];
  const column = columnsOf(rows);
  return [
    sql`
    INSERT INTO key_operation AS d (organization_id, key_id, day, operation, requests, refused, limited, failed)
    SELECT ${organizationId}::text, * FROM unnest(${column(({ id }) => id)}::text[], ${column(({ day }) => day)}::date[],
      ${column(({ operation }) => operation)}::text[], ${column(({ requests }) => requests)}::bigint[],
      ${column(({ refused }) => refused)}::bigint[], ${column(({ limited }) => limited)}::bigint[],
      ${column(({ failed }) => failed)}::bigint[])
    ON CONFLICT (organization_id, key_id, day, operation) DO UPDATE SET
      requests = d.requests + excluded.requests, refused = d.refused + excluded.refused,
      limited = d.limited + excluded.limited, failed = d.failed + excluded.failed`,
  ];
}

/** Of each key the last errors stay, so that no flood of them fills anything. */
function insertErrors(organizationId: string, heard: readonly Heard[]): Fragment[] {
  const rows = heard.flatMap(({ use: { id, errors } }) => errors.map(error => ({ ...error, keyId: id })));
  if (rows.length === 0) return [];
  const column = columnsOf(rows);
  const keys = [...new Set(rows.map(({ keyId }) => keyId))];
  return [
    sql`
    INSERT INTO key_error (organization_id, key_id, id, at, operation, status, code, message, request_id)
    SELECT ${organizationId}::text, * FROM unnest(${column(({ keyId }) => keyId)}::text[], ${column(() => newId())}::text[],
      ${column(({ at }) => instant(at))}::timestamptz[], ${column(({ operation }) => operation)}::text[],
      ${column(({ status }) => status)}::int[], ${column(({ code }) => code)}::text[],
      ${column(({ message }) => message)}::text[], ${column(({ requestId }) => requestId)}::text[])`,
    sql`
    DELETE FROM key_error e USING (
      SELECT key_id, id, row_number() OVER (PARTITION BY key_id ORDER BY at DESC, id DESC) AS n FROM key_error
      WHERE organization_id = ${organizationId} AND key_id = ANY(${keys}::text[])) AS ranked
    WHERE e.organization_id = ${organizationId} AND e.key_id = ranked.key_id AND e.id = ranked.id
      AND ranked.n > ${errorsKept}`,
  ];
}

function insertPolls(organizationId: string, heard: readonly Heard[]): Fragment[] {
  const rows = heard.flatMap(({ use: { id, polls } }) =>
    Array.from(polls, ([operation, poll]) => ({ id, operation, ...poll })),
  );
  if (rows.length === 0) return [];
  const column = columnsOf(rows);
  return [
    sql`
    INSERT INTO key_poll AS p (organization_id, key_id, operation, asked_at, read_to)
    SELECT ${organizationId}::text, * FROM unnest(${column(({ id }) => id)}::text[],
      ${column(({ operation }) => operation)}::text[], ${column(({ at }) => instant(at))}::timestamptz[],
      ${column(({ readTo }) => readTo)}::timestamptz[])
    ON CONFLICT (organization_id, key_id, operation) DO UPDATE SET asked_at = excluded.asked_at, read_to = excluded.read_to
    WHERE p.asked_at < excluded.asked_at`,
  ];
}

/** The column of rows that a function reads, for `unnest`. */
function columnsOf<Row>(rows: readonly Row[]) {
  return <Value>(read: (row: Row) => Value): Value[] => rows.map(read);
}

/** Milliseconds as an instant; 0 is none. */
function instant(milliseconds: number): string | null {
  return milliseconds === 0 ? null : new Date(milliseconds).toISOString();
}

/** Milliseconds of a day. */
const dayLength = 86_400_000;

/** The day in UTC of an instant in milliseconds. */
function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
