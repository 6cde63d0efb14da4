import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { Counting } from '../lib/counting.ts';
import { openChannel } from './channel.ts';
import type { PrimaryFunctions, WorkerFunctions } from './workers.ts';

export type PrimaryLink = NonNullable<ReturnType<typeof linkToPrimary>>;

/** Null unless this process is a worker. When the connection breaks, Node ends the worker. */
export function linkToPrimary() {
  const { worker } = cluster;
  if (!worker) return null;
  let registry: Registry | undefined;
  const functions: WorkerFunctions = {
    metrics: async () => (await registry?.getMetricsAsJSON().catch(() => [])) ?? [],
  };
  const call = openChannel<PrimaryFunctions>(worker, functions);
  /** Counts in the primary process, for all workers. */
  const counting: Counting = {
    add: (name, seconds) => call('add', name, seconds),
    giveBack: name => call('giveBack', name),
    reset: name => call('reset', name),
    close() {},
  };
  return {
    counting,
    findPlace: () => call('place'),
    /** Sends these metrics on request of the primary process. */
    show(shown: Registry) {
      registry = shown;
    },
    announce: () => call('listening'),
    close: () => worker.disconnect(),
  };
}
