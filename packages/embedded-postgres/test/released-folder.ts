import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { findBinaries } from '../src/binaries.ts';
import { until } from './visitors.ts';

/** A PostgreSQL as Kontor 0.2.0 ran it: every session of its user is a superuser without a password. */
export interface ReleasedServer {
  stop(): Promise<void>;
}

/** Makes a data folder like Kontor 0.2.0, with a row in the table `kept`, and leaves its PostgreSQL running as `user`. */
export async function startReleasedFolder(
  dataDirectory: string,
  user: { readonly uid: number; readonly gid: number },
): Promise<ReleasedServer> {
  const cluster = path.join(dataDirectory, 'postgres');
  const { initdb, postgres } = await findBinaries({ ...user, credentials: user });
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await chown(cluster, user.uid, user.gid);
  // The folder is entered before the user changes, as the folders above belong to root.
  const inside = { ...user, cwd: cluster, env: { LC_ALL: 'C', TZ: 'UTC' } };
  const options =
    '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --auth=trust';
  const made = spawnSync(initdb, ['-D', '/proc/self/cwd', '-U', 'kontor', ...options.split(' ')], inside);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  const settings = ['listen_addresses=', 'unix_socket_directories=.', 'unix_socket_permissions=0700'];
  const server = spawn(postgres, ['-D', '/proc/self/cwd', ...settings.flatMap(setting => ['-c', setting])], {
    ...inside,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const query = async (database: string, ...statements: string[]) => {
    const client = new pg.Client({ host: cluster, port: 5432, user: 'kontor', database, ssl: false });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await until(() =>
    query('postgres', 'CREATE DATABASE kontor').then(
      () => true,
      () => false,
    ),
  );
  await query('kontor', 'CREATE TABLE kept (n integer)', 'INSERT INTO kept VALUES (1)');
  return {
    async stop() {
      server.kill('SIGINT');
      await ended;
    },
  };
}
