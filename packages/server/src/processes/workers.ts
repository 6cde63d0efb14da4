import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { OperatorError } from '../lib/operator-error.ts';
import type { Counting } from '../lib/counting.ts';
import { type CallOther, openChannel } from './channel.ts';

/** Milliseconds before an ended worker is replaced. The pause doubles each time a worker lives for less than `soon`. */
const pause = { min: 100, max: 30_000, soon: 60_000 };

/** Milliseconds that a worker has to send its metrics. */
const metricsTimeout = 1_000;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

export type WorkerFunctions = { readonly metrics: () => Promise<Metrics> };

export type PrimaryFunctions = Omit<Counting, 'close'> & { place: () => Place; listening: () => void };

/** Where workers listen: a port, or the socket that systemd passed to the primary process. */
export interface Place {
  readonly port: number;
  readonly socket: number | null;
}

interface Running {
  readonly worker: Worker;
  readonly call: CallOther<WorkerFunctions>;
  isServing: boolean;
}

/** The worker processes of a service, managed by the primary process. They share its port and its counts. */
export class Workers {
  /** By number from 1 on. A replacement gets the number of its predecessor. */
  readonly #running = new Map<number, Running>();
  readonly #parts: { place: Place; logger: Logger; counting: Counting; stopping: AbortSignal };
  readonly #lost = Promise.withResolvers<never>();
  /** Workers that ended unexpectedly and were replaced. */
  replaced = 0;

  /** Workers that end are replaced until `stopping` is aborted. */
  constructor(parts: { place: Place; logger: Logger; counting: Counting; stopping: AbortSignal }) {
    this.#parts = parts;
    // The workers accept from a passed socket themselves: a connection that waits in the primary process could be lost.
    if (parts.place.socket !== null) cluster.schedulingPolicy = cluster.SCHED_NONE;
    this.#lost.promise.catch(() => {});
  }

  /** Rejects when no worker has the passed socket any more: Node has closed it, and only systemd can pass it again. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  get serving(): number {
    return this.#serving().length;
  }

  /** The first worker starts alone, so that an error is reported once. @throws OperatorError when one ends before it serves. */
  async start(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    await this.#fork(1);
    await Promise.all(numbers.slice(1).map(number => this.#fork(number)));
    for (const number of numbers) void this.#keep(number);
  }

  /** The metrics of each worker that sends them in time, labelled with its number. */
  async metrics(): Promise<Metrics[]> {
    const read = async ([worker, { call }]: [number, Running]) => {
      const metrics = await Promise.race([call('metrics'), delay(metricsTimeout, [], { ref: false })]);
      return metrics.map(metric => ({
        ...metric,
        values: metric.values.map(value => ({ ...value, labels: { ...value.labels, worker } })),
      }));
    };
    return Promise.all(this.#serving().map(read));
  }

  /** Sends SIGTERM, and SIGKILL after the timeout. Abort `stopping` first, so that none is replaced. */
  async stop(timeout: number): Promise<void> {
    const workers = Array.from(this.#running.values(), ({ worker }) => worker);
    for (const { process } of workers) process.kill('SIGTERM');
    const timer = setTimeout(() => workers.forEach(({ process }) => process.kill('SIGKILL')), timeout);
    await Promise.all(workers.map(async worker => worker.isDead() || once(worker, 'exit')));
    clearTimeout(timer);
  }

  #serving(): [number, Running][] {
    return [...this.#running].filter(([, { worker, isServing }]) => isServing && !worker.isDead());
  }

  /** Resolves when the new worker serves. */
  async #fork(number: number): Promise<void> {
    const { place, counting } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const worker = cluster.fork();
    worker.once('exit', () => reject(new OperatorError(`worker ${number} ended before it served`)));
    const functions: PrimaryFunctions = { ...counting, place: () => place, listening: resolve };
    const running = { worker, call: openChannel<WorkerFunctions>(worker, functions), isServing: false };
    this.#running.set(number, running);
    await promise;
    running.isServing = true;
  }

  async #keep(number: number): Promise<void> {
    const { logger, stopping: signal, place } = this.#parts;
    for (let failures = 0; !signal.aborted;) {
      const began = performance.now();
      const { worker } = this.#running.get(number)!;
      if (!worker.isDead()) await once(worker, 'exit');
      if (signal.aborted) return;
      if (place.socket !== null && this.serving === 0)
        return this.#lost.reject(new OperatorError('all workers have ended, and the socket is closed'));
      failures = performance.now() - began < pause.soon ? failures + 1 : 1;
      const again = Math.min(pause.min * 2 ** (failures - 1), pause.max);
      const { pid, exitCode: code, signalCode } = worker.process;
      const what = { worker: number, pid, code, signal: signalCode, again };
      logger.error(what, 'a worker has ended and is replaced');
      await delay(again, undefined, { signal }).catch(() => {});
      this.replaced++;
      // The loop detects a worker that ended before it served.
      if (!signal.aborted) await this.#fork(number).catch(() => {});
    }
  }
}
