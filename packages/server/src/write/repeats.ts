/*
 * A write with an `Idempotency-Key` is stored at most once. The states of a key, which belongs to one API key:
 *
 * | state     | row  | the same request                                          | another request         |
 * | --------- | ---- | --------------------------------------------------------- | ----------------------- |
 * | free      | none | is decided like one without a key; stored: the key is used | the same               |
 * | in flight | none | waits: for its target in the queue, for the clock elsewhere | waits; is then rejected |
 * | used      | one  | is replayed: stores nothing, answers as the first one     | 422 VALIDATION_ERROR    |
 *
 * The row is stored in the transaction of the write, so a rejection or a rollback leaves the key free. A used key becomes free 24 hours later
 * (`jobs/idempotency-keys.ts`), and when a person is erased. A replay is a write: it takes the clock and commits, so it is answered only when
 * the standby has the first write, too.
 */
import { ApiError, unprocessable } from '@kontor/contract';
import { columnsOf, insertRows } from '../db/insert-rows.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import type { WriteCall } from './author.ts';
import { type Decision, decision, type Outcome, type Repeat, Unchanged, unchanged } from './decision.ts';

/** An `Idempotency-Key` with its API key, and the request that it was sent with, as digests. Neither text reaches the database or a log. */
export interface IdempotencyKey {
  readonly key: string;
  readonly request: string;
  readonly recordReplay: () => void;
}

/** A call that may have an idempotency key. A dry run has none. */
export interface Repeatable extends WriteCall {
  readonly idempotencyKey?: IdempotencyKey | null;
}

/** The outcome of a call whose key is used. */
export const repeated = new Unchanged<never>(undefined as never);

/** Two requests with one key must not share a transaction, as the second one must find the row of the first. */
export function keyTargets({ idempotencyKey }: Repeatable): string[] {
  return idempotencyKey ? [`key ${idempotencyKey.key}`] : [];
}

interface Row {
  readonly key: string;
  readonly request: string;
  readonly resource: string;
}

async function findRows(db: Queryable, calls: readonly Repeatable[]): Promise<readonly Row[]> {
  const keys = calls.flatMap(({ idempotencyKey }) => idempotencyKey?.key ?? []);
  if (keys.length === 0) return [];
  return db.rows<Row>(sql`
    SELECT key_digest AS key, request_digest AS request, resource_id AS resource FROM idempotency_key
    WHERE organization_id = ${calls[0]!.scope.organizationId} AND key_digest = ANY(${keys}::text[])`);
}

/** The outcome of each call with a used key; null for the others, which are to be decided. */
export async function findRepeated(
  db: Queryable,
  calls: readonly Repeatable[],
): Promise<(Outcome<never> | null)[]> {
  const rows = await findRows(db, calls);
  return calls.map(({ idempotencyKey }) => {
    const row = rows.find(({ key }) => key === idempotencyKey?.key);
    if (row === undefined) return null;
    return row.request === idempotencyKey!.request ? repeated : { error: usedOtherwise() };
  });
}

function usedOtherwise(): ApiError {
  return unprocessable(
    'Idempotency-Key was sent with another request before: use a new one for each write, and send a repeat unchanged',
  );
}

/** A call that was stored, with the resource of its decision. */
export interface Keyed {
  readonly idempotencyKey: IdempotencyKey;
  readonly resource: string;
}

/** The statement that uses keys up. */
export function usingKeys(organizationId: string, at: Date, keyed: readonly Keyed[]): Fragment {
  const column = columnsOf(keyed);
  const columns = [
    { name: 'organization_id', type: 'text', value: organizationId },
    column('key_digest', ({ idempotencyKey }) => idempotencyKey.key),
    column('request_digest', ({ idempotencyKey }) => idempotencyKey.request),
    column('resource_id', ({ resource }) => resource),
    { name: 'stored_at', type: 'timestamptz', value: at },
  ];
  return insertRows('idempotency_key', columns, keyed.length);
}

/** The resource of a used key, read again: null when it is not in the scope of the caller. */
export interface Replayed<Result> {
  readonly resource: Result | null;
}

/** The write that replays a call. Its result is null when the key has become free. */
export function replayOf<Input extends Repeatable, Result>(
  input: Input,
  { read }: Repeat<Input, Result>,
): Decision<WriteCall, Replayed<Result> | null, Replayed<Result>, Replayed<Result> | null> {
  return decision({
    early: false,
    targets: () => keyTargets(input),
    async read(db): Promise<Replayed<Result> | null> {
      const [row] = await findRows(db, [input]);
      return row === undefined ? null : { resource: await read(db, input, row.resource) };
    },
    plan: (_call, found) => found ?? unchanged(null),
    store(write, found) {
      write.send(sql`
        UPDATE idempotency_key SET replayed_at = ${write.at}
        WHERE organization_id = ${write.organizationId} AND key_digest = ${input.idempotencyKey!.key}`);
      return found;
    },
  });
}

/** After the commit, since the message says that the first request was stored. */
export function outOfScope(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    'The first request with this Idempotency-Key was stored, but its resource is no longer visible to the key',
  );
}
