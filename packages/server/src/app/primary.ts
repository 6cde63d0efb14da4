import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Logger } from 'pino';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { type Database, databaseProbe } from '../db/connect.ts';
import { openPepper } from '../features/keys/pepper.ts';
import { openFiles } from '../files/open.ts';
import { memoryCounting } from '../lib/counting.ts';
import { listenError } from '../http/listen.ts';
import { startManagement } from '../http/management.ts';
import { registerReadings } from '../telemetry/readings.ts';
import { createMetrics } from '../http/telemetry.ts';
import { RejectionLog } from '../features/audit/rejections.ts';
import { Workers } from '../processes/workers.ts';
import { Writes } from '../write/writes.ts';
import { platformApi } from './platform-api.ts';
import { backgroundJobs, recordDownloads } from './payroll.ts';
import { portOf } from './port.ts';
import { type Addresses, addressesAt } from './service.ts';
import type { ServiceConfig } from './service-settings.ts';

/** Milliseconds that a worker has to end after its drain and grace time. */
const margin = 5_000;

/**
 * Runs the workers of a service until the signal is aborted, replaces those that end, and serves the management port for all. It is ready while the
 * database answers and at least one worker serves.
 * @throws OperatorError when a worker cannot start, all have lost their socket, or the management port cannot be used.
 */
export async function servePrimary(parts: {
  config: ServiceConfig & Pick<Config, 'workers'>;
  drainSeconds: number;
  graceSeconds: number;
  /** The listening socket that systemd passed; null: the port is claimed. */
  socket: number | null;
  database: Database;
  logger: Logger;
  signal: AbortSignal;
  announce: (addresses: Addresses) => void;
}): Promise<void> {
  const { config, database, logger, signal, socket } = parts;
  const { dataDirectory, pepper: secret, previousPepper: previous } = config;
  const ended = new AbortController();
  const stopping = AbortSignal.any([signal, ended.signal]);
  const port = socket === null ? await claimPort(config) : config.port;
  const workers = new Workers({ place: { port, socket }, logger, counting: memoryCounting(), stopping });
  const healthy = databaseProbe(database.reads);
  const metrics = createMetrics({ process: false });
  const files = await openFiles(config, database.reads);
  const pepper = await openPepper(database.writes, { secret, previous, dataDirectory }, database.reads);
  const rejections = new RejectionLog(database.writes, logger);
  const management = await startManagement({
    ...portOf(config, {
      reads: database.reads,
      files,
      telemetry: { logger, metrics, rejected: rejections.record.bind(rejections) },
    }),
    config,
    shown: registryOf(workers, metrics.registry),
    failure: () => database.failure,
    ready: async () => !signal.aborted && workers.serving > 0 && (await healthy()),
    api: platformApi(config, {
      database,
      writes: new Writes(database),
      files,
      pepper,
      jobs: backgroundJobs(database, files.store, logger),
      recordDownload: recordDownloads(database.writes, logger),
    }),
  });
  const timeout = (parts.drainSeconds + parts.graceSeconds) * 1000 + margin;
  try {
    await workers.start(config.workers);
    const addresses = { ...addressesAt(config.host, port), managementUrl: management.url };
    parts.announce(addresses);
    logger.info({ address: addresses.baseUrl, workers: config.workers }, 'ready');
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), workers.lost]);
    logger.info('stopping');
  } finally {
    ended.abort();
    await workers.stop(timeout);
    await management.close(parts.graceSeconds);
    await rejections.close();
    files[Symbol.dispose]();
  }
}

/** Claims one port for all workers; for 0 each would get another one. @throws OperatorError when another process has it, or it cannot be used. */
async function claimPort({ host, port }: ServiceConfig): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, 'port', { host, port });
  });
  const { port: claimed } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return claimed;
}

/** The metrics of the workers with their number as a label, the number of workers, and the metrics of the primary process. */
function registryOf(workers: Workers, platform: Registry): Pick<Registry, 'metrics' | 'contentType'> {
  const own = new Registry();
  registerReadings(own, [
    ['kontor_workers', 'Worker processes that serve requests', () => workers.serving],
    [
      'kontor_workers_replaced_total',
      'Worker processes that ended and were replaced',
      () => workers.replaced,
    ],
  ]);
  return {
    contentType: own.contentType,
    async metrics() {
      const all = [...(await workers.metrics()), await platform.getMetricsAsJSON()];
      const shown = await AggregatorRegistry.aggregate(all).metrics();
      return `${shown}\n${await own.metrics()}`;
    },
  };
}
