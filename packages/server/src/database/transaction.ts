import type { ISql, ReservedSql } from 'postgres';
import type { Sql } from './connect.ts';
import { isConnectionLost } from './failure.ts';

/** Whatever runs statements: a pool, a session or a transaction of the driver. */
export type Statements = ISql;

/** One connection, kept by whoever reserved it. */
export type Session = ReservedSql;

/**
 * Runs the work in a transaction of its own session, commits it or rolls it back, and answers what the work answered. An
 * error of the work rolls back. (`begin` of the driver brings the process down when the connection is lost in between.)
 */
export async function inTransaction<T>(
  sql: Sql,
  end: 'commit' | 'rollback',
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await sql.reserve();
  try {
    await session`BEGIN`;
    const result = await work(session);
    await (end === 'commit' ? session`COMMIT` : session`ROLLBACK`);
    session.release();
    return result;
  } catch (error) {
    // A lost connection has left its session by itself, and the server has rolled back.
    if (!isConnectionLost(error)) {
      await session`ROLLBACK`;
      session.release();
    }
    throw error;
  }
}
