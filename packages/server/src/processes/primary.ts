import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Logger } from 'pino';
import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import { type Config, publicUrlOf } from '../config.ts';
import { type Database, databaseProbe } from '../db/connect.ts';
import { openDenialLog } from '../app/denials.ts';
import { addressBehind } from '../http/request/client-address.ts';
import { memoryCounting } from '../http/counting.ts';
import { CredentialLookups } from '../http/limits/credential-lookups.ts';
import type { Denial } from '../http/response/denial.ts';
import { listenError } from '../http/listening.ts';
import { createMetrics } from '../http/metrics.ts';
import type { FileStore } from '../files/file-store.ts';
import { openFiles } from '../files/open.ts';
import { manage } from '../app/management.ts';
import { openPepper } from '../features/keys/pepper.ts';
import type { ServiceConfig } from '../app/service-settings.ts';
import { Writes } from '../write/writes.ts';
import type { PlatformParts } from '../app/platform-api.ts';
import type { Addresses } from './messages.ts';
import { Workers } from './workers.ts';

/** Milliseconds that a worker has to end on top of its drain and grace. */
const margin = 5_000;

type PrimaryConfig = ServiceConfig & Pick<Config, 'workers'>;

/**
 * Runs the workers of a service until the signal is aborted, replaces those that end, and answers on the management port for
 * all. It is ready while the database is there and one of them serves.
 * @throws OperatorError when a worker cannot start, or the management port cannot be used.
 */
export async function servePrimary(parts: {
  config: PrimaryConfig;
  drainSeconds: number;
  graceSeconds: number;
  database: Database;
  logger: Logger;
  signal: AbortSignal;
  announce: (addresses: Addresses & { managementUrl: string }) => void;
}): Promise<void> {
  const { config, logger, signal } = parts;
  const ended = new AbortController();
  const stopping = AbortSignal.any([signal, ended.signal]);
  const port = await claimPort(config);
  const counting = memoryCounting();
  const workers = new Workers(config.workers, { port, logger, counting, stopping });
  const healthy = databaseProbe(parts.database.reads);
  const ready = async () => !signal.aborted && workers.serving > 0 && (await healthy());
  const metrics = createMetrics({ process: false });
  const shown = registryOf(workers, metrics.registry);
  const files = await openFiles(config, parts.database.reads);
  const platform = await platformParts(parts.database, config, files.store);
  const denials = openDenialLog(parts.database, logger);
  const denied = (denial: Denial) => denials.note(denial);
  const management = await manage({ config, logger, metrics, denied, shown, ready, platform });
  const timeout = (parts.drainSeconds + parts.graceSeconds) * 1000 + margin;
  try {
    const addresses = await workers.start();
    parts.announce({ ...addresses, managementUrl: management.url });
    logger.info({ address: addresses.baseUrl, workers: config.workers }, 'ready');
    if (!signal.aborted) await once(signal, 'abort');
    logger.info('stopping');
  } finally {
    ended.abort();
    await workers.stop(timeout);
    await management.close(parts.graceSeconds);
    await denials.close();
    files.close();
  }
}

/**
 * The port of the configuration, or a free one for 0, of which each worker would get another one. Somebody else may not have it:
 * workers would share it with him.
 * @throws OperatorError when it is taken or cannot be used.
 */
async function claimPort({ host, port }: PrimaryConfig): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, { host, port, option: '--port', variable: 'PORT' });
  });
  const { port: claimed } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return claimed;
}

/** What the platform API stands on, which the primary process serves itself. */
async function platformParts(
  database: Database,
  config: PrimaryConfig,
  files: FileStore,
): Promise<PlatformParts> {
  const { dataDirectory, pepper: secret, requestTimeout, fileTimeout } = config;
  return {
    database,
    writes: new Writes(database),
    files,
    pepper: await openPepper(database.reads, { secret, dataDirectory }),
    publicUrl: publicUrlOf(config),
    byMail: config.smtpHost !== null,
    lookups: new CredentialLookups(),
    addressOf: addressBehind(config.trustedProxies),
    timeouts: { request: requestTimeout * 1000, files: fileTimeout * 1000 },
  };
}

/** The metrics of the workers, each with its number as a label, how many there are, and those of the primary process itself. */
function registryOf(workers: Workers, platform: Registry): Pick<Registry, 'metrics' | 'contentType'> {
  const own = new Registry();
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [own],
      collect() {
        this.set(read());
      },
    });
  gauge('kontor_workers', 'Worker processes that serve requests', () => workers.serving);
  gauge(
    'kontor_workers_replaced',
    'Worker processes that ended and were replaced, since the start',
    () => workers.replaced,
  );
  return {
    contentType: own.contentType,
    async metrics() {
      const all = [...(await workers.metrics()), await platform.getMetricsAsJSON()];
      const shown = await AggregatorRegistry.aggregate(all).metrics();
      return `${shown}\n${await own.metrics()}`;
    },
  };
}
