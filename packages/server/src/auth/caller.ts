import { ApiError, type ApiKeyPermissions, hrPermissions, type Operation } from '@kontor/contract';
import type { Scope } from './scope.ts';
import type { Actor, Authority } from '../write/writes.ts';

/** At most `requests` in a window of `seconds`. The first request starts the window. */
export interface QuotaPolicy {
  readonly requests: number;
  readonly seconds: number;
}

/** Organizations to which a caller has full access: these, or all, with future ones. */
export interface Organizations {
  readonly organizations: 'all' | readonly string[];
}

/** The result of authentication, the same in every API. */
export type Caller = Access & (PortalUser | Program);

interface Access {
  /** A part of one organization, or whole organizations; then an operation names one of them. */
  readonly scope: Scope | Organizations;
  /** Empty in an API without permissions. */
  readonly permissions: ReadonlySet<string>;
  /** Null: the default quota, if the API has quotas. */
  readonly quota: QuotaPolicy | null;
}

/** How the user of a session has proved who they are: in the end, if there was more than one way. */
export type SessionMethod = 'password' | 'link' | 'passkey' | 'openid';

interface PortalUser {
  readonly actor: Actor & { readonly type: 'user' };
  /** The tenants of the permissions HR and payroll; another permission may give the user a wider `scope`. */
  readonly hrScope: Scope;
  /** `isFresh`: recent enough for operations that need a fresh sign-in. */
  readonly session: {
    readonly id: string;
    readonly isFresh: boolean;
    readonly method: SessionMethod;
    /** Whether the organization requires a passkey that the session has not shown. */
    readonly lacksPasskey: boolean;
  };
  readonly keyPermissions?: undefined;
  /** Checked by every write of the user. */
  readonly authority: Authority;
}

interface Program {
  readonly actor: Actor & { readonly type: Exclude<Actor['type'], 'user'> };
  readonly hrScope?: undefined;
  readonly session?: undefined;
  /** Only API keys have them. */
  readonly keyPermissions?: ApiKeyPermissions;
  readonly authority: null;
}

/** @throws ApiError FRESH_SIGN_IN_REQUIRED unless the user has confirmed its identity a short while ago. */
export function checkFreshness({ session }: Caller): void {
  if (!session?.isFresh)
    throw new ApiError('FRESH_SIGN_IN_REQUIRED', 'Confirm your identity, then try again');
}

/** @throws ApiError PASSKEY_REQUIRED for a session that lacks a required passkey, but for the operations that show or register one */
export function checkPasskey({ session }: Caller, { opensWithoutPasskey }: Operation): void {
  if (!session?.lacksPasskey || opensWithoutPasskey) return;
  throw new ApiError('PASSKEY_REQUIRED', 'Your organization requires a passkey; register or use one first');
}

/** An identifier that no organization has. A lookup finds nothing, with the same statements as for an existing organization. */
export const noOrganization = '';

/** The caller of operations that need no credential. */
export const anonymous: Caller = {
  actor: { type: 'anonymous', id: 'anonymous', name: 'anonymous' },
  scope: { organizations: [] },
  permissions: new Set(),
  quota: null,
  authority: null,
};

/** The access of an operation: to the caller's own organization, to its part for HR, or to the organization of the path. Without access it looks as if the organization did not exist. */
export function scopeOf(
  { actor, scope, hrScope }: Caller,
  { permission }: Operation,
  named: string | undefined,
): Scope {
  if (hrScope && hrPermissions.some(name => name === permission)) return hrScope;
  if (!('organizations' in scope)) return scope;
  const isIn = named !== undefined && (scope.organizations === 'all' || scope.organizations.includes(named));
  return { organizationId: isIn ? named : noOrganization, callerId: actor.id, grants: 'all' };
}
