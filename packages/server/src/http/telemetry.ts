import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { AuditedRejection, Rejection } from '../auth/rejection.ts';
import type { RequestRecord } from './request-context.ts';
import { build } from '../lib/build.ts';

export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called after each request of a caller, also when the client has disconnected (status 499). */
  readonly answered?: (request: RequestRecord, status: number) => void;
  readonly rejected?: (rejection: AuditedRejection) => void;
}

export function report(
  record: RequestRecord,
  status: number,
  { logger, metrics, answered }: Telemetry,
): void {
  const milliseconds = performance.now() - record.startedAt;
  logRequest(logger, record, status, milliseconds);
  metrics.answered(record.operation, status, milliseconds);
  record.span?.end({
    attributes: { 'http.response.status_code': status, 'kontor.request_id': record.requestId },
    ...(status >= 500 && { failure: record.rejection ?? undefined }),
  });
  if (record.caller !== null) answered?.(record, status);
}

/** Logs one line for a request, without URL, headers or body: these contain keys and personal data. Only the path of an unknown operation is logged, masked. Status 499 means that the client disconnected. */
function logRequest(logger: Logger, record: RequestRecord, status: number, milliseconds: number): void {
  logger.info(
    {
      requestId: record.requestId,
      replacedRequestId: record.replacedRequestId,
      traceId: record.span?.traceId,
      ...namesOf(record),
      operation: record.operation,
      status,
      ...(record.rejection && { code: record.rejection.code, path: record.rejection.path }),
      ms: Math.round(milliseconds * 100) / 100,
    },
    'request',
  );
}

/** `keyId` for an API key, `actorId` for any other caller; a null `keyId` when the request was not authenticated. */
function namesOf({ caller }: RequestRecord): Record<string, string | null> {
  if (caller === null) return { keyId: null };
  const { type, id } = caller.actor;
  return type === 'api_key' ? { keyId: id } : { actorType: type, actorId: id };
}

/** Metrics of requests. Labels have few values: operations of the contract, some fixed words, and statuses. */
export interface Metrics {
  readonly registry: Registry;
  /** A request was answered, or aborted (status 499), after so many milliseconds. */
  answered(operation: string, status: number, milliseconds: number): void;
  rejected(reason: Rejection['reason']): void;
  readonly inFlight: Gauge;
}

/** In seconds. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the request metrics, and with `process` those of the process (memory, CPU, event loop). */
export function createMetrics(options: { process: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'kontor_requests_total',
    help: 'Requests by operation and status; the status is 499 when the client disconnected',
    labelNames: ['operation', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'kontor_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, in seconds',
    labelNames: ['operation'],
    buckets: durations,
    registers,
  });
  const rejections = new Counter({
    name: 'kontor_access_rejections_total',
    help: 'Requests rejected by authentication or authorization, by reason',
    labelNames: ['reason'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'kontor_requests_in_flight',
    help: 'Requests in progress',
    registers,
  });
  const buildInfo = new Gauge({
    name: 'kontor_build_info',
    help: 'Always 1; its labels name the version and the commit',
    labelNames: Object.keys(build),
    registers,
  });
  buildInfo.set(build, 1);
  if (options.process) {
    collectDefaultMetrics({ register: registry });
    // Gauges with the name of a counter. Their sum over the types is in the metrics of the same name without the ending.
    for (const kind of ['handles', 'requests', 'resources'])
      registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
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
