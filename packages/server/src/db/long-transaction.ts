import type { Pool } from './pool.ts';
import { sql } from './sql.ts';
import { inTransaction, type Session } from './transaction.ts';

/** Milliseconds that a statement of millions of rows may take. */
export const longDeadline = 6 * 60 * 60 * 1000;

/** Runs the work in a transaction of its own session, without the time limits of a request. */
export function inLongTransaction<T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> {
  return inTransaction(
    pool,
    async session => {
      await session.run(sql`
        SELECT set_config(name, '0', true)
        FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name`);
      return work(session);
    },
    { deadline: longDeadline, prepare: false },
  );
}
