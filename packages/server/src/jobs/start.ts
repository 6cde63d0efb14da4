import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { describeCause } from '../telemetry/log.ts';
import { repeat, type Repetition } from '../lib/interval.ts';
import type { Clockwork } from './clockwork.ts';
import { createClockworkMetrics } from './metrics.ts';
import { type ClockworkParts, runClockwork } from './run.ts';

/** What the clockworks of a service stand on. */
export type StartedOn = Omit<ClockworkParts, 'signal'> & {
  readonly logger: Logger;
  readonly registry: Registry;
  /** Seconds between two runs. */
  readonly interval: number;
};

/** Runs the clockworks one after the other, at once and then in each interval, until they are stopped. */
export function startClockworks(
  clockworks: readonly Clockwork[],
  { interval, logger, registry, ...parts }: StartedOn,
): Repetition {
  const metrics = createClockworkMetrics(
    registry,
    clockworks.map(({ name }) => name),
  );
  const warn = (name: string, error: unknown, words: string, more: object = {}) => {
    metrics.failed(name);
    logger.warn({ clockwork: name, ...more, cause: describeCause(error) }, words);
  };

  async function run(clockwork: Clockwork, signal: AbortSignal): Promise<void> {
    const { name } = clockwork;
    let sum = 0;
    try {
      await runClockwork(
        clockwork,
        { ...parts, signal },
        {
          looked: due => metrics.looked(name, due),
          done(count) {
            sum += count;
            metrics.done(name, count);
          },
          postponed: (organizationId, error) =>
            warn(name, error, 'what is due in an organization stays for the next run', { organizationId }),
        },
      );
      metrics.ran(name);
    } catch (error) {
      if (!signal.aborted) warn(name, error, 'a clockwork stopped early, and goes on with the next run');
    }
    if (sum > 0) logger.info({ clockwork: name, count: sum }, 'a clockwork has done what was due');
  }

  return repeat(
    async signal => {
      for (const clockwork of clockworks) await run(clockwork, signal);
    },
    { interval: interval * 1000, failed: () => {} },
  );
}
