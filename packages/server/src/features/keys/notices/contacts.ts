import type { PortalPermission } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Grant } from '../../../auth/scope.ts';

/** Returns the keys (of these) of each contact, by user. */
export async function keysByContact(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const users = await readContacts(db, organizationId);
  const keys = new Map<string, string[]>();
  for (const [id, scope] of await readScopes(db, organizationId, ids))
    for (const userId of selectContacts(users, scope)) keys.set(userId, [...(keys.get(userId) ?? []), id]);
  return keys;
}

interface Contact {
  readonly userId: string;
  readonly permissions: readonly PortalPermission[];
  /** The tenants of the HR permission; null for all. */
  readonly hrTenants: readonly string[] | null;
}

/** The users of an organization who can sign in, by password or issuer. Invited users cannot sign in yet. */
function readContacts(db: Queryable, organizationId: string): Promise<Contact[]> {
  return db.rows<Contact>(sql`
    SELECT id AS "userId", permissions, hr_tenants AS "hrTenants" FROM portal_user
    WHERE organization_id = ${organizationId} AND deactivated_at IS NULL
      AND (password_hash IS NOT NULL OR identity_key IS NOT NULL) ORDER BY id`);
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

/** Permissions of contacts, in order of preference. */
const inOrder = ['IT', 'COMPANY_ADMIN', 'HR'] as const;

/** The contacts of a key with this scope: users with IT, else with COMPANY_ADMIN, else users with HR for all tenants of the scope. */
function selectContacts(users: readonly Contact[], grants: ContactScope): string[] {
  for (const permission of inOrder) {
    const found = users.filter(
      user => user.permissions.includes(permission) && isContactFor(permission, user, grants),
    );
    if (found.length > 0) return found.map(({ userId }) => userId);
  }
  return [];
}

function isContactFor(
  permission: (typeof inOrder)[number],
  { hrTenants }: Contact,
  grants: ContactScope,
): boolean {
  if (permission !== 'HR' || hrTenants === null) return true;
  return grants !== 'all' && grants.every(({ tenantId }) => hrTenants.includes(tenantId));
}
