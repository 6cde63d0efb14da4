import { type NotificationKind, notificationKinds, type PortalPermission } from '@kontor/contract';
import { type Fragment, sql } from '../db/sql.ts';

/** A user who hears of some kinds of news, by permissions and own choices. */
export interface NotifiedUser {
  readonly permissions: readonly PortalPermission[];
  readonly chosen: readonly string[];
  readonly declined: readonly string[];
}

/** The permissions of which a kind needs one, since only they show what it is about. */
const needed: Readonly<Record<NotificationKind, readonly PortalPermission[]>> = {
  new_orders: ['HR'],
  expiring_orders: ['HR'],
  payroll_due: ['PAYROLL_RUN', 'PAYROLL_RELEASE'],
  finished_import: ['HR'],
  failing_key: ['IT', 'COMPANY_ADMIN', 'HR'],
};

/** Permissions whose users look after API keys, in order of preference. */
export const contactPermissions = ['IT', 'COMPANY_ADMIN', 'HR'] as const;

/** Users who can sign in, by password or issuer. Invited users cannot sign in yet. */
export const canSignIn: Fragment = sql`(deactivated_at IS NULL AND (password_hash IS NOT NULL OR identity_key IS NOT NULL))`;

export function offeredKinds({ permissions }: Pick<NotifiedUser, 'permissions'>): NotificationKind[] {
  return notificationKinds.filter(kind => needed[kind].some(one => permissions.includes(one)));
}

/**
 * The kinds that a user gets: of those offered the chosen ones, and the usual ones that were not declined. Keys are usual for IT; where no
 * user of `held`, the permissions of all who can sign in, has IT, for the next permission of {@link contactPermissions}.
 */
export function notifiedKinds(user: NotifiedUser, held: readonly PortalPermission[]): NotificationKind[] {
  const contact = contactPermissions.find(permission => held.includes(permission));
  const isUsual = (kind: NotificationKind) =>
    kind !== 'failing_key' || (contact !== undefined && user.permissions.includes(contact));
  return offeredKinds(user).filter(
    kind => user.chosen.includes(kind) || (isUsual(kind) && !user.declined.includes(kind)),
  );
}
