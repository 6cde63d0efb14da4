import type { AddressInfo } from 'node:net';
import { openApiDocument } from '@kontor/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createCollection } from './collection/page.ts';
import type { CollectionTable } from './collection/table.ts';
import type { Config } from './config.ts';
import type { Database, Sql } from './database/connect.ts';
import { execute } from './database/execute.ts';
import { OperatorError } from './database/operator-error.ts';
import { OrganizationWrites } from './database/organization-write.ts';
import { WriteTurns } from './database/write-turns.ts';
import { divisionRoutes } from './features/divisions/routes.ts';
import { divisionTable } from './features/divisions/table.ts';
import { employeeRoutes } from './features/employees/routes.ts';
import { employeeTable } from './features/employees/table.ts';
import type { Files } from './files/download.ts';
import { openFiles } from './files/open.ts';
import { startSweeper } from './files/sweeper.ts';
import { incidentRoutes } from './features/incidents/routes.ts';
import { incidentTable } from './features/incidents/table.ts';
import { createKeyring } from './features/keys/keyring.ts';
import { openPepper } from './features/keys/pepper.ts';
import { orderRoutes } from './features/orders/routes.ts';
import { orderTable } from './features/orders/table.ts';
import { tenantsAmong } from './features/organizations/store.ts';
import { payrollDocumentRoutes } from './features/payroll-documents/routes.ts';
import { payrollDocumentTable } from './features/payroll-documents/table.ts';
import { healthRoute } from './http/health.ts';
import { describeCause } from './http/log.ts';
import { startManagement } from './http/management.ts';
import { createMetrics } from './http/metrics.ts';
import { memoryQuota, type Quota, redisQuota } from './http/quota.ts';
import { registerReference } from './http/reference.ts';
import { buildService } from './http/service.ts';
import { watchLifecycle } from './http/shutdown.ts';

/** What a service needs of the configuration. */
export type ServiceConfig = Pick<
  Config,
  | 'host'
  | 'port'
  | 'managementHost'
  | 'managementPort'
  | 'dataDirectory'
  | 'pepper'
  | 'quota'
  | 'redisUrl'
  | 'filesUrl'
  | 'fileTimeout'
>;

/** A service that answers. */
export interface RunningService {
  /** The address of the API, with `/v1`. */
  readonly baseUrl: string;
  /** The address of the API reference. */
  readonly referenceUrl: string;
  readonly managementUrl: string;
  /** Lets requests under way end within the grace time and takes everything down but the database. */
  stop(graceSeconds: number): Promise<void>;
}

/**
 * Puts the service together on a database with the schema of this version, and listens. Whatever was started is taken
 * down again when something fails. Errors: OperatorError for a port that cannot be used, PepperError.
 */
export async function startService(parts: {
  database: Pick<Database, 'sql' | 'lists' | 'writes'>;
  config: ServiceConfig;
  logger: Logger;
  /** Other files than those of the configuration; for tests. */
  files?: Files;
}): Promise<RunningService> {
  const { config, logger } = parts;
  const { sql } = parts.database;
  await using started = new AsyncDisposableStack();
  const { dataDirectory, pepper: secret } = config;
  const pepper = await openPepper(sql, { secret, dataDirectory });
  const keyring = createKeyring({ sql, pepper, failed: warnOfUses(logger) });
  started.defer(() => keyring.close());
  const quota = await openQuota(config, logger);
  started.defer(() => quota.close());
  const metrics = createMetrics({ process: true });
  const healthy = databaseProbe(sql);
  const files = parts.files ?? (await openConfiguredFiles(config, { sql, logger }, started));
  const app = buildService({
    logger,
    metrics,
    quota,
    authenticate: header => keyring.authenticate(header),
    tenantExists: async (organizationId, tenantId) =>
      (await tenantsAmong(sql, organizationId, [tenantId])).has(tenantId),
    routes: routesOn(parts.database, files, healthy),
    openapi: JSON.stringify(openApiDocument()),
    pages: registerReference,
  });
  let graceSeconds = 0;
  const lifecycle = watchLifecycle(app, metrics);
  started.defer(() => lifecycle.shutDown(graceSeconds));
  const ready = async () => lifecycle.ready && (await healthy());
  const managementUrl = await manage(config, { metrics, ready }, started);
  const origin = await listen(app, config);
  const running = started.move();
  return {
    baseUrl: `${origin}/v1`,
    referenceUrl: `${origin}/docs`,
    managementUrl,
    async stop(seconds) {
      graceSeconds = seconds;
      await running.disposeAsync();
    },
  };
}

/** Every operation of the contract, bound. */
function routesOn(
  { sql, lists, writes }: Pick<Database, 'sql' | 'lists' | 'writes'>,
  files: Files,
  healthy: () => Promise<boolean>,
) {
  const collection = (table: CollectionTable) =>
    createCollection(table, execute(lists), { now: () => performance.now() });
  const turns = new WriteTurns();
  const families = new OrganizationWrites({ sql, writes }, turns);
  return [
    ...employeeRoutes({ sql, writes, turns, collection: collection(employeeTable) }),
    ...divisionRoutes({ sql, writes: families, collection: collection(divisionTable) }),
    ...orderRoutes({ sql, writes: families, files, collection: collection(orderTable) }),
    ...incidentRoutes({ sql, writes: families, files: files.store, collection: collection(incidentTable) }),
    ...payrollDocumentRoutes({ sql, files, collection: collection(payrollDocumentTable) }),
    healthRoute(healthy),
  ];
}

async function openConfiguredFiles(
  config: ServiceConfig,
  { sql, logger }: { sql: Sql; logger: Logger },
  started: AsyncDisposableStack,
): Promise<Files> {
  const files = await openFiles(config, sql);
  started.defer(() => files.close());
  const sweeper = startSweeper(() => files.sweep(), {
    swept: count => logger.info({ files: count }, 'removed files of uploads that were never stored'),
    failed: error =>
      logger.warn({ cause: describeCause(error) }, 'files of uploads that were never stored stay for now'),
  });
  started.defer(() => sweeper.stop());
  return files;
}

function warnOfUses(logger: Logger): (error: unknown) => void {
  return error =>
    logger.warn({ cause: describeCause(error) }, 'the last uses of keys could not be written yet');
}

function openQuota({ redisUrl, quota }: ServiceConfig, logger: Logger): Promise<Quota> | Quota {
  return redisUrl === null ? memoryQuota(quota) : redisQuota(redisUrl, quota, logger);
}

/** How long the database may take to show that it is there, in milliseconds. */
const probePatience = 2000;

/** Whether the database answers. Those who ask at the same time share one question. */
function databaseProbe(sql: Sql): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  return () => {
    asking ??= answers(sql).finally(() => (asking = null));
    return asking;
  };
}

async function answers(sql: Sql): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, probePatience, false);
  const question = sql`SELECT 1`.then(
    () => true,
    () => false,
  );
  const answer = await Promise.race([question, late]);
  clearTimeout(timer);
  return answer;
}

async function manage(
  { managementHost: host, managementPort: port }: ServiceConfig,
  parts: Pick<Parameters<typeof startManagement>[0], 'metrics' | 'ready'>,
  started: AsyncDisposableStack,
): Promise<string> {
  const management = await startManagement({ host, port, ...parts }).catch((error: unknown) => {
    throw listenError(error, { host, port, option: '--management-port', variable: 'MANAGEMENT_PORT' });
  });
  started.defer(() => management.close());
  return urlOf(host, management.port);
}

async function listen(app: FastifyInstance, { host, port }: ServiceConfig): Promise<string> {
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError(error, { host, port, option: '--port', variable: 'PORT' });
  });
  return urlOf(host, (app.server.address() as AddressInfo).port);
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly option: string;
  readonly variable: string;
}

/** What the operator can do about an address that cannot be listened on; any other error stays what it is. */
function listenError(error: unknown, { host, port, option, variable }: Place): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const other = `choose another one with ${option} or ${variable}`;
  if (code === 'EADDRINUSE') return new OperatorError(`port ${port} of ${host} is taken: ${other}`);
  if (code === 'EACCES') return new OperatorError(`port ${port} may not be used by this user: ${other}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`${host} is no address of this machine`);
  return error;
}
