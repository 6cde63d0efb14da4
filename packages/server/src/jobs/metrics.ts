import { Counter, Gauge, type Registry } from 'prom-client';
import type { Due } from './clockwork.ts';

/** What is measured of the clockworks of this process; `name` is that of one of them. */
export interface ClockworkMetrics {
  looked(name: string, due: readonly Due[]): void;
  done(name: string, count: number): void;
  /** A run has come to its end. */
  ran(name: string): void;
  failed(name: string): void;
}

/** Registers the metrics of the clockworks, which are there from the start on. */
export function createClockworkMetrics(registry: Registry, names: readonly string[]): ClockworkMetrics {
  const labelNames = ['clockwork'] as const;
  const registers = [registry];
  const due = new Gauge({
    name: 'kontor_clockwork_due',
    help: 'Resources whose time had come when this process last looked, and that were not done yet',
    labelNames,
    registers,
  });
  const overdue = new Gauge({
    name: 'kontor_clockwork_overdue_seconds',
    help: 'How long the first of them had been due then; 0 when there were none',
    labelNames,
    registers,
  });
  const lastRun = new Gauge({
    name: 'kontor_clockwork_last_run_timestamp_seconds',
    help: 'When this process last looked and either did what was due or left it to another process that was at it',
    labelNames,
    registers,
  });
  const done = new Counter({
    name: 'kontor_clockwork_done_total',
    help: 'Resources that this process has done it to',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: 'kontor_clockwork_failures_total',
    help: 'Runs that ended early, and organizations whose rest was left for the next run',
    labelNames,
    registers,
  });
  for (const clockwork of names) {
    done.inc({ clockwork }, 0);
    failures.inc({ clockwork }, 0);
  }
  return {
    looked(clockwork, found) {
      const first = Math.min(Date.now(), ...found.map(({ since }) => since.getTime()));
      due.set(
        { clockwork },
        found.reduce((sum, { count }) => sum + count, 0),
      );
      overdue.set({ clockwork }, found.length === 0 ? 0 : (Date.now() - first) / 1000);
    },
    done: (clockwork, count) => done.inc({ clockwork }, count),
    ran: clockwork => lastRun.setToCurrentTime({ clockwork }),
    failed: clockwork => failures.inc({ clockwork }),
  };
}
