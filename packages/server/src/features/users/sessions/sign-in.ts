import { apis, type AuditReason, type Identity } from '@kontor/contract';
import { noOrganization, type SessionMethod } from '../../../auth/caller.ts';
import { hashSecret, matchPepper, type Pepper } from '../../../auth/secrets.ts';
import type { Queryable } from '../../../db/session.ts';
import type { CredentialLookups } from '../../../auth/credential-lookups.ts';
import { networkOf } from '../../../lib/network.ts';
import { RejectedError } from '../../../auth/rejection.ts';
import { type Author, callOf, type Write } from '../../../write/writes.ts';
import { parseLink } from '../links.ts';
import type { OpenIdClient } from '../openid/client.ts';
import type { RelyingParty } from '../passkeys/webauthn.ts';
import { hashPassword, isOutdated, passwordMatches } from '../passwords/hash.ts';
import { checkPassword, checkPasswordLength } from '../passwords/strength.ts';
import { findOwnerOfEmail } from '../store.ts';
import { newSessionSecret, parseSessionSecret } from './authenticator.ts';
import type { ChallengeParts } from './challenges.ts';
import { type Credentials, findByLink, findCredentials, updateHash, updatePassword } from './credentials.ts';
import { type Browser, limitFailures, passwordOf } from './login-throttle.ts';
import {
  deleteSession,
  deleteSessions,
  findSession,
  freshenSession,
  insertSession,
  type NewSession,
  readIdentity,
  type SessionRef,
} from './store.ts';
import type { RouteParts } from '../../../http/route.ts';

export interface SignInParts extends RouteParts, ChallengeParts {
  readonly pepper: Pepper;
  readonly lookups: CredentialLookups;
  /** Null when the service's address does not support passkeys. */
  readonly relyingParty: () => RelyingParty | null;
  /** Null without an OpenID Connect issuer. */
  readonly openId: OpenIdClient | null;
  readonly byMail: boolean;
}

export interface Visitor extends Browser {
  readonly requestId: string;
  readonly userAgent: string | null;
}

/** `secret` is for the session cookie. */
export interface SignedIn {
  readonly identity: Identity;
  readonly secret: string;
}

/**
 * Begins a session by email and password. An unknown email, an inactive user and a wrong password run the same statements and take the same time.
 * @throws ApiError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED
 */
export function signInByPassword(
  parts: SignInParts,
  { email, password }: { email: string; password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  return limitFailures(parts, passwordOf(email), visitor, async client => {
    const lookUp = parts.lookups.from(visitor.address);
    const { organizationId, found } = await lookUp(() => findByEmail(parts.reads, email));
    const stored = found?.isActive ? found.passwordHash : null;
    if (!(await passwordMatches(password, stored, client))) throw signInFailed(organizationId, found);
    const rehashed = isOutdated(stored!) ? await hashPassword(password, client) : null;
    return beginSession(parts, organizationId, found!, visitor, (write, present) => {
      if (!present?.isActive || present.passwordHash !== stored) throw signInFailed(organizationId, present);
      if (rehashed !== null) updateHash(write, present.userId, rehashed);
    });
  });
}

async function findByEmail(
  db: Queryable,
  email: string,
): Promise<{ organizationId: string; found: Credentials | null }> {
  const { organizationId, userId } = (await findOwnerOfEmail(db, email)) ?? unknownUser;
  return { organizationId, found: await findCredentials(db, organizationId, userId) };
}

/** Replaces an unknown user, so the same statements run as for a known one. */
export const unknownUser = { organizationId: noOrganization, userId: '' };

/**
 * Sets the password by a link, ends all sessions of the user, and begins a new one.
 * @throws ApiError INVALID_LINK, 422 VALIDATION_ERROR for a password that is easy to guess
 */
export async function useInvitation(
  parts: SignInParts,
  { secret: text, password }: { secret: string; password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const secret = parseLink(text);
  if (!secret) throw new RejectedError('INVALID_LINK', linkIsInvalid, { reason: 'malformed' });
  const { organizationId } = secret;
  const lookUp = parts.lookups.from(visitor.address);
  const found = await lookUp(() => findByLink(parts.reads, organizationId, secret.id));
  const hash = found?.isActive ? found.link?.hash : null;
  if (matchPepper(secret, parts.pepper, hash ?? null) === null) throw linkFailed(organizationId, found);
  await checkPasswordLength(parts.reads, organizationId, password);
  checkPassword(password, found!);
  const passwordHash = await hashPassword(password, networkOf(visitor.address));
  const check = (write: Write, present: Credentials | null) => {
    if (!present?.isActive || present.link?.id !== secret.id) throw linkFailed(organizationId, present);
    updatePassword(write, present.userId, passwordHash);
    deleteSessions(write, present.userId);
  };
  return beginSession(parts, organizationId, found!, visitor, check, { method: 'link' });
}

/**
 * Begins a session and ends the previous one of the browser, unless `check` throws. `check` receives the locked credentials, or null for
 * a deleted user. `proof` is a password by default.
 */
export async function beginSession(
  parts: SignInParts,
  organizationId: string,
  { userId, name }: Credentials,
  visitor: Visitor,
  check: (write: Write, present: Credentials | null, session: Queryable) => Promise<void> | void,
  proof: Pick<NewSession, 'method' | 'authenticatedAt'> = {},
): Promise<SignedIn> {
  const { writes, pepper } = parts;
  const { address, userAgent } = visitor;
  const begin = async (write: Write, session: Queryable): Promise<SignedIn> => {
    await check(write, await findCredentials(session, organizationId, userId), session);
    const secret = newSessionSecret(organizationId);
    const { id, text } = secret;
    const secretHash = hashSecret(secret, pepper);
    insertSession(write, { id, userId, secretHash, address, userAgent, ...proof });
    const identity = await readIdentity(session, { organizationId, userId, sessionId: id });
    return { identity, secret: text };
  };
  const call = callOf(organizationId, authorOf(userId, name, visitor));
  // A link sets a password, which has to wait for the end of maintenance.
  const begun = await (proof.method === 'link'
    ? writes.runWithoutClock(call, begin, [userId])
    : writes.recordAccess(call, begin, [userId]));
  await endFormerSession(parts, visitor);
  return begun;
}

/** Ends the session of the replaced cookie, because no sign-out could end it later. */
async function endFormerSession({ reads, writes, pepper }: SignInParts, visitor: Visitor): Promise<void> {
  const former = parseSessionSecret(visitor.cookieOf(apis.portal.credential.cookie));
  if (!former) return;
  const { organizationId, id } = former;
  const found = await findSession(reads, organizationId, id);
  if (!found || matchPepper(former, pepper, found.secretHash) === null) return;
  const call = callOf(organizationId, authorOf(found.userId, found.name, visitor));
  await writes.recordAccess(call, write => deleteSession(write, id));
}

function authorOf(id: string, name: string, { requestId, address }: Visitor): Author {
  return { actor: { type: 'user', id, name }, requestId, address };
}

/** The new secret keeps a stolen old one from becoming fresh. @throws ApiError INVALID_SESSION when the session has ended meanwhile */
export async function renewSession(
  write: Write,
  session: Queryable,
  pepper: Buffer,
  current: SessionRef,
  method: SessionMethod,
): Promise<SignedIn> {
  const secret = newSessionSecret(current.organizationId, current.sessionId);
  freshenSession(write, current.sessionId, { secretHash: hashSecret(secret, pepper), method });
  return { identity: await readIdentity(session, current), secret: secret.text };
}

/** Checks the password of a signed-in user. @throws ApiError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED */
export async function checkCurrentPassword(
  parts: SignInParts,
  { organizationId, userId }: SessionRef,
  password: string,
  browser: Browser,
): Promise<void> {
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (!found) throw signInFailed(organizationId, found);
  await limitFailures(parts, passwordOf(found.email), browser, async client => {
    if (!(await passwordMatches(password, found.passwordHash, client)))
      throw signInFailed(organizationId, found);
  });
}

/** The response does not depend on the user. The audit entry names the user. */
export function signInFailed(
  organizationId: string,
  found: Credentials | null,
  message = 'The email and the password do not belong together; try again',
): RejectedError {
  return rejected('user.sign_in', organizationId, found, 'wrong_secret', message);
}

const linkIsInvalid = 'The link does not work any more; ask for another one';

function linkFailed(organizationId: string, found: Credentials | null): RejectedError {
  const reason = found?.link === null ? 'expired' : 'wrong_secret';
  return rejected('user.accept_invitation', organizationId, found, reason, linkIsInvalid);
}

/** Unknown users are not audited: the input may contain the email or password of a person. */
function rejected(
  action: 'user.sign_in' | 'user.accept_invitation',
  organizationId: string,
  found: Credentials | null,
  wrong: AuditReason,
  message: string,
): RejectedError {
  const code = action === 'user.sign_in' ? 'SIGN_IN_FAILED' : 'INVALID_LINK';
  if (found === null) return new RejectedError(code, message, { reason: 'unknown' });
  const reason = found.isActive ? wrong : 'deactivated';
  return new RejectedError(code, message, { action, id: found.userId, organizationId, reason });
}
