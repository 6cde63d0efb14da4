import { once } from 'node:events';
import type { Logger } from 'pino';
import { type Config, drainSeconds } from '../config.ts';
import { type Database, openDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { linkToPrimary, type PrimaryLink } from '../processes/worker.ts';
import { mailSettings } from '../mail/settings.ts';
import type { Addresses, RunningService } from '../app/service.ts';
import { serviceSettings } from '../app/service-settings.ts';
import { unknownVariablesLine } from './unknown-variables.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { jsonLogger, type OpenLogger } from './logger.ts';
import { databasePlace } from './session.ts';

/** The settings that a service and its database read. */
const runSettings = [...serviceSettings, 'databaseUrl', 'statementTimeout'] as const;
type RunConfig = Pick<Config, (typeof runSettings)[number]>;

const serveSettings = [...runSettings, 'workers', 'drain', 'shutdownGrace', 'logLevel'] as const;
type ServeContext = CommandContext<(typeof serveSettings)[number]>;

export const serve = defineCommand({
  name: 'serve',
  summary: 'Run the service; brings the schema of the database to this version first',
  settings: serveSettings,
  endsItself: true,
  logsJson: true,
  async run(context) {
    // Reported before anything is started, and not by each worker.
    await mailSettings(context.config);
    const log = jsonLogger(context.config.logLevel);
    const link = linkToPrimary();
    const { unknownVariables } = context;
    if (!link && unknownVariables.length > 0) log.logger.warn(unknownVariablesLine(unknownVariables));
    if (link) await runWorker(context, log, link);
    else if (context.config.workers > 1) await runPrimary(context, log);
    else
      await runService(context, log, {
        config: context.config,
        ...timesOf(context.config),
        announce: async service => announce(context, service),
      });
    return null;
  },
});

function timesOf(config: ServeContext['config']): { drainSeconds: number; graceSeconds: number } {
  return { drainSeconds: drainSeconds(config), graceSeconds: config.shutdownGrace };
}

function announce(context: CommandContext, service: Addresses): void {
  const { baseUrl, referenceUrl, managementUrl } = service;
  context.print({
    json: { baseUrl, referenceUrl, managementUrl },
    text: `Kontor answers at ${baseUrl}; the API reference is at ${referenceUrl}`,
  });
}

/** One of several processes; the primary one says on which port it serves, and ends it with SIGTERM. */
async function runWorker(
  { config, signal }: ServeContext,
  log: OpenLogger,
  link: PrimaryLink,
): Promise<void> {
  try {
    await runService({ signal }, log, {
      config: { ...config, port: await link.findPort() },
      ...timesOf(config),
      link,
      announce: () => link.announce(),
    });
  } finally {
    link.close();
  }
}

/** The process that starts the workers and serves nothing itself but the management port, with the platform API. */
async function runPrimary(context: ServeContext, { logger, flush }: OpenLogger): Promise<void> {
  const { config, signal } = context;
  const database = await openDatabase({
    ...databasePlace(config),
    poolSize: config.poolSize,
    deadline: config.statementTimeout * 1000,
    owner: 'service',
    log: line => logger.info(line),
  });
  try {
    if (!(await isMigrated(database, logger, signal))) return;
    // Loaded here, as the service is below.
    const { servePrimary } = await import('../app/primary.ts');
    await servePrimary({
      config,
      ...timesOf(config),
      database,
      logger,
      signal,
      announce: service => announce(context, service),
    });
  } finally {
    await database.close();
    await flush();
  }
}

/**
 * Runs a service on its database from start to Ctrl-C: migrates, listens, announces, waits and takes everything down.
 * `prepare` is given the database before the service starts.
 */
export async function runService(
  { signal }: Pick<CommandContext, 'signal'>,
  { logger, flush }: OpenLogger,
  parts: {
    config: RunConfig;
    link?: PrimaryLink;
    drainSeconds: number;
    graceSeconds: number;
    prepare?: (database: Database) => Promise<void>;
    announce: (service: RunningService) => Promise<void>;
  },
): Promise<void> {
  const { config } = parts;
  const database = await openDatabase({
    ...databasePlace(config),
    poolSize: config.poolSize,
    deadline: config.statementTimeout * 1000,
    owner: 'service',
    log: line => logger.info(line),
  });
  try {
    if (!(await isMigrated(database, logger, signal))) return;
    await parts.prepare?.(database);
    // Loaded here: the other commands need not wait for the HTTP server and all its parts.
    const { startService } = await import('../app/service.ts');
    const service = await startService({ database, config, logger, link: parts.link ?? null });
    await parts.announce(service);
    logger.info({ address: service.baseUrl }, 'ready');
    if (!signal.aborted) await once(signal, 'abort');
    logger.info('stopping');
    await service.stop(parts.graceSeconds, parts.drainSeconds);
  } finally {
    await database.close();
    await flush();
  }
}

/** Brings the schema up to date; false when Ctrl-C came meanwhile. The next start then goes on where this one stopped. */
async function isMigrated(database: Database, logger: Logger, signal: AbortSignal): Promise<boolean> {
  try {
    const applied = await migrate(database, { log: line => logger.info(line), signal });
    if (applied.length > 0) logger.info({ applied }, 'migrated the database');
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    logger.info('stopped while it migrated the database');
    return false;
  }
}
