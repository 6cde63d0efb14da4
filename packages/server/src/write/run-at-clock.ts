import type { Pool } from '../db/connect.ts';
import { inTransaction, type Session } from '../db/transaction.ts';
import type { Author } from './author.ts';
import { openClock, settingsOf, type Work, workAt, writeTimeout } from './transaction.ts';
import { WriteAtClock } from './write.ts';

/**
 * Runs work with the clock, in its own transaction or in the given one. There is no early check, batch or dry run.
 * @throws INVALID_REFERENCE when there is no such organization, SERVICE_UNAVAILABLE during maintenance, errors of the work and of the database
 */
export function runAtClock<T>(
  db: Pool | Session,
  organizationId: string,
  author: Author,
  work: Work<T, WriteAtClock>,
): Promise<T> {
  const workIn = async (session: Session) => {
    const at = await openClock(session, organizationId, author);
    return workAt(WriteAtClock, session, { organizationId, at, author, dryRun: false }, work);
  };
  if ((db as Session).server !== undefined) return workIn(db as Session);
  return inTransaction(db as Pool, workIn, { settings: () => settingsOf(writeTimeout) });
}
