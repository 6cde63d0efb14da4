import { apis, type AuditReason, type Identity } from '@kontor/contract';
import { noOrganization } from '../../auth/caller.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { Counting } from '../../lib/counting.ts';
import type { CredentialLookups } from '../../http/limits/credential-lookups.ts';
import { RejectedError, type Rejection } from '../../auth/rejection.ts';
import { networkOf } from '../../http/request/client-address.ts';
import { hashMatches, hashSecret } from '../../auth/secrets.ts';
import type { Turn, Writes } from '../../write/writes.ts';
import {
  type Credentials,
  findByLink,
  findCredentials,
  lockCredentials,
  updateHash,
  updatePassword,
} from './credentials-store.ts';
import { parseLink } from './links.ts';
import { type Browser, limitFailures, passwordOf } from './login-throttle.ts';
import type { OpenIdClient } from './openid.ts';
import { checkPassword } from './new-password.ts';
import { hashPassword, isOutdated, passwordMatches } from './passwords.ts';
import type { RelyingParty } from './relying-party.ts';
import {
  deleteSession,
  deleteSessions,
  findSession,
  freshenSession,
  insertSession,
  readIdentity,
  type SessionOfUser,
} from './session-store.ts';
import { newSessionSecret, parseSessionSecret } from './sessions.ts';
import { ownerOfEmail } from './store.ts';

/** What signing in stands on. */
export interface SignInParts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly counting: Counting;
  readonly lookups: CredentialLookups;
  /** For challenges, which are no change of anything and in no audit. */
  readonly challenges: Pool;
  /** Null: passkeys do not work at the address of this service. */
  readonly relyingParty: () => RelyingParty | null;
  /** The issuer of OpenID Connect; null: there is none. */
  readonly openId: OpenIdClient | null;
  /** Whether links are mailed. */
  readonly byMail: boolean;
}

/** From where somebody asks. */
export interface Visitor extends Browser {
  readonly requestId: string;
  readonly userAgent: string | null;
  /** The value of a cookie that the browser has sent. */
  readonly cookieOf: (name: string) => string | undefined;
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
export function signIn(
  parts: SignInParts,
  { email, password }: { email: string; password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  return limitFailures(parts, passwordOf(email), visitor, async client => {
    const lookUp = parts.lookups.from(visitor.address);
    const { organizationId, found } = await lookUp(() => findByEmail(parts.reads, email));
    const stored = found?.isActive ? found.passwordHash : null;
    if (!(await passwordMatches(password, stored, client))) throw signInFailed(organizationId, found);
    const renewed = isOutdated(stored!) ? await hashPassword(password, client) : null;
    return beginSession(parts, organizationId, found!, visitor, (turn, present) => {
      if (!present?.isActive || present.passwordHash !== stored) throw signInFailed(organizationId, present);
      if (renewed !== null) updateHash(turn, present.userId, renewed);
    });
  });
}

/** An unknown e-mail takes the same statements. */
async function findByEmail(
  db: Queryable,
  email: string,
): Promise<{ organizationId: string; found: Credentials | null }> {
  const owner = await ownerOfEmail(db, email);
  const organizationId = owner?.organizationId ?? noOrganization;
  return { organizationId, found: await findCredentials(db, organizationId, owner?.userId ?? '') };
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
  if (!secret) throw new RejectedError('INVALID_LINK', linkIsInvalid, { reason: 'malformed' });
  const lookUp = parts.lookups.from(visitor.address);
  const found = await lookUp(() => findByLink(parts.reads, secret.organizationId, secret.id));
  const hash = found?.isActive ? found.link?.hash : null;
  if (!hashMatches(hashSecret(secret, parts.pepper), hash ?? null))
    throw linkRejected(secret.organizationId, found);
  checkPassword(password, found!);
  const passwordHash = await hashPassword(password, networkOf(visitor.address));
  return beginSession(parts, secret.organizationId, found!, visitor, (turn, present) => {
    if (!present?.isActive || present.link?.id !== secret.id)
      throw linkRejected(secret.organizationId, present);
    updatePassword(turn, present.userId, passwordHash);
    deleteSessions(turn, present.userId);
  });
}

/**
 * Begins a session of a user, unless `prove` throws: it is given what the user has now (null: the user is gone), which nobody else changes
 * until the end. The sign-in is as fresh as `authenticatedAt`, or as now.
 */
export async function beginSession(
  parts: SignInParts,
  organizationId: string,
  { userId, name }: Credentials,
  visitor: Visitor,
  prove: (turn: Turn, present: Credentials | null, session: Queryable) => Promise<void> | void,
  authenticatedAt?: Date,
): Promise<SignedIn> {
  const { writes, pepper } = parts;
  const { requestId, address, userAgent } = visitor;
  const author = { actor: { type: 'user' as const, id: userId, name }, requestId, address };
  const begin = async (turn: Turn, session: Queryable): Promise<SignedIn> => {
    await prove(turn, await findCredentials(session, organizationId, userId), session);
    const made = newSessionSecret(organizationId);
    const secretHash = hashSecret(made, pepper);
    const seen = authenticatedAt && { authenticatedAt };
    insertSession(turn, { id: made.id, userId, secretHash, address, userAgent, ...seen });
    const identity = await readIdentity(session, { organizationId, userId, sessionId: made.id });
    return { identity: identity!, secret: made.text };
  };
  const begun = await writes.runUnordered(
    { organizationId, author, authority: null, dryRunAt: null },
    begin,
    [userId],
  );
  await endFormerSession(parts, visitor);
  return begun;
}

/** Ends the session that the browser had before a sign-in. Its cookie is replaced, so no sign-out could end it. */
async function endFormerSession(
  { reads, writes, pepper }: SignInParts,
  { cookieOf, requestId, address }: Visitor,
): Promise<void> {
  const former = parseSessionSecret(cookieOf(apis.portal.credential.cookie));
  if (!former) return;
  const { organizationId, id } = former;
  const found = await findSession(reads, organizationId, id);
  if (!found || !hashMatches(hashSecret(former, pepper), found.secretHash)) return;
  const author = {
    actor: { type: 'user' as const, id: found.userId, name: found.name },
    requestId,
    address,
  };
  await writes.runUnordered({ organizationId, author, authority: null, dryRunAt: null }, turn =>
    deleteSession(turn, id),
  );
}

/**
 * Makes the sign-in of a session fresh again, and replaces its secret: one that was stolen before does not become fresh with it. Answers null
 * where the session has ended meanwhile.
 */
export async function renewSession(
  turn: Turn,
  session: Queryable,
  pepper: Buffer,
  whose: SessionOfUser,
): Promise<SignedIn | null> {
  const made = newSessionSecret(whose.organizationId, whose.sessionId);
  freshenSession(turn, whose.sessionId, hashSecret(made, pepper));
  const identity = await readIdentity(session, whose);
  return identity && { identity, secret: made.text };
}

/**
 * Checks the password of a user who is signed in.
 * @throws ApiError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED
 */
export async function checkPresentPassword(
  parts: SignInParts,
  { organizationId, userId, password }: { organizationId: string; userId: string; password: string },
  browser: Browser,
): Promise<void> {
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (!found) throw signInFailed(organizationId, found);
  await limitFailures(parts, passwordOf(found.email), browser, async client => {
    if (!(await passwordMatches(password, found.passwordHash, client)))
      throw signInFailed(organizationId, found);
  });
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

/** A rejected sign-in: the client is told the same, whatever is wrong. */
export function signInFailed(
  organizationId: string,
  found: Credentials | null,
  message = 'The e-mail and the password do not belong together; try again',
): RejectedError {
  const reason = found?.isActive === false ? 'deactivated' : 'wrong_secret';
  const rejection = rejectionOf('user.sign_in', organizationId, found, reason);
  return new RejectedError('SIGN_IN_FAILED', message, rejection);
}

const linkIsInvalid = 'The link does not work any more; ask for another one';

function linkRejected(organizationId: string, found: Credentials | null): RejectedError {
  const reason =
    found?.isActive === false ? 'deactivated' : found?.link === null ? 'expired' : 'wrong_secret';
  const rejection = rejectionOf('user.accept_invitation', organizationId, found, reason);
  return new RejectedError('INVALID_LINK', linkIsInvalid, rejection);
}

function rejectionOf(
  action: 'user.sign_in' | 'user.accept_invitation',
  organizationId: string,
  found: Credentials | null,
  reason: AuditReason,
): Rejection {
  return found === null ? { reason: 'unknown' } : { action, id: found.userId, organizationId, reason };
}
