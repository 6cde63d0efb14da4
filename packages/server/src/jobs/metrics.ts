import { Counter, Gauge, type Registry } from 'prom-client';
import type { Due } from './job.ts';

export interface JobMetrics {
  inspected(name: string, due: readonly Due[]): void;
  done(name: string, count: number): void;
  ran(name: string): void;
  failed(name: string): void;
}

/** Registers the metrics. A label `job` would collide with that of Prometheus. The counters exist from the start, with zero. */
export function createJobMetrics(registry: Registry, names: readonly string[]): JobMetrics {
  const labelNames = ['scheduled_job'] as const;
  const registers = [registry];
  const due = new Gauge({
    name: 'kontor_jobs_due',
    help: 'Resources that were due at the last inspection by this process',
    labelNames,
    registers,
  });
  const overdue = new Gauge({
    name: 'kontor_jobs_overdue_seconds',
    help: 'Longest time that a resource had been due at the last inspection; 0 without one',
    labelNames,
    registers,
  });
  const lastRun = new Gauge({
    name: 'kontor_jobs_last_run_timestamp_seconds',
    help: 'Time of the last run of this process that succeeded, or that left the work to another process',
    labelNames,
    registers,
  });
  const done = new Counter({
    name: 'kontor_jobs_done_total',
    help: 'Resources processed',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: 'kontor_jobs_failures_total',
    help: 'Runs that failed, and organizations left for the next run',
    labelNames,
    registers,
  });
  for (const job of names) {
    done.inc({ scheduled_job: job }, 0);
    failures.inc({ scheduled_job: job }, 0);
  }
  return {
    inspected(job, found) {
      const first = Math.min(Date.now(), ...found.map(({ since }) => since.getTime()));
      due.set(
        { scheduled_job: job },
        found.reduce((sum, { count }) => sum + count, 0),
      );
      overdue.set({ scheduled_job: job }, found.length === 0 ? 0 : (Date.now() - first) / 1000);
    },
    done: (job, count) => done.inc({ scheduled_job: job }, count),
    ran: job => lastRun.setToCurrentTime({ scheduled_job: job }),
    failed: job => failures.inc({ scheduled_job: job }),
  };
}
