import type { Kontor } from '@kontor/sdk';
import type { OnProgress } from '../terminal.ts';
import type { Output } from './output.ts';
import { type Reader, readerOf, type ResourceType } from './resource-types.ts';

/** Rows of a type that became others, or disappeared. */
export interface Read {
  readonly changed: number;
  readonly removed: number;
}

/** Comparisons with Kontor while it changes all the time. The next pull then finds rows that have disappeared. */
const maxComparisons = 3;

/**
 * Brings the stored rows of a type up to date. Changes are read after the checkpoint, so a killed pull goes on where it was. The newest row and the
 * number of all rows come from one page, so they are of one moment. If both do not match what is stored, rows have disappeared: they left
 * the scope of the key, or Kontor has the backup of an earlier day. Only then, or if it `isFull`, everything is read.
 */
export async function readType(
  output: Output,
  kontor: Kontor,
  type: ResourceType,
  { isFull, progressFrom }: { readonly isFull: boolean; readonly progressFrom: (done: number) => OnProgress },
): Promise<Read> {
  const reader = readerOf(kontor, type);
  let changed = 0;
  for (let comparison = 0; comparison < maxComparisons; comparison++) {
    const { items, totalElements } = await reader.list({ sort: '-updatedAt', pageSize: 1 }).page();
    const newest = items[0] === undefined ? null : `${items[0].updatedAt}/${items[0].id}`;
    const checkpoint = output.checkpoint(type);
    const isBehind = newest !== null && (checkpoint === null || newest > checkpoint);
    if (isFull || (!isBehind && (newest !== checkpoint || totalElements !== output.count(type)))) {
      const onProgress = progressFrom(0);
      const all = await readAll(output, reader, type, done => onProgress(done, totalElements));
      return { ...all, changed: changed + all.changed };
    }
    if (!isBehind) break;
    const before = output.count(type);
    const onProgress = before < totalElements ? progressFrom(before) : null;
    let done = before;
    for await (const page of reader.changes({ since: checkpoint }).pages()) {
      changed += output.putChanges(type, page.items, page.checkpoint);
      onProgress?.((done += page.items.length), totalElements);
    }
  }
  return { changed, removed: 0 };
}

async function readAll(
  output: Output,
  reader: Reader,
  type: ResourceType,
  onProgress: (done: number) => void,
): Promise<Read> {
  let changed = 0;
  let done = 0;
  let last: string | null = null;
  output.beginSeen();
  for await (const { items, checkpoint } of reader.changes({ since: null }).pages()) {
    changed += output.putSeen(type, items);
    last = checkpoint;
    onProgress((done += items.length));
  }
  return { changed, removed: output.endSeen(type, last) };
}
