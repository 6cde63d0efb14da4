import type { Page } from './contract.ts';
import { filter } from './filter.ts';
import type { RequestOptions } from './options.ts';

export interface ChangesOptions extends RequestOptions {
  /** The checkpoint of the last run; all resources when it is absent. */
  since?: string | undefined;
  /** Most changes of a request; 1000 by default. */
  pageSize?: number | undefined;
}

/** Changes that were answered together, and the checkpoint behind them. */
export interface ChangesPage<T> {
  readonly items: readonly T[];
  readonly checkpoint: string;
}

/** The fields of a resource that say where its change lies. */
interface Changed {
  readonly id: string;
  readonly updatedAt: string;
}

type ReadChanges<T> = (query: { sort: 'updatedAt'; pageSize: number; filter?: string }) => Promise<Page<T>>;

const checkpointPattern = /^(?<updatedAt>\d{4}-\d\d-\d\dT[\d:.]+Z)\/(?<id>[0-9a-fA-F]{24})$/;

/**
 * Every resource that has changed since the checkpoint, at least once and in its newest version, in the order of the changes. It ends
 * when it has caught up. Resources that come into the scope of the key without a write of their own are not reported: those of a
 * division or an employee that was moved.
 */
export class Changes<T extends Changed> implements AsyncIterable<T> {
  readonly #read: ReadChanges<T>;
  readonly #pageSize: number;
  #checkpoint: string | undefined;

  /** @throws TypeError when `since` is no checkpoint */
  constructor(since: string | undefined, pageSize = 1000, read: ReadChanges<T>) {
    if (since !== undefined && !checkpointPattern.test(since))
      throw new TypeError('since must be a checkpoint of changes()');
    this.#read = read;
    this.#pageSize = pageSize;
    this.#checkpoint = since;
  }

  /** Behind the last resource that the loop has finished, so store it after the loop; what you passed when there is none. */
  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** The changes in batches; store the checkpoint of a batch when its work is done, best in the same transaction. */
  async *pages(): AsyncGenerator<ChangesPage<T>, void, undefined> {
    for (;;) {
      const { items } = await this.#read({
        sort: 'updatedAt',
        pageSize: this.#pageSize,
        ...(this.#checkpoint !== undefined && { filter: filterBehind(this.#checkpoint) }),
      });
      if (items.length > 0) {
        const checkpoint = checkpointOf(items.at(-1)!);
        yield { items, checkpoint };
        this.#checkpoint = checkpoint;
      }
      if (items.length < this.#pageSize) return;
    }
  }

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

/** All rows of a transaction share `updatedAt`, so the identifier tells which of them were read. */
function filterBehind(checkpoint: string): string {
  const { updatedAt, id } = checkpointPattern.exec(checkpoint)!.groups as { updatedAt: string; id: string };
  return filter`updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${id})`.text;
}
