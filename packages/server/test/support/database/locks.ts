import { testNodes } from './database.ts';
import type { Sql, Tag, TestSession } from './sql.ts';

/**
 * Holds the lock of the organization until each of the writes waits for it, runs `meanwhile` in the transaction that holds it,
 * commits, and answers the writes. Of one service only one write waits in the database, so several need as many services.
 */
export async function overtaken<T>(
  sql: Sql,
  organizationId: string,
  writes: () => Promise<T>[],
  meanwhile: (transaction: TestSession) => Promise<unknown> = async () => {},
): Promise<T[]> {
  let answers: Promise<T>[] = [];
  await sql.begin(async transaction => {
    await transaction`SELECT FROM organization WHERE id = ${organizationId} FOR UPDATE`;
    answers = writes();
    await waitForLocks(sql, answers);
    await meanwhile(transaction);
  });
  return Promise.all(answers);
}

/** Resolves as soon as that many sessions wait for a lock. @throws Error when one of the writes has ended without waiting. */
export async function waitForLocks(sql: Sql, writes: readonly Promise<unknown>[]): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  for (const write of writes) write.then(end, end);
  for (;;) {
    if ((await lockWaits(sql)) >= writes.length) return;
    if (ended) throw new Error('a write ended without waiting for a lock');
  }
}

/** How many sessions wait for a lock, on a cluster those of all nodes. */
export async function lockWaits(sql: Tag): Promise<number> {
  cluster ??= (await testNodes()) !== null;
  const activity = cluster ? 'citus_stat_activity' : 'pg_stat_activity';
  const waiting = await sql.unsafe(
    `SELECT FROM ${activity} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length;
}

let cluster: boolean | undefined;
