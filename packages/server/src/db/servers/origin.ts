import pg from 'pg';
import { NoSession } from '../failure.ts';
import type { ServerSession } from '../session.ts';
import { sql } from '../sql.ts';

/** Sessions of this process on the newest timeline of a database system that it has seen. */
interface Newest {
  timeline: number;
  readonly sessions: Set<ServerSession>;
}

/**
 * By the identifier of the system, which a server shares with its standbys. A promotion begins a higher timeline (PostgreSQL documentation,
 * 25.3.6). In memory only: what was stored would reject the older timeline of a backup that an operator has restored on purpose.
 */
const systems = new Map<string, Newest>();

/**
 * Keeps this process from a primary that was replaced but still answers, with rows that are old. The first session on a higher timeline closes those on
 * lower ones, whose server may be such a primary, and later sessions on a lower one are rejected.
 * A server that does not tell its timeline, as some hosting providers forbid, is used without this protection.
 * `timeout` is in milliseconds.
 * @throws {@link NoSession} on a lower timeline
 */
export async function checkOrigin(session: ServerSession, timeout: number): Promise<void> {
  const origin = await originOf(session, timeout);
  if (origin === null) return;
  const { system, timeline } = origin;
  const newest = systems.get(system) ?? { timeline, sessions: new Set() };
  systems.set(system, newest);
  if (timeline < newest.timeline)
    throw new NoSession(
      `the server is no longer a primary: its timeline is ${timeline}, and the newest one is ${newest.timeline}`,
    );
  if (timeline > newest.timeline) {
    newest.timeline = timeline;
    for (const older of newest.sessions) older.destroy(new Error('another server has become the primary'));
  }
  newest.sessions.add(session);
  session.once('end', () => newest.sessions.delete(session));
}

/** The timeline that the server writes: the control file has the new one only after the first checkpoint. */
async function originOf(
  session: ServerSession,
  timeout: number,
): Promise<{ system: string; timeline: number } | null> {
  const asked = session.send(
    sql`SELECT system_identifier::text AS system, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline FROM pg_control_system()`,
    { deadline: timeout },
  );
  const { rows } = await asked.catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && /^(0A|42|55000)/.test(error.code ?? '')) return { rows: [] };
    throw error;
  });
  const [row] = rows as { system: string; timeline: string }[];
  return row ? { system: row.system, timeline: Number.parseInt(row.timeline, 16) } : null;
}
