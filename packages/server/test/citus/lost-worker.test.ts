import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { after, before, test } from 'node:test';
import { citusScript } from '../../../../tools/citus/cluster.ts';
import { connect } from '../../src/db/connect.ts';
import { isUnavailable, isUncertain } from '../../src/db/failure.ts';
import { sql as statement } from '../../src/db/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { apiClient, type ApiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { startService, type TestService } from '../support/service/service.ts';
import type { Sql } from '../support/database/sql.ts';
import { testKey } from '../support/data/test-data.ts';
import { type OwnCluster, startOwnCluster } from './own-cluster.ts';
import { placeOf } from './shards.ts';

const isInRun = process.env.KONTOR_TEST_CITUS !== undefined && existsSync(citusScript);
const skip = !isInRun && 'needs Citus: npm run test:citus';

/** Milliseconds within which everybody has an answer, whatever it is. */
const inTime = 5_500;

interface Customer {
  readonly organization: string;
  readonly port: number;
  readonly key: string;
  readonly client: ApiClient;
}

let cluster: OwnCluster;
let testing: TestDatabase;
let service: TestService;
const customers: Customer[] = [];
before(async () => {
  if (skip) return;
  cluster = await startOwnCluster();
  testing = await testDatabase();
  const { sql } = testing.database;
  service = await startService(sql);
  while (new Set(customers.map(({ port }) => port)).size < 2 || customers.length < 6)
    customers.push(await newCustomer(sql));
});
after(async () => {
  if (skip) return;
  customers.forEach(({ client }) => client.close());
  await service.stop();
  await testing.drop();
  await cluster.stop();
});

async function newCustomer(sql: Sql): Promise<Customer> {
  const organization = await createOrganization(sql, 'Kunde');
  await createTenant(sql, organization, 'Kunde GmbH');
  const key = await testKey(sql, organization, 'all');
  const client = apiClient(service.url, { key });
  const { port } = await placeOf(sql, organization);
  return { organization, port, key, client };
}

/** Resolves when the port is closed. */
async function rejects(port: number): Promise<void> {
  for (;;) {
    const socket = connectTo(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (event === 'error') return;
  }
}

let count = 0;

/** Reads and writes as each of the customers, and returns the statuses; each must come in time. */
async function statusesOf(some: readonly Customer[]): Promise<Set<number>> {
  const began = performance.now();
  const statuses = await Promise.all(
    some.flatMap(({ client }) => [
      client.get('/employees').then(({ status }) => status),
      client.get(`/employees/${'0'.repeat(24)}`).then(({ status }) => (status === 404 ? 200 : status)),
      client
        .post('/employees', { email: `p${count++}@example.com`, firstName: 'A', lastName: 'B' })
        .then(({ status }) => (status === 201 ? 200 : status)),
    ]),
  );
  assert.ok(performance.now() - began < inTime);
  return new Set(statuses);
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
  const values = text.matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'gm'));
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}

test(
  'while a worker is away, organizations on it answer 503 in time and all others work, also with keys that were not seen before; then all work',
  { skip, timeout: 120_000 },
  async () => {
    const [{ port }] = customers as [Customer];
    const lost = customers.filter(customer => customer.port === port);
    const others = customers.filter(customer => customer.port !== port);
    assert.deepEqual(await statusesOf(customers), new Set([200]));
    assert.equal(await metric('kontor_database_node_failures_total'), 0);
    const second = await startService(testing.database.sql);

    const back = new AbortController();
    const load = (async () => {
      while (!back.signal.aborted) assert.deepEqual(await statusesOf(others), new Set([200]));
    })();
    cluster.crash(port);
    for (let round = 0; round < 5; round++) {
      assert.deepEqual(await statusesOf(lost), new Set([503]));
      assert.equal((await fetch(`${service.managementUrl}/readyz`)).status, 200);
      for (const { key } of others) {
        const client = apiClient(second.url, { key });
        assert.equal((await client.get('/employees')).status, 200);
        client.close();
      }
    }
    back.abort();
    await load;
    assert.ok((await metric('kontor_database_node_failures_total')) > 0);
    assert.equal(await metric('kontor_database_statement_timeouts_total'), 0);

    cluster.restart(port);
    assert.deepEqual(await statusesOf(customers), new Set([200]));
    await second.stop();
  },
);

test(
  'a transaction whose node is lost before the commit is not reported as stored; the session is used again',
  { skip, timeout: 60_000 },
  async () => {
    const [{ port, organization }] = customers as [Customer];
    const { sql } = testing.database;
    const pool = connect({ url: testing.url }, { poolSize: 1 });
    const name = async () =>
      (await sql<{ name: string }[]>`SELECT name FROM organization WHERE id = ${organization}`)[0]!.name;
    const before = await name();
    const renamed = inTransaction(pool.writes, async session => {
      await session.run(ofTest(statement`UPDATE organization SET name = 'Other' WHERE id = ${organization}`));
      cluster.crash(port);
      await rejects(port);
    });
    await assert.rejects(renamed, error => isUnavailable(error) && isUncertain(error));
    assert.deepEqual([pool.writes.state.lost, pool.writes.state.nodeFailures], [0, 1]);
    cluster.restart(port);
    assert.equal(await name(), before);
    await pool.close();
  },
);
