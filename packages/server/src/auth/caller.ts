import { ApiError } from '@kontor/contract';
import type { QuotaPolicy } from '../http/limits/quota.ts';
import type { Scope } from './scope.ts';
import type { Actor, Authority } from '../write/writes.ts';

/** Whole organizations that a caller may work on: all, those founded later too, or these. */
export interface Organizations {
  readonly organizations: 'all' | readonly string[];
}

/** Who calls an API, and what that one may do: what authentication comes to, in every API alike. */
export type Caller = Access & (PortalUser | Program);

interface Access {
  /** What it may see: a part of one organization, or whole ones of which an operation names one. */
  readonly scope: Scope | Organizations;
  /** What it is permitted to do; nothing in an API without permissions. */
  readonly permissions: ReadonlySet<string>;
  /** Its own quota; null: the default one, where the API has quotas. */
  readonly quota: QuotaPolicy | null;
}

/** Who it is to the audit and to the log: a user of the portal, who has a session. */
interface PortalUser {
  readonly actor: Actor & { readonly type: 'user' };
  /** Whether its sign-in is fresh enough for what asks for that. */
  readonly session: { readonly id: string; readonly isFresh: boolean };
  /** Every write of the user checks it. */
  readonly authority: Authority;
}

/** Who it is to the audit and to the log, where that is no user of the portal. */
interface Program {
  readonly actor: Actor & { readonly type: Exclude<Actor['type'], 'user'> };
  readonly session?: undefined;
  readonly authority: null;
}

/** @throws ApiError FRESH_SIGN_IN_REQUIRED, unless the user has shown a short while ago who it is. */
export function checkFreshness({ session }: Caller): void {
  if (!session?.isFresh) throw new ApiError('FRESH_SIGN_IN_REQUIRED', 'Confirm who you are, then try again');
}

/** No organization has this identifier, so that whoever looks there finds nothing, by the same statements as elsewhere. */
export const noOrganization = '';

/** Whoever calls an operation that needs no credential. */
export const anonymous: Caller = {
  actor: { type: 'anonymous', id: 'anonymous', name: 'anonymous' },
  scope: { organizations: [] },
  permissions: new Set(),
  quota: null,
  authority: null,
};

/**
 * What a call may see of one organization: that of the caller, or the one that its path names. One that the caller may not work
 * on looks as if it did not exist.
 */
export function scopeOf({ actor, scope }: Caller, named: string | undefined): Scope {
  if (!('organizations' in scope)) return scope;
  const isIn = named !== undefined && (scope.organizations === 'all' || scope.organizations.includes(named));
  return { organizationId: isIn ? named : noOrganization, callerId: actor.id, grants: 'all' };
}
