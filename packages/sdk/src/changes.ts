import { filter } from './filter.ts';
import type { PageSource } from './list.ts';
import type { RequestOptions } from './options.ts';

/** Where the changes begin, and the options of their requests. */
export interface ChangesOptions extends RequestOptions {
  /** The checkpoint of the last run. Null, or absent: from the start, which is every resource. */
  since?: string | null | undefined;
  /** Most changes of a request. Default: 1000. */
  pageSize?: number | undefined;
}

/** Changes that were answered together, and the checkpoint behind them. */
export interface ChangesPage<T> {
  /** In the order of their changes. */
  readonly items: readonly T[];
  /** Store it when the work is done. */
  readonly checkpoint: string;
}

/** The fields of a resource that say where its change lies. */
interface Changed {
  readonly id: string;
  readonly updatedAt: string;
}

interface ChangesQuery {
  readonly sort: 'updatedAt';
  readonly pageSize: number;
  readonly filter?: string;
}

const checkpointPattern = /^(?<updatedAt>\d{4}-\d\d-\d\dT[\d:.]+Z)\/(?<id>[0-9a-fA-F]{24})$/;

/**
 * Every resource that has changed since the checkpoint, at least once and in its newest version, in the order of the changes. It ends
 * when it has caught up. Resources that come into the scope of the key without a write of their own are not reported: those of a
 * division or an employee that was moved.
 */
export class Changes<T extends Changed> implements AsyncIterable<T> {
  readonly #source: PageSource<T, ChangesQuery>;
  readonly #pageSize: number;
  #checkpoint: string | undefined;

  constructor({ since, pageSize = 1000 }: ChangesOptions, source: PageSource<T, ChangesQuery>) {
    if (typeof since === 'string' && !checkpointPattern.test(since))
      throw new TypeError('since must be a checkpoint of changes(), or null: from the start');
    this.#source = source;
    this.#pageSize = pageSize;
    this.#checkpoint = since ?? undefined;
  }

  /** Behind the last resource that the loop has finished, so store it after the loop; what you passed when there is none. */
  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** The changes in batches; store the checkpoint of a batch when its work is done, best in the same transaction. */
  async *pages(): AsyncGenerator<ChangesPage<T>, void, undefined> {
    for (;;) {
      const answer = await this.#source
        .read({
          sort: 'updatedAt',
          pageSize: this.#pageSize,
          ...(this.#checkpoint !== undefined && { filter: filterBehind(this.#checkpoint) }),
        })
        .withResponse();
      const { items, totalPages } = answer.data;
      if (!isBehind(this.#checkpoint, items))
        throw this.#source.unexpected(answer, 'the list has other changes than those that were asked for');
      if (items.length > 0) {
        const checkpoint = checkpointOf(items.at(-1)!);
        yield { items, checkpoint };
        this.#checkpoint = checkpoint;
      }
      if (totalPages <= 1) return;
    }
  }

  /** Every change. The checkpoint moves when the loop asks for the next one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages())
      for (const item of items) {
        yield item;
        this.#checkpoint = checkpointOf(item);
      }
  }
}

function checkpointOf({ updatedAt, id }: Changed): string {
  return `${updatedAt}/${id}`;
}

const partsOf = (checkpoint: string) =>
  checkpointPattern.exec(checkpoint)!.groups as { updatedAt: string; id: string };

/** All rows of a transaction share `updatedAt`, so the identifier tells which of them were read. */
function filterBehind(checkpoint: string): string {
  const { updatedAt, id } = partsOf(checkpoint);
  return filter`updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${id})`.text;
}

/** Whether each resource lies behind the one before it. Without its filter, a list would be answered for ever. */
function isBehind(checkpoint: string | undefined, items: readonly Changed[]): boolean {
  const places = items.map(checkpointOf);
  if (!places.every(place => checkpointPattern.test(place))) return false;
  const known = checkpoint === undefined ? places : [checkpoint, ...places];
  const parsed = known
    .map(partsOf)
    .map(({ updatedAt, id }) => ({ at: Date.parse(updatedAt), id: id.toLowerCase() }));
  return parsed.every(({ at, id }, index) => {
    const before = parsed[index - 1];
    return before === undefined || at > before.at || (at === before.at && id > before.id);
  });
}
