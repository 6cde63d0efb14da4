import { ApiError, type Identity } from '@kontor/contract';
import { noOrganization } from '../../caller.ts';
import type { Pool } from '../../database/connect.ts';
import type { Queryable } from '../../database/session.ts';
import type { Counting } from '../../http/counting.ts';
import type { FailingAddresses } from '../../http/failing-addresses.ts';
import { hashMatches, hashSecret } from '../../secrets.ts';
import type { Turn, Writes } from '../../writes/writes.ts';
import { countAttempt } from './attempts.ts';
import {
  type Credentials,
  findByLink,
  findCredentials,
  lockCredentials,
  updateHash,
  updatePassword,
} from './credentials-store.ts';
import { parseLink } from './links.ts';
import { hashPassword, isOutdated, passwordMatches } from './passwords.ts';
import { checkPassword } from './rules.ts';
import { deleteSessions, insertSession, readIdentity } from './session-store.ts';
import { newSessionSecret } from './sessions.ts';
import { ownerOfEmail } from './store.ts';

/** What signing in stands on. */
export interface SignInParts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly counting: Counting;
  readonly failing: FailingAddresses;
}

/** From where somebody asks. */
interface Visitor {
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | null;
}

/** Who is signed in now, with the secret that the browser is given. */
export interface SignedIn {
  readonly identity: Identity;
  readonly secret: string;
}

/**
 * Begins a session for an e-mail and a password. Whether the e-mail is unknown, the user cannot sign in or the password is wrong, it
 * takes the same statements and as long.
 * @throws ApiError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED
 */
export async function signIn(
  parts: SignInParts,
  { email, password }: { email: string; password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  await countAttempt(parts, { email, address: visitor.address });
  const gate = parts.failing.gateOf(visitor.address);
  await gate.admit();
  const owner = await ownerOfEmail(parts.reads, email);
  const organizationId = owner?.organizationId ?? noOrganization;
  const found = await findCredentials(parts.reads, organizationId, owner?.userId ?? '');
  const stored = found?.isActive ? found.passwordHash : null;
  if (!(await passwordMatches(password, stored))) {
    await gate.refused();
    throw signInFailed();
  }
  const renewed = isOutdated(stored!) ? await hashPassword(password) : null;
  return begin(parts, organizationId, found!, visitor, (turn, present) => {
    if (!present?.isActive || present.passwordHash !== stored) throw signInFailed();
    if (renewed !== null) updateHash(turn, present.userId, renewed);
  });
}

/**
 * Sets the password of whom a link was made for, ends their sessions, and begins one.
 * @throws ApiError INVALID_LINK, 422 VALIDATION_ERROR for a password that may not be
 */
export async function acceptInvitation(
  parts: SignInParts,
  { secret: text, password }: { secret: string; password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const secret = parseLink(text);
  if (!secret) throw invalidLink();
  const gate = parts.failing.gateOf(visitor.address);
  await gate.admit();
  const found = await findByLink(parts.reads, secret.organizationId, secret.id);
  const hash = found?.isActive ? found.link?.hash : null;
  if (!hashMatches(hashSecret(secret, parts.pepper), hash ?? null)) {
    await gate.refused();
    throw invalidLink();
  }
  checkPassword(password, found!.email);
  const passwordHash = await hashPassword(password);
  return begin(parts, secret.organizationId, found!, visitor, (turn, present) => {
    if (!present?.isActive || present.link?.id !== secret.id) throw invalidLink();
    updatePassword(turn, present.userId, passwordHash);
    deleteSessions(turn, present.userId);
  });
}

/**
 * Begins a session of a user, unless `prove` throws: it is given what the user has now (null: the user is gone), which nobody else changes
 * until the end.
 */
function begin(
  { writes, pepper }: SignInParts,
  organizationId: string,
  { userId, name }: Credentials,
  { requestId, address, userAgent }: Visitor,
  prove: (turn: Turn, present: Credentials | null) => void,
): Promise<SignedIn> {
  const author = { actor: { type: 'user' as const, id: userId, name }, requestId, address };
  return writes.beside({ organizationId, author, dryRunAt: null }, async (turn, session) => {
    prove(turn, await lockCredentials(session, organizationId, userId));
    const made = newSessionSecret(organizationId);
    const secretHash = hashSecret(made, pepper);
    insertSession(turn, { id: made.id, userId, secretHash, address, userAgent });
    const identity = await readIdentity(session, { organizationId, userId, sessionId: made.id });
    return { identity: identity!, secret: made.text };
  });
}

/**
 * Checks the password of a user who is signed in.
 * @throws ApiError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED
 */
export async function checkPresentPassword(
  parts: SignInParts,
  { organizationId, userId, password }: { organizationId: string; userId: string; password: string },
  address: string,
): Promise<void> {
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (!found) throw signInFailed();
  await countAttempt(parts, { email: found.email, address });
  const gate = parts.failing.gateOf(address);
  await gate.admit();
  if (await passwordMatches(password, found.passwordHash)) return;
  await gate.refused();
  throw signInFailed();
}

/**
 * Sets another password of a user who is signed in, and ends all sessions but this one.
 * @throws ApiError 422 VALIDATION_ERROR for a password that may not be
 */
export async function changePassword(
  turn: Turn,
  session: Queryable,
  { userId, sessionId, hash }: { userId: string; sessionId: string; hash: string },
): Promise<void> {
  await lockCredentials(session, turn.organizationId, userId);
  updatePassword(turn, userId, hash);
  deleteSessions(turn, userId, sessionId);
}

function signInFailed(): ApiError {
  return new ApiError('SIGN_IN_FAILED', 'The e-mail and the password do not belong together; try again');
}

function invalidLink(): ApiError {
  return new ApiError('INVALID_LINK', 'The link does not work any more; ask for another one');
}
