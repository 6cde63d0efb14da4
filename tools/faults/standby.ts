import { chmod, cp, lchown, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestCluster, type TestCluster } from '../../packages/server/test/support/database/cluster.ts';
import { waitUntilTrue, openSession } from './database.ts';

/** Folders whose content a copy must not have (PostgreSQL documentation, Backing Up the Data Directory). */
const emptied = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
];
const leftOut = ['postmaster.pid', 'postmaster.opts'];

/** How long the standby may take to have caught up, in milliseconds. */
const timeout = 20_000;

/**
 * Makes a copy of a running cluster and starts it as a standby that gets its changes over a port of this machine. The packages
 * have no `pg_basebackup`, so the copy is made as the documentation describes it for other tools.
 */
export async function startStandby(
  primary: TestCluster,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<TestCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-standby-'));
  const data = path.join(folder, path.basename(primary.data));
  const { uid, gid } = await stat(primary.data);
  const label = await copyDuringBackup(primary, data);
  await writeFile(path.join(data, 'backup_label'), label);
  await writeFile(path.join(data, 'standby.signal'), '');
  // The copy has the password of the primary.
  await cp(`${primary.data}.password`, `${data}.password`);
  const { username, password } = new URL(primary.url);
  await handOver(data, uid, gid);
  const standby = await startTestCluster({
    folder,
    settings: {
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password} sslmode=disable`,
      wal_retrieve_retry_interval: '100ms',
    },
  });
  const streaming = `SELECT FROM pg_stat_replication WHERE state = 'streaming'`;
  if (await waitUntilTrue(primary.url, streaming, timeout)) return standby;
  await standby.stop();
  throw new Error('the standby does not follow the primary');
}

/** Copies the files, and answers the label that the copy needs. */
async function copyDuringBackup(primary: TestCluster, data: string): Promise<string> {
  const session = await openSession(primary.url);
  try {
    await session.query(`SELECT pg_backup_start('faults', true)`);
    await cp(primary.data, data, { recursive: true, filter: source => isCopied(primary.data, source) });
    const { rows } = await session.query<{ labelfile: string }>(
      `SELECT labelfile FROM pg_backup_stop(false)`,
    );
    return rows[0]!.labelfile;
  } finally {
    await session.end();
  }
}

function isCopied(root: string, source: string): boolean {
  const [first = '', ...below] = path.relative(root, source).split(path.sep);
  if (leftOut.includes(first) || first.startsWith('.s.')) return false;
  return below.length === 0 || !emptied.includes(first);
}

/** Gives the copy to the user that PostgreSQL runs as, who must be its only one. */
async function handOver(data: string, uid: number, gid: number): Promise<void> {
  await mkdir(path.join(data, 'pg_wal', 'archive_status'), { recursive: true });
  await chmod(data, 0o700);
  await lchown(data, uid, gid);
  for (const entry of await readdir(data, { recursive: true }))
    await lchown(path.join(data, entry), uid, gid);
}
