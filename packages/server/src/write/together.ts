import { randomInt } from 'node:crypto';
import { type AuditReason, fold } from '@kontor/contract';
import { newId } from '../db/ids.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { Author } from './author.ts';
import { readClock } from './clock.ts';

/** What is one entry of the audit though it happened several times. */
export interface AuditedTogether extends Author {
  readonly action: string;
  /** Identifier of what it was done to. */
  readonly id: string;
  /** Why it was refused; null where it was done. */
  readonly reason: AuditReason | null;
  /** How many times. */
  readonly count: number;
  /** Milliseconds since the last time. */
  readonly age: number;
}

/** Writes entries into the audit of an organization that belong to no change of a resource, hence to no turn. */
export async function auditTogether(
  db: Queryable,
  organizationId: string,
  entries: readonly AuditedTogether[],
): Promise<void> {
  const { now } = await readClock(db);
  const column = <Value>(value: (entry: AuditedTogether, index: number) => Value) => entries.map(value);
  // Entries of one target may not have one instant: of the microseconds, which nobody is shown, each has others.
  const first = randomInt(1000);
  const at = ({ age }: AuditedTogether, index: number) =>
    withMicroseconds(new Date(now.getTime() - age), (first + index) % 1000);
  await db.run(sql`INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields, id, actor_type, actor_name,
      folded_actor_name, address, outcome, reason, n)
    SELECT ${organizationId}::text, at, target_id, action, actor, request_id, '{}', id, actor_type, actor_name,
      folded_actor_name, address, CASE WHEN reason IS NULL THEN 'done' ELSE 'refused' END, reason, n
    FROM unnest(${column(at)}::timestamptz[], ${column(({ id }) => id)}::text[],
      ${column(({ action }) => action)}::text[], ${column(({ actor }) => actor.id)}::text[],
      ${column(({ requestId }) => requestId)}::text[], ${column(() => newId())}::text[],
      ${column(({ actor }) => actor.type)}::text[], ${column(({ actor }) => actor.name)}::text[],
      ${column(({ actor }) => fold(actor.name))}::text[], ${column(({ address }) => address)}::text[],
      ${column(({ reason }) => reason)}::text[], ${column(({ count }) => count)}::int[])
      AS entry (at, target_id, action, actor, request_id, id, actor_type, actor_name, folded_actor_name, address, reason, n)`);
}

function withMicroseconds(at: Date, microseconds: number): string {
  return at.toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
}
