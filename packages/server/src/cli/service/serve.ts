import { once } from 'node:events';
import type { Logger } from 'pino';
import { type Config, drainSeconds, type SettingName, settings } from '../../config.ts';
import { type Database, openDatabase } from '../../db/connect.ts';
import { watchServers } from '../../db/servers/watch.ts';
import { migrate } from '../../db/migrate.ts';
import { build } from '../../lib/build.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { mailSettings } from '../../app/mail-settings.ts';
import { linkToPrimary, type PrimaryLink } from '../../processes/worker.ts';
import type { Addresses, RunningService } from '../../app/service.ts';
import { serviceSettings } from '../../app/service-settings.ts';
import { type CommandContext, defineCommand } from '../program/command.ts';
import { databasePlace } from '../program/run.ts';
import { unknownVariablesLine } from '../program/unknown-variables.ts';
import { jsonLogger, type OpenLogger, readableLogger } from './logger.ts';

/** The settings that a service and its database read. */
export const runSettings = [
  ...serviceSettings,
  'databaseUrl',
  'statementTimeout',
  'otlpEndpoint',
  'tracesSampler',
  'tracesSamplerArg',
] as const;
type RunConfig = Pick<Config, (typeof runSettings)[number]>;

export const serve = defineCommand({
  summary: 'Migrate the schema and run the service',
  example: 'serve --port 8080',
  settings: [...runSettings, 'workers', 'drain', 'shutdownGrace', 'logLevel'],
  stopsItself: true,
  logsJson: true,
  async run(context) {
    const { config, signal, socket, unknownVariables } = context;
    // Reported before anything is started, and not by each worker.
    await mailSettings(config);
    const log = context.stderr.isTTY
      ? readableLogger(config.logLevel, context.stderr)
      : jsonLogger(config.logLevel);
    const times = { drainSeconds: drainSeconds(config, socket), graceSeconds: config.shutdownGrace };
    const link = linkToPrimary();
    if (link) {
      await runWorker({ config, signal, log, ...times }, link);
      return null;
    }
    log.logger.info({ ...build, settings: describeSettings(config) }, 'starting');
    if (unknownVariables.length > 0) log.logger.warn(unknownVariablesLine(unknownVariables));
    if (config.workers > 1)
      await runOnDatabase({ config, signal, log }, async database => {
        // Loaded here, as the service is below.
        const { servePrimary } = await import('../../app/primary.ts');
        await servePrimary({
          config,
          ...times,
          socket,
          database,
          logger: log.logger,
          signal,
          announce: service => announce(context, service),
        });
      });
    else
      await runService({ signal }, log, {
        config,
        socket,
        ...times,
        announce: async service => announce(context, service),
      });
    return null;
  },
});

/** The values of a configuration by their variables, for the log: without secrets, and URLs without credentials and query. */
export function describeSettings(config: Partial<Config>): Record<string, unknown> {
  const set = Object.entries(config).filter(([, value]) => value !== null && typeof value !== 'function');
  return Object.fromEntries(
    set.map(([name, value]) => {
      const { variable, option } = settings[name as SettingName];
      return [variable, option === undefined ? '(secret)' : withoutCredentials(value)];
    }),
  );
}

function withoutCredentials(value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes('://')) return value;
  if (!URL.canParse(value)) return '(url)';
  const url = new URL(value);
  Object.assign(url, { username: '', password: '', search: '' });
  return url.href;
}

/** Prints the addresses on a terminal or with `--json`. A log may have both streams elsewhere, so nothing but its lines is printed. */
function announce(context: CommandContext, { baseUrl, referenceUrl, managementUrl }: Addresses): void {
  if (!context.json && !context.stderr.isTTY) return;
  context.print({
    json: { baseUrl, referenceUrl, managementUrl },
    text: `Kontor answers at ${baseUrl}; the API reference is at ${referenceUrl}`,
  });
}

interface Run {
  readonly config: RunConfig;
  readonly signal: AbortSignal;
  readonly log: OpenLogger;
}

/** Runs one of several processes. The primary process names its port or socket, and ends it with SIGTERM. */
async function runWorker(
  { config, signal, log, ...times }: Run & { drainSeconds: number; graceSeconds: number },
  link: PrimaryLink,
): Promise<void> {
  try {
    const { port, socket } = await link.findPlace();
    await runService({ signal }, log, {
      config: { ...config, port },
      socket,
      ...times,
      link,
      announce: () => link.announce(),
    });
  } finally {
    link.close();
  }
}

/**
 * Runs a service on its database from start to Ctrl-C: migrates, listens, announces, waits and takes everything down.
 * `prepare` is called with the database before the service starts.
 */
export function runService(
  { signal }: Pick<CommandContext, 'signal'>,
  log: OpenLogger,
  parts: {
    config: RunConfig;
    link?: PrimaryLink;
    socket?: number | null;
    drainSeconds: number;
    graceSeconds: number;
    prepare?: (database: Database) => Promise<void>;
    announce: (service: RunningService) => Promise<void>;
  },
): Promise<void> {
  const { config, link = null, socket = null } = parts;
  const { logger } = log;
  return runOnDatabase({ config, signal, log }, async database => {
    await parts.prepare?.(database);
    // Imported here, so that the other commands start without the HTTP server.
    const { startService } = await import('../../app/service.ts');
    const service = await startService({ database, config, logger, link, socket });
    await parts.announce(service);
    logger.info({ address: service.baseUrl }, 'ready');
    if (!signal.aborted) await once(signal, 'abort');
    logger.info('stopping');
    await service.stop(parts.graceSeconds, parts.drainSeconds);
  });
}

/** Opens and migrates the database, runs the service on it, and closes it and the log. */
async function runOnDatabase(
  { config, signal, log: { logger, flush } }: Run,
  run: (database: Database) => Promise<void>,
): Promise<void> {
  const traces = await openTraces(config, logger);
  const database = await openDatabase({
    ...databasePlace(config),
    poolSize: config.poolSize,
    listsPerCaller: config.listsPerKey,
    deadline: config.statementTimeout * 1000,
    owner: 'service',
    log: line => logger.info(line),
    failed: reason => logger.error(reason),
  });
  const { target } = database;
  const watch = 'url' in target ? watchServers({ ...database, target }) : null;
  try {
    if (await isMigrated(database, logger, signal)) await run(database);
  } finally {
    await watch?.close();
    await database.close();
    await traces?.stop();
    await flush();
  }
}

const openTelemetryMissing =
  'OTEL_EXPORTER_OTLP_ENDPOINT needs OpenTelemetry: install it with "npm install @opentelemetry/sdk-trace @opentelemetry/resources @opentelemetry/exporter-trace-otlp-proto"';

/** Null when traces are off; then OpenTelemetry is not loaded. @throws OperatorError when it is not installed */
async function openTraces({ otlpEndpoint, ...sampling }: RunConfig, logger: Logger) {
  if (otlpEndpoint === null) return null;
  const { startTraces } = await import('../../telemetry/traces.ts').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND'
      ? new OperatorError(openTelemetryMissing, { cause: error })
      : error;
  });
  return startTraces({ otlpEndpoint, ...sampling }, logger);
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
