import { isDeepStrictEqual } from 'node:util';
import { advisesReading, deniesStoring, hasFields } from './oracle.ts';
import type { ResourceType, Write } from './writes.ts';

/** Something that must not be. The kind is the same for what has the same reason. */
export interface Finding {
  readonly kind: string;
  readonly detail: string;
}

/** A public document, as it is stored. */
export type Document = Readonly<Record<string, any>>;

/** What the database holds when all has come to rest. */
export interface Stored {
  readonly documents: Readonly<Record<ResourceType, readonly Document[]>>;
  /** The request and the target of each audit row of a request. */
  readonly audit: readonly { readonly requestId: string; readonly targetId: string }[];
}

/** The field that a create puts its mark in. Orders are not created. */
const createField: Readonly<Record<ResourceType, string | null>> = {
  employee: 'email',
  division: 'name',
  incident: 'description',
  employee_order: null,
};

/** The mark of the last change of a document; null: it was not changed. */
const changeMark: Partial<Record<ResourceType, (document: Document) => string | null>> = {
  employee: document => document['city'],
  employee_order: document => document['hrHistory']?.comment ?? null,
};

/**
 * Compares the writes, in the order in which they were sent, with what is stored: acknowledged ones are all there, once and
 * as they were acknowledged; the others at most once; rejected ones and what was no write not at all; each with its audit row.
 */
export function* checkWrites(writes: readonly Write[], stored: Stored): Generator<Finding> {
  const audits = Map.groupBy(stored.audit, ({ requestId }) => requestId);
  const auditsOf = ({ requestId }: Write) => audits.get(requestId!)?.length ?? 0;
  const created = writes.filter(({ target }) => target === null);
  const byMark = indexByMark(stored);
  for (const write of created) yield* checkCreate(write, byMark.get(write.mark) ?? [], auditsOf(write));
  const changed = writes.filter(({ target }) => target !== null);
  const byId = new Map(
    Object.values(stored.documents)
      .flat()
      .map(document => [document['id'] as string, document]),
  );
  for (const [id, changes] of Map.groupBy(changed, ({ target }) => target!))
    yield* checkChanges(changes, byId.get(id)!, auditsOf);
  const known = new Set(writes.map(({ requestId }) => requestId));
  for (const { requestId, targetId } of stored.audit)
    if (!known.has(requestId))
      yield {
        kind: 'audit row of a request that writes nothing',
        detail: `request ${requestId} on ${targetId}`,
      };
}

function indexByMark({ documents }: Stored): Map<string, Document[]> {
  const marked = Object.entries(documents).flatMap(([resourceType, list]) => {
    const field = createField[resourceType as ResourceType];
    return field === null ? [] : list.map(document => [document[field] as string, document] as const);
  });
  const index = new Map<string, Document[]>();
  for (const [mark, document] of marked) index.set(mark, [...(index.get(mark) ?? []), document]);
  return index;
}

function* checkCreate(write: Write, rows: readonly Document[], audits: number): Generator<Finding> {
  const { outcome, mark, resourceType } = write;
  const detail = `${resourceType} ${mark}, request ${write.requestId}`;
  if (rows.length > 1) yield { kind: 'write stored more than once', detail };
  if (audits !== Math.min(rows.length, 1))
    yield { kind: 'wrong number of audit rows', detail: `${audits} of ${detail}` };
  const [row] = rows;
  if (outcome.state === 'acknowledged') {
    if (!row) yield { kind: 'acknowledged write lost', detail };
    else if (!isDeepStrictEqual(row, outcome.body))
      yield { kind: 'stored otherwise than acknowledged', detail };
  } else if (row) {
    if (outcome.state === 'rejected') yield { kind: 'refused write stored', detail };
    if (!hasFields(row, write.fields)) yield { kind: 'stored otherwise than sent', detail };
    yield* checkAdvice(write, detail);
  }
}

/** The changes of one document, in their order. */
function* checkChanges(
  changes: readonly Write[],
  document: Document,
  auditsOf: (write: Write) => number,
): Generator<Finding> {
  const { resourceType, target } = changes[0]!;
  const mark = changeMark[resourceType]!(document);
  const last = changes.findLast(({ outcome }) => outcome.state === 'acknowledged');
  const possible = changes.slice(last ? changes.indexOf(last) : 0).filter(isPossible);
  const place = `${resourceType} ${target}: it has ${mark}`;
  if (last && !possible.some(change => change.mark === mark))
    yield { kind: 'acknowledged write lost', detail: `${place}, acknowledged was ${last.mark}` };
  if (!last && mark !== null && !possible.some(change => change.mark === mark))
    yield { kind: 'stored otherwise than sent', detail: place };
  if (last?.mark === mark && last.outcome.state === 'acknowledged')
    if (!isDeepStrictEqual(document, last.outcome.body))
      yield { kind: 'stored otherwise than acknowledged', detail: place };
  for (const change of changes) yield* checkChange(change, change.mark === mark, auditsOf(change));
}

function isPossible({ outcome }: Write): boolean {
  return outcome.state !== 'rejected';
}

function* checkChange(write: Write, present: boolean, audits: number): Generator<Finding> {
  const { outcome, mark, resourceType, target } = write;
  const detail = `${resourceType} ${target} ${mark}, request ${write.requestId}`;
  const certain = present || outcome.state === 'acknowledged';
  const min = certain ? 1 : 0;
  const max = outcome.state === 'rejected' ? 0 : 1;
  if (audits < min || audits > max)
    yield { kind: 'wrong number of audit rows', detail: `${audits} of ${detail}` };
  if (outcome.state !== 'acknowledged' && audits > 0) yield* checkAdvice(write, detail);
}

/** No answer may ask a client to send again what was stored (specification.md 2.9). */
function* checkAdvice({ outcome }: Write, detail: string): Generator<Finding> {
  if (outcome.state !== 'unknown' || outcome.message === null) return;
  if (deniesStoring(outcome.message))
    yield { kind: 'write stored whose answer says that nothing was stored', detail };
  else if (!advisesReading(outcome.message))
    yield { kind: 'write stored whose answer does not tell to read first', detail };
}
