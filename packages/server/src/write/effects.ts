import { type AuditReason, fold } from '@kontor/contract';
import { newId } from '../db/ids.ts';
import { type InsertedColumn, insertRows } from '../db/insert-rows.ts';
import { type Fragment, join, sql } from '../db/sql.ts';
import type { Author } from './author.ts';
import type { Write } from './write-kind.ts';
import { randomInt } from 'node:crypto';
import type { Queryable } from '../db/session.ts';
import { readClock } from './clock.ts';

/** The families whose rows are counted. */
export type ResourceType = 'employee' | 'division' | 'order' | 'incident' | 'payroll_export_document';

/** What the audit keeps of a change of one resource. */
export interface Change {
  /** The identifier of the resource. */
  readonly id: string;
  readonly action: string;
  /** Names of the changed public fields, never their values. */
  readonly fields?: readonly string[];
}

/**
 * What the writes of one transaction change beside their own rows: counters and the audit. It is recorded as
 * they are decided, and stored together in the end.
 */
export class Effects {
  readonly #changes: (Change & Author)[] = [];
  readonly #counts = new Map<string, { resourceType: ResourceType; scope: string; n: number }>();

  audit(author: Author, change: Change): void {
    this.#changes.push({ ...author, ...change });
  }

  count(resourceType: ResourceType, scope: string, n: number): void {
    const name = `${resourceType}/${scope}`;
    this.#counts.set(name, { resourceType, scope, n: n + (this.#counts.get(name)?.n ?? 0) });
  }

  /** Takes over what another one has noted. */
  add(other: Effects): void {
    this.#changes.push(...other.#changes);
    for (const { resourceType, scope, n } of other.#counts.values()) this.count(resourceType, scope, n);
  }

  /**
   * The statements that store what was noted, at the instant of the transaction, behind these. The last of these is made a part
   * of them where it can be, since each statement costs as much as what it does.
   */
  statements(organizationId: string, at: Date | string, behind: readonly Fragment[] = []): Fragment[] {
    const before = [...behind];
    if (this.#changes.length === 0) return before;
    const stored = before.at(-1);
    const parts: Fragment[] = [];
    // A part that changes nothing would not be run, and one that has parts itself is rejected.
    if (stored && /^\s*(INSERT|UPDATE|DELETE)\b/.test(stored.text))
      parts.push(sql`stored AS (${before.pop()!})`);
    const counts = [...this.#counts.values()].filter(({ n }) => n !== 0);
    if (counts.length > 0) parts.push(sql`counted AS (${counting(organizationId, counts)})`);
    const audited = auditing(organizationId, { value: at }, this.#changes);
    return [...before, parts.length === 0 ? audited : sql`WITH ${join(parts)} ${audited}`];
  }
}

/** Counters are locked only by who has the write of the organization, so in any order. */
function counting(
  organizationId: string,
  counts: readonly { resourceType: ResourceType; scope: string; n: number }[],
): Fragment {
  const columns = [
    { name: 'organization_id', type: 'text', value: organizationId },
    { name: 'resource_type', type: 'text', values: counts.map(({ resourceType }) => resourceType) },
    { name: 'scope', type: 'text', values: counts.map(({ scope }) => scope) },
    { name: 'n', type: 'bigint', values: counts.map(({ n }) => n) },
  ];
  return sql`${insertRows('counter', columns, counts.length)} ${addedUp}`;
}

const addedUp = sql`ON CONFLICT (organization_id, resource_type, scope) DO UPDATE SET n = counter.n + excluded.n`;

/** Rows of the audit, all at one instant or each at its own. */
function auditing(
  organizationId: string,
  at: { value: Date | string } | { values: readonly string[] },
  entries: readonly (Change & Author)[],
  more: readonly InsertedColumn[] = [],
): Fragment {
  const text = (name: string, value: (entry: Change & Author) => string | null) => ({
    name,
    type: 'text',
    values: entries.map(value),
  });
  const columns: InsertedColumn[] = [
    { name: 'organization_id', type: 'text', value: organizationId },
    { name: 'at', type: 'timestamptz', ...at },
    text('target_id', ({ id }) => id),
    text('action', ({ action }) => action),
    text('actor', ({ actor }) => actor.id),
    text('request_id', ({ requestId }) => requestId),
    { name: 'fields', type: 'text[]', values: entries.map(({ fields }) => [...(fields ?? [])]) },
    text('id', () => newId()),
    text('actor_type', ({ actor }) => actor.type),
    text('actor_name', ({ actor }) => actor.name),
    text('folded_actor_name', ({ actor }) => fold(actor.name)),
    text('address', ({ address }) => address),
  ];
  return insertRows('audit', [...columns, ...more], entries.length);
}

/**
 * What counts rows that the statement around it changes itself: `changes` selects `scope` and `n`, of which some may be null
 * and are left out.
 */
export function countEach(write: Write, resourceType: ResourceType, changes: Fragment): Fragment {
  return sql`INSERT INTO counter (organization_id, resource_type, scope, n)
    SELECT ${write.organizationId}::text, ${resourceType}::text, scope, sum(n) FROM (${changes}) AS change (scope, n)
    WHERE scope IS NOT NULL GROUP BY scope HAVING sum(n) <> 0 ${addedUp}`;
}

/** What audits rows that the statement around it creates itself: `created` is their name in it, with `id`. */
export function auditEach(write: Write, action: string, created: Fragment): Fragment {
  const { actor, requestId, address } = write.author;
  // Identifiers of entries: the seconds, and what follows from a new one together with that of the row.
  const seed = newId();
  return sql`INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields, id, actor_type, actor_name,
      folded_actor_name, address)
    SELECT ${write.organizationId}::text, ${write.at}::timestamptz, id, ${action}::text, ${actor.id}::text, ${requestId}::text, '{}',
      ${seed.slice(0, 8)}::text || substr(md5(${seed}::text || id), 1, 16), ${actor.type}::text, ${actor.name}::text,
      ${fold(actor.name)}::text, ${address}::text
    FROM ${created}`;
}

/** One entry of the audit for something that happened several times. */
export interface AuditedBatched extends Change, Author {
  /** Why it was rejected; null where it was done. */
  readonly reason: AuditReason | null;
  readonly count: number;
  /** Milliseconds since the last time. */
  readonly age: number;
}

/** Writes entries into the audit of an organization that belong to no change of a resource. */
export async function auditBatched(
  db: Queryable,
  organizationId: string,
  entries: readonly AuditedBatched[],
): Promise<void> {
  const { now } = await readClock(db);
  // Entries of one target may not have one instant: each has other microseconds, which are never shown.
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
