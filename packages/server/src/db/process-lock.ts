import { type DatabaseTarget, openSession } from './open-session.ts';
import { type Fragment, sql } from './sql.ts';
import { inTransactionOn } from './transaction.ts';

/** The first half of the advisory locks of whoever is alone at something; the number has no meaning. */
const locks = 1_433_907_215;

/** Milliseconds that a statement of the session may take. */
const deadline = 10_000;

/**
 * Does the work unless another process is at the work of this name, and returns whether it did. The lock is that of a transaction on
 * a session of its own: it ends with the process, however that ends, a pooler may stand in front of the server, and of a cluster it is
 * on the coordinator. Work that takes long calls `stillAlone` from time to time: it fails when the session is lost, and keeps the
 * server from ending it (after a minute without a word).
 * @throws those of the work and of the database.
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
