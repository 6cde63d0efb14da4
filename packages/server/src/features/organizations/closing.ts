import { keyChannel } from '../../auth/api-keys.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { type Write, writeAsOperator } from '../../write/writes.ts';

/*
 * An organization is in one of these states:
 *
 * open      Everybody has their access.
 * closed    Keys, sessions and sign-ins are rejected as unknown ones, scheduled and background jobs wait, mails wait.
 * deleting  Rows are missing. It stays closed until the last one is gone.
 *
 * | transition         | cause                                                                      |
 * | ------------------ | -------------------------------------------------------------------------- |
 * | open → closed      | `kontor organization delete`, with a verified export or without one        |
 * | closed → open      | `kontor organization restore`                                              |
 * | closed → deleting  | `kontor organization delete --now`, after the grace period                 |
 * | deleting → (gone)  | the same command has deleted all rows and files                            |
 */

export interface Closing {
  readonly closedAt: Date;
  /** Its rows may be deleted from then on. */
  readonly deletableFrom: Date;
  readonly deletionBeganAt: Date | null;
}

interface State {
  readonly clock: Date;
  /** Null while it is open. */
  readonly closing: Closing | null;
}

/**
 * Locks an organization until the end of the transaction, after writes with its clock.
 * @throws OperatorError where there is no such organization
 */
async function lockState(db: Queryable, id: string): Promise<State> {
  const [row] = await db.rows<{ clock: Date } & { [Name in keyof Closing]: Closing[Name] | null }>(sql`
    SELECT clock, closed_at AS "closedAt", deletable_from AS "deletableFrom", deletion_began_at AS "deletionBeganAt"
    FROM organization WHERE id = ${id} FOR UPDATE`);
  if (!row) throw new OperatorError(`there is no organization ${id}`);
  const { clock, closedAt, deletableFrom, deletionBeganAt } = row;
  const closing = closedAt === null ? null : { closedAt, deletableFrom: deletableFrom!, deletionBeganAt };
  return { clock, closing };
}

/**
 * Closes an open organization for a grace period in milliseconds. `exportedClock`: the organization clock of its export; null
 * without one. Processes reject its keys after the commit, since they are notified of each.
 * @throws OperatorError when it is closed already, or has changed since the export
 */
export function closeOrganization(
  db: Pool,
  id: string,
  { grace, exportedClock }: { grace: number; exportedClock: Date | null },
): Promise<Closing> {
  return writeAsOperator(db, id, async (write, session) => {
    const { clock, closing } = await lockState(session, id);
    if (closing !== null) throw new OperatorError(`organization ${id} is closed already`);
    if (exportedClock !== null && exportedClock.getTime() !== clock.getTime())
      throw new OperatorError(
        `organization ${id} has changed at ${clock.toISOString()}, after the export: deactivate its API keys, and export it again`,
      );
    const deletableFrom = new Date(write.at.getTime() + grace);
    write.send(sql`
      UPDATE organization SET closed_at = ${write.at}, deletable_from = ${deletableFrom} WHERE id = ${id}`);
    await notifyOfKeys(write, session);
    write.audit({ id, action: 'organization.close' });
    return { closedAt: write.at, deletableFrom, deletionBeganAt: null };
  });
}

/** Read first and then sent from here: on a cluster a notification must come from the coordinator. */
async function notifyOfKeys(write: Write, session: Queryable): Promise<void> {
  const keys = await session.rows<{ id: string }>(sql`
    SELECT id FROM api_key WHERE organization_id = ${write.organizationId} AND status = 'active'`);
  write.send(sql`
    SELECT pg_notify(${keyChannel}, id) FROM unnest(${keys.map(({ id }) => id)}::text[]) AS key (id)`);
}

/** Opens a closed organization with all that it had. @throws OperatorError when it is open, or its deletion has begun */
export function openOrganization(db: Pool, id: string): Promise<void> {
  return writeAsOperator(db, id, async (write, session) => {
    const { closing } = await lockState(session, id);
    if (closing === null) throw new OperatorError(`organization ${id} is not closed`);
    if (closing.deletionBeganAt !== null)
      throw new OperatorError(
        `the deletion of organization ${id} has begun: only a backup has all of its rows`,
      );
    write.send(sql`
      UPDATE organization SET closed_at = NULL, deletable_from = NULL WHERE id = ${id}`);
    // A key cannot succeed while its organization is closed, so watching restarts.
    write.send(sql`UPDATE api_key SET watched_from = ${write.at} WHERE organization_id = ${id}`);
    write.audit({ id, action: 'organization.restore' });
  });
}

/** Records that rows are going to be deleted. @throws OperatorError when it is not closed, or its grace period is not over */
export function beginDeletion(db: Pool, id: string): Promise<void> {
  return writeAsOperator(db, id, async (write, session) => {
    const { closing } = await lockState(session, id);
    if (closing === null)
      throw new OperatorError(`organization ${id} is not closed: close it first, without --now`);
    if (closing.deletableFrom > write.at)
      throw new OperatorError(
        `organization ${id} can be deleted from ${closing.deletableFrom.toISOString()} on, when its grace period is over`,
      );
    if (closing.deletionBeganAt === null)
      write.send(sql`UPDATE organization SET deletion_began_at = ${write.at} WHERE id = ${id}`);
  });
}
