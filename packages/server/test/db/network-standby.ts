import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openSession } from '../../src/db/open-session.ts';
import { sql } from '../../src/db/sql.ts';
import { type NetworkCluster, startNetworkCluster } from '../support/database/tls-cluster.ts';

/** A standby of the cluster, made of a copy. It starts with the rules of access that the primary started with, as it cannot set the password. */
export async function startStandby(primary: NetworkCluster, rules: string): Promise<NetworkCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-standby-'));
  const session = await openSession({ url: primary.url });
  await session.send(sql`SELECT pg_backup_start('standby', true)`, { deadline: 60_000 });
  const data = path.join(folder, 'postgres');
  execFileSync('cp', ['-a', primary.data, data]);
  const stopped = await session.send(sql`SELECT labelfile FROM pg_backup_stop(false)`, { deadline: 60_000 });
  session.destroy(new Error('copied'));
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    await rm(path.join(data, name), { force: true });
  await copyFile(
    path.join(path.dirname(primary.data), 'postgres.password'),
    path.join(folder, 'postgres.password'),
  );
  const owned = {
    'pg_hba.conf': rules,
    backup_label: stopped.rows[0].labelfile as string,
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = 'host=${primary.address} user=kontor'\n`,
  };
  const { uid, gid } = await stat(primary.data);
  for (const [name, text] of Object.entries(owned)) {
    await writeFile(path.join(data, name), text);
    await chown(path.join(data, name), uid, gid);
  }
  return startNetworkCluster(folder);
}

/** Promotes a standby. Kontor opens no session on it before. */
export async function promote(standby: NetworkCluster): Promise<void> {
  const client = new pg.Client({
    host: new URL(standby.url).searchParams.get('host')!,
    user: 'kontor',
    password: decodeURIComponent(new URL(standby.url).password),
    database: 'postgres',
  });
  await client.connect();
  const { rows } = await client.query('SELECT pg_promote() AS promoted');
  await client.end();
  assert.ok(rows[0].promoted);
}
