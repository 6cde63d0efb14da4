import { type DatabaseTarget, openSession } from './open-session.ts';
import { type Fragment, sql } from './sql.ts';
import { inTransactionOn } from './transaction.ts';

/** The first key of every advisory lock taken here. The number has no meaning. */
const locks = 1_433_907_215;

/** Milliseconds per statement. */
const deadline = 10_000;

/**
 * Runs the work unless another process runs the work of this name. Returns whether it ran.
 * The transaction-level advisory lock is released when the process ends, for any reason. It works behind a pooler and on a Citus coordinator.
 * Long work must call `stillSingle` more often than once a minute, or the server ends the idle session. The call throws when the session is lost.
 * @throws errors of the work and of the database
 */
export async function withProcessLock(
  target: DatabaseTarget,
  name: string,
  work: (checkLock: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const session = await openSession(target, { applicationName: `kontor ${name}`, deadline });
  try {
    return await inTransactionOn(
      session,
      async transaction => {
        const [row] = await transaction.rows<{ taken: boolean }>(lockOf(name));
        if (!row!.taken) return false;
        await work(async () => void (await transaction.run(sql`SELECT 1`)));
        return true;
      },
      { deadline, prepare: false },
    );
  } finally {
    session.destroy(new Error('the work is over'));
  }
}

function lockOf(name: string): Fragment {
  return sql`SELECT pg_try_advisory_xact_lock(${locks}, hashtext(${name})) AS taken`;
}
