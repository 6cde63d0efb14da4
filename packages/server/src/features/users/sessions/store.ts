import {
  type Identity,
  type PortalPermission,
  type PortalSession,
  type SignInWay,
  signInWays,
} from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Turn } from '../../../write/writes.ts';
import type { Allowed } from '../rules.ts';
import { findUser } from '../store.ts';

/** How long a session lives, and a sign-in is fresh, in seconds. */
const sessionLimits = { idle: 3600, absolute: 12 * 3600, fresh: 600 };

/** An instant so many seconds ago. */
const ago = (seconds: number) => sql`clock_timestamp() - ${seconds}::float8 * interval '1 second'`;

/** Whether a session `s` has not ended. */
const isAlive = sql`(s.expires_at > clock_timestamp() AND s.last_seen_at > ${ago(sessionLimits.idle)})`;

/** How often it is written that a session is used, in seconds. */
const noteInterval = 60;

/** A session with its user. */
export interface FoundSession extends Allowed {
  readonly userId: string;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly isAlive: boolean;
  /** Whether the password or a passkey was shown a short while ago. */
  readonly isFresh: boolean;
  /** Whether its use is to be noted again. */
  readonly isUnnoted: boolean;
}

interface FoundRow {
  user_id: string;
  name: string;
  permissions: PortalPermission[];
  hr_tenants: string[] | null;
  secret_hash: Buffer;
  is_alive: boolean;
  is_fresh: boolean;
  is_unnoted: boolean;
}

/** The session of this identifier, also one whose time is over; null when there is none. */
export async function findSession(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<FoundSession | null> {
  const [row] = await db.rows<FoundRow>(sql`
    SELECT s.user_id, u.name, u.permissions, u.hr_tenants, s.secret_hash,
      ${isAlive} AND u.deactivated_at IS NULL AS is_alive, s.authenticated_at > ${ago(sessionLimits.fresh)} AS is_fresh,
      s.last_seen_at < ${ago(noteInterval)} AS is_unnoted
    FROM portal_session s JOIN portal_user u ON u.organization_id = s.organization_id AND u.id = s.user_id
    WHERE s.organization_id = ${organizationId} AND s.id = ${id}`);
  if (!row) return null;
  return {
    userId: row.user_id,
    name: row.name,
    permissions: row.permissions,
    hrTenants: row.hr_tenants,
    secretHash: row.secret_hash,
    isAlive: row.is_alive,
    isFresh: row.is_fresh,
    isUnnoted: row.is_unnoted,
  };
}

/** Notes that a session is used. */
export async function noteUse(db: Queryable, organizationId: string, id: string): Promise<void> {
  await db.run(sql`
    UPDATE portal_session SET last_seen_at = statement_timestamp()
    WHERE organization_id = ${organizationId} AND id = ${id}`);
}

interface SessionRow {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string;
  user_agent: string | null;
  current: boolean;
}

/** The sessions of a user that have not ended, as the rows of a list; `current` is the one that asks. */
export function sessionRows(organizationId: string, userId: string, current: string): Fragment {
  return sql`
    SELECT s.id, lower(s.id) AS folded_id, s.created_at, s.last_seen_at, s.expires_at, s.address, s.user_agent,
      lower(s.user_agent) COLLATE "C" AS folded_user_agent, s.id = ${current} AS current
    FROM portal_session s
    WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND ${isAlive}`;
}

/** A session as its user sees it. */
export function shownSession(row: SessionRow): PortalSession {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    current: row.current,
  };
}

/** What a session is found by. */
export interface SessionOfUser {
  readonly organizationId: string;
  readonly userId: string;
  /** The one that asks. */
  readonly sessionId: string;
}

/** The session of this identifier, if it is one of the user and has not ended; null otherwise. */
export async function findOwnSession(
  db: Queryable,
  { organizationId, userId, sessionId }: SessionOfUser,
  id: string = sessionId,
): Promise<PortalSession | null> {
  const rows = sessionRows(organizationId, userId, sessionId);
  const [row] = await db.rows<SessionRow>(sql`${rows} AND s.id = ${id}`);
  return row ? shownSession(row) : null;
}

/** The identifiers of all sessions of the user except the one that asks, also of those that have ended by time. */
export async function otherSessionIds(
  db: Queryable,
  { organizationId, userId, sessionId }: SessionOfUser,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM portal_session
    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id <> ${sessionId}`);
  return rows.map(({ id }) => id);
}

/** Who is signed in with a session; null when that has ended meanwhile. */
export async function readIdentity(db: Queryable, whose: SessionOfUser): Promise<Identity | null> {
  const { organizationId, userId, sessionId } = whose;
  const [user, session, [organization], [fresh], [has]] = await Promise.all([
    findUser(db, organizationId, userId),
    findOwnSession(db, whose),
    db.rows<{ id: string; name: string; created_at: Date }>(sql`
      SELECT id, name, created_at FROM organization WHERE id = ${organizationId}`),
    db.rows<{ until: Date }>(sql`
      SELECT authenticated_at + ${sessionLimits.fresh}::float8 * interval '1 second' AS until FROM portal_session
      WHERE organization_id = ${organizationId} AND id = ${sessionId} AND authenticated_at > ${ago(sessionLimits.fresh)}`),
    db.rows<Record<SignInWay, boolean>>(sql`
      SELECT password_hash IS NOT NULL AS password, identity_key IS NOT NULL AS openid, EXISTS (
        SELECT FROM portal_passkey p WHERE p.organization_id = ${organizationId} AND p.user_id = ${userId}) AS passkey
      FROM portal_user WHERE organization_id = ${organizationId} AND id = ${userId}`),
  ]);
  if (!user || !session || !organization || !has) return null;
  const { id, name, created_at: createdAt } = organization;
  return {
    user,
    organization: { id, name, createdAt: createdAt.toISOString() },
    session,
    freshUntil: fresh?.until.toISOString() ?? null,
    confirmsWith: signInWays.filter(way => has[way]),
  };
}

interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: Buffer;
  readonly address: string;
  readonly userAgent: string | null;
  /** When the user was last seen to be there, where that is not now. */
  readonly authenticatedAt?: Date;
}

/** Stores a session, notes the sign-in, and deletes those of the user whose time is over. */
export function insertSession(turn: Turn, session: NewSession): void {
  const { organizationId, at } = turn;
  const expiresAt = new Date(at.getTime() + sessionLimits.absolute * 1000);
  // Another clock may be ahead; nothing is fresher than now.
  const seen = session.authenticatedAt && session.authenticatedAt < at ? session.authenticatedAt : at;
  turn.write(sql`
    DELETE FROM portal_session WHERE organization_id = ${organizationId} AND user_id = ${session.userId}
      AND (expires_at <= ${at} OR last_seen_at <= ${new Date(at.getTime() - sessionLimits.idle * 1000)})`);
  turn.write(sql`
    INSERT INTO portal_session (organization_id, id, user_id, secret_hash, created_at, authenticated_at, last_seen_at,
      expires_at, address, user_agent)
    VALUES (${organizationId}, ${session.id}, ${session.userId}, ${session.secretHash}, ${at},
      ${seen}, ${at}, ${expiresAt},
      ${session.address}, ${session.userAgent})`);
  turn.write(sql`
    UPDATE portal_user SET last_sign_in_at = ${at} WHERE organization_id = ${organizationId} AND id = ${session.userId}`);
  turn.audit({ id: session.id, action: 'session.start' });
}

/** Notes that the password or a passkey was shown again. From then on the session has another secret. */
export function freshenSession(turn: Turn, id: string, secretHash: Buffer): void {
  turn.write(sql`
    UPDATE portal_session SET authenticated_at = ${turn.at}, secret_hash = ${secretHash}
    WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action: 'session.confirm' });
}

/** Ends a session. */
export function deleteSession(turn: Turn, id: string): void {
  turn.write(sql`DELETE FROM portal_session WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action: 'session.end' });
}

/** Ends all sessions of a user, but for this one. What does that is audited, so these are not. */
export function deleteSessions(turn: Turn, userId: string, butFor: string | null = null): void {
  turn.write(sql`
    DELETE FROM portal_session
    WHERE organization_id = ${turn.organizationId} AND user_id = ${userId} AND id <> ${butFor ?? ''}`);
}
