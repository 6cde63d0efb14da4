import { ApiError } from '@kontor/contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { Author } from './author.ts';

/*
 * Read-only maintenance is a row of `setting`. Each write takes a shared advisory lock until the end of its transaction, and then looks for the
 * row. So a write has either seen the row, or holds the lock while the row is committed. `beginMaintenance` waits for the writes with the lock.
 * No row of `setting` is locked, because all nodes of a cluster have a copy. Commands of the operator write during maintenance.
 */
/** The first key of the lock. The number has no meaning. */
const lock = 1_802_464_884;
const name = 'maintenance';

/** The announcement of the operator. Only a command ends maintenance. */
export interface Maintenance {
  readonly since: string;
  /** When it should be over; null: unknown. */
  readonly until: string | null;
  /** For the users of the portal. */
  readonly reason: string | null;
}

export async function readMaintenance(db: Queryable): Promise<Maintenance | null> {
  const [row] = await db.rows<{ value: string }>(sql`SELECT value FROM setting WHERE name = ${name}`);
  return row ? (JSON.parse(row.value) as Maintenance) : null;
}

/** Keeps maintenance from beginning until the transaction of the write is over. Returns the one that has begun before; null for the operator. */
export async function holdOffMaintenance(
  session: Queryable,
  { actor }: Pick<Author, 'actor'>,
): Promise<Maintenance | null> {
  if (actor.type === 'operator') return null;
  const [, maintenance] = await Promise.all([
    session.run(sql`SELECT pg_advisory_xact_lock_shared(${lock}, 0)`),
    readMaintenance(session),
  ]);
  return maintenance;
}

/** Like {@link holdOffMaintenance}. @throws ApiError SERVICE_UNAVAILABLE during maintenance */
export async function checkWritable(session: Queryable, author: Pick<Author, 'actor'>): Promise<void> {
  rejectDuring(await holdOffMaintenance(session, author));
}

/** For a write that follows later. @throws ApiError SERVICE_UNAVAILABLE during maintenance */
export async function checkMaintenance(db: Queryable): Promise<void> {
  rejectDuring(await readMaintenance(db));
}

/** Seconds that clients wait at least and at most, as maintenance may take longer or less time than announced. */
const waits = { shortest: 10, longest: 300, unknown: 60 };

function rejectDuring(maintenance: Maintenance | null): void {
  if (maintenance === null) return;
  const { until } = maintenance;
  const left = until === null ? waits.unknown : Math.ceil((Date.parse(until) - Date.now()) / 1000);
  const retryAfter = Math.min(waits.longest, Math.max(waits.shortest, left));
  const message =
    'Kontor is read-only during maintenance. Nothing was stored; send the request again after the seconds of Retry-After';
  throw new ApiError('SERVICE_UNAVAILABLE', message, { retryAfter });
}

/** Milliseconds between two checks of the writes that are waited for. */
const pause = 100;

/** Begins maintenance, or replaces its announcement. Then waits for the writes that began before: after them none can commit. */
export async function beginMaintenance(
  db: Pool,
  announced: Omit<Maintenance, 'since'>,
  waiting: (writes: number) => void,
): Promise<Maintenance> {
  const since = (await readMaintenance(db))?.since ?? new Date().toISOString();
  const maintenance = { since, ...announced };
  await db.run(sql`
    INSERT INTO setting (name, value) VALUES (${name}, ${JSON.stringify(maintenance)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  let writes = await findWrites(db);
  while (writes.length > 0) {
    waiting(writes.length);
    await delay(pause);
    const present = new Set(await findWrites(db));
    writes = writes.filter(id => present.has(id));
  }
  return maintenance;
}

/** Returns false without maintenance. */
export async function endMaintenance(db: Queryable): Promise<boolean> {
  return (await db.run(sql`DELETE FROM setting WHERE name = ${name}`)) > 0;
}

/** The transactions that have passed {@link checkWritable}. */
async function findWrites(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT virtualtransaction AS id FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${lock} AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  return rows.map(({ id }) => id);
}
