import type { Database } from './connect.ts';
import {
  checkCluster,
  distributeTables,
  isDistributed,
  onEveryNode,
  tablesWithRemains,
} from './migration/distribution.ts';
import { limitLocks, type Timeout, politely } from './migration/patience.ts';
import { how, inMigrationTurn } from './migration/turn.ts';
import type { ServerSession } from './session.ts';
import { sql } from './sql.ts';
import { inTransactionOn } from './transaction.ts';

/**
 * Distributes the tables of a migrated database over the nodes of its Citus cluster, with their rows, in one transaction, and
 * returns their names; none when they are distributed already. While it copies, all can be read and nothing be written.
 * @throws {@link OperatorError} when there is no cluster, or a table is in use for too long; and the reason of the signal.
 */
export function distribute(
  database: Database,
  { log = () => {}, ...rest }: Partial<Timeout> = {},
): Promise<string[]> {
  const timeout = { ...rest, log };
  return inMigrationTurn(
    database,
    async session => {
      const names = await distributeOnce(session, timeout);
      await removeRemains(session, timeout);
      return names;
    },
    timeout,
  );
}

function distributeOnce(session: ServerSession, timeout: Timeout): Promise<string[]> {
  return politely(
    'distribution',
    () =>
      inTransactionOn(
        session,
        async transaction => {
          await checkCluster(transaction);
          if (await isDistributed(transaction)) return [];
          await transaction.run(onEveryNode);
          await transaction.run(limitLocks);
          return distributeTables(transaction);
        },
        how,
      ),
    timeout,
  );
}

/** Nobody sees these rows any more; each table is locked for a moment. */
async function removeRemains(session: ServerSession, timeout: Timeout): Promise<void> {
  for (;;) {
    const [name] = await inTransactionOn(session, tablesWithRemains, how);
    if (name === undefined) return;
    await politely(
      'distribution',
      () =>
        inTransactionOn(
          session,
          async transaction => {
            await transaction.run(limitLocks);
            await transaction.run(sql`SELECT truncate_local_data_after_distributing_table(${name})`);
          },
          how,
        ),
      timeout,
    );
  }
}
