import type { ApiKeyPermissions } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { noOrganization } from './caller.ts';
import { type GrantedRow, mergeGrants, type Scope } from './scope.ts';
import { pepperFingerprint } from './secrets.ts';

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly secretHash: Buffer;
  readonly permissions: ApiKeyPermissions;
  readonly quota: { requests: number; seconds: number } | null;
  readonly status: 'active' | 'deactivated' | 'expired' | 'deleted';
  /** Milliseconds until it expires; Infinity if it does not. */
  readonly remaining: number;
}

interface KeyRow {
  name: string;
  organization_id: string;
  secret_hash: Buffer;
  status: 'active' | 'inactive' | 'deleted';
  whole_organization: boolean;
  permissions: ApiKeyPermissions;
  quota_requests: number | null;
  quota_seconds: number | null;
  remaining: number | null;
  grants: GrantedRow[] | null;
}

/** Finds a key with any status, unless its organization is closed. The lookup of an unknown key runs the same statements. */
export async function findKey(db: Queryable, id: string): Promise<StoredKey | null> {
  const organizationId = (await findOrganizationOfKey(db, id)) ?? noOrganization;
  const [row] = await db.rows<KeyRow>(sql`
    SELECT k.name, k.organization_id, k.secret_hash, k.status, k.whole_organization, k.permissions, k.quota_requests, k.quota_seconds,
      (extract(epoch FROM k.expires_at - clock_timestamp()) * 1000)::float8 AS remaining,
      (SELECT json_agg(json_build_object('tenant', g.tenant_id, 'division', g.division_id))
       FROM api_key_grant g WHERE g.organization_id = ${organizationId} AND g.key_id = k.id) AS grants
    FROM api_key k WHERE k.organization_id = ${organizationId} AND k.id = ${id} AND EXISTS (
      SELECT FROM organization o WHERE o.id = ${organizationId} AND o.closed_at IS NULL)`);
  if (!row) return null;
  const grants = row.whole_organization ? 'all' : mergeGrants(row.grants ?? []);
  return {
    id,
    name: row.name,
    scope: { organizationId: row.organization_id, callerId: id, grants },
    secretHash: row.secret_hash,
    permissions: row.permissions,
    quota: row.quota_requests === null ? null : { requests: row.quota_requests, seconds: row.quota_seconds! },
    status: statusOf(row),
    remaining: row.remaining ?? Infinity,
  };
}

function statusOf({ status, remaining }: Pick<KeyRow, 'status' | 'remaining'>): StoredKey['status'] {
  if (status !== 'active') return status === 'inactive' ? 'deactivated' : status;
  return remaining !== null && remaining <= 0 ? 'expired' : status;
}

/** Replaces the hash of a key, unless it has changed. Other processes may use the hash that they have cached. */
export async function rehashKey(
  db: Queryable,
  { id, scope: { organizationId }, secretHash: old }: StoredKey,
  { secretHash, pepper }: { secretHash: Buffer; pepper: Buffer },
): Promise<void> {
  await db.run(sql`
    UPDATE api_key SET secret_hash = ${secretHash}, pepper = ${pepperFingerprint(pepper)}
    WHERE organization_id = ${organizationId} AND id = ${id} AND secret_hash = ${old}`);
}

/** With distributed tables the coordinator has this table itself, so it answers while other nodes are unavailable. The status is ignored. */
export async function findOrganizationOfKey(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.rows<{ organization_id: string }>(sql`
    SELECT organization_id FROM key_organization WHERE key_id = ${id}`);
  return row?.organization_id ?? null;
}
