import { fold } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { empty, type Fragment, sql } from '../../db/sql.ts';
import { type GrantedRow, grantsOf } from '../../auth/api-key-store.ts';
import { keyChannel } from '../../auth/api-keys.ts';
import type { Grant, Scope } from '../../auth/scope.ts';
import type { Turn } from '../../write/writes.ts';
import type { KeyStatus } from './rules.ts';

export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly quota: { requests: number; seconds: number } | null;
  /** `all`, or rows of a tenant and one of its divisions (null: all of them). */
  readonly grants: 'all' | readonly { tenantId: string; divisionId: string | null }[];
  /** When it stops working; absent or null: never. */
  readonly expiresAt?: Date | null;
  /** How its text ends, for who compares it with what a system has. */
  readonly lastFour?: string;
}

/** Stores a key with its grants, and tells every process with the commit. */
export function insertKey(turn: Turn, key: NewKey): void {
  const { organizationId, at, author } = turn;
  turn.send(
    sql`INSERT INTO key_organization (key_id, organization_id) VALUES (${key.id}, ${organizationId})`,
  );
  turn.send(sql`
    INSERT INTO api_key (organization_id, id, name, folded_name, secret_hash, whole_organization, quota_requests, quota_seconds,
      created_at, expires_at, last_four, created_by_type, created_by)
    VALUES (${organizationId}, ${key.id}, ${key.name}, ${fold(key.name)}, ${key.secretHash}, ${key.grants === 'all'},
      ${key.quota?.requests ?? null}, ${key.quota?.seconds ?? null}, ${at}, ${key.expiresAt ?? null}, ${key.lastFour ?? null},
      ${author.actor.type}, ${author.actor.id})`);
  if (key.grants !== 'all') {
    const tenants = key.grants.map(grant => grant.tenantId);
    const divisions = key.grants.map(grant => grant.divisionId);
    turn.send(sql`
      INSERT INTO api_key_grant (organization_id, key_id, tenant_id, division_id)
      SELECT ${organizationId}::text, ${key.id}::text, * FROM unnest(${tenants}::text[], ${divisions}::text[])`);
  }
  turn.audit({ id: key.id, action: 'key.create' });
  notify(turn, key.id);
}

/** Locks a key for a change of its status, and returns what that is; null when there is no such key. */
export async function lockKey(db: Queryable, organizationId: string, id: string): Promise<KeyStatus | null> {
  const [row] = await db.rows<{ status: KeyStatus }>(sql`
    SELECT status FROM api_key WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`);
  return row?.status ?? null;
}

/** Changes the status of a locked key, and tells every process with the commit. */
export function updateStatus(turn: Turn, id: string, change: { status: KeyStatus; action: string }): void {
  const { organizationId, at } = turn;
  // While it is refused nobody expects to hear of it.
  const watched = change.status === 'active' ? sql`, watched_from = ${at}` : empty;
  turn.send(sql`
    UPDATE api_key SET status = ${change.status}${watched} WHERE organization_id = ${organizationId} AND id = ${id}`);
  turn.audit({ id, action: `key.${change.action}` });
  notify(turn, id);
}

/** Lets the key stop working at an instant, and tells every process with the commit. */
export function updateExpiry(turn: Turn, id: string, at: Date): void {
  turn.send(
    sql`UPDATE api_key SET expires_at = ${at} WHERE organization_id = ${turn.organizationId} AND id = ${id}`,
  );
  turn.audit({ id, action: 'key.expire' });
  notify(turn, id);
}

/** Notes which key was made to take the place of another one, and watches it alike where a user has said how. */
export function noteReplacement(turn: Turn, id: string, replacement: string): void {
  const { organizationId, at } = turn;
  turn.send(sql`
    UPDATE api_key SET replaced_by = ${replacement} WHERE organization_id = ${organizationId} AND id = ${id}`);
  turn.send(sql`
    UPDATE api_key k SET expected_interval = old.expected_interval, watched_from = ${at}
    FROM api_key old WHERE k.organization_id = ${organizationId} AND k.id = ${replacement}
      AND old.organization_id = ${organizationId} AND old.id = ${id}`);
}

/** Tells every process with the commit that it must read this key anew. */
function notify(turn: Turn, id: string): void {
  turn.send(sql`SELECT pg_notify(${keyChannel}, ${id})`);
}

/** Whether a key works, as people read it: an active key whose end has come is expired. */
export type ListedStatus = KeyStatus | 'expired';

export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly status: ListedStatus;
  readonly organizationId: string;
  readonly grants: 'all' | readonly Grant[];
  readonly quota: { requests: number; seconds: number } | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface ListedRow {
  organization_id: string;
  id: string;
  name: string;
  status: ListedStatus;
  whole_organization: boolean;
  quota_requests: number | null;
  quota_seconds: number | null;
  grants: GrantedRow[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/**
 * What is listed of a key `k`, without anything of its secret. Where tables are distributed, a statement stays on one node only when
 * the grants are those of the same value as the keys, so `organization` is that value where there is one.
 */
export function listedColumns(organization: Fragment): Fragment {
  return sql`
  k.organization_id, k.id, k.name, k.whole_organization, k.quota_requests, k.quota_seconds, k.created_at, k.expires_at,
  k.last_used_at, CASE WHEN k.status = 'active' AND k.expires_at <= clock_timestamp() THEN 'expired' ELSE k.status END AS status,
  (SELECT json_agg(json_build_object('tenant', g.tenant_id, 'division', g.division_id))
   FROM api_key_grant g WHERE g.organization_id = ${organization} AND g.key_id = k.id) AS grants`;
}

/** Of the keys of any organization. */
const ofAny = sql`k.organization_id`;

/** The keys of one organization, or of all (null), oldest first. */
export async function listKeys(db: Queryable, organizationId: string | null): Promise<ListedKey[]> {
  const rows = await db.rows<ListedRow>(sql`
    SELECT ${listedColumns(ofAny)} FROM api_key k
    WHERE ${organizationId}::text IS NULL OR k.organization_id = ${organizationId}
    ORDER BY k.created_at, k.id`);
  return rows.map(listedKey);
}

/** The key of this id; null when there is none. */
export async function findListedKey(db: Queryable, id: string): Promise<ListedKey | null> {
  const [row] = await db.rows<ListedRow>(
    sql`SELECT ${listedColumns(ofAny)} FROM api_key k WHERE k.id = ${id}`,
  );
  return row ? listedKey(row) : null;
}

/** Of the keys of an organization those that see nothing beyond a scope. */
export function isWithin({ organizationId, grants }: Scope): Fragment {
  const inOrganization = sql`k.organization_id = ${organizationId}`;
  if (grants === 'all') return inOrganization;
  const tenants = grants.filter(({ divisions }) => divisions === 'all').map(({ tenantId }) => tenantId);
  return sql`${inOrganization} AND NOT k.whole_organization AND NOT EXISTS (
    SELECT FROM api_key_grant g
    WHERE g.organization_id = ${organizationId} AND g.key_id = k.id AND g.tenant_id <> ALL(${tenants}::text[]))`;
}

/** The keys of one organization that see nothing beyond a scope, as the rows of a list. */
export function keyRows(scope: Scope): Fragment {
  const { organizationId } = scope;
  return sql`SELECT ${listedColumns(sql`${organizationId}`)}, lower(k.id) AS folded_id, k.folded_name
    FROM api_key k WHERE ${isWithin(scope)}`;
}

/** The key of this id, if it is of the organization and sees nothing beyond a scope; else null. */
export async function findKeyOf(db: Queryable, scope: Scope, id: string): Promise<ListedKey | null> {
  const [row] = await db.rows<ListedRow>(
    sql`SELECT ${listedColumns(sql`${scope.organizationId}`)} FROM api_key k
      WHERE ${isWithin(scope)} AND k.id = ${id}`,
  );
  return row ? listedKey(row) : null;
}

/** A key of its row. */
export function listedKey(row: ListedRow): ListedKey {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    organizationId: row.organization_id,
    grants: row.whole_organization ? 'all' : grantsOf(row.grants ?? []),
    quota: row.quota_requests === null ? null : { requests: row.quota_requests, seconds: row.quota_seconds! },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
