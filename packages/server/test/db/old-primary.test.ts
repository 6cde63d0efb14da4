import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, type Database } from '../../src/db/connect.ts';
import { isUnavailable } from '../../src/db/failure.ts';
import { sql } from '../../src/db/sql.ts';
import { watchServers } from '../../src/db/servers/watch.ts';
import { findFreePort } from '../support/service/free-port.ts';
import { type NetworkCluster, startNetworkCluster } from '../support/database/tls-cluster.ts';
import { promote, startStandby } from './network-standby.ts';

/** A proxy as HAProxy is by default: after a failover it leads new connections elsewhere, and keeps those that there are. */
async function keepingProxy(first: string) {
  let address = first;
  const sockets = new Set<Socket>();
  const proxy: Server = createServer(client => {
    const upstream = connectTo(5432, address);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  const port = await findFreePort();
  await new Promise<void>(resolve => proxy.listen(port, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${port}`,
    leadTo: (other: string) => (address = other),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => proxy.close(resolve));
    },
  };
}

describe('a primary that was replaced but still answers', () => {
  let primary: NetworkCluster;
  let standby: NetworkCluster;
  let proxy: Awaited<ReturnType<typeof keepingProxy>>;
  let databases: Record<'behind a proxy' | 'among several hosts', Database>;
  let url: (host: string) => { url: string };
  const watches: { close(): Promise<void> }[] = [];

  before(async () => {
    primary = await startNetworkCluster();
    const rules = await readFile(path.join(primary.data, 'pg_hba.conf'), 'utf8');
    await primary.administer.writes.run(sql`CREATE TABLE note (text text)`);
    await primary.allow('host all all all trust', 'host replication all all trust');
    standby = await startStandby(primary, rules);
    await standby.administer.close();
    proxy = await keepingProxy(primary.address);
    const file = path.join(path.dirname(primary.data), 'postgres.password');
    const password = (await readFile(file, 'utf8')).trim();
    url = (host: string) => ({ url: `postgres://kontor:${password}@${host}/postgres` });
    databases = {
      'behind a proxy': connect(url(proxy.host)),
      'among several hosts': connect(url(`${primary.address},${standby.address}`)),
    };
    for (const database of Object.values(databases))
      watches.push(watchServers(database as Parameters<typeof watchServers>[0]));
  });
  after(async () => {
    await Promise.all(watches.map(watch => watch.close()));
    await Promise.all(Object.values(databases ?? {}).map(database => database.close()));
    await proxy?.close();
    await primary?.stop();
    await standby?.stop();
  });

  const serverOf = async ({ reads }: Database) => {
    const [row] = await reads.rows<{ address: string }>(sql`SELECT host(inet_server_addr()) AS address`);
    return row!.address;
  };

  test('is left within three seconds for the new one, and not used again', async () => {
    for (const database of Object.values(databases)) assert.equal(await serverOf(database), primary.address);
    await promote(standby);
    proxy.leadTo(standby.address);
    const promoted = performance.now();
    for (const [where, database] of Object.entries(databases)) {
      let server = '';
      while (server !== standby.address) {
        server = await serverOf(database).catch((error: Error) => {
          assert.ok(isUnavailable(error), String(error));
          return '';
        });
        assert.ok(performance.now() - promoted < 3_000, `${where} it is used for too long`);
      }
    }

    proxy.leadTo(primary.address);
    const another = connect(url(proxy.host));
    await assert.rejects(
      serverOf(another),
      /no longer a primary: its timeline is 1, and the newest one is 2/,
    );
    await another.close();
  });
});
