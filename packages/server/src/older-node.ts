/**
 * Imported for its effect by what is run: what Kontor uses of the language and Node 20 and 22 lack. Node 24 has all of it.
 * `tools/pack/tsconfig.json` allows these and nothing else that is newer than Node 20.
 */

Promise.withResolvers ??= function withResolvers<T>() {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (reason?: unknown) => void;
  const promise = new Promise<T>((...functions) => ([resolve, reject] = functions));
  return { promise, resolve, reject };
};

Map.groupBy ??= function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** What all iterators inherit from. */
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as Iterator<unknown> & {
  take?: IteratorObject<unknown>['take'];
};

iterators.take ??= function* take(this: IteratorObject<unknown>, limit: number) {
  for (let taken = 0; taken < limit; taken++) {
    const { done, value } = this.next();
    if (done) return;
    yield value;
  }
} as IteratorObject<unknown>['take'];

/** Takes down what was put on it, the last first; of several errors the last is thrown. */
class Stack implements AsyncDisposableStack {
  #entries: (() => unknown)[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  get [Symbol.toStringTag](): string {
    return 'AsyncDisposableStack';
  }

  defer(dispose: () => unknown): void {
    if (this.#disposed) throw new ReferenceError('the stack has been disposed of already');
    this.#entries.push(dispose);
  }

  adopt<T>(value: T, dispose: (value: T) => unknown): T {
    this.defer(() => dispose(value));
    return value;
  }

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value === null || value === undefined) return value;
    if (Symbol.asyncDispose in value) this.defer(() => value[Symbol.asyncDispose]());
    else this.defer(() => value[Symbol.dispose]());
    return value;
  }

  move(): Stack {
    const moved = new Stack();
    moved.#entries = this.#entries;
    this.#entries = [];
    this.#disposed = true;
    return moved;
  }

  async disposeAsync(): Promise<void> {
    this.#disposed = true;
    let failure: { error: unknown } | null = null;
    for (let dispose = this.#entries.pop(); dispose; dispose = this.#entries.pop())
      try {
        await dispose();
      } catch (error) {
        failure = { error };
      }
    if (failure) throw failure.error;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

globalThis.AsyncDisposableStack ??= Stack;
