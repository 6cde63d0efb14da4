import type { Sql } from '../../src/database/connect.ts';

/**
 * Resolves as soon as all of the writes wait, each in a session of this database; throws when one of them has ended
 * without waiting.
 */
export async function waitForLocks(sql: Sql, writes: readonly Promise<unknown>[]): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  for (const write of writes) write.then(end, end);
  for (;;) {
    const waiting = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (waiting.length >= writes.length) return;
    if (ended) throw new Error('a write ended without waiting for a lock');
  }
}
