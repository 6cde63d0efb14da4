import {
  ApiError,
  apis,
  type Identity,
  Organization,
  PortalSession,
  type SignInMethod,
  signInMethods,
} from '@kontor/contract';
import type { SessionMethod } from '../../../auth/caller.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import { renderRow, type Row } from '../../../lib/render-row.ts';
import { defineRows } from '../../../query/rows.ts';
import type { Write } from '../../../write/writes.ts';
import type { Allowed, UserRef } from '../rules.ts';
import { findUser, storedPermissions } from '../store.ts';

/** Lifetimes of a session and of a fresh sign-in, in seconds. */
export const sessionLimits = { idle: 3600, absolute: 12 * 3600, fresh: 600 };

/** Min seconds between two updates of `last_seen_at`. */
const useInterval = 60;

const ago = (seconds: number) => sql`clock_timestamp() - ${seconds}::float8 * interval '1 second'`;

const isAlive = sql`(s.expires_at > clock_timestamp() AND s.last_seen_at > ${ago(sessionLimits.idle)})`;

/** The issuer of OpenID Connect is responsible for how its users sign in. */
const lacksPasskey = sql`(s.method NOT IN ('passkey', 'openid') AND (${storedPermissions}) && o.passkey_permissions)`;

export interface SessionRef extends UserRef {
  readonly sessionId: string;
}

export interface FoundSession extends Allowed {
  readonly userId: string;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly isAlive: boolean;
  /** Whether the user has recently confirmed their identity. */
  readonly isFresh: boolean;
  readonly isUseUnrecorded: boolean;
  readonly method: SessionMethod;
  /** Whether the organization requires a passkey that the session has not shown. */
  readonly lacksPasskey: boolean;
}

/** Also finds expired sessions. In a closed organization none is alive. */
export async function findSession(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<FoundSession | null> {
  const [row] = await db.rows<FoundSession>(sql`
    SELECT s.user_id AS "userId", u.name, ${storedPermissions} AS permissions, u.hr_tenants AS "hrTenants", s.secret_hash AS "secretHash",
      ${isAlive} AND u.deactivated_at IS NULL AND o.closed_at IS NULL AS "isAlive",
      s.authenticated_at > ${ago(sessionLimits.fresh)} AS "isFresh",
      s.last_seen_at < ${ago(useInterval)} AS "isUseUnrecorded", s.method, ${lacksPasskey} AS "lacksPasskey"
    FROM portal_session s JOIN portal_user u ON u.organization_id = s.organization_id AND u.id = s.user_id
      JOIN organization o ON o.id = s.organization_id
    WHERE s.organization_id = ${organizationId} AND s.id = ${id}`);
  return row ?? null;
}

export async function recordUse(db: Queryable, organizationId: string, id: string): Promise<void> {
  await db.run(sql`
    UPDATE portal_session SET last_seen_at = statement_timestamp()
    WHERE organization_id = ${organizationId} AND id = ${id}`);
}

export const sessionList = defineRows(PortalSession, { id: 'folded_id', userAgent: 'folded_user_agent' });

/** Omits sessions that have ended. */
export function sessionRows({ organizationId, userId, sessionId }: SessionRef): Fragment {
  return sql`
    SELECT s.id, lower(s.id) AS folded_id, s.created_at, s.last_seen_at, s.expires_at, s.address, s.user_agent,
      lower(s.user_agent) COLLATE "C" AS folded_user_agent, s.id = ${sessionId} AS current
    FROM portal_session s
    WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND ${isAlive}`;
}

/** Finds a session of the same user that has not ended. `id` defaults to the current session. */
export async function findOwnSession(
  db: Queryable,
  current: SessionRef,
  id: string = current.sessionId,
): Promise<PortalSession | null> {
  const [row] = await db.rows<Row>(sql`${sessionRows(current)} AND s.id = ${id}`);
  return row ? sessionList.item(row) : null;
}

/** Includes expired sessions. */
export async function findOtherSessionIds(
  db: Queryable,
  { organizationId, userId, sessionId }: SessionRef,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM portal_session
    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id <> ${sessionId}`);
  return rows.map(({ id }) => id);
}

/** Reads the signed-in user. @throws ApiError INVALID_SESSION when the session has ended meanwhile */
export async function readIdentity(db: Queryable, current: SessionRef): Promise<Identity> {
  const { organizationId, userId, sessionId } = current;
  const [user, session, [organization], [has]] = await Promise.all([
    findUser(db, organizationId, userId),
    findOwnSession(db, current),
    db.rows<Row>(sql`SELECT id, name, created_at FROM organization WHERE id = ${organizationId}`),
    db.rows<Record<SignInMethod, boolean> & { freshUntil: Date | null; lacks: boolean; byLink: boolean }>(sql`
      SELECT password_hash IS NOT NULL AS password, identity_key IS NOT NULL AS openid, EXISTS (
        SELECT FROM portal_passkey p WHERE p.organization_id = ${organizationId} AND p.user_id = ${userId}) AS passkey,
        CASE WHEN s.authenticated_at > ${ago(sessionLimits.fresh)}
          THEN s.authenticated_at + ${sessionLimits.fresh}::float8 * interval '1 second' END AS "freshUntil",
        ${lacksPasskey} AS lacks, s.method = 'link' AS "byLink"
      FROM portal_user u JOIN portal_session s ON s.organization_id = u.organization_id AND s.user_id = u.id
        JOIN organization o ON o.id = s.organization_id
      WHERE u.organization_id = ${organizationId} AND u.id = ${userId} AND s.id = ${sessionId}`),
  ]);
  if (!user || !session || !organization || !has) return sessionEnded();
  return {
    user,
    organization: renderRow(Organization, organization),
    session,
    freshUntil: has.freshUntil?.toISOString() ?? null,
    passkeyRequired: has.lacks ? (has.passkey && !has.byLink ? 'confirm' : 'register') : null,
    confirmsWith: signInMethods.filter(method => has[method]),
  };
}

/** @throws ApiError INVALID_SESSION: the session has ended during the request */
export function sessionEnded(): never {
  const { code, message } = apis.portal.credential.rejection;
  throw new ApiError(code, message);
}

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: Buffer;
  readonly address: string;
  readonly userAgent: string | null;
  readonly method?: SessionMethod;
  /** When the user has proved their identity. Defaults to the time of the write. */
  readonly authenticatedAt?: Date | undefined;
}

/** Stores a session, updates the user's last sign-in, and deletes expired sessions of the user. */
export function insertSession(write: Write, session: NewSession): void {
  const { organizationId, at } = write;
  const { id, userId, secretHash, address, userAgent, method = 'password', authenticatedAt = at } = session;
  const expiresAt = new Date(at.getTime() + sessionLimits.absolute * 1000);
  // The clock of an issuer may be ahead.
  const provedAt = authenticatedAt < at ? authenticatedAt : at;
  write.send(sql`
    DELETE FROM portal_session WHERE organization_id = ${organizationId} AND user_id = ${userId}
      AND (expires_at <= ${at} OR last_seen_at <= ${new Date(at.getTime() - sessionLimits.idle * 1000)})`);
  write.send(sql`
    INSERT INTO portal_session (organization_id, id, user_id, secret_hash, created_at, authenticated_at, last_seen_at,
      expires_at, address, user_agent, method)
    VALUES (${organizationId}, ${id}, ${userId}, ${secretHash}, ${at}, ${provedAt}, ${at}, ${expiresAt}, ${address},
      ${userAgent}, ${method})`);
  write.send(sql`
    UPDATE portal_user SET last_sign_in_at = ${at} WHERE organization_id = ${organizationId} AND id = ${userId}`);
  write.audit({ id, action: 'session.start' });
}

/** Renews the sign-in of a session and replaces its secret. A password does not replace what a passkey or the issuer has proved. */
export function freshenSession(
  write: Write,
  id: string,
  { secretHash, method }: Pick<NewSession, 'secretHash'> & { method: SessionMethod },
): void {
  if (method !== 'password') setMethod(write, id, method);
  write.send(sql`
    UPDATE portal_session SET authenticated_at = ${write.at}, secret_hash = ${secretHash}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'session.confirm' });
}

export function setMethod(write: Write, id: string, method: SessionMethod): void {
  write.send(sql`
    UPDATE portal_session SET method = ${method} WHERE organization_id = ${write.organizationId} AND id = ${id}`);
}

export function deleteSession(write: Write, id: string): void {
  write.send(sql`DELETE FROM portal_session WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'session.end' });
}

/** Ends the sessions of a user except one. The caller writes the audit entry. */
export function deleteSessions(write: Write, userId: string, except = ''): void {
  write.send(sql`
    DELETE FROM portal_session
    WHERE organization_id = ${write.organizationId} AND user_id = ${userId} AND id <> ${except}`);
}
