import { Counter, Gauge, type Registry } from 'prom-client';
import type { Due } from './job.ts';

export interface JobMetrics {
  inspected(name: string, due: readonly Due[]): void;
  done(name: string, count: number): void;
  ran(name: string): void;
  failed(name: string): void;
}

/** Registers the metrics. The counters exist from the start, with zero. */
export function createJobMetrics(registry: Registry, names: readonly string[]): JobMetrics {
  const labelNames = ['job'] as const;
  const registers = [registry];
  const due = new Gauge({
    name: 'kontor_jobs_due',
    help: 'Resources whose time had come when this process last looked, and that were not done yet',
    labelNames,
    registers,
  });
  const overdue = new Gauge({
    name: 'kontor_jobs_overdue_seconds',
    help: 'How long the first of them had been due then; 0 when there were none',
    labelNames,
    registers,
  });
  const lastRun = new Gauge({
    name: 'kontor_jobs_last_run_timestamp_seconds',
    help: 'When this process last looked and either did what was due or left it to another process that was at it',
    labelNames,
    registers,
  });
  const done = new Counter({
    name: 'kontor_jobs_done_total',
    help: 'Resources that this process has done it to',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: 'kontor_jobs_failures_total',
    help: 'Runs that ended early, and organizations whose rest was left for the next run',
    labelNames,
    registers,
  });
  for (const job of names) {
    done.inc({ job }, 0);
    failures.inc({ job }, 0);
  }
  return {
    inspected(job, found) {
      const first = Math.min(Date.now(), ...found.map(({ since }) => since.getTime()));
      due.set(
        { job },
        found.reduce((sum, { count }) => sum + count, 0),
      );
      overdue.set({ job }, found.length === 0 ? 0 : (Date.now() - first) / 1000);
    },
    done: (job, count) => done.inc({ job }, count),
    ran: job => lastRun.setToCurrentTime({ job }),
    failed: job => failures.inc({ job }),
  };
}
