import { ApiError, type InvitedUser, type User, type UserCreate } from '@kontor/contract';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import type { Turn } from '../../write/writes.ts';
import { mailLink } from './mails.ts';
import { type Allowed, allowedAfter } from './rules.ts';
import { claimEmail, findUser, insertUser, updateLink } from './store.ts';
import {
  type OwnedSecret,
  hashSecret,
  newSeed,
  ownedSecretOf,
  parseOwnedSecret,
} from '../../auth/secrets.ts';

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

/** What the secret of a link begins with. */
const prefix = 'kontorl';

/** How long the link of an invitation works, in milliseconds: over a week-end. */
const invitationLife = 3 * 24 * 3600 * 1000;

/** A new link of a user that sets the password once. */
export interface NewLink {
  readonly id: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** The secret itself, which is stored nowhere. */
  readonly secret: string;
  /** What it is made of, together with the pepper. */
  readonly seed: string;
}

/** Makes a link that works for so many milliseconds from an instant on. */
export function newLink(
  organizationId: string,
  pepper: Buffer,
  from: Date,
  life: number = invitationLife,
): NewLink {
  const { id, seed } = newSeed();
  const secret = ownedSecretOf({ prefix, organizationId, id, seed }, pepper);
  const expiresAt = new Date(from.getTime() + life);
  return { id, hash: hashSecret(secret, pepper), expiresAt, secret: secret.text, seed };
}

/** The secret of a link that was made before, of its seed. */
export function linkAgain(
  organizationId: string,
  pepper: Buffer,
  { id, seed }: Pick<NewLink, 'id' | 'seed'>,
): Pick<NewLink, 'secret'> {
  return { secret: ownedSecretOf({ prefix, organizationId, id, seed }, pepper).text };
}

/** What a user was given; null when it is no secret of a link. */
export function parseLink(text: string): OwnedSecret | null {
  return parseOwnedSecret(prefix, text);
}

/**
 * The address of a link. Its secret stands behind `#`, which browsers keep to themselves: it is in no log of a server or proxy, and in
 * no Referer.
 */
export function addressOf(publicUrl: string, { secret }: Pick<NewLink, 'secret'>): string {
  return `${publicUrl.replace(/\/+$/, '')}/portal/invitation#${secret}`;
}
