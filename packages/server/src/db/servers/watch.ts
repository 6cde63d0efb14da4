import { setTimeout as delay } from 'node:timers/promises';
import type { Database, DatabaseTarget } from '../connect.ts';
import { StatementOverdue } from '../failure.ts';
import { inspectionOf, openSession } from '../open-session.ts';
import type { ServerSession } from '../session.ts';
import { sql } from '../sql.ts';

/** Milliseconds between two inspections. */
const interval = 2_000;

/** Milliseconds that an inspection may take, so that a server that hangs does not delay the next one for long. */
const inspectionTimeout = 1_000;

/** Where servers can be replaced: the embedded one cannot. */
export type Watched = Pick<Database, 'reads' | 'lists' | 'writes'> & {
  readonly target: { readonly url: string };
};

/**
 * Inspects the servers of the database every two seconds until it is closed. A new primary is noticed although the sessions of the pools still
 * lead to the old one (`checkOrigin`). Sessions whose commit missed its deadline are closed once the server is done with it.
 */
export function watchServers({ target, reads, lists, writes }: Watched): { close(): Promise<void> } {
  const closing = new AbortController();
  const inspect = inspectionOf(target, inspectionTimeout);
  const watch = async () => {
    while (!closing.signal.aborted) {
      await inspect();
      const unanswered = [reads, lists, writes].flatMap(pool => pool.unanswered);
      // While the server says nothing they stay as they are: the commit may still wait.
      if (unanswered.length > 0) await closeFinished(target, unanswered).catch(() => {});
      await delay(interval, null, { ref: false, signal: closing.signal }).catch(() => {});
    }
  };
  const watching = watch();
  return {
    async close() {
      closing.abort();
      await watching;
    },
  };
}

/** Closes the sessions whose process of the server has ended, or has nothing more to do. */
async function closeFinished(target: DatabaseTarget, unanswered: readonly ServerSession[]): Promise<void> {
  const inspection = await openSession(target, {
    applicationName: 'kontor watch',
    timeout: inspectionTimeout,
  });
  try {
    const { rows } = await inspection.send(
      sql`SELECT pid FROM pg_stat_activity WHERE pid = ANY (${unanswered.map(pidOf)}) AND state = 'active'`,
      { deadline: inspectionTimeout },
    );
    const active = new Set((rows as { pid: number }[]).map(({ pid }) => pid));
    for (const session of unanswered)
      if (!active.has(pidOf(session)))
        session.destroy(new StatementOverdue('no reply although the server is done'));
  } finally {
    inspection.destroy(new Error('the inspection is over'));
  }
}

/** The server's process of a session, a member that the driver's types omit (pg 8.23). */
function pidOf(session: ServerSession): number {
  return (session as unknown as { processID: number }).processID;
}
