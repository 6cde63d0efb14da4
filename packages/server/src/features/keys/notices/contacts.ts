import type { PortalPermission } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Grant } from '../../../auth/scope.ts';
import {
  canSignIn,
  contactPermissions,
  notifiedKinds,
  type NotifiedUser,
} from '../../../mail/notification-kinds.ts';

/** Returns the keys (of these) of each user whom `select` returns for the scope of a key. */
export async function keysByUser(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  select: typeof selectContacts,
): Promise<Map<string, string[]>> {
  const users = await readContacts(db, organizationId);
  const keys = new Map<string, string[]>();
  for (const [id, scope] of await readScopes(db, organizationId, ids))
    for (const { userId } of select(users, scope)) keys.set(userId, [...(keys.get(userId) ?? []), id]);
  return keys;
}

interface Contact extends NotifiedUser {
  readonly userId: string;
  /** The tenants of the HR permission; null for all. */
  readonly hrTenants: readonly string[] | null;
  readonly byMail: boolean;
}

function readContacts(db: Queryable, organizationId: string): Promise<Contact[]> {
  return db.rows<Contact>(sql`
    SELECT u.id AS "userId", u.permissions, u.hr_tenants AS "hrTenants", coalesce(n.by_mail, true) AS "byMail",
      coalesce(n.chosen, '{}') AS chosen, coalesce(n.declined, '{}') AS declined
    FROM portal_user u LEFT JOIN user_notification n ON n.organization_id = ${organizationId} AND n.user_id = u.id
    WHERE u.organization_id = ${organizationId} AND ${canSignIn} ORDER BY u.id`);
}

type ContactScope = 'all' | readonly Pick<Grant, 'tenantId'>[];

/** By key identifier. */
async function readScopes(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, ContactScope>> {
  const rows = await db.rows<{ id: string; whole_organization: boolean; tenants: string[] | null }>(sql`
    SELECT k.id, k.whole_organization, (SELECT array_agg(DISTINCT g.tenant_id) FROM api_key_grant g
      WHERE g.organization_id = ${organizationId} AND g.key_id = k.id) AS tenants
    FROM api_key k WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[])`);
  return new Map(
    rows.map(({ id, whole_organization, tenants }) => [
      id,
      whole_organization ? 'all' : (tenants ?? []).map(tenantId => ({ tenantId })),
    ]),
  );
}

/** The users who hear of a failing key by mail and may see it. */
export function selectFollowers(users: readonly Contact[], grants: ContactScope): Contact[] {
  const held = users.flatMap(({ permissions }) => permissions);
  const followers = users.filter(user => user.byMail && notifiedKinds(user, held).includes('failing_key'));
  return followers.filter(user =>
    user.permissions.some(permission => isContactFor(permission, user, grants)),
  );
}

/** The contacts of a key with this scope: users with IT, else with COMPANY_ADMIN, else users with HR for all tenants of the scope. */
export function selectContacts(users: readonly Contact[], grants: ContactScope): Contact[] {
  for (const permission of contactPermissions) {
    const found = users.filter(
      user => user.permissions.includes(permission) && isContactFor(permission, user, grants),
    );
    if (found.length > 0) return found;
  }
  return [];
}

function isContactFor(permission: PortalPermission, { hrTenants }: Contact, grants: ContactScope): boolean {
  if (permission !== 'HR' || hrTenants === null) return true;
  return grants !== 'all' && grants.every(({ tenantId }) => hrTenants.includes(tenantId));
}
