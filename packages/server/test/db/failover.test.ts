import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, type Database, type Pool } from '../../src/db/connect.ts';
import { isUnavailable } from '../../src/db/failure.ts';
import { openSession } from '../../src/db/open-session.ts';
import { sql } from '../../src/db/sql.ts';
import { promote, startStandby } from './network-standby.ts';
import { findFreePort } from '../support/service/free-port.ts';
import { type NetworkCluster, startNetworkCluster } from '../support/database/tls-cluster.ts';

describe('several hosts of DATABASE_URL', () => {
  let primary: NetworkCluster;
  let standby: NetworkCluster;
  let nowhere: string;
  let password: string;
  before(async () => {
    primary = await startNetworkCluster();
    const rules = await readFile(path.join(primary.data, 'pg_hba.conf'), 'utf8');
    await primary.allow('host all all all trust', 'host replication all all trust');
    standby = await startStandby(primary, rules);
    const file = path.join(path.dirname(primary.data), 'postgres.password');
    password = (await readFile(file, 'utf8')).trim();
    nowhere = `127.0.0.1:${await findFreePort()}`;
  });
  after(async () => {
    await standby?.stop();
    await primary?.stop();
  });

  const url = (hosts: string[], parameters = 'target_session_attrs=read-write') =>
    `postgres://kontor:${password}@${hosts.join(',')}/postgres?${parameters}`;

  async function addressOf(pool: Pool): Promise<string> {
    const [row] = await pool.rows<{ address: string }>(sql`SELECT host(inet_server_addr()) AS address`);
    return row!.address;
  }

  /** The servers of the pools, which must be one. */
  async function serverOf({ reads, lists, writes }: Database): Promise<string> {
    const [first, ...others] = [await addressOf(reads), await addressOf(lists), await addressOf(writes)];
    assert.deepEqual(others, [first, first]);
    return first;
  }

  const orders: Record<string, () => string[]> = {
    'the primary before the standby': () => [primary.address, standby.address],
    'the standby before the primary': () => [standby.address, primary.address],
    'with ports': () => [`${standby.address}:5432`, `${primary.address}:5432`],
    'a host without a server before it': () => [nowhere, standby.address, primary.address],
    'a name that does not exist before it': () => ['nowhere.invalid', primary.address],
  };
  for (const [order, hosts] of Object.entries(orders))
    test(`the primary is found: ${order}`, async () => {
      for (const parameters of [
        'target_session_attrs=read-write',
        'target_session_attrs=any',
        'sslmode=prefer',
      ]) {
        const database = connect({ url: url(hosts(), parameters) });
        assert.equal(await serverOf(database), primary.address);
        await database.close();
      }
    });

  test('without a primary the database is unavailable, and the message says why for each', async () => {
    const database = connect({ url: url([nowhere, standby.address]) });
    await assert.rejects(database.writes.run(sql`SELECT 1`), (error: Error) => {
      assert.ok(isUnavailable(error));
      assert.match(
        error.message,
        /127\.0\.0\.1: .*ECONNREFUSED.*; .*in recovery or read-only: connect to the primary/,
      );
      return true;
    });
    await database.close();
  });

  test('a wrong database is reported as such, not as unavailable', async () => {
    const database = connect({
      url: url([standby.address, primary.address]).replace('/postgres?', '/nothing?'),
    });
    await assert.rejects(database.writes.run(sql`SELECT 1`), /database "nothing" does not exist/);
    await database.close();
  });

  // The last one, as there is no primary after it but the former standby.
  test('a new primary is found while running, by each new session', async () => {
    const database = connect({ url: url([primary.address, standby.address]) });
    assert.equal(await serverOf(database), primary.address);
    await standby.administer.close();
    const administer = await openSession({ url: primary.url });
    await administer.send(sql`SELECT pg_switch_wal()`, { deadline: 5000 });
    administer.destroy(new Error('done'));
    await primary.stop();
    await promote(standby);
    let server = '';
    // A session of the old primary may be lost only when it is used.
    for (let attempt = 0; attempt < 10 && server === ''; attempt++)
      server = await serverOf(database).catch(error => {
        assert.ok(isUnavailable(error), String(error));
        return '';
      });
    assert.equal(server, standby.address);
    await database.close();
  });
});
