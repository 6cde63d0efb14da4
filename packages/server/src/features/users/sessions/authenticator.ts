import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, apis } from '@kontor/contract';
import type { Caller } from '../../../auth/caller.ts';
import type { Pool } from '../../../db/connect.ts';
import {
  hashMatches,
  hashSecret,
  newOwnedSecret,
  type OwnedSecret,
  parseOwnedSecret,
} from '../../../auth/secrets.ts';
import type { Scope } from '../../../auth/scope.ts';
import type { Authority } from '../../../write/writes.ts';
import { type Allowed, grantsOf } from '../rules.ts';
import { findSession, type FoundSession, noteUse } from './store.ts';

/** What the secret of a session begins with. */
const prefix = 'kontors';

/** A new secret of a session: of a new one, or of the one with this identifier. */
export function newSessionSecret(organizationId: string, id?: string): OwnedSecret {
  return newOwnedSecret(prefix, organizationId, id);
}

/** The secret in a cookie; null when it has not the form of one. */
export function parseSessionSecret(text: string | undefined): OwnedSecret | null {
  return text === undefined ? null : parseOwnedSecret(prefix, text);
}

/** Checks sessions of the portal. Each request asks the database, so that one that was ended is refused everywhere at once. */
export class PortalSessions {
  readonly #reads: Pool;
  readonly #writes: Pool;
  readonly #pepper: Buffer;
  /** Sessions of which a use is being written. */
  readonly #noting = new Set<string>();

  constructor({ reads, writes }: { reads: Pool; writes: Pool }, pepper: Buffer) {
    this.#reads = reads;
    this.#writes = writes;
    this.#pepper = pepper;
  }

  /** Whose session this is; null when it is missing, malformed, unknown or has ended. */
  async authenticate(text: string | undefined): Promise<Caller | null> {
    const secret = parseSessionSecret(text);
    if (!secret) return null;
    const { organizationId, id } = secret;
    const found = await findSession(this.#reads, organizationId, id);
    if (!hashMatches(hashSecret(secret, this.#pepper), found?.secretHash ?? null)) return null;
    if (!found!.isAlive) return null;
    if (found!.isUnnoted) this.#note(organizationId, id);
    return callerOf(secret, found!);
  }

  /** Nobody waits for that, and whether it succeeds: the next request brings another one. */
  #note(organizationId: string, id: string): void {
    if (this.#noting.has(id)) return;
    this.#noting.add(id);
    noteUse(this.#writes, organizationId, id)
      .catch(() => {})
      .finally(() => this.#noting.delete(id));
  }
}

function callerOf({ organizationId, id }: OwnedSecret, found: FoundSession): Caller {
  const { userId, name, permissions, isFresh } = found;
  const grants = grantsOf(found);
  return {
    actor: { type: 'user', id: userId, name },
    scope: { organizationId, callerId: scopeName(userId, grants), grants },
    permissions: new Set(permissions),
    quota: null,
    session: { id, isFresh },
    authority: authorityOf({ organizationId, id }, found),
  };
}

/** The session and the permissions that a request was admitted with. */
function authorityOf(
  { organizationId, id }: Pick<OwnedSecret, 'organizationId' | 'id'>,
  admitted: FoundSession,
): Authority {
  return {
    userId: admitted.userId,
    async check(db) {
      const present = await findSession(db, organizationId, id);
      if (!present?.isAlive) sessionEnded();
      if (!isDeepStrictEqual(allowedOf(present), allowedOf(admitted)))
        throw new ApiError(
          'PERMISSION_DENIED',
          'Your permissions changed while this request was processed; try again',
        );
    },
  };
}

function allowedOf({ permissions, hrTenants }: Allowed): Allowed {
  return { permissions, hrTenants };
}

/** The session has ended while something was done for it. @throws ApiError INVALID_SESSION. */
export function sessionEnded(): never {
  const { code, message } = apis.portal.credential.refusal;
  throw new ApiError(code, message);
}

/** Names a user with what they see: that changes beside the clock, so what is remembered of lists must not outlive it. */
function scopeName(userId: string, grants: Scope['grants']): string {
  if (grants === 'all') return userId;
  const tenants = grants.map(({ tenantId }) => tenantId).join(' ');
  return `${userId}:${createHash('sha256').update(tenants).digest('base64url')}`;
}
