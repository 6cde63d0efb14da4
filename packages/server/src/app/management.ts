import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Telemetry } from '../http/response/respond.ts';
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
  rejected: NonNullable<Telemetry['rejected']>;
  /** What `/metrics` shows; absent: these. */
  shown?: Probes['shown'];
  ready: Probes['ready'];
  platform: PlatformParts;
}): Promise<Management> {
  const { config, logger, metrics, rejected, ready, platform } = parts;
  return startManagement({
    host: config.managementHost,
    port: config.managementPort,
    logger,
    metrics,
    rejected,
    shown: parts.shown ?? metrics.registry,
    ready,
    api: platformApi(platform),
  });
}
