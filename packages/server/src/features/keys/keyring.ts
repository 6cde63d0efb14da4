import { timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../auth/caller.ts';
import type { Database } from '../../db/connect.ts';
import { listen, type Listener } from '../../db/listener.ts';
import type { Queryable } from '../../db/session.ts';
import type { LookUp } from '../../http/limits/credential-lookups.ts';
import type { Scope } from '../../auth/scope.ts';
import type { AnsweredRequest } from './key-use.ts';
import { type ApiKey, hashKey, hashMatches, idOf, parseKey } from './rules.ts';
import { findActiveKeys, keyChannel, type StoredKey } from './store.ts';
import { KeyUsage } from './usage.ts';

/** How long a key is used from memory before it is read again, in milliseconds. */
const cacheDuration = 10_000;
/** Most keys in memory, and most identifiers of no key; the one read longest ago makes room. */
const cacheMaximum = 10_000;

/** Whoever calls with a key: it sees a part of one organization. */
export type KeyCaller = Caller & { readonly scope: Scope };

/** A request, as far as the health of a key is concerned. */
export interface KeyRequest extends AnsweredRequest {
  /** Null where nobody was let in. */
  readonly caller: Pick<Caller, 'actor' | 'scope'> | null;
}

const lookUpAtOnce: LookUp = read => read();

export interface Keyring {
  /**
   * Whose key an `X-API-Key` header has, or null when it is missing, malformed, unknown, inactive, expired or deleted. A key that is not in
   * memory is read by `lookUp`.
   */
  authenticate(header: string | undefined, lookUp?: LookUp): Promise<KeyCaller | null>;
  /** A request was answered, or broken off (status 499); for the usage and the health of the key that was let in with it. */
  answered(request: KeyRequest, status: number): void;
  /** Whether keys are used from memory, since their changes are heard of at once. */
  readonly trusted: boolean;
  /** Stops listening and writes when the keys were last used. */
  close(): Promise<void>;
}

export interface KeyringOptions {
  readonly database: Pick<Database, 'reads' | 'writes' | 'target'>;
  readonly pepper: Buffer;
  /** Told when the last uses could not be written; they are tried again. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Checks API keys. Active keys are kept in memory for 10 s and dropped by notification when they change. Memory is used
 * only while the notifications provably arrive; without them every request asks the database, so that a deactivated key
 * is refused within 1 s whatever happens (specification.md 1.4). Identifiers of no active key are remembered, too, so that
 * trying one again costs no query: a creation or reactivation is notified, and before the memory is believed, everything that
 * was notified until then has arrived.
 */
export function createKeyring(options: KeyringOptions): Keyring {
  return new CachedKeyring(options);
}

interface Cached {
  readonly keys: readonly StoredKey[];
  readonly until: number;
  /** What was accepted last: to take a key apart and hash it for each request would cost more than all other checks together. */
  accepted?: { readonly text: Buffer; readonly stored: StoredKey };
}

class CachedKeyring implements Keyring {
  readonly #db: Queryable;
  readonly #pepper: Buffer;
  readonly #usage: KeyUsage;
  readonly #listener: Listener;
  readonly #cache = new Map<string, Cached>();
  /** Identifiers of no active key. */
  readonly #unknown = new Set<string>();
  readonly #loading = new Map<string, Promise<readonly StoredKey[]>>();
  /** Counts what may have changed keys: what was read before such a moment is not kept after it. */
  #generation = 0;

  constructor({ database, pepper, failed = () => {} }: KeyringOptions) {
    this.#db = database.reads;
    this.#pepper = pepper;
    this.#usage = new KeyUsage(database.writes, failed);
    this.#listener = listen({ target: database.target, pool: database.reads }, keyChannel, {
      notified: id =>
        this.#forget(() => {
          this.#cache.delete(id);
          this.#unknown.delete(id);
        }),
      began: () =>
        this.#forget(() => {
          this.#cache.clear();
          this.#unknown.clear();
        }),
    });
  }

  async authenticate(header: string | undefined, lookUp = lookUpAtOnce): Promise<KeyCaller | null> {
    if (header === undefined) return null;
    const stored = this.#acceptedBefore(header) ?? (await this.#check(header, lookUp));
    if (stored === null) return null;
    const { organizationId, callerId } = stored.scope;
    this.#usage.record(organizationId, callerId);
    return callerOf(callerId, stored);
  }

  /** The key that was accepted under this very text, as long as the memory may be used. */
  #acceptedBefore(header: string): StoredKey | null {
    const cached = this.#cache.get(idOf(header));
    if (!cached?.accepted || !this.#isFresh(cached)) return null;
    const { text, stored } = cached.accepted;
    const sent = Buffer.from(header);
    return sent.length === text.length && timingSafeEqual(sent, text) ? stored : null;
  }

  async #check(header: string, lookUp: LookUp): Promise<StoredKey | null> {
    const key = parseKey(header);
    if (!key) return null;
    const hash = hashKey(key, this.#pepper);
    const keys = await this.#find(key, lookUp);
    const stored = keys.find(candidate => hashMatches(hash, candidate.secretHash));
    if (!stored) return refuse(hash);
    const cached = this.#cache.get(key.id);
    // Not where the key has changed and was read again meanwhile: then this is what it was before.
    if (cached?.keys.includes(stored)) cached.accepted = { text: Buffer.from(header), stored };
    return stored;
  }

  answered(request: KeyRequest, status: number): void {
    const { caller } = request;
    if (caller?.actor.type === 'api_key' && 'organizationId' in caller.scope)
      this.#usage.answered(caller.scope.organizationId, caller.actor.id, request, status);
  }

  get trusted(): boolean {
    return this.#listener.trusted();
  }

  async close(): Promise<void> {
    await this.#listener.close();
    await this.#usage.close();
  }

  #forget(drop: () => void): void {
    this.#generation++;
    this.#loading.clear();
    drop();
  }

  #isFresh(cached: Cached): boolean {
    return performance.now() < cached.until && this.#listener.trusted();
  }

  async #find({ id }: ApiKey, lookUp: LookUp): Promise<readonly StoredKey[]> {
    const cached = this.#cache.get(id);
    if (!cached) return this.#findUnseen(id, lookUp);
    if (this.#isFresh(cached)) return cached.keys;
    return this.#listener.trusted() ? this.#loadOnce(id) : findActiveKeys(this.#db, id);
  }

  async #findUnseen(id: string, lookUp: LookUp): Promise<readonly StoredKey[]> {
    if (this.#unknown.has(id) && (await this.#listener.caughtUp()) && this.#unknown.has(id)) return [];
    return lookUp(async () => {
      // It may have been read for another request while this one waited.
      const cached = this.#cache.get(id);
      if (cached && this.#isFresh(cached)) return cached.keys;
      return this.#listener.trusted() ? this.#loadOnce(id) : findActiveKeys(this.#db, id);
    });
  }

  #loadOnce(id: string): Promise<readonly StoredKey[]> {
    return this.#loading.get(id) ?? this.#load(id);
  }

  /** Reads the key once for all who ask meanwhile. */
  #load(id: string): Promise<readonly StoredKey[]> {
    const generation = this.#generation;
    const since = performance.now();
    const loading = findActiveKeys(this.#db, id)
      .then(keys => {
        // A key that expires is read again at that instant, and is not found then.
        const until = since + Math.min(cacheDuration, ...keys.map(key => key.remaining));
        if (generation === this.#generation) this.#keep(id, { keys, until });
        return keys;
      })
      .finally(() => {
        if (this.#loading.get(id) === loading) this.#loading.delete(id);
      });
    this.#loading.set(id, loading);
    return loading;
  }

  #keep(id: string, entry: Cached): void {
    this.#cache.delete(id);
    if (entry.keys.length === 0) {
      if (this.#unknown.size >= cacheMaximum) this.#unknown.delete(this.#unknown.values().next().value!);
      return void this.#unknown.add(id);
    }
    if (this.#cache.size >= cacheMaximum) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(id, entry);
  }
}

const noPermissions: ReadonlySet<string> = new Set();

function callerOf(id: string, { name, scope, quota }: StoredKey): KeyCaller {
  return { actor: { type: 'api_key', id, name }, scope, permissions: noPermissions, quota, authority: null };
}

/** Compares with nothing, so that an unknown key takes as long as one with a wrong secret. */
function refuse(hash: Buffer): null {
  hashMatches(hash, null);
  return null;
}
