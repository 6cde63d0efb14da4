import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Rejection } from '../auth/rejection.ts';

/** What is measured of requests. Labels are bounded: operations of the contract, a few fixed words, and statuses. */
export interface Metrics {
  readonly registry: Registry;
  /** A request was answered, or broken off (status 499), after so many milliseconds. */
  answered(operation: string, status: number, milliseconds: number): void;
  /** A request was rejected for lack of a right. */
  rejected(reason: Rejection['reason']): void;
  readonly inFlight: Gauge;
}

/** Upper bounds of the duration histogram, in seconds. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry with the request metrics, and with those of the process (memory, CPU, event loop) when `process` is set. */
export function createMetrics(options: { process: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'kontor_requests_total',
    help: 'Requests answered, by operation and status; 499: broken off by the client',
    labelNames: ['operation', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'kontor_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer',
    labelNames: ['operation'],
    buckets: durations,
    registers,
  });
  const rejections = new Counter({
    name: 'kontor_access_rejections_total',
    help: 'Requests rejected for lack of a right, by reason: that of the audit, or of a credential that nobody has',
    labelNames: ['reason'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'kontor_requests_in_flight',
    help: 'Requests being answered',
    registers,
  });
  if (options.process) collectDefaultMetrics({ register: registry });
  return {
    registry,
    inFlight,
    answered(operation, status, milliseconds) {
      requests.inc({ operation, status });
      duration.observe({ operation }, milliseconds / 1000);
    },
    rejected: reason => rejections.inc({ reason }),
  };
}
