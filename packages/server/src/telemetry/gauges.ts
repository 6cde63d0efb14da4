import { Gauge, type Registry } from 'prom-client';

export interface Watched {
  readonly pools: Readonly<Record<string, { readonly state: PoolReading }>>;
  readonly lists: { readonly state: { readonly running: number; readonly waiting: number } };
  readonly lookups: { readonly state: { readonly waiting: number } };
  readonly hashes: { readonly state: { readonly waiting: number } };
  readonly writesWaiting: () => number;
  /** Whether notifications about keys arrive, so that cached keys may be used. */
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

/** A gauge that is read together with the metrics: one value, or one per database pool. */
type Reading = readonly [name: string, help: string, read: () => number | Readonly<Record<string, number>>];

export function registerGauges(registry: Registry, gauges: readonly Reading[]): void {
  for (const [name, help, read] of gauges) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [],
      collect() {
        const value = read();
        if (typeof value === 'number') this.set(value);
        else for (const [pool, one] of Object.entries(value)) this.set({ pool }, one);
      },
    });
    registry.registerMetric(gauge);
  }
}

/** Gauges of waiting work, timeouts and lost sessions. */
export function serviceGauges(watched: Watched): Reading[] {
  const { pools, lists, lookups, hashes, writesWaiting, keysTrusted } = watched;
  const ofPools = (key: keyof PoolReading) => () =>
    Object.fromEntries(Object.entries(pools).map(([pool, { state }]) => [pool, state[key]]));
  return [
    ['kontor_database_sessions', 'Open database sessions', ofPools('sessions')],
    ['kontor_database_sessions_idle', 'Open database sessions that are not used', ofPools('idle')],
    ['kontor_database_waiting', 'Work that waits for a session', ofPools('waiting')],
    ['kontor_database_sessions_lost', 'Sessions lost since the start', ofPools('lost')],
    ['kontor_database_statements_overdue', 'Statements given up since the start', ofPools('overdue')],
    ['kontor_database_node_failures', 'Statements whose node was away', ofPools('nodeFailures')],
    ['kontor_lists_at_work', 'Lists that are being read', () => lists.state.running],
    ['kontor_lists_waiting', 'Lists that wait for others', () => lists.state.waiting],
    ['kontor_credential_lookups_waiting', 'Credentials to be looked up', () => lookups.state.waiting],
    ['kontor_password_hashes_waiting', 'Passwords to be hashed', () => hashes.state.waiting],
    ['kontor_writes_waiting', 'Writes that wait for others of their organization', writesWaiting],
    ['kontor_key_listener_trusted', '1 while changes of keys are received', () => Number(keysTrusted())],
  ];
}
