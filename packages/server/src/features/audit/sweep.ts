import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import {
  type AuditKeeping,
  auditSliceSize,
  auditStart,
  type Author,
  besideClock,
  removeAuditSlice,
  type Turn,
} from '../../write/writes.ts';
import { keepingOf, keptSince } from './retention.ts';
import { beginAnew, countBetween, lockReached, noteReached, readReached } from './sweep-store.ts';

/** What a part of a sweep has come to. */
export interface Swept {
  /** Entries that were removed. */
  readonly removed: number;
  /** Nothing is left to be looked at. */
  readonly isLast: boolean;
}

/**
 * Looks at the next entries of the audit of an organization that may have to go, and removes those that do: what is older than one of
 * the numbers of days that something is kept there, for each of these numbers in turn. Up to where it has looked is kept in the same
 * transaction, so that a sweep that is broken off goes on there, and what is kept for longer is looked at once for each number.
 * @throws those of the database
 */
export async function sweepOn(turn: Turn, session: Queryable, max: number = auditSliceSize): Promise<Swept> {
  const reached = await lockReached(turn, session);
  const keeping = await keepingOf(session, turn.organizationId);
  const numbers = numbersOf(keeping);
  const next = new Map(numbers.map(days => [days, reached.get(days) ?? auditStart]));
  let removed = 0;
  let isLast = true;
  for (const days of numbers) {
    const before = keptSince(turn.at, days);
    const slice = { keeping, days, from: next.get(days)!, before, max };
    const done = await removeAuditSlice(turn, session, slice);
    removed += done.removed;
    next.set(days, done.reached);
    isLast = done.isLast;
    if (!isLast) break;
  }
  await noteReached(turn, session, next);
  return { removed, isLast };
}

const sweepSlice = (turn: Turn, session: Queryable) => sweepOn(turn, session);

/** How many slices a sweep of an organization would have to look at now. */
export async function slicesLeft(db: Queryable, organizationId: string): Promise<number> {
  const now = new Date();
  const reached = await readReached(db, organizationId, now);
  let slices = 0;
  for (const days of numbersOf(await keepingOf(db, organizationId))) {
    const part = { from: reached.get(days) ?? auditStart, before: keptSince(now, days) };
    slices += Math.ceil((await countBetween(db, organizationId, part)) / auditSliceSize);
  }
  return slices;
}

/** The numbers of days that something is kept, each once, the fewest first. */
function numbersOf({ organization, tenants }: AuditKeeping): number[] {
  const all = new Set(tenants.values());
  if (organization !== null) all.add(organization);
  return [...all].sort((one, other) => one - other);
}

/**
 * Removes all that the audit of an organization need not keep any longer, in slices of a transaction each, and returns how much that
 * was. When the signal is aborted it ends behind a slice.
 * @throws those of the database
 */
export async function pruneAudit(
  db: Pool,
  organizationId: string,
  { author, signal }: { author: Author; signal: AbortSignal },
): Promise<number> {
  await besideClock(db, organizationId, author, beginAnew);
  for (let count = 0; ;) {
    const { removed, isLast } = await besideClock(db, organizationId, author, sweepSlice);
    count += removed;
    if (isLast || signal.aborted) return count;
  }
}
