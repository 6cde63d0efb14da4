import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestServer } from '../run-tests.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Beside the repository: installs Citus for the PostgreSQL 15 of Debian, starts and stops a cluster. */
export const citusScript = path.resolve(repository, '../shared/citus/cluster.sh');

/** Where Debian has the extension once it is installed. */
const library = '/usr/lib/postgresql/15/lib/citus.so';

/**
 * Citus keeps a process for each database in use, and warns in the middle of any statement when there is no room for it. To split a
 * shard while it is used it decodes changes, which newer servers allow to those libraries only that are named. Between the nodes there is no
 * TLS, as there is none between the tests and the server.
 */
const more = `max_worker_processes = 64
output_plugin_libraries = 'pgoutput, citus'
citus.node_conninfo = 'sslmode=disable'
`;

/** Starts a coordinator and two workers on free ports, and installs what they need before. */
export async function startCitus(): Promise<TestServer & { readonly folder: string }> {
  if (!existsSync(library)) run('install');
  const folder = mkdtempSync(path.join(tmpdir(), 'kontor-citus-'));
  const port = await findFreePorts(3);
  const stop = async () => {
    run('stop', { folder, port });
    rmSync(folder, { recursive: true });
  };
  try {
    run('start', { folder, port });
    run('stop', { folder, port });
    for (const node of [0, 1, 2]) appendFileSync(path.join(folder, `node${node}/postgresql.conf`), more);
    const url = /^DATABASE_URL=(.*)$/m.exec(run('start', { folder, port }))?.[1];
    if (url === undefined) throw new Error(`${citusScript} start printed no DATABASE_URL`);
    return { url, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function run(command: string, where?: { folder: string; port: number }): string {
  const args = [citusScript, command, ...(where ? [where.folder] : [])];
  const { status, stdout, stderr } = spawnSync('bash', args, {
    encoding: 'utf8',
    env: { ...process.env, BASE_PORT: String(where?.port) },
    // PostgreSQL goes on with what it is given.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`${citusScript} ${command} failed: ${stdout}${stderr}`);
  return stdout;
}

/** The first of so many free ports in a row. */
async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = Array.from({ length: count }, (_, i) => first + i);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
