import type { ReservedSql } from 'postgres';
import type { Sql } from './connect.ts';
import { isUnavailable } from './failure.ts';

/** One connection, kept by whoever reserved it. */
export type Session = ReservedSql;

/** Runs the work in a transaction of its own session, without the time limits of a request. */
export async function inLongTransaction<T>(sql: Sql, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await sql.reserve();
  try {
    await session`BEGIN`;
    await session`
      SELECT set_config(name, '0', true)
      FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name`;
    // Else the server would only notice a client that was killed when a statement of minutes is over.
    await session`SET LOCAL client_connection_check_interval = '1s'`;
    const result = await work(session);
    await session`COMMIT`;
    session.release();
    return result;
  } catch (error) {
    // The driver cannot send anything on a connection that is lost; the server then rolls back by itself.
    if (!isUnavailable(error)) {
      await session`ROLLBACK`;
      session.release();
    }
    throw error;
  }
}
