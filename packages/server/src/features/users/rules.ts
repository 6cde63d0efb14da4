import {
  ApiError,
  type PortalPermission,
  portalPermissionNames,
  unprocessable,
  type User,
  type UserPatch,
} from '@kontor/contract';
import type { Grant } from '../../auth/scope.ts';

/** What a user may do, and of the permission HR for which tenants (null: all; also where the user has not that permission). */
export interface Allowed {
  readonly permissions: readonly PortalPermission[];
  readonly hrTenants: readonly string[] | null;
}

/**
 * What a user may do after a change; `before` is null for a new one. The tenants of HR are always said when the permission is given,
 * so that nobody gets all of them by leaving something out.
 * @throws ApiError 422 VALIDATION_ERROR for tenants of HR without the permission, and the permission without them.
 */
export function allowedAfter(
  before: Allowed | null,
  sent: Partial<Pick<UserPatch, 'permissions' | 'hrTenants'>>,
): Allowed {
  const chosen = sent.permissions ?? before?.permissions ?? [];
  const permissions = portalPermissionNames.filter(name => chosen.includes(name));
  if (!permissions.includes('HR')) {
    if (sent.hrTenants) throw unprocessable('hrTenants is for users with the permission HR; leave it out');
    return { permissions, hrTenants: null };
  }
  if (sent.hrTenants !== undefined)
    return { permissions, hrTenants: sent.hrTenants && unique(sent.hrTenants) };
  if (!before?.permissions.includes('HR'))
    throw unprocessable('hrTenants must say which tenants the permission HR is for; null for all of them');
  return { permissions, hrTenants: before.hrTenants };
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

/** What can be changed of a user. */
export type Changeable = Pick<User, 'name' | 'language' | 'permissions' | 'hrTenants'>;

/** The names of the fields in which two states of a user differ. */
export function changedFields(before: Changeable, after: Changeable): string[] {
  const names = ['name', 'language', 'permissions', 'hrTenants'] as const;
  return names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** What a user sees of the organization: all of it, of HR alone the tenants that this is for, and nothing without any permission. */
export function grantsOf({ permissions, hrTenants }: Allowed): 'all' | Grant[] {
  if (permissions.length === 0) return [];
  if (hrTenants === null || permissions.some(name => name !== 'HR')) return 'all';
  return hrTenants.map(tenantId => ({ tenantId, divisions: 'all' }));
}

/**
 * Keeps users from shutting themselves out, and an organization from losing its last administrator that way.
 * @throws ApiError INVALID_STATE_TRANSITION
 */
export function checkOther(callerId: string, userId: string, action: 'deactivate' | 'delete'): void {
  if (callerId === userId)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `You cannot ${action} yourself; ask somebody else who has COMPANY_ADMIN`,
    );
}

/** As {@link checkOther}, for the permissions of a user. @throws ApiError 422 VALIDATION_ERROR */
export function checkOwnPermissions(
  callerId: string,
  userId: string,
  { permissions }: Pick<UserPatch, 'permissions'>,
): void {
  if (callerId === userId && permissions && !permissions.includes('COMPANY_ADMIN'))
    throw unprocessable(
      'permissions: you cannot take COMPANY_ADMIN from yourself; ask somebody else who has it',
    );
}
