import { platform } from 'node:os';
import { apis } from '@kontor/contract';
import type { Logger } from 'pino';
import { startBackground } from './jobs.ts';
import { Collection } from '../query/page.ts';
import type { CollectionTable } from '../query/check.ts';
import { ApiKeyAuthenticator } from '../auth/api-keys.ts';
import { publicUrlOf } from '../config.ts';
import { type Database, type Pool, databaseProbe } from '../db/connect.ts';
import { execute } from '../db/pool.ts';
import { divisionRoutes } from '../features/divisions/routes.ts';
import { divisionResource } from '../features/divisions/mapping.ts';
import { employeeRoutes } from '../features/employees/routes.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import type { Files } from '../files/download.ts';
import { openFiles } from '../files/open.ts';
import { incidentRoutes } from '../features/incidents/routes.ts';
import { incidentResource } from '../features/incidents/mapping.ts';
import { collectUses } from '../features/keys/usage/write.ts';
import { RejectionLog } from '../features/audit/rejections.ts';
import { countLostKeys, openPepper } from '../features/keys/pepper.ts';
import { openIdSettings } from '../features/users/openid/settings.ts';
import { orderRoutes } from '../features/orders/routes.ts';
import { orderResource } from '../features/orders/mapping.ts';
import { payrollDocumentRoutes } from '../features/payroll-documents/routes.ts';
import { payrollDocumentResource } from '../features/payroll-documents/mapping.ts';
import { registerReadings, serviceReadings } from '../telemetry/readings.ts';
import { createMetrics } from '../http/telemetry.ts';
import { healthRoute } from '../http/health.ts';
import { routesOf } from '../http/implement.ts';
import { passwordHashes } from '../features/users/passwords/hash.ts';
import { PasswordResets } from '../features/users/passwords/resets.ts';
import { backgroundJobs, recordDownloads } from './payroll.ts';
import { listen, urlOf } from '../http/listen.ts';
import { describeCause } from '../telemetry/cause.ts';
import { type Counting, memoryCounting, redisCounting } from '../lib/counting.ts';
import { quotaOf } from '../http/admission.ts';
import { registerPortal } from '../http/response/portal-pages.ts';
import { registerEntrance, registerGuides, registerReference } from '../http/response/documentation.ts';
import { buildService, type ServedApi } from '../http/service.ts';
import { mailSettings } from './mail-settings.ts';
import { startManagement } from '../http/management.ts';
import { platformApi } from './platform-api.ts';
import { portOf } from './port.ts';
import { portalApi } from './portal-api.ts';
import type { PrimaryLink } from '../processes/worker.ts';
import { repeat } from '../lib/concurrency/interval.ts';
import type { ServiceConfig } from './service-settings.ts';
import { Writes } from '../write/writes.ts';

export interface Addresses {
  /** The address of the API, with `/v1`. */
  readonly baseUrl: string;
  readonly referenceUrl: string;
  /** Null for a worker, as the primary process serves that port. */
  readonly managementUrl: string | null;
}

export function addressesAt(host: string, port: number): Pick<Addresses, 'baseUrl' | 'referenceUrl'> {
  const origin = urlOf(host, port);
  return { baseUrl: `${origin}/v1`, referenceUrl: `${origin}/docs` };
}

export interface RunningService extends Addresses {
  /** Serves but is not ready during the drain, waits up to the grace time for requests in flight, and closes all but the database. */
  stop(graceSeconds: number, drainSeconds?: number): Promise<void>;
}

/**
 * Starts a service on a database with the schema of this version. When a step fails, all earlier ones are undone.
 * @throws OperatorError for a port that cannot be used or an incomplete issuer configuration; PepperError.
 */
export async function startService(parts: {
  database: Omit<Database, 'close'>;
  config: ServiceConfig;
  logger: Logger;
  /** The link to the primary process if this process is a worker. */
  link?: PrimaryLink | null;
  /** The listening socket that systemd passed, instead of host and port. */
  socket?: number | null;
  /** Replaces the configured file store in tests. */
  files?: Files;
}): Promise<RunningService> {
  const { config, logger, database, link = null, socket = null } = parts;
  const { reads } = database;
  await using started = new AsyncDisposableStack();
  const mails = await mailSettings(config);
  const { dataDirectory, pepper: secret, previousPepper: previous } = config;
  const pepper = await openPepper(database.writes, { secret, previous, dataDirectory }, reads);
  // A service starts while a node of a cluster is down.
  const lost = await countLostKeys(reads, pepper).catch(() => 0);
  if (lost > 0) logger.warn({ keys: lost }, 'keys cannot be used: their pepper is not given');
  const usage = collectUses(database.writes, warnOfUses(logger));
  started.defer(() => usage.close());
  const keys = new ApiKeyAuthenticator(database, pepper);
  started.defer(() => keys.close());
  const rejections = new RejectionLog(database.writes, logger);
  started.defer(() => rejections.close());
  const counting = await openCounting(config, logger, link);
  started.defer(() => counting.close());
  const metrics = createMetrics({ process: true });
  const healthy = databaseProbe(reads);
  const writes = new Writes(database);
  const files = parts.files ?? (await openConfiguredFiles(config, { reads, logger }, started));
  const telemetry = { logger, metrics, rejected: rejections.record.bind(rejections) };
  const port = portOf(config, { reads, files, telemetry });
  const readings = serviceReadings({
    pools: { reads, lists: database.lists, writes: database.writes },
    lookups: port.lookups,
    hashes: passwordHashes,
    writesWaiting: () => writes.waiting,
    keysTrusted: () => keys.isCaching,
  });
  registerReadings(metrics.registry, readings);
  const jobs = backgroundJobs(database, files.store, logger);
  const publicApi: ServedApi = {
    api: apis.public,
    quota: quotaOf(counting, config.quota),
    authenticate: keys.authenticate.bind(keys),
    routes: routesOn(database, { files, healthy, writes, logger }),
  };
  const resets =
    mails &&
    new PasswordResets({
      reads,
      writes,
      pepper,
      counting,
      failed: (error, requestId) => warnOfReset(logger, requestId, error),
    });
  started.defer(() => resets?.close());
  const portalUrl = { listened: publicUrlOf(config) };
  const portal = {
    database,
    writes,
    pepper,
    counting,
    lookups: port.lookups,
    mails,
    resets,
    publicUrl: () => config.publicUrl ?? portalUrl.listened,
    openId: await openIdSettings(config),
    files,
    jobs,
    recordDownload: recordDownloads(database.writes, logger),
    collections: {
      divisions: collectionOf(divisionResource, database),
      employees: collectionOf(employeeResource, database),
      orders: collectionOf(orderResource, database),
      incidents: collectionOf(incidentResource, database),
    },
  };
  const served = buildService({
    ...port,
    inFlight: metrics.inFlight,
    telemetry: { ...telemetry, answered: usage.answered.bind(usage) },
    apis: [publicApi, portalApi(portal)],
    pages(get) {
      registerEntrance(get);
      registerReference(get, apis.public);
      registerGuides(get);
      registerPortal(get);
    },
  });
  let seconds: Parameters<typeof served.shutDown> = [0];
  const ready = async () => served.ready && (await healthy());
  // It is closed last, so that `/readyz` answers 503 until the end.
  const operating = {
    ...port,
    config,
    ready,
    failure: () => database.failure,
    shown: metrics.registry,
    api: platformApi(config, {
      database,
      writes,
      files,
      pepper,
      jobs,
      recordDownload: recordDownloads(database.writes, logger),
    }),
  };
  const management = link === null ? await startManagement(operating) : null;
  started.defer(() => management?.close(seconds[0]));
  if (config.jobInterval > 0) {
    const { registry } = metrics;
    const background = {
      jobs,
      database,
      writes,
      pepper,
      logger,
      registry,
      mails,
      interval: config.jobInterval,
      digestTime: config.digestTime,
    };
    started.use(startBackground(background));
  }
  link?.show(metrics.registry);
  started.defer(() => served.shutDown(...seconds));
  const { host } = config;
  /*
   * On Linux each worker listens itself, and the system distributes the connections. Through the primary process, a connection could be lost with
   * its worker. On other systems (macOS) the primary process distributes them.
   */
  const reusePort = link !== null && platform() === 'linux';
  const place = { host, port: config.port, reusePort, socket };
  const listened = await listen(served.server, 'port', place);
  portalUrl.listened = urlOf(host, listened);
  const running = started.move();
  return {
    ...addressesAt(host, listened),
    managementUrl: management?.url ?? null,
    async stop(...given) {
      seconds = given;
      await running.disposeAsync();
    },
  };
}

function routesOn(
  pools: Omit<Database, 'close'>,
  parts: { files: Files; healthy: () => Promise<boolean>; writes: Writes; logger: Logger },
) {
  const { reads } = pools;
  const { files, healthy, writes, logger } = parts;
  const collection = (table: CollectionTable) => collectionOf(table, pools);
  return routesOf(apis.public, [
    ...employeeRoutes({ reads, writes, collection: collection(employeeResource) }),
    ...divisionRoutes({ reads, writes, collection: collection(divisionResource) }),
    ...orderRoutes({ reads, writes, files, collection: collection(orderResource) }),
    ...incidentRoutes({ reads, writes, files: files.store, collection: collection(incidentResource) }),
    ...payrollDocumentRoutes({
      reads,
      files,
      collection: collection(payrollDocumentResource),
      recordDownload: recordDownloads(pools.writes, logger),
    }),
    healthRoute(healthy),
  ]);
}

function collectionOf(table: CollectionTable, { lists }: Pick<Database, 'lists'>) {
  return new Collection(table, execute(lists), { now: () => performance.now() });
}

async function openConfiguredFiles(
  config: ServiceConfig,
  { reads, logger }: { reads: Pool; logger: Logger },
  started: AsyncDisposableStack,
): Promise<Files> {
  const files = started.use(await openFiles(config, reads));
  const sweep = async () => {
    const count = await files.sweep();
    if (count > 0) logger.info({ files: count }, 'removed files of aborted uploads');
  };
  const failed = (error: unknown) =>
    logger.warn({ cause: describeCause(error) }, 'files of aborted uploads could not be removed yet');
  const sweeping = repeat(sweep, { interval: sweepInterval, failed });
  // Not awaited, as a store that hangs may delay a sweep.
  started.defer(() => void sweeping.stop());
  return files;
}

/** Milliseconds between two sweeps of files that were never stored. */
const sweepInterval = 60_000;

function warnOfUses(logger: Logger): (error: unknown) => void {
  return error =>
    logger.warn({ cause: describeCause(error) }, 'the last uses of keys could not be written yet');
}

function warnOfReset(logger: Logger, requestId: string, error: unknown): void {
  logger.warn({ requestId, cause: describeCause(error) }, 'a link for a forgotten password was not mailed');
}

function openCounting(
  { redisUrl }: ServiceConfig,
  logger: Logger,
  link: PrimaryLink | null,
): Promise<Counting> | Counting {
  if (redisUrl !== null) return redisCounting(redisUrl, logger);
  return link?.counting ?? memoryCounting();
}
