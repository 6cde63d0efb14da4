import {
  type AuditAction,
  fold,
  type HrPermission,
  type PortalPermission,
  type PortalSummary,
  summarizedItems,
  User,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { empty, type Fragment, raw, sql } from '../../db/sql.ts';
import { changedValues } from '../../lib/changed-values.ts';
import { emailKey } from '../../lib/email-key.ts';
import type { Row } from '../../lib/render-row.ts';
import { defineRows } from '../../query/rows.ts';
import type { Searched } from '../../query/search-all.ts';
import { lockUsers, type Write } from '../../write/writes.ts';
import type { NewLink } from './links.ts';
import { unlinkIdentity } from './openid/store.ts';
import { deletePasskeys } from './passkeys/store.ts';
import type { Changeable, UserRef } from './rules.ts';

export const userList = defineRows(User, { email: 'folded_email', name: 'folded_name' });

/** All permissions of a user. Older processes read any but HR as access to the whole organization, so payroll and AUDIT have columns of their own. */
export const storedPermissions = sql`
  permissions || CASE WHEN 'HR' = ANY(permissions) THEN payroll_permissions ELSE '{}' END
    || CASE WHEN is_auditor THEN '{AUDIT}'::text[] ELSE '{}' END`;

/** As in the columns `permissions`, `payroll_permissions` and `is_auditor`. */
function splitPermissions(permissions: readonly PortalPermission[]): [string[], string[], boolean] {
  const isOfPayroll = (name: string) => name.startsWith('PAYROLL_');
  const others = permissions.filter(name => !isOfPayroll(name) && name !== 'AUDIT');
  return [others, permissions.filter(isOfPayroll), permissions.includes('AUDIT')];
}

/** The users of an organization, or those whose permissions cover a tenant. */
export function userRows(organizationId: string, tenant: string | null = null): Fragment {
  const covering =
    tenant === null
      ? empty
      : sql` AND (hr_tenants IS NULL OR NOT permissions <@ '{HR}' OR ${tenant} = ANY(hr_tenants))`;
  return sql`
    SELECT organization_id, id, email, folded_email, name, folded_name, language, ${storedPermissions} AS permissions, hr_tenants,
      CASE WHEN deactivated_at IS NOT NULL THEN 'inactive' WHEN password_hash IS NULL AND identity_key IS NULL
        THEN 'invited' ELSE 'active' END
        AS status,
      created_at, CASE WHEN link_expires_at > clock_timestamp() THEN link_expires_at END AS invited_until, last_sign_in_at
    FROM portal_user WHERE organization_id = ${organizationId}${covering}`;
}

/** Users with an expired invitation, by name. */
export async function findExpiredInvitations(
  db: Queryable,
  organizationId: string,
  tenant: string | null,
): Promise<NonNullable<PortalSummary['expiredInvitations']>> {
  const rows = await db.rows<{ id: string; name: string; total: number }>(sql`
    WITH expired AS MATERIALIZED (
      SELECT id, name, folded_name FROM (${userRows(organizationId, tenant)}) AS users
      WHERE status = 'invited' AND invited_until IS NULL)
    SELECT id, name, (SELECT count(*) FROM expired)::int AS total FROM expired
    ORDER BY folded_name, id ${raw(`LIMIT ${summarizedItems}`)}`);
  return { total: rows[0]?.total ?? 0, items: rows.map(({ id, name }) => ({ id, name })) };
}

export function searchedUsers(organizationId: string): Searched {
  return {
    rows: sql`
      SELECT id, name, folded_name, email AS detail, folded_email, NULL::text AS tenant FROM portal_user
      WHERE organization_id = ${organizationId}`,
    columns: ['folded_name', 'folded_email', 'id'],
  };
}

export async function findUser(db: Queryable, organizationId: string, id: string): Promise<User | null> {
  const [row] = await db.rows<Row>(sql`${userRows(organizationId)} AND id = ${id}`);
  return row ? userList.item(row) : null;
}

/** Whether a user is active and has a permission for a tenant. */
export async function hasHrPermission(
  db: Queryable,
  { organizationId, id }: { organizationId: string; id: string },
  permission: HrPermission,
  tenantId: string,
): Promise<boolean> {
  const found = await db.run(sql`
    SELECT FROM portal_user WHERE organization_id = ${organizationId} AND id = ${id} AND deactivated_at IS NULL
      AND ${permission} = ANY(${storedPermissions}) AND (hr_tenants IS NULL OR ${tenantId} = ANY(hr_tenants))`);
  return found > 0;
}

export async function listUsers(db: Queryable, organizationId: string): Promise<User[]> {
  const rows = await db.rows<Row>(sql`${userRows(organizationId)} ORDER BY folded_name, id`);
  return rows.map(userList.item);
}

export async function lockUser(db: Queryable, organizationId: string, id: string): Promise<User | null> {
  await lockUsers(db, organizationId, [id]);
  return findUser(db, organizationId, id);
}

/** In any organization. */
export async function findOwnerOfEmail(db: Queryable, email: string): Promise<UserRef | null> {
  const [row] = await db.rows<UserRef>(sql`
    SELECT organization_id AS "organizationId", user_id AS "userId" FROM portal_email
    WHERE email_key = ${emailKey(email)}`);
  return row ?? null;
}

/** Reserves an email for a new user. Returns false when it is in use. Waits for a concurrent transaction that reserves it. */
export async function claimEmail(
  write: Write,
  session: Queryable,
  email: string,
  userId: string,
): Promise<boolean> {
  const claimed = await session.run(sql`
    INSERT INTO portal_email (email_key, organization_id, user_id)
    VALUES (${emailKey(email)}, ${write.organizationId}, ${userId}) ON CONFLICT (email_key) DO NOTHING`);
  return claimed > 0;
}

interface NewUser extends Changeable {
  readonly id: string;
  readonly email: string;
  readonly link: NewLink;
}

/** Stores a user with the link of the invitation. The email must be reserved. */
export function insertUser(write: Write, { id, email, name, link, ...user }: NewUser): void {
  const [permissions, ofPayroll, isAuditor] = splitPermissions(user.permissions);
  write.send(sql`
    INSERT INTO portal_user (organization_id, id, email, folded_email, name, folded_name, language, permissions,
      payroll_permissions, is_auditor, hr_tenants, created_at, link_id, link_hash, link_expires_at)
    VALUES (${write.organizationId}, ${id}, ${email}, ${fold(email)}, ${name}, ${fold(name)}, ${user.language},
      ${permissions}, ${ofPayroll}, ${isAuditor}, ${user.hrTenants}, ${write.at}, ${link.id}, ${link.hash},
      ${link.expiresAt})`);
  write.audit({ id, action: 'user.create', changes: changedValues(null, rightsOf(user)) });
}

/** The rights whose values the audit keeps. A name is personal data, and stays out. HR and AUDIT without companies are for all of them. */
function rightsOf({ permissions, hrTenants }: Pick<Changeable, 'permissions' | 'hrTenants'>) {
  const isOfTenants = permissions.includes('HR') || permissions.includes('AUDIT');
  return { permissions, hrTenants: hrTenants ?? (isOfTenants ? 'all' : null) };
}

export function updateUser(write: Write, before: User, user: Changeable, fields: readonly string[]): void {
  const { id } = before;
  const [permissions, ofPayroll, isAuditor] = splitPermissions(user.permissions);
  write.send(sql`
    UPDATE portal_user SET name = ${user.name}, folded_name = ${fold(user.name)}, language = ${user.language},
      permissions = ${permissions}, payroll_permissions = ${ofPayroll}, is_auditor = ${isAuditor},
      hr_tenants = ${user.hrTenants}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({
    id,
    action: 'user.update',
    fields,
    changes: changedValues(rightsOf(before), rightsOf(user)),
  });
}

/** The user must be locked. */
export function updateLink(
  write: Write,
  id: string,
  link: NewLink,
  action: AuditAction = 'user.invite',
): void {
  write.send(sql`
    UPDATE portal_user SET link_id = ${link.id}, link_hash = ${link.hash}, link_expires_at = ${link.expiresAt}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action });
}

/** Also removes the link. The user must be locked. */
export function deactivateUser(write: Write, id: string): void {
  write.send(sql`
    UPDATE portal_user SET deactivated_at = ${write.at}, link_id = NULL, link_hash = NULL, link_expires_at = NULL
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'user.deactivate' });
}

export function reactivateUser(write: Write, id: string): void {
  write.send(sql`
    UPDATE portal_user SET deactivated_at = NULL WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'user.reactivate' });
}

/** Also deletes passkeys, identity and email. The user must be locked. */
export function deleteUser(write: Write, { id, email }: Pick<User, 'id' | 'email'>): void {
  const { organizationId } = write;
  write.send(sql`
    DELETE FROM portal_email WHERE email_key = ${emailKey(email)} AND organization_id = ${organizationId}`);
  deletePasskeys(write, id);
  unlinkIdentity(write, id);
  write.send(sql`DELETE FROM portal_user WHERE organization_id = ${organizationId} AND id = ${id}`);
  write.audit({ id, action: 'user.delete' });
}
