import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { describeCause } from '../telemetry/cause.ts';
import { inTrace } from '../lib/tracing.ts';
import { repeat, type Repetition } from '../lib/concurrency/interval.ts';
import { readMaintenance } from '../write/writes.ts';
import type { Job } from './job.ts';
import { createJobMetrics } from './metrics.ts';
import { type JobParts, runJob } from './run.ts';

export type StartedOn = Omit<JobParts, 'signal'> & {
  readonly logger: Logger;
  readonly registry: Registry;
  /** Seconds between two runs. */
  readonly interval: number;
};

/** Runs the jobs one after the other, at once and then in each interval, until they are stopped. */
export function startJobs(
  jobs: readonly Job[],
  { interval, logger, registry, ...parts }: StartedOn,
): Repetition {
  const metrics = createJobMetrics(
    registry,
    jobs.map(({ name }) => name),
  );
  const warn = (name: string, error: unknown, words: string, more: object = {}) => {
    metrics.failed(name);
    logger.warn({ job: name, ...more, cause: describeCause(error) }, words);
  };

  async function run(job: Job, signal: AbortSignal): Promise<void> {
    const { name } = job;
    let sum = 0;
    try {
      await runJob(
        job,
        { ...parts, signal },
        {
          inspected: due => metrics.inspected(name, due),
          done(count) {
            sum += count;
            metrics.done(name, count);
          },
          postponed: (organizationId, error) =>
            warn(name, error, 'the due work of an organization waits for the next run', { organizationId }),
        },
      );
      metrics.ran(name);
    } catch (error) {
      if (!signal.aborted) warn(name, error, 'a job stopped early and continues with the next run');
    }
    if (sum > 0) logger.info({ job: name, count: sum }, 'a scheduled job processed due resources');
  }

  return repeat(
    async signal => {
      // Its writes would be rejected, and reported as failures.
      if (await readMaintenance(parts.database.reads)) return;
      for (const job of jobs) await inTrace(`job ${job.name}`, () => run(job, signal));
    },
    { interval: interval * 1000, failed: () => {} },
  );
}
