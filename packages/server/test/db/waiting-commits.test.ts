import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { connect, type Database } from '../../src/db/connect.ts';
import { isUnavailable, isUncertain, NoSession } from '../../src/db/failure.ts';
import { sql } from '../../src/db/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { watchServers } from '../../src/db/servers/watch.ts';
import { type NetworkCluster, startNetworkCluster } from '../support/database/tls-cluster.ts';

/** A commit waits for a standby that there is not: the server ends it only when an administrator does. */
let cluster: NetworkCluster;
let database: Database;
let watch: { close(): Promise<void> };
const poolSize = 3;

before(async () => {
  cluster = await startNetworkCluster();
  await cluster.allow('host all all all trust');
  await cluster.administer.writes.run(sql`CREATE TABLE note (text text)`);
  const target = { url: `postgres://kontor@${cluster.address}${new URL(cluster.url).pathname}` };
  database = connect(target, { applicationName: 'under test', poolSize, deadline: 300, timeout: 500 });
  watch = watchServers({ ...database, target });
});
after(async () => {
  await cluster?.set({ synchronous_standby_names: '' });
  await watch?.close();
  await database?.close();
  await cluster?.stop();
});
beforeEach(() => cluster.set({ synchronous_standby_names: '*' }));

const record = sql`INSERT INTO note VALUES ('kept?')`;
const statement = () => database.writes.run(record);
const transaction = () => inTransaction(database.writes, session => session.run(record));

/** Sessions of the service on the server, with the number of those whose commit waits. */
async function sessionsOnServer(): Promise<{ all: number; waiting: number }> {
  const [row] = await cluster.administer.reads.rows<{ all: number; waiting: number }>(sql`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE wait_event = 'SyncRep')::int AS waiting
    FROM pg_stat_activity WHERE application_name = 'under test'`);
  return row!;
}

/** Reads until the pool has a session for each of its places again. */
async function allPlacesWork(): Promise<void> {
  for (;;) {
    const uses = Array.from({ length: poolSize }, () => database.writes.run(sql`SELECT pg_sleep(0.01)`));
    const outcomes = await Promise.allSettled(uses);
    if (outcomes.every(({ status }) => status === 'fulfilled')) return;
  }
}

for (const [name, write] of Object.entries({ statement, transaction }))
  test(`a ${name} that waits for a standby keeps its place: no further connection is opened`, async () => {
    const writes = Array.from({ length: 4 * poolSize }, write);
    for (const outcome of await Promise.allSettled(writes)) {
      const { reason } = outcome as PromiseRejectedResult;
      assert.ok(
        isUnavailable(reason) && (isUncertain(reason) || reason instanceof NoSession),
        String(reason),
      );
    }
    const { all, waiting } = await sessionsOnServer();
    assert.ok(all <= poolSize, `${all} sessions are open`);
    assert.equal(waiting, database.writes.unanswered.length);

    await cluster.set({ synchronous_standby_names: '' });
    await allPlacesWork();
    const [row] = await cluster.administer.reads.rows<{ kept: number }>(sql`
      WITH removed AS (DELETE FROM note RETURNING 1) SELECT count(*)::int AS kept FROM removed`);
    assert.equal(row!.kept, waiting);
  });

test('a place is free again after an administrator has ended the wait', async () => {
  await assert.rejects(transaction(), isUncertain);
  await cluster.administer.reads.rows(sql`
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
  await cluster.set({ synchronous_standby_names: '' });
  await allPlacesWork();
  assert.equal(database.writes.unanswered.length, 0);
});
