import {
  ApiError,
  hrPermissions,
  type PortalPermission,
  portalPermissionNames,
  unprocessable,
  type User,
  type UserPatch,
} from '@kontor/contract';
import { type Grant, mergeGrants } from '../../auth/scope.ts';

export interface UserRef {
  readonly organizationId: string;
  readonly userId: string;
}

/** The permissions of a user, and the tenants of HR and AUDIT. Null means all tenants, or neither permission. */
export interface Allowed {
  readonly permissions: PortalPermission[];
  readonly hrTenants: string[] | null;
}

/**
 * The permissions after a change; `before` is null for a new user. A change that grants HR or AUDIT must name the tenants, so omitting them never grants all.
 * @throws ApiError 422 VALIDATION_ERROR for payroll without HR, for tenants without HR and AUDIT, and for these without tenants
 */
export function allowedAfter(before: Allowed | null, sent: Partial<Allowed>): Allowed {
  const chosen = sent.permissions ?? before?.permissions ?? [];
  const permissions = portalPermissionNames.filter(name => chosen.includes(name));
  if (!permissions.includes('HR') && permissions.some(isOfHr))
    throw unprocessable('permissions: PAYROLL_RUN and PAYROLL_RELEASE need HR; add it, or leave them out');
  const ofTenants = permissions.filter(isOfTenants);
  if (ofTenants.length === 0) {
    if (sent.hrTenants)
      throw unprocessable('hrTenants is for users with the permission HR or AUDIT; leave it out');
    return { permissions, hrTenants: null };
  }
  if (sent.hrTenants !== undefined)
    return { permissions, hrTenants: sent.hrTenants && [...new Set(sent.hrTenants)].sort() };
  const granted = ofTenants.find(name => !before?.permissions.includes(name));
  if (!before || granted !== undefined)
    throw unprocessable(
      `hrTenants must name the tenants of the permission ${granted}, or be null for all of them`,
    );
  return { permissions, hrTenants: before.hrTenants };
}

export type Changeable = Pick<User, 'name' | 'language' | 'permissions' | 'hrTenants'>;

const isOfHr = (name: string) => hrPermissions.some(ofHr => ofHr === name);
const isOfTenants = (name: PortalPermission) => name === 'HR' || name === 'AUDIT';

/** The scope of a user: the tenants of HR for HR, payroll and AUDIT alone, nothing without permissions, otherwise the whole organization. */
export function grantsOf(allowed: Allowed): 'all' | Grant[] {
  return allowed.permissions.some(name => !isOfHr(name) && !isOfTenants(name)) ? 'all' : hrGrantsOf(allowed);
}

/** The scope of a user for what HR does or AUDIT reads: the tenants of these permissions, nothing without them. */
export function hrGrantsOf({ permissions, hrTenants }: Allowed): 'all' | Grant[] {
  if (!permissions.some(isOfTenants)) return [];
  return hrTenants === null ? 'all' : mergeGrants(hrTenants.map(tenant => ({ tenant, division: null })));
}

/** Rejects users who deactivate or delete themselves, so an organization keeps an administrator. @throws ApiError INVALID_STATE_TRANSITION */
export function checkOther(callerId: string, userId: string, action: 'deactivate' | 'delete'): void {
  if (callerId === userId)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `You cannot ${action} yourself; ask another user with COMPANY_ADMIN`,
    );
}

/** Rejects users who remove their own COMPANY_ADMIN permission. @throws ApiError 422 VALIDATION_ERROR */
export function checkOwnPermissions(
  callerId: string,
  userId: string,
  { permissions }: Pick<UserPatch, 'permissions'>,
): void {
  if (callerId === userId && permissions && !permissions.includes('COMPANY_ADMIN'))
    throw unprocessable('permissions: you cannot remove your own COMPANY_ADMIN; ask another user who has it');
}
