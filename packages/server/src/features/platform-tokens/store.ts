import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Turn } from '../../write/writes.ts';

/** A token as it is authenticated. */
export interface StoredToken {
  readonly status: 'active' | 'expired' | 'revoked';
  readonly name: string;
  readonly secretHash: Buffer;
  readonly organizations: 'all' | readonly string[];
  readonly permissions: readonly string[];
}

/** The status of a token, by the clock of the database. */
const status = sql`CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END`;

interface TokenRow {
  name: string;
  status: StoredToken['status'];
  secret_hash: Buffer;
  organizations: string[] | null;
  permissions: string[];
}

/** The token of this identifier, whatever its status; null when there is none. */
export async function findToken(db: Queryable, id: string): Promise<StoredToken | null> {
  const [row] = await db.rows<TokenRow>(sql`
    SELECT name, secret_hash, organizations, permissions, ${status} AS status FROM platform_token WHERE id = ${id}`);
  if (!row) return null;
  const { name, secret_hash: secretHash, organizations, permissions } = row;
  return { name, secretHash, organizations: organizations ?? 'all', permissions, status: row.status };
}

export interface NewToken {
  readonly id: string;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly organizations: 'all' | readonly string[];
  readonly permissions: readonly string[];
  readonly expiresAt: Date;
}

/** Stores a token. */
export function insertToken(turn: Turn, token: NewToken): void {
  const organizations = token.organizations === 'all' ? null : [...token.organizations];
  turn.write(sql`
    INSERT INTO platform_token (id, name, secret_hash, organizations, permissions, created_at, expires_at)
    VALUES (${token.id}, ${token.name}, ${token.secretHash}, ${organizations}, ${[...token.permissions]}, ${turn.at},
      ${token.expiresAt})`);
  turn.audit({ id: token.id, action: 'platform_token.create' });
}

/** Revokes a token, unless that was done before; false when there is none. */
export async function revokeToken(turn: Turn, db: Queryable, id: string): Promise<boolean> {
  const [row] = await db.rows<{ revoked_at: Date | null }>(sql`
    SELECT revoked_at FROM platform_token WHERE id = ${id} FOR NO KEY UPDATE`);
  if (!row) return false;
  if (row.revoked_at !== null) return true;
  turn.write(sql`UPDATE platform_token SET revoked_at = ${turn.at} WHERE id = ${id}`);
  turn.audit({ id, action: 'platform_token.revoke' });
  return true;
}

/** Notes when a token was used. */
export async function noteUse(db: Queryable, id: string, at: Date): Promise<void> {
  await db.run(sql`UPDATE platform_token SET last_used_at = ${at} WHERE id = ${id}`);
}

/** A token as an operator sees it, without anything of its secret. */
export interface ListedToken {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly organizations: 'all' | readonly string[];
  readonly permissions: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

interface ListedRow extends Omit<TokenRow, 'secret_hash'> {
  id: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}

/** All tokens, oldest first. */
export async function listTokens(db: Queryable): Promise<ListedToken[]> {
  const rows = await db.rows<ListedRow>(sql`
    SELECT id, name, organizations, permissions, created_at, expires_at, last_used_at, ${status} AS status
    FROM platform_token ORDER BY created_at, id`);
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    status: row.status,
    organizations: row.organizations ?? 'all',
    permissions: row.permissions,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}
