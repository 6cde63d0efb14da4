import type { AddressInfo } from 'node:net';
import { apis } from '@kontor/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { startBackground } from './jobs.ts';
import { createCollection } from '../query/page.ts';
import type { CollectionTable } from '../query/resource.ts';
import { publicUrlOf } from '../config.ts';
import type { Database, Pool } from '../db/connect.ts';
import { execute } from '../db/execute.ts';
import { databaseProbe } from '../db/probe.ts';
import { openDenialLog } from './denials.ts';
import { divisionHandlers } from '../features/divisions/public-routes.ts';
import { divisionResource } from '../features/divisions/mapping.ts';
import { employeeHandlers } from '../features/employees/public-routes.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import type { Files } from '../files/download.ts';
import { openFiles } from '../files/open.ts';
import { incidentHandlers } from '../features/incidents/public-routes.ts';
import { incidentResource } from '../features/incidents/mapping.ts';
import { createKeyring } from '../features/keys/keyring.ts';
import { openPepper } from '../features/keys/pepper.ts';
import { openIdSettings } from '../features/users/openid/settings.ts';
import { orderHandlers } from '../features/orders/public-routes.ts';
import { orderResource } from '../features/orders/mapping.ts';
import { organizationExists, tenantsAmong } from '../features/organizations/store.ts';
import { payrollDocumentHandlers } from '../features/payroll-documents/public-routes.ts';
import { payrollDocumentResource } from '../features/payroll-documents/mapping.ts';
import { CredentialLookups } from '../http/limits/credential-lookups.ts';
import { FairLine } from '../http/limits/fair-queue.ts';
import { addressBehind } from '../http/request/client-address.ts';
import { registerGauges } from '../http/gauges.ts';
import { routesOf } from '../http/handlers.ts';
import { healthHandlers } from '../http/health.ts';
import { passwordHashes } from '../features/users/passwords/hash.ts';
import { PasswordResets } from '../features/users/passwords/resets.ts';
import { listenError, urlOf } from '../http/listening.ts';
import { describeCause } from '../http/log.ts';
import { createMetrics } from '../http/metrics.ts';
import { type Counting, memoryCounting, redisCounting } from '../http/counting.ts';
import type { Denial } from '../http/response/denial.ts';
import { registerEntrance } from '../http/entrance.ts';
import { quotaOf } from '../http/limits/quota.ts';
import { registerPortal } from '../http/response/portal-pages.ts';
import { registerReference } from '../http/response/reference.ts';
import { buildService, type ServedApi } from '../http/service.ts';
import { watchLifecycle } from '../http/shutdown.ts';
import { mailSettings } from '../mail/settings.ts';
import { manage } from './management.ts';
import { portalApi } from './portal-api.ts';
import type { PrimaryLink } from '../processes/worker.ts';
import { repeat } from '../lib/interval.ts';
import type { ServiceConfig } from './service-settings.ts';
import { Writes } from '../write/writes.ts';

/** A service that answers. */
export interface RunningService {
  /** The address of the API, with `/v1`. */
  readonly baseUrl: string;
  /** The address of the API reference. */
  readonly referenceUrl: string;
  /** Null of a worker: the primary process has that port. */
  readonly managementUrl: string | null;
  /**
   * Is not ready any more but serves on for the time of the drain, lets requests under way end within the grace time and
   * takes everything down but the database.
   */
  stop(graceSeconds: number, drainSeconds?: number): Promise<void>;
}

/**
 * Puts the service together on a database with the schema of this version, and listens. Whatever was started is taken
 * down again when something fails.
 * @throws OperatorError for a port that cannot be used or an issuer that is told in part, PepperError.
 */
export async function startService(parts: {
  database: Omit<Database, 'close'>;
  config: ServiceConfig;
  logger: Logger;
  /** To the primary process, when this one is a worker. */
  link?: PrimaryLink | null;
  /** Other files than those of the configuration; for tests. */
  files?: Files;
}): Promise<RunningService> {
  const { config, logger, database, link = null } = parts;
  const { reads } = database;
  await using started = new AsyncDisposableStack();
  const mails = await mailSettings(config);
  const { dataDirectory, pepper: secret } = config;
  const pepper = await openPepper(reads, { secret, dataDirectory });
  const keyring = createKeyring({ database, pepper, failed: warnOfUses(logger) });
  started.defer(() => keyring.close());
  const denials = openDenialLog(database, logger);
  started.defer(() => denials.close());
  const denied = (denial: Denial) => denials.note(denial);
  const counting = await openCounting(config, logger, link);
  started.defer(() => counting.close());
  const lookups = new CredentialLookups();
  const metrics = createMetrics({ process: true });
  const healthy = databaseProbe(reads);
  const lists = listLine(config);
  const writes = new Writes(database);
  registerGauges(metrics.registry, {
    pools: { reads, lists: database.lists, writes: database.writes },
    lists,
    lookups,
    hashes: passwordHashes,
    writesWaiting: () => writes.waiting,
    keysTrusted: () => keyring.trusted,
  });
  const files = parts.files ?? (await openConfiguredFiles(config, { reads, logger }, started));
  const addressOf = addressBehind(config.trustedProxies);
  const timeouts = { request: config.requestTimeout * 1000, files: files.timeout };
  const served: ServedApi = {
    api: apis.public,
    quota: quotaOf(counting, config.quota),
    authenticate: (header, address) => keyring.authenticate(header, lookups.from(address)),
    tenantExists: async (organizationId, tenantId) =>
      (await tenantsAmong(reads, organizationId, [tenantId])).has(tenantId),
    organizationExists: id => organizationExists(reads, id),
    addressOf,
    timeouts,
    routes: routesOn(database, { files, healthy, lists, writes }),
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
    lookups,
    resets,
    addressOf,
    timeouts,
    publicUrl: () => config.publicUrl ?? portalUrl.listened,
    openId: await openIdSettings(config),
    divisions: collectionOf(divisionResource, database, lists),
  };
  const app = buildService({
    logger,
    metrics,
    apis: [served, portalApi(portal)],
    answered: (request, status) => keyring.answered(request, status),
    denied,
    pages(pages) {
      registerEntrance(pages);
      registerReference(pages, apis.public);
      registerReference(pages, apis.portal);
      registerPortal(pages);
    },
  });
  let seconds: Parameters<typeof lifecycle.shutDown> = [0];
  const lifecycle = watchLifecycle(app, metrics);
  const ready = async () => lifecycle.ready && (await healthy());
  // It goes last: until the end it says that the service is not ready.
  const platform = {
    database,
    writes,
    files: files.store,
    pepper,
    publicUrl: publicUrlOf(config),
    byMail: mails !== null,
    lookups,
    addressOf,
    timeouts,
  };
  const managing = { config, logger, metrics, denied, ready, platform };
  const management = link === null ? await manage(managing) : null;
  started.defer(() => management?.close(seconds[0]));
  if (config.clockworkInterval > 0) {
    const { registry } = metrics;
    const background = {
      database,
      writes,
      pepper,
      logger,
      registry,
      mails,
      interval: config.clockworkInterval,
    };
    started.use(startBackground(background));
  }
  link?.show(metrics.registry);
  started.defer(() => lifecycle.shutDown(...seconds));
  const origin = await listen(app, config, link);
  portalUrl.listened = origin;
  const running = started.move();
  return {
    baseUrl: `${origin}/v1`,
    referenceUrl: `${origin}/docs`,
    managementUrl: management?.url ?? null,
    async stop(...given) {
      seconds = given;
      await running.disposeAsync();
    },
  };
}

/** Every operation of the public API, bound. */
function routesOn(
  { reads, lists }: Omit<Database, 'close'>,
  parts: { files: Files; healthy: () => Promise<boolean>; lists: FairLine; writes: Writes },
) {
  const { files, healthy, writes } = parts;
  const collection = (table: CollectionTable) => collectionOf(table, { lists }, parts.lists);
  return routesOf('public', {
    ...employeeHandlers({ reads, writes, collection: collection(employeeResource) }),
    ...divisionHandlers({ reads, writes, collection: collection(divisionResource) }),
    ...orderHandlers({ reads, writes, files, collection: collection(orderResource) }),
    ...incidentHandlers({ reads, writes, files: files.store, collection: collection(incidentResource) }),
    ...payrollDocumentHandlers({ reads, files, collection: collection(payrollDocumentResource) }),
    ...healthHandlers(healthy),
  });
}

function collectionOf(table: CollectionTable, { lists }: Pick<Database, 'lists'>, line: FairLine) {
  return createCollection(table, execute(lists, line), {
    now: () => performance.now(),
    mayBeOfCluster: () => lists.mayBeOfCluster,
  });
}

/** Most lists of one key, and of all keys, that wait. */
const waitingLists = { ofKey: 200, ofAll: 2000 };

/** Milliseconds after which a list was dear, and for which its key reads one at a time then. */
const dearLists = { after: 1_000, penance: 10_000 };

/** Who may read lists: no key more than its part of the sessions at once. */
function listLine({ poolSize, listsPerKey, requestTimeout }: ServiceConfig): FairLine {
  return new FairLine({
    places: poolSize,
    placesOfKey: listsPerKey ?? Math.max(1, Math.floor(poolSize / 3)),
    waitingOfKey: waitingLists.ofKey,
    waiting: waitingLists.ofAll,
    dear: { ...dearLists, timeout: requestTimeout * 1000 },
  });
}

async function openConfiguredFiles(
  config: ServiceConfig,
  { reads, logger }: { reads: Pool; logger: Logger },
  started: AsyncDisposableStack,
): Promise<Files> {
  const files = await openFiles(config, reads);
  started.defer(() => files.close());
  const sweep = async () => {
    const count = await files.sweep();
    if (count > 0) logger.info({ files: count }, 'removed files of uploads that were never stored');
  };
  const failed = (error: unknown) =>
    logger.warn({ cause: describeCause(error) }, 'files of uploads that were never stored stay for now');
  const sweeping = repeat(sweep, { interval: sweepInterval, failed });
  // Nobody waits for a sweep under way, which a store that hangs may hold up.
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

async function listen(
  app: FastifyInstance,
  { host, port }: ServiceConfig,
  link: PrimaryLink | null,
): Promise<string> {
  await app.listen({ host, port, ...link?.listening }).catch((error: unknown) => {
    throw listenError(error, { host, port, option: '--port', variable: 'PORT' });
  });
  return urlOf(host, (app.server.address() as AddressInfo).port);
}
