import { ApiError, type InvitedUser, type User, type UserCreate } from '@kontor/contract';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import { checkHourlyLimit, type HourlyLimit } from '../../auth/hourly-limit.ts';
import type { Write } from '../../write/writes.ts';
import { linkAddress, newLink, type NewLink } from './links.ts';
import { mailLink } from './mails.ts';
import { type Allowed, allowedAfter } from './rules.ts';
import { claimEmail, findUser, insertUser, updateLink } from './store.ts';

export interface Linking {
  readonly pepper: Buffer;
  /** The public address of the service, without the path. */
  readonly publicUrl: string;
  /** Whether links are mailed to the users. Otherwise they are returned to the caller. */
  readonly byMail: boolean;
}

/** Mails through the portal to addresses that a user enters. */
export const invitationLimit = {
  actions: ['user.create', 'user.invite', 'user.test_mail'],
  ofOrganization: 500,
  ofUser: 100,
  ofTarget: 10,
  what: 'invitations',
} as const satisfies HourlyLimit;

/** Returns the `ids` that are tenants of the organization. */
export type TenantsAmong = (organizationId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** @throws ApiError INVALID_REFERENCE for tenants of another organization */
export async function checkTenants(
  { hrTenants }: Allowed,
  organizationId: string,
  tenantsAmong: TenantsAmong,
): Promise<void> {
  if (hrTenants === null) return;
  const known = await tenantsAmong(organizationId, hrTenants);
  const stray = hrTenants.find(id => !known.has(id));
  if (stray !== undefined)
    throw new ApiError('INVALID_REFERENCE', `hrTenants: the organization has no tenant ${stray}`);
}

/**
 * Creates a user with an invitation. The caller must check the tenants first.
 * @throws ApiError DUPLICATE_RESOURCE for an email in use, 400 VALIDATION_ERROR on the name, 422 as {@link allowedAfter},
 * RATE_LIMIT_EXCEEDED
 */
export async function storeNewUser(
  write: Write,
  session: Queryable,
  linking: Linking,
  { email, name, language, ...access }: UserCreate,
): Promise<InvitedUser> {
  checkName('name', name);
  const allowed = allowedAfter(null, access);
  const id = newId();
  if (!(await claimEmail(write, session, email, id)))
    throw new ApiError(
      'DUPLICATE_RESOURCE',
      'email belongs to another user of this installation; enter another one',
    );
  await checkHourlyLimit(write, session, invitationLimit);
  const link = newLink(write.organizationId, linking.pepper, write.at);
  insertUser(write, { id, email, name, language, ...allowed, link });
  const user = await deliver(write, session, linking, { userId: id, link });
  return write.dryRun ? { ...user, id: dryRunId } : user;
}

/**
 * Replaces the link of a locked user by a new one that sets the password.
 * @throws ApiError INVALID_STATE_TRANSITION for an inactive user, RATE_LIMIT_EXCEEDED
 */
export async function storeInvitation(
  write: Write,
  session: Queryable,
  linking: Linking,
  { id, status }: User,
): Promise<InvitedUser> {
  if (status === 'inactive')
    throw new ApiError('INVALID_STATE_TRANSITION', 'The user is inactive: reactivate the user first');
  await checkHourlyLimit(write, session, invitationLimit, id);
  const link = newLink(write.organizationId, linking.pepper, write.at);
  updateLink(write, id, link);
  return deliver(write, session, linking, { userId: id, link });
}

async function deliver(
  write: Write,
  session: Queryable,
  { byMail, publicUrl }: Linking,
  { userId, link }: { userId: string; link: NewLink },
): Promise<InvitedUser> {
  if (byMail) mailLink(write, 'invitation', userId, link);
  const user = (await findUser(session, write.organizationId, userId))!;
  return { ...user, link: byMail || write.dryRun ? null : linkAddress(publicUrl, link.secret) };
}
