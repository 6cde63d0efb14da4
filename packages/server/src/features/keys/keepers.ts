import type { PortalPermission } from '@kontor/contract';
import type { Queryable } from '../../database/session.ts';
import { sql } from '../../database/sql.ts';
import type { Grant } from '../../scope.ts';

/** A user who may look after keys. */
export interface Keeper {
  readonly userId: string;
  readonly permissions: readonly PortalPermission[];
  /** The tenants that the permission HR is for; null: all. */
  readonly hrTenants: readonly string[] | null;
}

/** The users of an organization who may sign in. */
export function readKeepers(db: Queryable, organizationId: string): Promise<Keeper[]> {
  return db.rows<Keeper>(sql`
    SELECT id AS "userId", permissions, hr_tenants AS "hrTenants" FROM portal_user
    WHERE organization_id = ${organizationId} AND deactivated_at IS NULL ORDER BY id`);
}

/** Who is asked first to look after a key. */
const inOrder = ['IT', 'COMPANY_ADMIN', 'HR'] as const;

/**
 * The identifiers of those who are told of a key that sees this: users of IT; where there is none, those who administrate the company; where there
 * is none of them either, those of HR whose tenants are all that the key sees.
 */
export function keepersOf(
  users: readonly Keeper[],
  grants: 'all' | readonly Pick<Grant, 'tenantId'>[],
): string[] {
  for (const permission of inOrder) {
    const found = users.filter(
      user => user.permissions.includes(permission) && mayTell(permission, user, grants),
    );
    if (found.length > 0) return found.map(({ userId }) => userId);
  }
  return [];
}

function mayTell(
  permission: (typeof inOrder)[number],
  { hrTenants }: Keeper,
  grants: 'all' | readonly Pick<Grant, 'tenantId'>[],
): boolean {
  if (permission !== 'HR' || hrTenants === null) return true;
  return grants !== 'all' && grants.every(({ tenantId }) => hrTenants.includes(tenantId));
}
