import { timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../database/connect.ts';
import { listen, type Listener } from '../../database/listener.ts';
import type { Scope } from '../../scope.ts';
import { type ApiKey, hashKey, hashMatches, parseKey } from './rules.ts';
import { findActiveKeys, keyChannel, type StoredKey } from './store.ts';
import { KeyUsage } from './usage.ts';

/** How long a key is used from memory before it is read again, in milliseconds. */
const cacheDuration = 10_000;
/** Most keys in memory; the one read longest ago makes room. */
const cacheMaximum = 10_000;

/** A key that was presented, exists and is active. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly scope: Scope;
  /** The quota of the key, or null for the default one. */
  readonly quota: { requests: number; seconds: number } | null;
}

export interface Keyring {
  /** The key of an `X-API-Key` header, or null when it is missing, malformed, unknown, inactive or deleted. */
  authenticate(header: string | undefined): Promise<AuthenticatedKey | null>;
  /** Stops listening and writes when the keys were last used. */
  close(): Promise<void>;
}

export interface KeyringOptions {
  readonly sql: Sql;
  readonly pepper: Buffer;
  /** Told when the last uses could not be written; they are tried again. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Checks API keys. Active keys are kept in memory for 10 s and dropped by notification when they change. Memory is used
 * only while the notifications provably arrive; without them every request asks the database, so that a deactivated key
 * is refused within 1 s whatever happens (decisions.md section 1). Unknown keys are never kept.
 */
export function createKeyring(options: KeyringOptions): Keyring {
  return new CachedKeyring(options);
}

interface Cached {
  readonly keys: readonly StoredKey[];
  readonly until: number;
  /** The text that was accepted last, with its hash: an HMAC a request would cost more than all other checks together. */
  accepted?: { readonly text: Buffer; readonly hash: Buffer };
}

class CachedKeyring implements Keyring {
  readonly #sql: Sql;
  readonly #pepper: Buffer;
  readonly #usage: KeyUsage;
  readonly #listener: Listener;
  readonly #cache = new Map<string, Cached>();
  readonly #loading = new Map<string, Promise<readonly StoredKey[]>>();
  /** Counts what may have changed keys: what was read before such a moment is not kept after it. */
  #generation = 0;

  constructor({ sql, pepper, failed = () => {} }: KeyringOptions) {
    this.#sql = sql;
    this.#pepper = pepper;
    this.#usage = new KeyUsage(sql, failed);
    this.#listener = listen(sql, keyChannel, {
      notified: id => this.#forget(() => this.#cache.delete(id)),
      began: () => this.#forget(() => this.#cache.clear()),
    });
  }

  async authenticate(header: string | undefined): Promise<AuthenticatedKey | null> {
    const key = header === undefined ? null : parseKey(header);
    if (!key) return null;
    const text = Buffer.from(key.text);
    const hash = this.#hashOf(key, text);
    const found = this.#find(key);
    const keys = found instanceof Promise ? await found : found;
    const stored = keys.find(candidate => hashMatches(hash, candidate.secretHash));
    if (!stored) return refuse(hash);
    const cached = this.#cache.get(key.id);
    if (cached) cached.accepted ??= { text, hash };
    this.#usage.record(stored.scope.organizationId, key.id);
    return { id: key.id, scope: stored.scope, quota: stored.quota };
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

  #hashOf(key: ApiKey, text: Buffer): Buffer {
    const accepted = this.#cache.get(key.id)?.accepted;
    return accepted && timingSafeEqual(accepted.text, text) ? accepted.hash : hashKey(key, this.#pepper);
  }

  #find(key: ApiKey): Promise<readonly StoredKey[]> | readonly StoredKey[] {
    if (!this.#listener.trusted()) return findActiveKeys(this.#sql, key.id);
    const cached = this.#cache.get(key.id);
    if (cached && performance.now() < cached.until) return cached.keys;
    return this.#loading.get(key.id) ?? this.#load(key.id);
  }

  /** Reads the key once for all who ask meanwhile. */
  #load(id: string): Promise<readonly StoredKey[]> {
    const generation = this.#generation;
    const until = performance.now() + cacheDuration;
    const loading = findActiveKeys(this.#sql, id)
      .then(keys => {
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
    if (entry.keys.length === 0) return;
    if (this.#cache.size >= cacheMaximum) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(id, entry);
  }
}

/** Compares with nothing, so that an unknown key takes as long as one with a wrong secret. */
function refuse(hash: Buffer): null {
  hashMatches(hash, null);
  return null;
}
