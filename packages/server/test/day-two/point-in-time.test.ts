import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findDebianBinaries } from '../../../../tools/debian-postgres.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { testSql } from '../support/database/sql.ts';
import { insertTestData } from '../support/data/test-data.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { runKontor } from '../support/service/kontor.ts';

const bin = findDebianBinaries();

/** PostgreSQL rejects to run as root. */
const credentials = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
const running = new Set<ChildProcess>();

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-instant-'));
  await own(folder);
  await makeFolder('archive');
});
after(async () => {
  for (const server of running) await end(server);
  await rm(folder, { recursive: true });
});

async function own(name: string): Promise<void> {
  await chmod(name, 0o700);
  if (credentials.uid !== undefined) await chown(name, credentials.uid, credentials.gid);
}

async function makeFolder(name: string): Promise<void> {
  await mkdir(path.join(folder, name));
  await own(path.join(folder, name));
}

function program(name: string, ...args: string[]): void {
  const ran = spawnSync(path.join(bin!, name), args, { ...credentials, cwd: folder, encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
}

const urlOf = (socket: string) =>
  `postgres://kontor@localhost/postgres?host=${encodeURIComponent(path.join(folder, socket))}`;

/** Starts a server on a data folder, with its socket in a folder of its own, and resolves when it accepts writes. */
async function start(data: string, socket: string, settings: Record<string, string>): Promise<ChildProcess> {
  await makeFolder(socket);
  const all = { listen_addresses: '', unix_socket_directories: path.join(folder, socket), ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(bin!, 'postgres'), ['-D', path.join(folder, data), ...flags], {
    ...credentials,
    cwd: folder,
    stdio: 'ignore',
  });
  running.add(server);
  await using(socket, async ({ writes }) => {
    for (;;) {
      const [row] = await testSqlOf(writes)`SELECT pg_is_in_recovery() AS recovers`.catch(() => []);
      if (row?.['recovers'] === false) return;
      assert.equal(server.exitCode, null, 'the server has ended');
      await delay(50);
    }
  });
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  running.delete(server);
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}

const testSqlOf = (writes: Database['writes']) => testSql({ writes } as Database);

async function using(socket: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = connect({ url: urlOf(socket) });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

test(
  'the steps of the guide restore the rows as they were at an instant, and later writes are gone',
  { skip: bin === undefined && 'needs a PostgreSQL of Debian', timeout: 300_000 },
  async () => {
    program(
      'initdb',
      '-D',
      path.join(folder, 'data'),
      '-U',
      'kontor',
      '--encoding=UTF8',
      '--locale=C',
      '--auth=trust',
    );
    const server = await start('data', 'first', {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `test ! -f ${folder}/archive/%f && cp %p ${folder}/archive/%f`,
    });
    const before: unknown[] = [];
    let target = '';
    await using('first', async database => {
      await migrate(database);
      const sql = testSql(database);
      const { organization } = await insertTestData(sql);
      program(
        'pg_basebackup',
        '--pgdata',
        path.join(folder, 'base'),
        '--checkpoint=fast',
        '--wal-method=none',
        '--dbname',
        urlOf('first'),
      );
      await storeEmployees(sql, organization, [{ email: 'kept@example.com' }]);
      before.push(...(await sql`SELECT doc FROM employee ORDER BY id`));
      const [row] = await sql`SELECT clock_timestamp()::text AS at`;
      target = row!['at'] as string;
      await storeEmployees(sql, organization, [{ email: 'lost@example.com' }]);
      await sql`UPDATE employee SET folded_city = 'damaged'`;
      await sql`SELECT pg_switch_wal()`;
    });
    // It archives what it has before it ends.
    await end(server);
    await writeFile(path.join(folder, 'base', 'recovery.signal'), '');
    const restored = await start('base', 'second', {
      restore_command: `cp ${folder}/archive/%f %p`,
      recovery_target_time: target,
      recovery_target_action: 'promote',
    });
    await using('second', async database => {
      const sql = testSql(database);
      assert.deepEqual(await sql`SELECT doc FROM employee ORDER BY id`, before);
      assert.equal((await sql`SELECT FROM employee WHERE folded_city = 'damaged'`).length, 0);
    });
    const verified = await runKontor(['verify'], { variables: { DATABASE_URL: urlOf('second') } });
    assert.equal(verified.exitCode, 0, JSON.stringify(verified.json));
    await end(restored);
  },
);
