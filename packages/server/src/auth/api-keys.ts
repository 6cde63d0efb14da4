import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/connect.ts';
import { listen, type Listener } from '../db/listener.ts';
import type { Queryable } from '../db/session.ts';
import type { LookUp } from './credential-lookups.ts';
import { SingleFlight } from '../lib/concurrency/single-flight.ts';
import { findKey, rehashKey, type StoredKey } from './api-key-store.ts';
import type { Caller } from './caller.ts';
import type { KnownRejection } from './rejection.ts';
import type { Scope } from './scope.ts';
import { hashSecret, matchPepper, newSecret, type Pepper, parseSecret, type Secret } from './secrets.ts';

/*
 * Authenticates API keys. In a process a key is in one of these states:
 *
 * unread   It is not cached: unknown, not active, or not used yet. It is read from the database, in the queue of the client's network.
 * cached   It was active when it was read, at most 10 s ago, and has not expired. It is used from memory. The header that was
 *          accepted last is compared as text, which is much faster than its hash.
 * stale    It was read more than 10 s ago. It is read again outside of the queue, so unknown keys of its network do not delay it.
 *
 * Each change of a key sends a notification on `keyChannel`, which makes the key unread. A read that began earlier is not cached. The cache is used
 * only while the listener is trusted, that is, while its connection answers. A new connection clears the cache. Without a trusted listener each
 * request reads its key. So a deactivated key is rejected within 1 s.
 */

/** The channel with the id of every changed key. */
export const keyChannel = 'kontor_key';

/** Milliseconds. */
const cacheDuration = 10_000;

/** At the maximum, the key read longest ago is evicted. */
const cacheMaximum = 10_000;

/** A client of the public API, with access to a part of one organization. */
export type KeyCaller = Caller & { readonly scope: Scope };

interface Cached {
  readonly key: StoredKey;
  readonly until: number;
  accepted?: Buffer;
}

const lookUpAtOnce: LookUp = read => read();

export class ApiKeyAuthenticator {
  readonly #db: Queryable;
  readonly #writes: Queryable;
  readonly #pepper: Pepper;
  readonly #listener: Listener;
  readonly #cache = new Map<string, Cached>();
  /** Keys with a hash of the previous pepper that is being replaced. */
  readonly #rehashing = new Set<string>();
  /** Replaced when a key may have changed. Reads that began earlier are neither joined nor cached. */
  #reads = new SingleFlight<StoredKey | null>();

  constructor({ reads, writes, target }: Pick<Database, 'reads' | 'writes' | 'target'>, pepper: Pepper) {
    this.#db = reads;
    this.#writes = writes;
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

  /** Returns the client, the rejection of a known key, or null for a missing, malformed or unknown key. `lookUp` reads a key that is not cached. */
  async authenticate(
    header: string | undefined,
    lookUp = lookUpAtOnce,
  ): Promise<KeyCaller | KnownRejection | null> {
    if (header === undefined) return null;
    const cached = this.#findCached(idOf(header));
    if (cached?.accepted && isSame(header, cached.accepted)) return callerOf(cached.key);
    const sent = parseKey(header);
    if (!sent) return null;
    const key = cached?.key ?? (await this.#find(sent.id, lookUp));
    // Also compared without a stored hash, so that the response time is always the same.
    const pepper = matchPepper(sent, this.#pepper, key?.status === 'active' ? key.secretHash : null);
    if (pepper === null) return key && rejectionOf(key);
    if (pepper !== this.#pepper) this.#rehash(sent, key!);
    const entry = this.#cache.get(sent.id);
    // A key that was read again meanwhile may have changed.
    if (entry && entry.key === key) entry.accepted = Buffer.from(header);
    return callerOf(key!);
  }

  async close(): Promise<void> {
    await this.#listener.close();
  }

  /** Runs in the background. A failure is ignored, as a later request tries again. */
  #rehash(sent: Secret, key: StoredKey): void {
    if (this.#rehashing.has(sent.id)) return;
    this.#rehashing.add(sent.id);
    rehashKey(this.#writes, key, { secretHash: hashKey(sent, this.#pepper), pepper: this.#pepper })
      .then(() => this.#cache.delete(sent.id))
      .catch(() => {})
      .finally(() => this.#rehashing.delete(sent.id));
  }

  #findCached(id: string): Cached | undefined {
    const cached = this.#cache.get(id);
    return cached && performance.now() < cached.until && this.isCaching ? cached : undefined;
  }

  #find(id: string, lookUp: LookUp): Promise<StoredKey | null> {
    if (this.#cache.has(id)) return this.#read(id);
    // Another request may have read it while this one waited.
    return lookUp(async () => this.#findCached(id)?.key ?? this.#read(id));
  }

  /** Concurrent requests share one read. Without a trusted listener each request reads. */
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

function callerOf({ id, name, scope, permissions: keyPermissions, quota }: StoredKey): KeyCaller {
  const actor = { type: 'api_key', id, name } as const;
  return { actor, scope, permissions: noPermissions, keyPermissions, quota, authority: null };
}

function rejectionOf({ id, status, scope: { organizationId } }: StoredKey): KnownRejection {
  return { action: 'key.use', id, organizationId, reason: status === 'active' ? 'wrong_secret' : status };
}

const prefix = 'kontor';

export function newKey(): Secret {
  return newSecret(prefix);
}

/** Null for another form or a wrong checksum. */
export function parseKey(text: string): Secret | null {
  return parseSecret(prefix, text);
}

/** The identifier in the text of a key. Any other text gives a meaningless result. */
function idOf(text: string): string {
  return text.slice(7, 19);
}

export function hashKey(key: Secret, pepper: Buffer): Buffer {
  return hashSecret(key, pepper);
}
