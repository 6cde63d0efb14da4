import type { Sql } from '../../src/database/connect.ts';

/** Resolves as soon as so many sessions of this database wait for a lock. */
export async function waitForLocks(sql: Sql, sessions = 1): Promise<void> {
  for (;;) {
    const waiting = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (waiting.length >= sessions) return;
  }
}
