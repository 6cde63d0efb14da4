import { type AuditAction, type AuditReason, fold } from '@kontor/contract';
import { newId } from '../db/ids.ts';
import { columnsOf, type InsertedColumn, insertRows } from '../db/insert-rows.ts';
import { type Fragment, join, sql } from '../db/sql.ts';
import type { Author } from './author.ts';
import { randomInt } from 'node:crypto';
import type { ChangedValues } from '../lib/changed-values.ts';
import type { Queryable } from '../db/session.ts';
import { readClock } from './clock.ts';

/** `at` is the timestamp of everything in the transaction. */
export interface WriteFacts {
  readonly organizationId: string;
  readonly at: Date;
  readonly author: Author;
  readonly dryRun: boolean;
}

/** The resource types whose rows are counted. */
export type ResourceType = 'employee' | 'division' | 'order' | 'incident' | 'payroll_export_document';

export interface Change {
  readonly id: string;
  readonly action: AuditAction;
  /** Names of the changed public fields, never their values. */
  readonly fields?: readonly string[];
  /** Changed values of settings. They contain no secret, and nothing about employees. */
  readonly changes?: ChangedValues;
}

/** An idempotency key and its request, as digests, and the resource that was stored with it. */
export interface UsedKey {
  readonly key: string;
  readonly request: string;
  readonly resource: string;
}

/** The changes of one transaction besides its own rows: counters, audit and idempotency keys. They are collected first and stored at the end. */
export class Effects {
  readonly #changes: (Change & Author)[] = [];
  readonly #keys: UsedKey[] = [];
  readonly #counts = new Map<string, { resourceType: ResourceType; scope: string; n: number }>();

  audit(author: Author, change: Change): void {
    this.#changes.push({ ...author, ...change });
  }

  count(resourceType: ResourceType, scope: string, n: number): void {
    const name = `${resourceType}/${scope}`;
    this.#counts.set(name, { resourceType, scope, n: n + (this.#counts.get(name)?.n ?? 0) });
  }

  useKey(key: UsedKey): void {
    this.#keys.push(key);
  }

  add(other: Effects): void {
    this.#keys.push(...other.#keys);
    this.#changes.push(...other.#changes);
    for (const { resourceType, scope, n } of other.#counts.values()) this.count(resourceType, scope, n);
  }

  /**
   * Returns the statements of the writes, followed by those that store the effects at the instant of the transaction.
   * The last of `sent` is merged into them if possible, because each statement costs as much as its work.
   */
  statements(organizationId: string, at: Date | string, sent: readonly Fragment[] = []): Fragment[] {
    const before = [...sent];
    const keys = this.#keys.length === 0 ? [] : [usingKeys(organizationId, at, this.#keys)];
    if (this.#changes.length === 0) return [...before, ...keys];
    const stored = before.at(-1);
    const parts: Fragment[] = [];
    // PostgreSQL does not run an unreferenced CTE without changes, and rejects a data-modifying WITH below the top level.
    if (stored && /^\s*(INSERT|UPDATE|DELETE)\b/.test(stored.text))
      parts.push(sql`stored AS (${before.pop()!})`);
    const counts = [...this.#counts.values()].filter(({ n }) => n !== 0);
    if (counts.length > 0) parts.push(sql`counted AS (${counting(organizationId, counts)})`);
    parts.push(...keys.map(insert => sql`used AS (${insert})`));
    const audited = auditing(organizationId, { value: at }, this.#changes);
    return [...before, parts.length === 0 ? audited : sql`WITH ${join(parts)} ${audited}`];
  }
}

/** Under the clock nothing else uses the keys of an organization, so none is there twice. */
function usingKeys(organizationId: string, at: Date | string, keys: readonly UsedKey[]): Fragment {
  const column = columnsOf(keys);
  const columns = [
    { name: 'organization_id', type: 'text', value: organizationId },
    column('key_digest', ({ key }) => key),
    column('request_digest', ({ request }) => request),
    column('resource_id', ({ resource }) => resource),
    { name: 'stored_at', type: 'timestamptz', value: at },
  ];
  return insertRows('idempotency_key', columns);
}

/** Only the holder of the organization's clock locks counters, so their order does not matter. */
function counting(
  organizationId: string,
  counts: readonly { resourceType: ResourceType; scope: string; n: number }[],
): Fragment {
  const column = columnsOf(counts);
  const columns = [
    { name: 'organization_id', type: 'text', value: organizationId },
    column('resource_type', ({ resourceType }) => resourceType),
    column('scope', ({ scope }) => scope),
    column('n', ({ n }) => n, 'bigint'),
  ];
  return sql`${insertRows('counter', columns)} ${addedUp}`;
}

const addedUp = sql`ON CONFLICT (organization_id, resource_type, scope) DO UPDATE SET n = counter.n + excluded.n`;

/** Inserts audit entries, either all at one instant or each at its own. */
function auditing(
  organizationId: string,
  at: { value: Date | string } | { values: readonly string[] },
  entries: readonly (Change & Author)[],
  more: readonly InsertedColumn[] = [],
): Fragment {
  const column = columnsOf(entries);
  const columns = [
    { name: 'organization_id', type: 'text', value: organizationId },
    { name: 'at', type: 'timestamptz', ...at },
    column('target_id', ({ id }) => id),
    column('action', ({ action }) => action),
    column('actor', ({ actor }) => actor.id),
    column('request_id', ({ requestId }) => requestId),
    column('fields', ({ fields }) => [...(fields ?? [])], 'text[]'),
    column('id', () => newId()),
    column('actor_type', ({ actor }) => actor.type),
    column('actor_name', ({ actor }) => actor.name),
    column('folded_actor_name', ({ actor }) => fold(actor.name)),
    column('address', ({ address }) => address),
    column('changes', ({ changes }) => (changes ? JSON.stringify(changes) : null), 'json'),
    ...more,
  ];
  return insertRows('audit', columns);
}

/** Counts rows that the surrounding statement changes. `changes` selects `scope` and `n`; rows with a null scope are skipped. */
export function countEach(write: WriteFacts, resourceType: ResourceType, changes: Fragment): Fragment {
  return sql`INSERT INTO counter (organization_id, resource_type, scope, n)
    SELECT ${write.organizationId}::text, ${resourceType}::text, scope, sum(n) FROM (${changes}) AS change (scope, n)
    WHERE scope IS NOT NULL GROUP BY scope HAVING sum(n) <> 0 ${addedUp}`;
}

/** Audits rows that the surrounding statement creates. `created` is the name of their CTE, which has a column `id`. */
export function auditEach(write: WriteFacts, action: AuditAction, created: Fragment): Fragment {
  const { actor, requestId, address } = write.author;
  // The id of an entry: the present seconds, and a hash of a new id and the row's id.
  const seed = newId();
  return sql`INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields, id, actor_type, actor_name,
      folded_actor_name, address)
    SELECT ${write.organizationId}::text, ${write.at}::timestamptz, id, ${action}::text, ${actor.id}::text, ${requestId}::text, '{}',
      ${seed.slice(0, 8)}::text || substr(md5(${seed}::text || id), 1, 16), ${actor.type}::text, ${actor.name}::text,
      ${fold(actor.name)}::text, ${address}::text
    FROM ${created}`;
}

/** An audit entry for an action that occurred several times. */
export interface AuditedBatched extends Change, Author {
  /** The reason of the rejection; null if the action was done. */
  readonly reason: AuditReason | null;
  readonly count: number;
  /** Milliseconds since the last occurrence. */
  readonly age: number;
}

/** Writes audit entries that belong to no change of a resource. */
export async function auditBatched(
  db: Queryable,
  organizationId: string,
  entries: readonly AuditedBatched[],
): Promise<void> {
  const { now } = await readClock(db);
  // Entries of one target need distinct instants. The microseconds differ; they are never shown.
  const first = randomInt(1000);
  const values = entries.map(({ age }, index) => {
    const microseconds = String((first + index) % 1000).padStart(3, '0');
    return new Date(now.getTime() - age).toISOString().replace('Z', `${microseconds}Z`);
  });
  const more = [
    { name: 'outcome', type: 'text', values: entries.map(({ reason }) => (reason ? 'rejected' : 'done')) },
    { name: 'reason', type: 'text', values: entries.map(({ reason }) => reason) },
    { name: 'n', type: 'int', values: entries.map(({ count }) => count) },
  ];
  await db.run(auditing(organizationId, { values }, entries, more));
}
