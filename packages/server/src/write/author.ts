import type { AuditActorType } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';

/** Who does something. */
export interface Actor {
  readonly type: AuditActorType;
  readonly id: string;
  /** As it is called now. */
  readonly name: string;
}

/** Who writes, as the audit keeps it. */
export interface Author {
  readonly actor: Actor;
  /** Null for an operator's command, and for the service itself. */
  readonly requestId: string | null;
  /** Of the connection that the request came on; null for an operator's command, and for the service itself. */
  readonly address: string | null;
}

const named = (type: 'operator' | 'system'): Author => ({
  actor: { type, id: type, name: type },
  requestId: null,
  address: null,
});

/** The person who runs the kontor command. */
export const operator: Author = named('operator');

/** The service itself, for what it does without a request. */
export const system: Author = named('system');

/** What permits the writes of a portal user, as it was when the request was admitted. */
export interface Authority {
  readonly userId: string;
  /**
   * Compares it with what is stored. The user is locked.
   * @throws ApiError PERMISSION_DENIED when it has changed, the 401 of the API when the session has ended.
   */
  check(db: Queryable): Promise<void>;
}

/** What permits a write. */
export interface Authorized {
  readonly organizationId: string;
  /** Null where no signed-in user has asked for the write. */
  readonly authority: Authority | null;
}

/**
 * Locks the caller and the users that a write changes until the end of the transaction, and checks the authority under that lock. One
 * statement locks them all, so that two writes cannot wait for each other. It sends its statements at once: what is sent behind it runs
 * when the locks are held.
 * @throws as {@link Authority.check}
 */
export async function authorize(
  db: Queryable,
  { organizationId, authority }: Authorized,
  users: readonly string[] = [],
): Promise<void> {
  const ids = authority === null ? users : [authority.userId, ...users];
  const locked = ids.length === 0 ? null : lockUsers(db, organizationId, ids);
  await Promise.all([locked, authority?.check(db)]);
}

/** Locks users until the end of the transaction, in the order of their identifiers. Read after it whether they exist. */
export async function lockUsers(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await db.run(sql`
    SELECT FROM portal_user WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])
    ORDER BY id FOR NO KEY UPDATE`);
}
