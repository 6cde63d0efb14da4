import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/connect.ts';
import { listen, type Listener } from '../db/listener.ts';
import type { Queryable } from '../db/session.ts';
import type { LookUp } from '../http/limits/credential-lookups.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { findKey, type StoredKey } from './api-key-store.ts';
import type { Caller } from './caller.ts';
import type { KnownRejection } from './rejection.ts';
import type { Scope } from './scope.ts';
import { hashMatches, hashSecret, newSecret, parseSecret, type Secret } from './secrets.ts';

/*
 * Authenticates API keys. In a process a key is in one of these states:
 *
 * unread   It is not in the cache: unknown, not active, or not used yet. It is read from the database, in the queue of the client's network.
 * cached   It was active when it was read, 10 s ago at most, and has not expired. It is used from memory. The header that was accepted last
 *          is compared as text, which takes a fraction of the time of its hash.
 * stale    It was read more than 10 s ago. It is read again, outside of the queue: unknown keys of its network do not hold it up.
 *
 * A notification (`keyChannel`) with each change makes a key unread; a read that began before is not cached. The cache is used only while
 * the listener is trusted, that is while its connection answers, and cleared when it has a new one. Without it each request reads its key.
 * So a key that was deactivated is rejected within 1 s.
 */

/** The channel that carries the id of every key that changed. */
export const keyChannel = 'kontor_key';

/** How long a key is used from memory before it is read again, in milliseconds. */
const cacheDuration = 10_000;

/** Most keys in the cache; the one read longest ago makes room. */
const cacheMaximum = 10_000;

/** A client of the public API: it sees a part of one organization. */
export type KeyCaller = Caller & { readonly scope: Scope };

interface Cached {
  readonly key: StoredKey;
  readonly until: number;
  /** The header that was accepted last. */
  accepted?: Buffer;
}

const lookUpAtOnce: LookUp = read => read();

/** See the states above. */
export class ApiKeyAuthenticator {
  readonly #db: Queryable;
  readonly #pepper: Buffer;
  readonly #listener: Listener;
  readonly #cache = new Map<string, Cached>();
  /** Replaced when a key may have changed: what was begun before is neither joined nor cached. */
  #reads = new SingleFlight<StoredKey | null>();

  constructor({ reads, target }: Pick<Database, 'reads' | 'target'>, pepper: Buffer) {
    this.#db = reads;
    this.#pepper = pepper;
    this.#listener = listen({ target, pool: reads }, keyChannel, {
      notified: id => {
        this.#cache.delete(id);
        this.#reads = new SingleFlight();
      },
      began: () => {
        this.#cache.clear();
        this.#reads = new SingleFlight();
      },
    });
  }

  /** Whether keys are used from memory. */
  get isCaching(): boolean {
    return this.#listener.trusted();
  }

  /**
   * The client of an `X-API-Key` header; why it is rejected where there is a key of this identifier; null where it is missing, malformed or
   * unknown. A key that is not in the cache is read by `lookUp`.
   */
  async authenticate(
    header: string | undefined,
    lookUp = lookUpAtOnce,
  ): Promise<KeyCaller | KnownRejection | null> {
    if (header === undefined) return null;
    const cached = this.#findCached(idOf(header));
    if (cached?.accepted && isSame(header, cached.accepted)) return callerOf(cached.key);
    const sent = parseKey(header);
    if (!sent) return null;
    const hash = hashKey(sent, this.#pepper);
    const key = cached?.key ?? (await this.#find(sent.id, lookUp));
    // Compared also where there is nothing to compare with, so that all take the same time.
    if (!hashMatches(hash, key?.status === 'active' ? key.secretHash : null)) return key && rejectionOf(key);
    const entry = this.#cache.get(sent.id);
    // Not where the key was read again meanwhile: it may have changed.
    if (entry && entry.key === key) entry.accepted = Buffer.from(header);
    return callerOf(key!);
  }

  async close(): Promise<void> {
    await this.#listener.close();
  }

  #findCached(id: string): Cached | undefined {
    const cached = this.#cache.get(id);
    return cached && performance.now() < cached.until && this.isCaching ? cached : undefined;
  }

  #find(id: string, lookUp: LookUp): Promise<StoredKey | null> {
    if (this.#cache.has(id)) return this.#read(id);
    // It may have been read for another request while this one waited.
    return lookUp(async () => this.#findCached(id)?.key ?? this.#read(id));
  }

  /** Reads the key once for all who ask meanwhile; without a trusted listener for each. */
  #read(id: string): Promise<StoredKey | null> {
    if (!this.isCaching) return findKey(this.#db, id);
    return this.#reads.inProgress(id) ?? this.#reads.begin(id, () => this.#load(id));
  }

  async #load(id: string): Promise<StoredKey | null> {
    const reads = this.#reads;
    const since = performance.now();
    const key = await findKey(this.#db, id);
    if (reads !== this.#reads) return key;
    this.#cache.delete(id);
    if (key?.status !== 'active') return key;
    if (this.#cache.size >= cacheMaximum) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(id, { key, until: since + Math.min(cacheDuration, key.remaining) });
    return key;
  }
}

function isSame(header: string, accepted: Buffer): boolean {
  const sent = Buffer.from(header);
  return sent.length === accepted.length && timingSafeEqual(sent, accepted);
}

const noPermissions: ReadonlySet<string> = new Set();

function callerOf({ id, name, scope, quota }: StoredKey): KeyCaller {
  return { actor: { type: 'api_key', id, name }, scope, permissions: noPermissions, quota, authority: null };
}

function rejectionOf({ id, status, scope: { organizationId } }: StoredKey): KnownRejection {
  return { action: 'key.use', id, organizationId, reason: status === 'active' ? 'wrong_secret' : status };
}

/** What the text of an API key begins with. */
const prefix = 'kontor';

/** A new random key. */
export function newKey(): Secret {
  return newSecret(prefix);
}

/** The key of a header, or null when it has another form or a wrong checksum. */
export function parseKey(text: string): Secret | null {
  return parseSecret(prefix, text);
}

/** The identifier in a text that is known to be a key; of any other text, something that may be none. */
function idOf(text: string): string {
  return text.slice(7, 19);
}

/** What is stored of a key, 32 bytes. */
export function hashKey(key: Secret, pepper: Buffer): Buffer {
  return hashSecret(key, pepper);
}
