import type { Database } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { LookUp } from './credential-lookups.ts';
import { checkName } from '../lib/names.ts';
import { showInstants, type Shown } from '../lib/render-row.ts';
import type { Write } from '../write/writes.ts';
import { type Caller, noOrganization } from './caller.ts';
import type { KnownRejection } from './rejection.ts';
import {
  hashSecret,
  matchPepper,
  newSecret,
  parseSecret,
  type Pepper,
  pepperFingerprint,
  type Secret,
} from './secrets.ts';

const prefix = 'kontorp';

/** Milliseconds between two recordings of a token's use. */
const useInterval = 60_000;

/** Authenticates tokens of the platform. Each request reads its token, so a revoked one is rejected at once by all processes. */
export class PlatformTokens {
  readonly #db: Queryable;
  readonly #writes: Queryable;
  readonly #pepper: Pepper;
  /** Last recording of each token's use, by `performance.now()`. Only existing tokens have an entry. */
  readonly #recorded = new Map<string, number>();
  /** Tokens with a hash of the previous pepper that is being replaced. */
  readonly #rehashing = new Set<string>();

  constructor({ reads, writes }: Pick<Database, 'reads' | 'writes'>, pepper: Pepper) {
    this.#db = reads;
    this.#writes = writes;
    this.#pepper = pepper;
  }

  /** Returns the caller, the rejection of a known token, or null for a missing, malformed or unknown one. */
  async authenticate(text: string | undefined, lookUp: LookUp): Promise<Caller | KnownRejection | null> {
    const token = text === undefined ? null : parseSecret(prefix, text);
    if (!token) return null;
    const found = await lookUp(() => findToken(this.#db, token.id));
    const hash = found?.status === 'active' ? found.secretHash : null;
    const pepper = matchPepper(token, this.#pepper, hash);
    if (pepper === null) return found && rejectionOf(token.id, found);
    if (pepper !== this.#pepper) this.#rehash(token, hash!);
    this.#recordUse(token.id);
    const { name, organizations, permissions } = found!;
    return {
      actor: { type: 'platform_token', id: token.id, name },
      scope: { organizations: organizations ?? 'all' },
      permissions: new Set(permissions),
      quota: null,
      authority: null,
    };
  }

  /** Runs in the background. A failure is ignored, as a later request tries again. */
  #rehash(token: Secret, old: Buffer): void {
    if (this.#rehashing.has(token.id)) return;
    this.#rehashing.add(token.id);
    const update = sql`
      UPDATE platform_token
      SET secret_hash = ${hashSecret(token, this.#pepper)}, pepper = ${pepperFingerprint(this.#pepper)}
      WHERE id = ${token.id} AND secret_hash = ${old}`;
    this.#writes
      .run(update)
      .catch(() => {})
      .finally(() => this.#rehashing.delete(token.id));
  }

  /** Runs in the background. A failure is ignored, as a later request records the use. */
  #recordUse(id: string): void {
    const now = performance.now();
    if (now - (this.#recorded.get(id) ?? -Infinity) < useInterval) return;
    this.#recorded.set(id, now);
    this.#db
      .run(sql`UPDATE platform_token SET last_used_at = ${new Date()} WHERE id = ${id}`)
      .catch(() => this.#recorded.delete(id));
  }
}

function rejectionOf(id: string, { status }: StoredToken): KnownRejection {
  const reason = status === 'active' ? 'wrong_secret' : status;
  return { action: 'platform_token.use', id, organizationId: noOrganization, reason };
}

/** By the clock of the database. */
const status = sql`CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END`;

interface StoredToken {
  readonly status: 'active' | 'expired' | 'revoked';
  readonly name: string;
  readonly secretHash: Buffer;
  /** Null: all. */
  readonly organizations: string[] | null;
  readonly permissions: string[];
}

async function findToken(db: Queryable, id: string): Promise<StoredToken | null> {
  const [row] = await db.rows<StoredToken>(sql`
    SELECT name, secret_hash AS "secretHash", organizations, permissions, ${status} AS status FROM platform_token WHERE id = ${id}`);
  return row ?? null;
}

interface NewToken {
  readonly name: string;
  readonly organizations: 'all' | readonly string[];
  readonly permissions: readonly string[];
  readonly expiresAt: Date;
}

/** Returns the text of the new token, which is not stored. @throws ApiError 400 VALIDATION_ERROR on the name */
export function storeToken(
  write: Write,
  pepper: Buffer,
  { name, organizations, permissions, expiresAt }: NewToken,
): { id: string; token: string } {
  checkName('name', name);
  const secret = newSecret(prefix);
  const { id, text: token } = secret;
  write.send(sql`
    INSERT INTO platform_token (id, name, secret_hash, pepper, organizations, permissions, created_at, expires_at)
    VALUES (${id}, ${name}, ${hashSecret(secret, pepper)}, ${pepperFingerprint(pepper)}, ${organizations === 'all' ? null : [...organizations]},
      ${[...permissions]}, ${write.at}, ${expiresAt})`);
  write.audit({ id, action: 'platform_token.create' });
  return { id, token };
}

/** Returns false for an unknown token. Does nothing if it is revoked already. */
export async function revokeToken(write: Write, db: Queryable, id: string): Promise<boolean> {
  const [row] = await db.rows<{ revoked_at: Date | null }>(sql`
    SELECT revoked_at FROM platform_token WHERE id = ${id} FOR NO KEY UPDATE`);
  if (!row) return false;
  if (row.revoked_at !== null) return true;
  write.send(sql`UPDATE platform_token SET revoked_at = ${write.at} WHERE id = ${id}`);
  write.audit({ id, action: 'platform_token.revoke' });
  return true;
}

interface ListedRow extends Omit<StoredToken, 'secretHash'> {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

export type ListedToken = Shown<Omit<ListedRow, 'organizations'>> & Pick<NewToken, 'organizations'>;

export async function listTokens(db: Queryable): Promise<ListedToken[]> {
  const rows = await db.rows<ListedRow>(sql`
    SELECT id, name, ${status} AS status, organizations, permissions, created_at AS "createdAt", expires_at AS "expiresAt",
      last_used_at AS "lastUsedAt"
    FROM platform_token ORDER BY created_at, id`);
  return rows.map(row => ({ ...showInstants(row), organizations: row.organizations ?? 'all' }));
}
