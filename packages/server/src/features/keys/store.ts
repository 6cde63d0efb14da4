import { ApiKey, type ApiKeyGrant, type ApiKeyPermissions, fold } from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import type { Queryable } from '../../db/session.ts';
import { empty, type Fragment, sql } from '../../db/sql.ts';
import { type GrantedRow, mergeGrants } from '../../auth/scope.ts';
import { keyChannel } from '../../auth/api-keys.ts';
import type { Scope } from '../../auth/scope.ts';
import { pepperFingerprint } from '../../auth/secrets.ts';
import { changedValues } from '../../lib/changed-values.ts';
import type { Row } from '../../lib/render-row.ts';
import { defineRows, type RowList } from '../../query/rows.ts';
import type { Write } from '../../write/writes.ts';
import type { GrantRow, KeyAction, KeyStatus } from './rules.ts';

export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly secretHash: Buffer;
  /** The pepper of the hash. */
  readonly pepper: Buffer;
  readonly quota: { requests: number; seconds: number } | null;
  readonly grants: 'all' | readonly GrantRow[];
  readonly permissions: ApiKeyPermissions;
  /** Null or absent for a key that does not expire. */
  readonly expiresAt?: Date | null;
  /** Helps users to recognize the key. */
  readonly lastFour: string;
}

/** Stores a key with its grants. Processes are notified by the commit. */
export function insertKey(write: Write, key: NewKey): void {
  const { organizationId, at, author } = write;
  write.send(
    sql`INSERT INTO key_organization (key_id, organization_id) VALUES (${key.id}, ${organizationId})`,
  );
  write.send(sql`
    INSERT INTO api_key (organization_id, id, name, folded_name, secret_hash, pepper, whole_organization, permissions, quota_requests,
      quota_seconds, created_at, expires_at, last_four, created_by_type, created_by)
    VALUES (${organizationId}, ${key.id}, ${key.name}, ${fold(key.name)}, ${key.secretHash}, ${pepperFingerprint(key.pepper)}, ${key.grants === 'all'},
      ${key.permissions}::text[], ${key.quota?.requests ?? null}, ${key.quota?.seconds ?? null}, ${at}, ${key.expiresAt ?? null}, ${key.lastFour},
      ${author.actor.type}, ${author.actor.id})`);
  if (key.grants !== 'all') {
    const tenants = key.grants.map(grant => grant.tenantId);
    const divisions = key.grants.map(grant => grant.divisionId);
    write.send(sql`
      INSERT INTO api_key_grant (organization_id, key_id, tenant_id, division_id)
      SELECT ${organizationId}::text, ${key.id}::text, * FROM unnest(${tenants}::text[], ${divisions}::text[])`);
  }
  write.audit({ id: key.id, action: 'key.create' });
  notify(write, key.id);
}

export interface KeyLifetime {
  readonly defaultDays: number | null;
  readonly maxDays: number | null;
}

/** The lifetimes of keys that the organization has set. It is not locked: a key may get the limit of just before a change. */
export async function readKeyLifetime(db: Queryable, organizationId: string): Promise<KeyLifetime> {
  const [row] = await db.rows<KeyLifetime>(sql`
    SELECT default_key_days AS "defaultDays", max_key_days AS "maxDays" FROM organization WHERE id = ${organizationId}`);
  return row ?? { defaultDays: null, maxDays: null };
}

/** Returns null for an unknown key. */
export async function lockKey(db: Queryable, organizationId: string, id: string): Promise<KeyStatus | null> {
  const [row] = await db.rows<{ status: KeyStatus }>(sql`
    SELECT status FROM api_key WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`);
  return row?.status ?? null;
}

/** Changes the status of a locked key. Processes are notified by the commit. */
export function updateStatus(
  write: Write,
  id: string,
  change: { status: KeyStatus; action: KeyAction },
): void {
  const { organizationId, at } = write;
  // An inactive key cannot succeed, so watching restarts at reactivation.
  const watched = change.status === 'active' ? sql`, watched_from = ${at}` : empty;
  write.send(sql`
    UPDATE api_key SET status = ${change.status}${watched} WHERE organization_id = ${organizationId} AND id = ${id}`);
  write.audit({ id, action: `key.${change.action}` });
  notify(write, id);
}

/** Sets the expiry of a key. Processes are notified by the commit. */
export function updateExpiry(write: Write, id: string, before: string | null, at: Date): void {
  write.send(
    sql`UPDATE api_key SET expires_at = ${at} WHERE organization_id = ${write.organizationId} AND id = ${id}`,
  );
  const changes = changedValues({ expiresAt: before }, { expiresAt: at.toISOString() });
  write.audit({ id, action: 'key.expire', changes });
  notify(write, id);
}

export interface Successor {
  readonly id: string;
  readonly isDeleted: boolean;
}

/** The key that replaces a key, a deleted one too; null when there is none. */
export async function findSuccessor(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Successor | null> {
  const [row] = await db.rows<Successor>(sql`
    SELECT n.id, n.status = 'deleted' AS "isDeleted"
    FROM api_key k JOIN api_key n ON n.organization_id = ${organizationId} AND n.id = k.replaced_by
    WHERE k.organization_id = ${organizationId} AND k.id = ${id}`);
  return row ?? null;
}

interface Times {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The times of the newest key in the chain of replacements that begins with a key. Each replacement shortens the life of the older key. */
export async function findNewestTimes(db: Queryable, organizationId: string, id: string): Promise<Times> {
  const [row] = await db.rows<Times>(sql`
    WITH RECURSIVE chain AS (
      SELECT id, replaced_by, created_at, expires_at FROM api_key WHERE organization_id = ${organizationId} AND id = ${id}
      UNION
      SELECT n.id, n.replaced_by, n.created_at, n.expires_at FROM chain JOIN api_key n
        ON n.organization_id = ${organizationId} AND n.id = chain.replaced_by)
    SELECT created_at AS "createdAt", expires_at AS "expiresAt" FROM chain WHERE replaced_by IS NULL`);
  return row!;
}

/** Records the replacement of a key, and copies the interval set by a user to it. */
export function recordReplacement(write: Write, id: string, replacement: string): void {
  const { organizationId, at } = write;
  write.send(sql`
    UPDATE api_key SET replaced_by = ${replacement} WHERE organization_id = ${organizationId} AND id = ${id}`);
  write.send(sql`
    UPDATE api_key k SET expected_interval = old.expected_interval, watched_from = ${at}
    FROM api_key old WHERE k.organization_id = ${organizationId} AND k.id = ${replacement}
      AND old.organization_id = ${organizationId} AND old.id = ${id}`);
}

/** At the commit every process drops this key from its cache. */
function notify(write: Write, id: string): void {
  write.send(sql`SELECT pg_notify(${keyChannel}, ${id})`);
}

/** A key as the operator sees it, with its organization. */
export interface ListedKey extends ApiKey {
  readonly organizationId: string;
}

/** Declares a list of rows with {@link listedColumns}. `columns` are the ones of other fields, see {@link defineRows}. */
export function defineKeys<Schema extends TObject>(
  schema: Schema,
  columns: Readonly<Record<string, string>> = {},
): RowList<Static<Schema>> {
  const list = defineRows(schema, { id: 'folded_id', name: 'folded_name', ...columns });
  return { ...list, item: row => list.item({ ...row, grants: publicGrants(row['grants']) }) };
}

function publicGrants(rows: unknown): ApiKeyGrant[] {
  return mergeGrants((rows ?? []) as GrantedRow[]).map(({ tenantId, divisions }) => ({
    tenant: tenantId,
    divisions: divisions === 'all' ? null : [...divisions],
  }));
}

export const keyList = defineKeys(ApiKey);

function listedKey(row: Row): ListedKey {
  return { organizationId: row['organization_id'] as string, ...keyList.item(row) };
}

/** Columns of a key `k` without its secret. A volatile function here would compute all columns of all keys before a page is cut. A constant `organization` keeps the statement on one node of Citus. */
export function listedColumns(organization: Fragment): Fragment {
  return sql`
  k.organization_id, k.id, lower(k.id) AS folded_id, k.name, k.folded_name, k.whole_organization, k.permissions, k.created_at, k.expires_at,
  k.last_used_at, CASE WHEN k.quota_requests IS NOT NULL
    THEN json_build_object('requests', k.quota_requests, 'seconds', k.quota_seconds) END AS quota,
  CASE WHEN k.status = 'active' AND k.expires_at <= statement_timestamp() THEN 'expired' ELSE k.status END AS status,
  (SELECT json_agg(json_build_object('tenant', g.tenant_id, 'division', g.division_id))
   FROM api_key_grant g WHERE g.organization_id = ${organization} AND g.key_id = k.id) AS grants`;
}

const ofAny = sql`k.organization_id`;

/** `organizationId` is null for all organizations. The oldest key comes first. */
export async function listKeys(db: Queryable, organizationId: string | null): Promise<ListedKey[]> {
  const rows = await db.rows<Row>(sql`
    SELECT ${listedColumns(ofAny)} FROM api_key k
    WHERE ${organizationId}::text IS NULL OR k.organization_id = ${organizationId}
    ORDER BY k.created_at, k.id`);
  return rows.map(listedKey);
}

export async function findListedKey(db: Queryable, id: string): Promise<ListedKey | null> {
  const [row] = await db.rows<Row>(sql`SELECT ${listedColumns(ofAny)} FROM api_key k WHERE k.id = ${id}`);
  return row ? listedKey(row) : null;
}

/** Selects the keys with a scope within a given scope. */
export function isWithin({ organizationId, grants }: Scope): Fragment {
  const inOrganization = sql`k.organization_id = ${organizationId}`;
  if (grants === 'all') return inOrganization;
  const tenants = grants.filter(({ divisions }) => divisions === 'all').map(({ tenantId }) => tenantId);
  return sql`${inOrganization} AND NOT k.whole_organization AND NOT EXISTS (
    SELECT FROM api_key_grant g
    WHERE g.organization_id = ${organizationId} AND g.key_id = k.id AND g.tenant_id <> ALL(${tenants}::text[]))`;
}

/** Selects the keys that see a tenant, or a part of it. */
export function canAccessTenant({ organizationId }: Scope, tenant: string | null): Fragment {
  if (tenant === null) return sql`true`;
  return sql`(k.whole_organization OR EXISTS (
    SELECT FROM api_key_grant g
    WHERE g.organization_id = ${organizationId} AND g.key_id = k.id AND g.tenant_id = ${tenant}))`;
}

export function keyRows(scope: Scope): Fragment {
  return sql`SELECT ${listedColumns(sql`${scope.organizationId}`)} FROM api_key k WHERE ${isWithin(scope)}`;
}

/** Finds a key with a scope within `scope`; null without one. */
export async function findKeyOf(db: Queryable, scope: Scope, id: string): Promise<ApiKey | null> {
  const [row] = await db.rows<Row>(sql`${keyRows(scope)} AND k.id = ${id}`);
  return row ? keyList.item(row) : null;
}
