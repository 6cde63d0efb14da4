import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { OperatorError } from '../lib/operator-error.ts';
import type { Counting } from '../http/counting.ts';
import type { Addresses, MetricValues, ToPrimary, ToWorker } from './messages.ts';

/** Milliseconds before a worker that ended is replaced; twice as many each time that one ends soon, up to the most. */
const pause = { min: 100, max: 30_000 };

/** Milliseconds that a worker must have lived for its end not to be counted as soon. */
const soon = 60_000;

/** Milliseconds that a worker has to show its metrics. */
const metricsTimeout = 1_000;

/** A place for a worker, which is filled anew when the worker ends. */
interface Place {
  /** From 1 on. */
  readonly number: number;
  worker: Worker | null;
  isListening: boolean;
  /** How often in a row a worker has ended here soon. */
  failures: number;
}

/** The worker processes of a service, seen from the primary one. They share its port, and what it counts. */
export class Workers {
  readonly #places: readonly Place[];
  readonly #logger: Logger;
  readonly #counting: Counting;
  readonly #port: number;
  /** Aborted when workers that end are no longer replaced. */
  readonly #stopping: AbortSignal;
  readonly #questions = new Map<number, (metrics: readonly MetricValues[]) => void>();
  #lastQuestion = 0;
  #replaced = 0;

  constructor(
    count: number,
    parts: { port: number; logger: Logger; counting: Counting; stopping: AbortSignal },
  ) {
    const place = (number: number) => ({ number, worker: null, isListening: false, failures: 0 });
    this.#places = Array.from({ length: count }, (_, i) => place(i + 1));
    this.#port = parts.port;
    this.#logger = parts.logger;
    this.#counting = parts.counting;
    this.#stopping = parts.stopping;
  }

  /** How many serve requests now. */
  get serving(): number {
    return this.#places.filter(({ isListening }) => isListening).length;
  }

  /** How many have ended by themselves and were replaced. */
  get replaced(): number {
    return this.#replaced;
  }

  /**
   * Starts them, and returns where they answer. The first one goes ahead: what is wrong is said once.
   * @throws OperatorError when one ends before it serves; it has said why.
   */
  async start(): Promise<Addresses> {
    const [first, ...others] = this.#places;
    const addresses = await this.#startIn(first!);
    await Promise.all(others.map(place => this.#startIn(place)));
    for (const place of this.#places) void this.#keep(place);
    return addresses;
  }

  /** The metrics of each that shows them in time, with the number of its place as a label. */
  async metrics(): Promise<(readonly MetricValues[])[]> {
    const serving = this.#places.filter(({ isListening }) => isListening);
    return Promise.all(serving.map(place => this.#metricsOf(place)));
  }

  /** Lets them end in order, and ends those that have not after so many milliseconds. None is replaced any more by then. */
  async stop(timeout: number): Promise<void> {
    const workers = this.#places.flatMap(({ worker }) => worker ?? []);
    for (const worker of workers) tell(worker, { kind: 'stop' });
    const timer = setTimeout(() => workers.forEach(worker => worker.process.kill('SIGKILL')), timeout);
    await Promise.all(workers.map(async worker => worker.isDead() || once(worker, 'exit')));
    clearTimeout(timer);
  }

  /** Resolves when the new worker serves. */
  async #startIn(place: Place): Promise<Addresses> {
    const worker = cluster.fork();
    place.worker = worker;
    const { promise, resolve, reject } = Promise.withResolvers<Addresses>();
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'started') {
        tell(worker, { kind: 'start', port: this.#port });
        if (this.#stopping.aborted) tell(worker, { kind: 'stop' });
      }
      if (message.kind === 'listening') resolve(message.addresses);
      if (message.kind === 'count') void this.#count(worker, message);
      if (message.kind === 'metrics') this.#questions.get(message.ask)?.(message.metrics);
    });
    worker.once('exit', () => {
      place.isListening = false;
      reject(new OperatorError(`worker ${place.number} ended before it served`));
    });
    const addresses = await promise;
    place.isListening = true;
    return addresses;
  }

  /** Replaces the worker of the place for as long as the service runs. */
  async #keep(place: Place): Promise<void> {
    const signal = this.#stopping;
    for (;;) {
      const began = performance.now();
      const worker = place.worker!;
      const [code, by] = worker.isDead()
        ? [worker.process.exitCode, worker.process.signalCode]
        : ((await once(worker, 'exit')) as [number | null, string | null]);
      if (signal.aborted) return;
      place.failures = performance.now() - began < soon ? place.failures + 1 : 1;
      const again = Math.min(pause.min * 2 ** (place.failures - 1), pause.max);
      const what = { worker: place.number, pid: worker.process.pid, code, signal: by, again };
      this.#logger.error(what, 'a worker has ended and is replaced');
      await delay(again, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      this.#replaced++;
      // One that ends before it serves is found dead above.
      await this.#startIn(place).catch(() => {});
    }
  }

  async #count(worker: Worker, { ask, calls }: ToPrimary & { kind: 'count' }): Promise<void> {
    const counted = await Promise.all(
      calls.map(({ method, name, seconds }) => this.#counting[method](name, seconds)),
    );
    tell(worker, { kind: 'counted', ask, counted: counted.map(one => one ?? null) });
  }

  async #metricsOf({ worker, number }: Place): Promise<readonly MetricValues[]> {
    const ask = ++this.#lastQuestion;
    const { promise, resolve } = Promise.withResolvers<readonly MetricValues[]>();
    this.#questions.set(ask, resolve);
    const timer = setTimeout(resolve, metricsTimeout, []);
    tell(worker!, { kind: 'show metrics', ask });
    const metrics = await promise;
    clearTimeout(timer);
    this.#questions.delete(ask);
    return metrics.map(metric => ({
      ...metric,
      values: metric.values.map(value => ({ ...value, labels: { ...value.labels, worker: number } })),
    }));
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
