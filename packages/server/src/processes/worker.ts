import cluster, { type Worker } from 'node:cluster';
import { platform } from 'node:os';
import type { Registry } from 'prom-client';
import type { Counted, Counting } from '../http/counting.ts';
import type { Addresses, CountingCall, ToPrimary, ToWorker } from './messages.ts';

/** The connection of a worker to the primary process. When it breaks, Node ends the worker. */
export class PrimaryLink {
  readonly #worker: Worker;
  readonly #stopping = new AbortController();
  readonly #port = Promise.withResolvers<number>();
  /** Counts in the primary process, for all workers. */
  readonly counting: Counting;

  constructor(worker: Worker) {
    this.#worker = worker;
    const counting = new SharedCounting(message => this.#tell(message));
    this.counting = counting;
    worker.on('message', (message: ToWorker) => {
      if (message.kind === 'start') this.#port.resolve(message.port);
      if (message.kind === 'counted') counting.settle(message.ask, message.counted);
      if (message.kind === 'stop') this.#stopping.abort();
    });
    // What was sent before nobody has heard.
    this.#tell({ kind: 'started' });
  }

  /** That of this process; null when it is no worker. */
  static find(): PrimaryLink | null {
    return cluster.worker ? new PrimaryLink(cluster.worker) : null;
  }

  /** The port that all workers share. */
  get port(): Promise<number> {
    return this.#port.promise;
  }

  /**
   * How the workers share that port: each listens by itself, and the system spreads the connections. So none passes
   * through the primary process, where it would be lost with the worker that it was meant for. Where the system cannot do
   * that (macOS), the primary process hands connections out.
   */
  readonly listening = { reusePort: platform() === 'linux' };

  /** Aborted when the primary process wants this one to end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Shows these metrics to whoever asks the primary process for them. */
  show(registry: Registry): void {
    this.#worker.on('message', (message: ToWorker) => {
      if (message.kind !== 'show metrics') return;
      const { ask } = message;
      // A metric that cannot be read leaves the question without an answer, for which the primary process does not wait long.
      registry.getMetricsAsJSON().then(
        metrics => this.#tell({ kind: 'metrics', ask, metrics }),
        () => {},
      );
    });
  }

  /** Says that requests are served from now on. */
  announce(addresses: Addresses): void {
    this.#tell({ kind: 'listening', addresses });
  }

  /** Lets the process end. */
  close(): void {
    this.#worker.disconnect();
  }

  #tell(message: ToPrimary): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }
}

interface WaitingCall extends CountingCall {
  readonly resolve: (counted: Counted | null) => void;
}

/** Sends what is to be counted in one turn of the event loop together. */
class SharedCounting implements Counting {
  readonly #tell: (message: ToPrimary) => void;
  readonly #asked = new Map<number, readonly WaitingCall[]>();
  #waiting: WaitingCall[] = [];
  #last = 0;

  constructor(tell: (message: ToPrimary) => void) {
    this.#tell = tell;
  }

  async add(name: string, seconds: number): Promise<Counted> {
    return (await this.#call({ method: 'add', name, seconds }))!;
  }

  async giveBack(name: string): Promise<void> {
    await this.#call({ method: 'giveBack', name, seconds: 0 });
  }

  async reset(name: string): Promise<void> {
    await this.#call({ method: 'reset', name, seconds: 0 });
  }

  settle(ask: number, counted: readonly (Counted | null)[]): void {
    const calls = this.#asked.get(ask);
    this.#asked.delete(ask);
    calls?.forEach(({ resolve }, i) => resolve(counted[i]!));
  }

  close(): void {}

  #call(call: CountingCall): Promise<Counted | null> {
    return new Promise(resolve => {
      this.#waiting.push({ ...call, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#ask());
    });
  }

  #ask(): void {
    const ask = ++this.#last;
    this.#asked.set(ask, this.#waiting);
    const calls = this.#waiting.map(({ method, name, seconds }) => ({ method, name, seconds }));
    this.#waiting = [];
    this.#tell({ kind: 'count', ask, calls });
  }
}
