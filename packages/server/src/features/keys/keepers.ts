import type { PortalPermission } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Grant } from '../../auth/scope.ts';

/** A user who may look after keys. */
export interface Keeper {
  readonly userId: string;
  readonly permissions: readonly PortalPermission[];
  /** The tenants that the permission HR is for; null: all. */
  readonly hrTenants: readonly string[] | null;
}

/** The users of an organization who can sign in, by a password or at an issuer: who was only invited so far sees nothing of a key. */
export function readKeepers(db: Queryable, organizationId: string): Promise<Keeper[]> {
  return db.rows<Keeper>(sql`
    SELECT id AS "userId", permissions, hr_tenants AS "hrTenants" FROM portal_user
    WHERE organization_id = ${organizationId} AND deactivated_at IS NULL
      AND (password_hash IS NOT NULL OR identity_key IS NOT NULL) ORDER BY id`);
}

/** What a key sees, as far as {@link keepersOf} asks for it. */
export type KeptScope = 'all' | readonly Pick<Grant, 'tenantId'>[];

/** What these keys see, by their identifiers. */
export async function readScopes(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, KeptScope>> {
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

/** Who is asked first to look after a key. */
const inOrder = ['IT', 'COMPANY_ADMIN', 'HR'] as const;

/**
 * The identifiers of those who are told of a key that sees this: users of IT; where there is none, those who administrate the company; where there
 * is none of them either, those of HR whose tenants are all that the key sees.
 */
export function keepersOf(users: readonly Keeper[], grants: KeptScope): string[] {
  for (const permission of inOrder) {
    const found = users.filter(
      user => user.permissions.includes(permission) && mayTell(permission, user, grants),
    );
    if (found.length > 0) return found.map(({ userId }) => userId);
  }
  return [];
}

function mayTell(permission: (typeof inOrder)[number], { hrTenants }: Keeper, grants: KeptScope): boolean {
  if (permission !== 'HR' || hrTenants === null) return true;
  return grants !== 'all' && grants.every(({ tenantId }) => hrTenants.includes(tenantId));
}
