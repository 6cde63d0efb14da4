import { ApiError, type InvitedUser, type User, type UserCreate } from '@kontor/contract';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import type { Turn } from '../../write/writes.ts';
import { linkAddress, newLink, type NewLink } from './links.ts';
import { mailLink } from './mails.ts';
import { type Allowed, allowedAfter } from './rules.ts';
import { claimEmail, findUser, insertUser, updateLink } from './store.ts';

/** How links are made and delivered. */
export interface Linking {
  readonly pepper: Buffer;
  /** The public address of the service, without the path. */
  readonly publicUrl: string;
  /** Links are either mailed to their users or returned to the caller. */
  readonly byMail: boolean;
}

/** Selects the tenants of an organization from some identifiers. */
export type TenantsAmong = (organizationId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Checks that the tenants of HR belong to the organization. @throws ApiError INVALID_REFERENCE */
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
 * Creates a user with an invitation. The caller has checked the tenants.
 * @throws ApiError DUPLICATE_RESOURCE for an e-mail in use, 400 VALIDATION_ERROR on the name, 422 as {@link allowedAfter}
 */
export async function createUser(
  turn: Turn,
  session: Queryable,
  linking: Linking,
  { email, name, language, ...access }: UserCreate,
): Promise<InvitedUser> {
  checkName('name', name);
  const allowed = allowedAfter(null, access);
  const id = newId();
  if (!(await claimEmail(turn, session, email, id)))
    throw new ApiError('DUPLICATE_RESOURCE', 'email: a user of this installation has it; choose another one');
  const link = newLink(turn.organizationId, linking.pepper, turn.at);
  insertUser(turn, { id, email, name, language, ...allowed, link });
  const user = await deliver(turn, session, linking, { userId: id, link });
  return turn.dryRun ? { ...user, id: dryRunId } : user;
}

/**
 * Gives a locked user a new link that sets the password.
 * @throws ApiError INVALID_STATE_TRANSITION for an inactive user
 */
export async function inviteUser(
  turn: Turn,
  session: Queryable,
  linking: Linking,
  { id, status }: User,
): Promise<InvitedUser> {
  if (status === 'inactive')
    throw new ApiError('INVALID_STATE_TRANSITION', 'The user is inactive: reactivate the user first');
  const link = newLink(turn.organizationId, linking.pepper, turn.at);
  updateLink(turn, id, link);
  return deliver(turn, session, linking, { userId: id, link });
}

/** Queues the mail with the link, or returns the link. */
async function deliver(
  turn: Turn,
  session: Queryable,
  { byMail, publicUrl }: Linking,
  { userId, link }: { userId: string; link: NewLink },
): Promise<InvitedUser> {
  if (byMail) mailLink(turn, 'invitation', userId, link);
  const user = (await findUser(session, turn.organizationId, userId))!;
  return { ...user, link: byMail || turn.dryRun ? null : linkAddress(publicUrl, link.secret) };
}
