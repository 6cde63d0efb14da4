import { nextInstant } from './clock.ts';
import type { Sql } from './connect.ts';
import { inTransaction, RollBack, type Session } from './transaction.ts';

/** How a write goes: for good, or as a dry run that stamps the instant of the request and is rolled back. */
export interface WriteMode {
  readonly dryRun: boolean;
  readonly receivedAt: Date;
  /**
   * What takes long and needs no turn (the bytes of a file): done in the transaction before the clock is taken, so that
   * other writes do not wait for it. Not done in a dry run.
   */
  readonly stage?: (session: Session) => Promise<void>;
}

/** Longest waits for a lock, in milliseconds (decisions.md sections 3 and 4). */
const patience = { write: 5000, dryRun: 100 };

/**
 * Runs the work in one transaction of the organization and answers what it answers. A write takes the organization clock
 * first, so that writes of one organization come one after the other, and what the work reads holds until the commit; a
 * dry run takes no lock on the organization, and is rolled back. `at` is the instant to stamp. Without `dryRun` the work
 * must change something, or throw: the clock has moved.
 */
export function inOrganization<T>(
  sql: Sql,
  organizationId: string,
  mode: WriteMode,
  work: (session: Sql, at: Date) => Promise<T>,
): Promise<T> {
  return inTransaction(sql, async session => {
    const wait = String(mode.dryRun ? patience.dryRun : patience.write);
    await session`SELECT set_config('lock_timeout', ${wait}, true)`;
    if (!mode.dryRun) await mode.stage?.(session);
    const on = session as Sql;
    if (mode.dryRun) throw new RollBack(await work(on, mode.receivedAt));
    return work(on, await takeInstant(session, organizationId));
  });
}

/** Takes the next instant of the organization clock, and with it the turn of the organization until the commit. */
export async function takeInstant(session: Session, organizationId: string): Promise<Date> {
  const [row] = await session<{ clock: Date }[]>`
    UPDATE organization SET clock = ${session.unsafe(nextInstant)} WHERE id = ${organizationId} RETURNING clock`;
  if (!row) throw new Error(`organization ${organizationId} does not exist`);
  return row.clock;
}
