import { ApiError } from '@kontor/contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { Author } from './author.ts';

/*
 * Read-only maintenance is a row of `setting`. Each write takes a shared advisory lock until the end of its transaction, and looks for the row
 * then. So a write has either seen the row, or holds the lock while the row is committed; `beginMaintenance` waits for these. No row is
 * locked, so this costs the same on a cluster. Commands of the operator write all the same.
 */
/** The first key of the lock. The number has no meaning. */
const lock = 1_802_464_884;
const name = 'maintenance';

/** The announcement of the operator. The end does not come by itself. */
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

/** Keeps maintenance from beginning until the transaction of the write is over. @throws ApiError SERVICE_UNAVAILABLE during maintenance */
export async function checkWritable(db: Queryable, { actor }: Pick<Author, 'actor'>): Promise<void> {
  if (actor.type === 'operator') return;
  const [, maintenance] = await Promise.all([
    db.run(sql`SELECT pg_advisory_xact_lock_shared(${lock}, 0)`),
    readMaintenance(db),
  ]);
  if (maintenance) throw rejection(maintenance, Date.now());
}

/** Seconds that clients wait at least and at most, as maintenance may take longer or less time than announced. */
const waits = { shortest: 10, longest: 300, unknown: 60 };

function rejection({ until }: Maintenance, now: number): ApiError {
  const left = until === null ? waits.unknown : Math.ceil((Date.parse(until) - now) / 1000);
  const retryAfter = Math.min(waits.longest, Math.max(waits.shortest, left));
  const message =
    'Kontor is read-only during maintenance. Nothing was stored; send the request again after the seconds of Retry-After';
  return new ApiError('SERVICE_UNAVAILABLE', message, { retryAfter });
}

/** Milliseconds between two looks at the writes that are waited for. */
const pause = 100;

/** Begins maintenance, or announces it anew. Then waits until the writes that began before have ended, and no write can commit any more. */
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
