import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../packages/server/src/db/connect.ts';
import type { TestServer } from './run-tests.ts';
import { sql } from '../packages/server/src/db/sql.ts';

const debianFolder = '/usr/lib/postgresql';

/** PostgreSQL rejects to run as root. */
const credentials = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts a cluster of the PostgreSQL in a folder of programs, and answers its URL and what stops it. */
async function startServer(bin: string): Promise<TestServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kontor-server-'));
  chmodSync(folder, 0o700);
  if (credentials.uid !== undefined) chownSync(folder, credentials.uid, credentials.gid);
  const cluster = path.join(folder, 'cluster');
  const initdb = ['-D', cluster, '-U', 'kontor', '--encoding=UTF8', '--locale=C', '--auth=trust'];
  const made = spawnSync(path.join(bin, 'initdb'), initdb, { ...credentials, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const options = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: '200',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...flags], {
    ...credentials,
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(server, 'exit');
  return {
    url: `postgres://kontor@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Prints which server it is, once it accepts connections. */
async function waitForGreeting(url: string, timeout: number): Promise<void> {
  const { writes, close } = connect({ url }, { poolSize: 1 });
  const deadline = performance.now() + timeout;
  try {
    for (;;) {
      try {
        const [row] = await writes.rows<{ version: string }>(
          sql`SELECT current_setting('server_version') AS version`,
        );
        return console.log(`PostgreSQL ${row!.version}`);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await delay(20);
      }
    }
  } finally {
    await close();
  }
}

/** The programs of the oldest PostgreSQL, 15 or newer, that Debian has installed. */
export function findDebianBinaries(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const version = versions
    .map(Number)
    .sort((a, b) => a - b)
    .find(number => number >= 15);
  return version === undefined ? undefined : path.join(debianFolder, String(version), 'bin');
}

/** The server of the URL, or else one of the programs, once it accepts connections. */
export async function ensureServer(url: string | undefined, programs: string): Promise<TestServer> {
  if (url !== undefined) {
    await waitForGreeting(url, 0);
    return { url, stop: async () => {} };
  }
  const server = await startServer(programs);
  await waitForGreeting(server.url, 60_000).catch(async error => {
    await server.stop();
    throw error;
  });
  return server;
}
