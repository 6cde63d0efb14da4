import type { Sql } from './connect.ts';
import { inTransaction, type Session } from './transaction.ts';

/** Runs the work in a transaction of its own session, without the time limits of a request. */
export function inLongTransaction<T>(sql: Sql, work: (session: Session) => Promise<T>): Promise<T> {
  return inTransaction(sql, async session => {
    await session`
      SELECT set_config(name, '0', true)
      FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name`;
    // Else the server would only notice a client that was killed when a statement of minutes is over.
    await session`SET LOCAL client_connection_check_interval = '1s'`;
    return work(session);
  });
}
