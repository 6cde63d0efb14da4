import { setTimeout as delay } from 'node:timers/promises';
import { type Document, type Finding } from './ledger.ts';
import { behindFilter, query } from './reads.ts';
import type { Question, Round } from './round.ts';

const pageSize = 200;

/** Between two questions, in milliseconds. */
const pause = 100;

interface Row {
  readonly id: string;
  readonly updatedAt: string;
}

/** A client that keeps a checkpoint, and with it the latest version of every row that it was given. */
export class Poller {
  readonly #path: string;
  readonly #key: string;
  readonly #versions = new Map<string, string>();
  #last: Row = { id: '', updatedAt: '1970-01-01T00:00:00.000Z' };

  /** `path` is that of a collection, such as `/employees`. */
  constructor(path: string, key: string) {
    this.#path = path;
    this.#key = key;
  }

  /**
   * Polls until an empty answer to a question that was asked after `over` held, or until there is no hope of one; answers
   * whether it got one.
   */
  async run(round: Round, over: () => boolean, hopeless: () => boolean): Promise<boolean> {
    while (!hopeless()) {
      const last = over();
      const answer = await round.ask(this.#question());
      const items = answer?.status === 200 ? (answer.body.items as Row[]) : null;
      if (items?.length === 0 && last) return true;
      for (const item of items ?? []) this.#take(item);
      if (!items || items.length < pageSize) await delay(pause);
    }
    return false;
  }

  /** What it should have been given and was not; from then on it is taken as given. */
  *missed(stored: readonly Document[]): Generator<Finding> {
    for (const document of stored) {
      const id = document['id'] as string;
      const version = JSON.stringify(document);
      if (this.#versions.get(id) === version) continue;
      const had = this.#versions.get(id);
      yield {
        kind: 'change missed by a poller',
        detail: `${this.#path}/${id} of ${document['updatedAt']}, ${had ? 'an older version was given' : 'never given'}`,
      };
      this.#versions.set(id, version);
    }
  }

  #question(): Question {
    const start = this.#last.id === '' ? `updatedAt >= ${this.#last.updatedAt}` : behindFilter(this.#last);
    const path = `${this.#path}?${query({ filter: start, sort: 'updatedAt', pageSize })}`;
    const oracle: Question['oracle'] = ({ status, body }) =>
      status === 200 ? this.#disorder(body.items as Row[]) : `${status} in place of 200`;
    return { name: 'poll of the poller', method: 'GET', path, key: this.#key, oracle };
  }

  #take(item: Row): void {
    this.#last = item;
    this.#versions.set(item.id, JSON.stringify(item));
  }

  /** Each row comes behind the one before. */
  #disorder(items: readonly Row[]): string | null {
    if (!Array.isArray(items)) return '200 without items';
    let before = this.#last;
    for (const item of items) {
      const behind =
        item.updatedAt > before.updatedAt || (item.updatedAt === before.updatedAt && item.id > before.id);
      if (!behind) return `${item.id} of ${item.updatedAt} came behind ${before.id} of ${before.updatedAt}`;
      before = item;
    }
    return null;
  }
}
