import { Gauge, type Registry } from 'prom-client';

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
