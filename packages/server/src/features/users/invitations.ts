import { ApiError, type InvitedUser, type User, type UserCreate } from '@kontor/contract';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import type { Turn } from '../../write/writes.ts';
import { addressOf, newLink, type NewLink } from './links.ts';
import { mailLink } from './mails.ts';
import { type Allowed, allowedAfter } from './rules.ts';
import { claimEmail, findUser, insertUser, updateLink } from './store.ts';

/** What links are made of. */
export interface Linking {
  readonly pepper: Buffer;
  /** Where people reach the service, without the path. */
  readonly publicUrl: string;
  /** Whether links are mailed to whom they are for, and shown to nobody else. */
  readonly byMail: boolean;
}

/** Tells which of some identifiers are tenants of an organization. */
export type TenantsAmong = (organizationId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Checks that the organization has the tenants of HR. @throws ApiError INVALID_REFERENCE. */
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
 * Makes a user with a link of an invitation. The caller has checked the tenants.
 * @throws ApiError DUPLICATE_RESOURCE when somebody has the e-mail, 400 VALIDATION_ERROR on the name, 422 as {@link allowedAfter}
 */
export async function createUser(
  turn: Turn,
  session: Queryable,
  linking: Linking,
  wanted: UserCreate,
): Promise<InvitedUser> {
  checkName('name', wanted.name);
  const allowed = allowedAfter(null, wanted);
  const { email, name, language } = wanted;
  const id = newId();
  if (!(await claimEmail(turn, session, email, id)))
    throw new ApiError('DUPLICATE_RESOURCE', 'email: a user of this installation has it; choose another one');
  const { permissions, hrTenants } = allowed;
  const link = newLink(turn.organizationId, linking.pepper, turn.at);
  const own = { permissions: [...permissions], hrTenants: hrTenants && [...hrTenants] };
  insertUser(turn, { id, email, name, language, ...own, link });
  const user = await handOver(turn, session, linking, { userId: id, link });
  return turn.dryRun ? { ...user, id: dryRunId } : user;
}

/**
 * Gives a locked user a new link that sets the password.
 * @throws ApiError INVALID_STATE_TRANSITION for one who is inactive
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
  return handOver(turn, session, linking, { userId: id, link });
}

/** Has the link of a user mailed, or else shows it to whoever asked for it. */
async function handOver(
  turn: Turn,
  session: Queryable,
  { byMail, publicUrl }: Linking,
  { userId, link }: { userId: string; link: NewLink },
): Promise<InvitedUser> {
  if (byMail) mailLink(turn, 'invitation', userId, link);
  const user = (await findUser(session, turn.organizationId, userId))!;
  return { ...user, link: byMail || turn.dryRun ? null : addressOf(publicUrl, link) };
}
