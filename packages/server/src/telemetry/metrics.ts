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

/** What a part of the service is doing, asked for when the metrics are read. */
export interface Watched {
  /** Each pool of database sessions by its name. */
  readonly pools: Readonly<Record<string, { readonly state: PoolReading }>>;
  /** Who may read lists, and who waits for it. */
  readonly lists: { readonly state: { readonly running: number; readonly waiting: number } };
  /** Credentials that are looked up, and passwords that are hashed. */
  readonly lookups: { readonly state: { readonly waiting: number } };
  readonly hashes: { readonly state: { readonly waiting: number } };
  /** Writes that wait for their turn in this process. */
  readonly writesWaiting: () => number;
  /** Whether notifications about keys arrive, so that keys may be used from memory. */
  readonly keysTrusted: () => boolean;
}

interface PoolReading {
  readonly sessions: number;
  readonly idle: number;
  readonly waiting: number;
  readonly lost: number;
  readonly overdue: number;
  readonly nodeFailures: number;
}

/** Registers what shows whether something waits, hangs or was lost. Labels are the names of the pools. */
export function registerGauges(
  registry: Registry,
  { pools, lists, lookups, hashes, writesWaiting, keysTrusted }: Watched,
): void {
  const ofPools = (name: string, help: string, read: (state: PoolReading) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, { state }] of Object.entries(pools)) this.set({ pool }, read(state));
      },
    });
  const one = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  ofPools('kontor_database_sessions', 'Open database sessions', state => state.sessions);
  ofPools('kontor_database_sessions_idle', 'Open database sessions that nobody uses', state => state.idle);
  ofPools(
    'kontor_database_waiting',
    'Statements and transactions that wait for a session',
    state => state.waiting,
  );
  ofPools('kontor_database_sessions_lost', 'Database sessions lost since the start', state => state.lost);
  ofPools(
    'kontor_database_statements_overdue',
    'Statements without a reply in time since the start, whose sessions were given up',
    state => state.overdue,
  );
  ofPools(
    'kontor_database_node_failures',
    'Statements that failed since the start because a node of the cluster could not be reached',
    state => state.nodeFailures,
  );
  one('kontor_lists_at_work', 'Lists that are being read', () => lists.state.running);
  one(
    'kontor_lists_waiting',
    'Lists that wait for those of the same or other keys',
    () => lists.state.waiting,
  );
  one(
    'kontor_credential_lookups_waiting',
    'Keys, tokens and sign-ins that wait to be looked up in the database',
    () => lookups.state.waiting,
  );
  one('kontor_password_hashes_waiting', 'Passwords that wait to be hashed', () => hashes.state.waiting);
  one('kontor_writes_waiting', 'Writes that wait for others of their organization', writesWaiting);
  one('kontor_key_listener_trusted', '1 while changes of keys are heard of at once', () =>
    keysTrusted() ? 1 : 0,
  );
}
