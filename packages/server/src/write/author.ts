import type { AuditActorType } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';

export interface Actor {
  readonly type: AuditActorType;
  readonly id: string;
  /** The name at the time of the action. */
  readonly name: string;
}

/** The author of a write, as the audit stores it. */
export interface Author {
  readonly actor: Actor;
  /** Null for CLI commands and the service itself. */
  readonly requestId: string | null;
  /** The remote address of the connection; null for CLI commands and the service itself. */
  readonly address: string | null;
}

export interface WriteFacts {
  readonly organizationId: string;
  /** The timestamp of everything in the transaction; in a dry run that of the request. */
  readonly at: Date;
  readonly author: Author;
  readonly dryRun: boolean;
}

/** Who requests a write, when, and whether only on trial: a call of an API, or the service itself. */
export interface WriteCall {
  readonly caller: { readonly actor: Actor; readonly authority: Authority | null };
  readonly scope: { readonly organizationId: string };
  readonly requestId: string | null;
  readonly address: string | null;
  readonly dryRun: boolean;
  readonly receivedAt: Date;
}

/** The call of a command or of a job. */
export function callOf(organizationId: string, { actor, requestId, address }: Author): WriteCall {
  return {
    caller: { actor, authority: null },
    scope: { organizationId },
    requestId,
    address,
    dryRun: false,
    receivedAt: new Date(),
  };
}

export function authorOf({ caller, requestId, address }: WriteCall): Author {
  return { actor: caller.actor, requestId, address };
}

const named = (type: 'operator' | 'system'): Author => ({
  actor: { type, id: type, name: type },
  requestId: null,
  address: null,
});

export const operator: Author = named('operator');

/** The service itself, for work without a request. */
export const system: Author = named('system');

/** The permission for the writes of a portal user, as of the admission of the request. */
export interface Authority {
  readonly userId: string;
  /**
   * Compares the permission with the stored one, while the user is locked.
   * @throws ApiError PERMISSION_DENIED when it has changed, the 401 of the API when the session has ended
   */
  check(db: Queryable): Promise<void>;
}

export interface Authorized {
  readonly organizationId: string;
  /** Null when no signed-in user requested the write. */
  readonly authority: Authority | null;
}

/**
 * Locks the caller and the users that a write changes, and checks the authority under these locks. They last until the end of the transaction.
 * One statement locks all users, to avoid deadlocks between two writes. The statements are sent at once; later ones run under the locks.
 * @throws see {@link Authority.check}
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

/** Locks users until the end of the transaction, in the order of their ids. Read whether they exist after this call. */
export async function lockUsers(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await db.run(sql`
    SELECT FROM portal_user WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])
    ORDER BY id FOR NO KEY UPDATE`);
}
