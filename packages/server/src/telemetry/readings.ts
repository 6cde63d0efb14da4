import { Counter, Gauge, type Registry } from 'prom-client';
import type { PoolState } from '../db/pool.ts';

export interface Watched {
  readonly pools: Readonly<Record<string, { readonly state: PoolState }>>;
  readonly lookups: { readonly state: { readonly waiting: number } };
  readonly hashes: { readonly state: { readonly waiting: number } };
  readonly writesWaiting: () => number;
  /** Whether notifications about keys arrive, so that cached keys may be used. */
  readonly keysTrusted: () => boolean;
}

type Labelled = readonly [labels: Partial<Record<'pool' | 'class', string>>, value: number];

/** A metric that is read with the page of metrics: one value, or one for each set of labels. A name that ends in `_total` is a counter. */
type Reading = readonly [name: string, help: string, read: () => number | readonly Labelled[]];

export function registerReadings(registry: Registry, readings: readonly Reading[]): void {
  for (const [name, help, read] of readings) {
    const values = () => {
      const value = read();
      return typeof value === 'number' ? ([[{}, value]] as const) : value;
    };
    const options = { name, help, labelNames: ['pool', 'class'] as const, registers: [] };
    const metric = name.endsWith('_total')
      ? new Counter({
          ...options,
          collect() {
            this.reset();
            for (const [labels, value] of values()) this.inc(labels, value);
          },
        })
      : new Gauge({
          ...options,
          collect() {
            for (const [labels, value] of values()) this.set(labels, value);
          },
        });
    registry.registerMetric(metric);
  }
}

/** The state of queues and pools. */
export function serviceReadings(watched: Watched): Reading[] {
  const { pools, lookups, hashes, writesWaiting, keysTrusted } = watched;
  const ofPools = (key: Exclude<keyof PoolState, 'errors'>) => () =>
    Object.entries(pools).map(([pool, { state }]): Labelled => [{ pool }, state[key]]);
  const errors = () =>
    Object.entries(pools).flatMap(([pool, { state }]) =>
      Array.from(state.errors, ([name, count]): Labelled => [{ pool, class: name }, count]),
    );
  return [
    ['kontor_database_sessions', 'Open database sessions', ofPools('sessions')],
    ['kontor_database_sessions_idle', 'Open database sessions without work', ofPools('idle')],
    ['kontor_database_waiting', 'Statements and transactions waiting for a session', ofPools('waiting')],
    ['kontor_database_sessions_lost_total', 'Lost database sessions', ofPools('lost')],
    ['kontor_database_statement_timeouts_total', 'Statements without a reply in time', ofPools('overdue')],
    [
      'kontor_database_node_failures_total',
      'Statements that failed because a cluster node was unreachable',
      ofPools('nodeFailures'),
    ],
    ['kontor_database_errors_total', 'Errors reported by the database, by SQLSTATE class', errors],
    ['kontor_credential_lookups_waiting', 'Credentials waiting to be looked up', () => lookups.state.waiting],
    ['kontor_password_hashes_waiting', 'Passwords waiting to be hashed', () => hashes.state.waiting],
    ['kontor_writes_waiting', 'Writes waiting for others of their organization', writesWaiting],
    [
      'kontor_key_listener_trusted',
      '1 while the process is notified of changed keys, else 0',
      () => Number(keysTrusted()),
    ],
  ];
}
