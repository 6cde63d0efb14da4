import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { foldNames } from '../features/organizations/fold-names.ts';
import type { Telemetry } from '../http/response/respond.ts';
import { describeCause } from '../http/log.ts';
import { type Management, type Probes, startManagement } from '../http/management.ts';
import type { Metrics } from '../http/metrics.ts';
import { type PlatformParts, platformApi } from './platform-api.ts';

/**
 * Serves the management port of a service, with the platform API on it.
 * @throws OperatorError for a port that cannot be used.
 */
export async function manage(parts: {
  config: Pick<Config, 'managementHost' | 'managementPort'>;
  logger: Logger;
  /** Of the requests to this port. */
  metrics: Metrics;
  denied: NonNullable<Telemetry['denied']>;
  /** What `/metrics` shows; absent: these. */
  shown?: Probes['shown'];
  ready: Probes['ready'];
  platform: PlatformParts;
}): Promise<Management> {
  const { config, logger, metrics, denied, ready, platform } = parts;
  const management = await startManagement({
    host: config.managementHost,
    port: config.managementPort,
    logger,
    metrics,
    denied,
    shown: parts.shown ?? metrics.registry,
    ready,
    api: platformApi(platform),
  });
  // Nobody waits for that: until it is done, lists of the platform fold older names by what PostgreSQL knows.
  const folding = foldNames(platform.database.writes).catch((error: unknown) =>
    logger.warn({ cause: describeCause(error) }, 'names from an older version are not folded yet'),
  );
  return {
    url: management.url,
    async close(graceSeconds) {
      await management.close(graceSeconds);
      await folding;
    },
  };
}
