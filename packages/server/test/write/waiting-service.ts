import { connect, type ConnectOptions, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { PortalFixture } from '../portal/support.ts';
import { apiClient } from '../support/contract/client.ts';
import { insertTestData } from '../support/data/test-data.ts';
import { startTestCluster } from '../support/database/cluster.ts';
import { type Sql, testSql } from '../support/database/sql.ts';
import { setStandby } from './standby.ts';
import { startService, type TestService } from '../support/service/service.ts';

type ServiceOptions = NonNullable<Parameters<typeof startService>[1]>;

/** An administrator does this to a commit that waits for a standby. */
export const endings = {
  cancelled: 'SELECT pg_cancel_backend(pid)',
  terminated: 'SELECT pg_terminate_backend(pid)',
} as const;

/** Two services on one server, whose standby is away: commits of one wait for it, those of the other need none. */
export interface WaitingService extends AsyncDisposable {
  /** It has the service that needs no standby, and an organization. */
  readonly fixture: PortalFixture;
  readonly waiting: TestService;
  /** The waiting service runs on it. */
  readonly database: Database;
  /** Address of the server, for a command whose commits wait. */
  readonly url: string;
  /**
   * Ends each commit that waits, until the work has an outcome. Returns the outcome and the number of ended waits. `overdue` ends them
   * only after the outcome.
   */
  endWaits<T>(
    ending: keyof typeof endings | 'overdue',
    work: Promise<T>,
  ): Promise<{ outcome: PromiseSettledResult<T>; waits: number }>;
}

/** A pool of requests whose commits are local. */
const local = `&options=${encodeURIComponent('-c synchronous_commit=local')}`;

export async function startWaitingService(
  options: ServiceOptions = {},
  pools: ConnectOptions = {},
): Promise<WaitingService> {
  await using started = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  started.defer(() => cluster.stop());
  const open = (url: string, how?: ConnectOptions): Sql => {
    const database = connect({ url }, how);
    started.defer(() => database.close());
    return testSql(database);
  };
  const sql = open(cluster.url + local);
  const waitingSql = open(cluster.url, pools);
  await migrate(sql.database);
  const testData = await insertTestData(sql);
  const start = async (of: Sql): Promise<TestService> => {
    const service = await startService(of, options);
    started.defer(() => service.stop());
    return service;
  };

  const endOnce = async (ending: keyof typeof endings): Promise<number> => {
    const waits = await sql.unsafe(`
      ${endings[ending]} FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'`);
    return waits.length;
  };
  const endWaits: WaitingService['endWaits'] = async (ending, work) => {
    const settling = { isOver: false };
    const settled = Promise.allSettled([work]).finally(() => (settling.isOver = true));
    let waits = 0;
    if (ending !== 'overdue') while (!settling.isOver) waits += await endOnce(ending);
    const [outcome] = await settled;
    if (ending === 'overdue') waits = await endOnce('cancelled');
    return { outcome, waits };
  };

  const service = await start(sql);
  const waiting = await start(waitingSql);
  await setStandby(sql, '*');
  // The embedded server also commits when it is stopped.
  started.defer(() => setStandby(sql, ''));
  const commit = () => waitingSql`SELECT pg_logical_emit_message(true, 'test', 'commit')`;
  while ((await endWaits('cancelled', commit())).waits === 0);
  const portal = apiClient(service.url, { api: 'portal' });
  const client = apiClient(service.url, { key: testData.keys.all });
  started.defer(() => [portal, client].forEach(one => one.close()));
  const fixture = { sql, databaseUrl: cluster.url, service, testData, client, portal } as PortalFixture;
  const resources = started.move();
  return {
    fixture,
    waiting,
    database: waitingSql.database,
    url: cluster.url,
    endWaits,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
