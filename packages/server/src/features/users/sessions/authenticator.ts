import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@kontor/contract';
import type { Caller } from '../../../auth/caller.ts';
import type { Scope } from '../../../auth/scope.ts';
import {
  matchPepper,
  newOwnedSecret,
  type OwnedSecret,
  parseOwnedSecret,
  type Pepper,
} from '../../../auth/secrets.ts';
import type { Pool } from '../../../db/connect.ts';
import type { Authority } from '../../../write/writes.ts';
import { type Allowed, grantsOf, hrGrantsOf } from '../rules.ts';
import { findSession, type FoundSession, recordUse, sessionEnded } from './store.ts';

const prefix = 'kontors';

/** Creates a secret for the session `id`; without `id` for a new session. */
export function newSessionSecret(organizationId: string, id?: string): OwnedSecret {
  return newOwnedSecret(prefix, organizationId, id);
}

/** Parses the secret in a cookie; null for a text of another form. */
export function parseSessionSecret(text: string | undefined): OwnedSecret | null {
  return text === undefined ? null : parseOwnedSecret(prefix, text);
}

/** Authenticates portal sessions. Every request reads its session, so an ended session is rejected at once by every process. */
export class PortalSessions {
  readonly #reads: Pool;
  readonly #writes: Pool;
  readonly #pepper: Pepper;
  /** Sessions with a `last_seen_at` update in progress. */
  readonly #recording = new Set<string>();

  constructor({ reads, writes }: { reads: Pool; writes: Pool }, pepper: Pepper) {
    this.#reads = reads;
    this.#writes = writes;
    this.#pepper = pepper;
  }

  /** Returns null for a missing, malformed or unknown secret, and for a session that has ended. */
  async authenticate(text: string | undefined): Promise<Caller | null> {
    const secret = parseSessionSecret(text);
    if (!secret) return null;
    const { organizationId, id } = secret;
    const found = await findSession(this.#reads, organizationId, id);
    if (matchPepper(secret, this.#pepper, found?.secretHash ?? null) === null) return null;
    if (!found!.isAlive) return null;
    if (found!.isUseUnrecorded) this.#recordUse(organizationId, id);
    return callerOf(secret, found!);
  }

  /** Does not delay the request. Errors are ignored because the next request tries again. */
  #recordUse(organizationId: string, id: string): void {
    if (this.#recording.has(id)) return;
    this.#recording.add(id);
    recordUse(this.#writes, organizationId, id)
      .catch(() => {})
      .finally(() => this.#recording.delete(id));
  }
}

function callerOf({ organizationId, id }: OwnedSecret, found: FoundSession): Caller {
  const { userId, name, permissions, isFresh, method, lacksPasskey } = found;
  const scopeOf = (grants: Scope['grants']) => ({
    organizationId,
    callerId: nameScope(userId, grants),
    grants,
  });
  return {
    actor: { type: 'user', id: userId, name },
    scope: scopeOf(grantsOf(found)),
    hrScope: scopeOf(hrGrantsOf(found)),
    permissions: new Set(permissions),
    quota: null,
    session: { id, isFresh, method, lacksPasskey },
    authority: authorityOf(organizationId, id, found),
  };
}

/** Rechecks session and permissions of the request at the time of its write. */
function authorityOf(organizationId: string, id: string, admitted: FoundSession): Authority {
  return {
    userId: admitted.userId,
    async check(db) {
      const present = await findSession(db, organizationId, id);
      if (!present?.isAlive) return sessionEnded();
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

/** The grants are part of the cache key. They change without the organization clock, so cached lists must not outlive them. */
function nameScope(userId: string, grants: Scope['grants']): string {
  if (grants === 'all') return userId;
  const tenants = grants.map(({ tenantId }) => tenantId).join(' ');
  return `${userId}:${createHash('sha256').update(tenants).digest('base64url')}`;
}
