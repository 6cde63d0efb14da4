import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import { canSignIn, type NotifiedUser } from '../../../mail/notification-kinds.ts';
import type { Write } from '../../../write/writes.ts';
import type { Allowed, UserRef } from '../rules.ts';
import { storedPermissions } from '../store.ts';

/** A user with the choices and what was read. */
export interface StoredNotifications extends NotifiedUser, Allowed {
  readonly permissions: Allowed['permissions'];
  readonly byMail: boolean;
  /** The user has read all until then. */
  readonly readUntil: Date;
  /** The permissions of all users of the organization who can sign in. */
  readonly held: Allowed['permissions'];
  readonly now: Date;
}

/** Null for a user who is gone or inactive. A new user has read what was there before. */
export async function findNotifications(
  db: Queryable,
  { organizationId, userId }: UserRef,
): Promise<StoredNotifications | null> {
  const [row] = await db.rows<StoredNotifications>(sql`
    SELECT ${storedPermissions} AS permissions, u.hr_tenants AS "hrTenants", coalesce(n.by_mail, true) AS "byMail",
      coalesce(n.chosen, '{}') AS chosen, coalesce(n.declined, '{}') AS declined,
      coalesce(n.read_until, u.created_at) AS "readUntil", statement_timestamp() AS now,
      (SELECT coalesce(array_agg(DISTINCT held), '{}') FROM portal_user, unnest(permissions) AS held
       WHERE organization_id = ${organizationId} AND ${canSignIn}) AS held
    FROM portal_user u LEFT JOIN user_notification n ON n.organization_id = ${organizationId} AND n.user_id = u.id
    WHERE u.organization_id = ${organizationId} AND u.id = ${userId} AND u.deactivated_at IS NULL`);
  return row ?? null;
}

interface Choices {
  readonly byMail: boolean;
  readonly chosen: readonly string[];
  readonly declined: readonly string[];
}

/** The user must be locked. */
export function updateChoices(
  write: Write,
  userId: string,
  { byMail, chosen, declined }: Choices,
  fields: readonly string[],
): void {
  write.send(sql`
    INSERT INTO user_notification (organization_id, user_id, by_mail, chosen, declined)
    VALUES (${write.organizationId}, ${userId}, ${byMail}, ${[...chosen]}, ${[...declined]})
    ON CONFLICT (organization_id, user_id) DO UPDATE
    SET by_mail = excluded.by_mail, chosen = excluded.chosen, declined = excluded.declined`);
  write.audit({ id: userId, action: 'user.set_notifications', fields: [...fields] });
}

/** Not audited: an employer should not learn when somebody reads. The instant never moves back. */
export function updateReadUntil(write: Write, userId: string, until: Date): void {
  write.send(sql`
    INSERT INTO user_notification AS n (organization_id, user_id, read_until)
    VALUES (${write.organizationId}, ${userId}, ${until})
    ON CONFLICT (organization_id, user_id) DO UPDATE SET read_until = greatest(n.read_until, excluded.read_until)`);
}

/** The user must be locked. */
export function updateDigestAt(write: Write, userId: string): void {
  write.send(sql`
    INSERT INTO user_notification (organization_id, user_id, digest_at)
    VALUES (${write.organizationId}, ${userId}, ${write.at})
    ON CONFLICT (organization_id, user_id) DO UPDATE SET digest_at = excluded.digest_at`);
}
