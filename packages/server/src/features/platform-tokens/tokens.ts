import { type Caller, noOrganization } from '../../auth/caller.ts';
import type { KnownRejection } from '../../auth/rejection.ts';
import type { Pool } from '../../db/connect.ts';
import { checkName } from '../../lib/names.ts';
import { hashMatches, hashSecret, newSecret, parseSecret } from '../../auth/secrets.ts';
import type { LookUp } from '../../http/limits/credential-lookups.ts';
import type { Turn } from '../../write/writes.ts';
import { findToken, insertToken, type NewToken, noteUse, type StoredToken } from './store.ts';

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

  /** The client of a token; why it is rejected where there is one of this identifier; null where it is missing, malformed or unknown. */
  async authenticate(text: string | undefined, lookUp: LookUp): Promise<Caller | KnownRejection | null> {
    const token = text === undefined ? null : parseSecret(prefix, text);
    if (!token) return null;
    const found = await lookUp(() => findToken(this.#db, token.id));
    const hash = found?.status === 'active' ? found.secretHash : null;
    if (!hashMatches(hashSecret(token, this.#pepper), hash)) return found && rejectionOf(token.id, found);
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

function rejectionOf(id: string, { status }: StoredToken): KnownRejection {
  const reason = status === 'active' ? 'wrong_secret' : status;
  return { action: 'platform_token.use', id, organizationId: noOrganization, reason };
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
