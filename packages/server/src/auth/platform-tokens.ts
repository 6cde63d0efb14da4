import type { Caller } from './caller.ts';
import type { Pool } from '../db/connect.ts';
import { checkName } from '../lib/names.ts';
import { hashMatches, hashSecret, newSecret, parseSecret } from './secrets.ts';
import type { LookUp } from '../http/limits/credential-lookups.ts';
import type { Turn } from '../write/writes.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';

/** What the text of a token begins with. */
const prefix = 'kontorp';

/** How often it is written that a token is used, in milliseconds. */
const noteInterval = 60_000;

/** Checks tokens of the platform. Each request asks the database, so that a revoked token is refused everywhere at once. */
export class PlatformTokens {
  readonly #db: Pool;
  readonly #pepper: Buffer;
  /** When a use of each was written last, by `performance.now()`; only of tokens that exist. */
  readonly #noted = new Map<string, number>();

  constructor(db: Pool, pepper: Buffer) {
    this.#db = db;
    this.#pepper = pepper;
  }

  /** Whose token this is; null when it is missing, malformed, unknown, revoked or at its end. */
  async authenticate(text: string | undefined, lookUp: LookUp): Promise<Caller | null> {
    const token = text === undefined ? null : parseSecret(prefix, text);
    if (!token) return null;
    const found = await lookUp(() => findToken(this.#db, token.id));
    if (!hashMatches(hashSecret(token, this.#pepper), found?.secretHash ?? null)) return null;
    this.#note(token.id);
    const { name, organizations, permissions } = found!;
    return {
      actor: { type: 'platform_token', id: token.id, name },
      scope: { organizations },
      permissions: new Set(permissions),
      quota: null,
      authority: null,
    };
  }

  /** Nobody waits for that, and whether it succeeds: the next minute brings another one. */
  #note(id: string): void {
    const now = performance.now();
    if (now - (this.#noted.get(id) ?? -Infinity) < noteInterval) return;
    this.#noted.set(id, now);
    noteUse(this.#db, id, new Date()).catch(() => this.#noted.delete(id));
  }
}

/** Makes a token and returns it; its text cannot be had again. @throws ApiError on the name. */
export function storeToken(
  turn: Turn,
  pepper: Buffer,
  token: Omit<NewToken, 'id' | 'secretHash'>,
): { id: string; token: string } {
  checkName('name', token.name);
  const made = newSecret(prefix);
  insertToken(turn, { ...token, id: made.id, secretHash: hashSecret(made, pepper) });
  return { id: made.id, token: made.text };
}

/** A token that works: neither revoked nor at its end. */
export interface StoredToken {
  readonly name: string;
  readonly secretHash: Buffer;
  readonly organizations: 'all' | readonly string[];
  readonly permissions: readonly string[];
}

interface TokenRow {
  name: string;
  secret_hash: Buffer;
  organizations: string[] | null;
  permissions: string[];
}

/** The token of this identifier; null when there is none that works. */
export async function findToken(db: Queryable, id: string): Promise<StoredToken | null> {
  const [row] = await db.rows<TokenRow>(sql`
    SELECT name, secret_hash, organizations, permissions FROM platform_token
    WHERE id = ${id} AND revoked_at IS NULL AND expires_at > clock_timestamp()`);
  if (!row) return null;
  const { name, secret_hash: secretHash, organizations, permissions } = row;
  return { name, secretHash, organizations: organizations ?? 'all', permissions };
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

/** Why each of these tokens is refused now; one that works was sent with a wrong secret. */
export async function refusalsOfTokens(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, 'wrong_secret' | 'revoked' | 'expired'>> {
  const rows = await db.rows<{ id: string; reason: 'wrong_secret' | 'revoked' | 'expired' }>(sql`
    SELECT id, CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= statement_timestamp() THEN 'expired'
      ELSE 'wrong_secret' END AS reason
    FROM platform_token WHERE id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
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
  status: ListedToken['status'];
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}

/** All tokens, oldest first. */
export async function listTokens(db: Queryable): Promise<ListedToken[]> {
  const rows = await db.rows<ListedRow>(sql`
    SELECT id, name, organizations, permissions, created_at, expires_at, last_used_at,
      CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END
        AS status
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
