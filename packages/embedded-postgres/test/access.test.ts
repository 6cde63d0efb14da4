import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { chmod, chown, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { openEmbeddedPostgres } from '../src/index.ts';
import { openEmbeddedDatabase } from './database.ts';
import { startReleasedFolder } from './released-folder.ts';
import {
  asUnprivileged,
  noRoot,
  removeFolder,
  serverPid,
  temporaryFolder,
  until,
  visit,
} from './visitors.ts';

const timeout = 120_000;
const skip = noRoot();
let folder: string;

before(async () => {
  folder = await temporaryFolder();
  await chmod(folder, 0o755);
});

after(() => removeFolder(folder));

const clusterOf = (data: string) => path.join(data, 'postgres');
const passwordFileOf = (data: string) => path.join(data, 'postgres.password');
const readPassword = async (data: string) => (await readFile(passwordFileOf(data), 'utf8')).trim();

/** The user of the session, or the SQLSTATE of its rejection. */
async function connectWith(host: string, password: string): Promise<string> {
  const client = new pg.Client({
    host,
    port: 5432,
    user: 'kontor',
    password,
    database: 'postgres',
    ssl: false,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<{ current_user: string }>('SELECT current_user')).rows[0]!.current_user;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.end();
  }
}

/** PostgreSQL reads its rules again a moment after the password was set. */
const untilClosed = (data: string) =>
  until(async () => (await connectWith(clusterOf(data), 'wrong')) === '28P01');

/** The files below a folder that belong to another user than `uid`. */
function findOthers(place: string, uid: number): string[] {
  const found = lstatSync(place);
  const below = found.isDirectory()
    ? readdirSync(place).flatMap(name => findOthers(path.join(place, name), uid))
    : [];
  return found.uid === uid ? below : [place, ...below];
}

/** Runs a shell command as the user `nobody`. */
function runUnprivileged(command: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    ...asUnprivileged,
    cwd: '/',
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Commands with which a process of the user `nobody` tries to reach the data. */
const attempts = (data: string, pid: number) => ({
  'reads the password': `cat ${passwordFileOf(data)}`,
  'reads the data': `cat ${clusterOf(data)}/PG_VERSION`,
  'reads the data through the folder of the process': `cat /proc/${pid}/cwd/PG_VERSION`,
  'changes the rules': `echo 'local all all trust' >> /proc/${pid}/cwd/pg_hba.conf`,
  'opens the socket': `${process.execPath} -e "require('net').connect('${clusterOf(data)}/.s.PGSQL.5432').on('error', () => process.exit(1)).on('connect', () => process.exit())"`,
  'opens the socket through the folder of the process': `${process.execPath} -e "require('net').connect('/proc/${pid}/cwd/.s.PGSQL.5432').on('error', () => process.exit(1)).on('connect', () => process.exit())"`,
  'reads the memory': `dd if=/proc/${pid}/mem of=/dev/null count=0`,
  'stops PostgreSQL': `kill -0 ${pid}`,
});

function succeeding(data: string, pid: number): string[] {
  return Object.entries(attempts(data, pid))
    .filter(([, command]) => runUnprivileged(command).status === 0)
    .map(([name]) => name);
}

test(
  'every session needs the password, through the socket and over TCP, also of root',
  { timeout },
  async () => {
    const data = path.join(folder, 'password');
    // Any address of 127.0.0.0/8 works on Linux, so the port is free.
    const address = process.platform === 'linux' ? `127.${process.pid % 200}.77.5` : '';
    const { close } = await openEmbeddedPostgres({
      dataDirectory: data,
      settings: { listen_addresses: address },
    });
    await untilClosed(data);
    const password = await readPassword(data);
    assert.match(password, /^[\w-]{43}$/);
    for (const host of [clusterOf(data), address].filter(Boolean)) {
      assert.equal(await connectWith(host, 'wrong'), '28P01', host);
      assert.equal(await connectWith(host, password), 'kontor', host);
    }
    await close();
  },
);

test(
  'the password is in one file for the owner of the data folder, and in no argument, environment, statement or log',
  {
    timeout,
  },
  async () => {
    const data = path.join(folder, 'secret');
    const settings = { log_statement: 'all', log_min_duration_statement: '0' };
    const { close } = await openEmbeddedPostgres({ dataDirectory: data, settings });
    const [file, owner] = await Promise.all([stat(passwordFileOf(data)), stat(data)]);
    assert.deepEqual([file.mode & 0o777, file.uid, file.gid], [0o600, owner.uid, owner.gid]);
    const password = await readPassword(data);
    assert.doesNotMatch(await readFile(path.join(data, 'postgres.log'), 'utf8'), new RegExp(password));
    for (const id of (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)))
      for (const name of ['cmdline', 'environ']) {
        const text = await readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '');
        assert.ok(!text.includes(password), `${name} of process ${id}`);
      }
    assert.deepEqual((await readdir(data)).toSorted(), ['postgres', 'postgres.log', 'postgres.password']);
    await close();
  },
);

describe('as root', { skip }, () => {
  test(
    'no process of the user nobody reaches the data, and PostgreSQL has a user of its own',
    { timeout },
    async () => {
      const data = path.join(folder, 'own-user');
      await mkdir(data);
      await chmod(data, 0o755);
      const database = await openEmbeddedDatabase(data);
      const pid = (await serverPid(data))!;
      assert.deepEqual(succeeding(data, pid), []);
      const { uid } = await stat(clusterOf(data));
      assert.ok(uid >= 60_706 && uid <= 61_183, String(uid));
      assert.deepEqual(findOthers(clusterOf(data), uid), []);
      await database.close();
    },
  );

  test(
    'a data folder of 0.2.0 is taken from the user nobody at the next start, with its rows',
    { timeout },
    async () => {
      const data = path.join(folder, 'released');
      await mkdir(data, { mode: 0o700 });
      await writeFile(path.join(folder, 'of-root'), 'secret', { mode: 0o600 });
      const released = await startReleasedFolder(data, asUnprivileged);
      const pid = (await serverPid(data))!;
      assert.ok(succeeding(data, pid).includes('opens the socket through the folder of the process'));
      await link(path.join(folder, 'of-root'), path.join(clusterOf(data), 'base', 'planted'));
      await released.stop();
      const database = await openEmbeddedDatabase(data);
      assert.deepEqual(await database.query('SELECT n FROM kept'), [{ n: 1 }]);
      await untilClosed(data);
      assert.deepEqual(succeeding(data, (await serverPid(data))!), []);
      const { uid } = await stat(clusterOf(data));
      assert.notEqual(uid, asUnprivileged.uid);
      assert.deepEqual(
        findOthers(clusterOf(data), uid),
        [path.join(clusterOf(data), 'base', 'planted')],
        'a file of root that was linked into the folder stays with root',
      );
      await database.close();
    },
  );

  test(
    'processes that start at once on a data folder of 0.2.0 share one PostgreSQL',
    { timeout },
    async () => {
      const data = path.join(folder, 'released-for-many');
      await mkdir(data, { mode: 0o700 });
      await (await startReleasedFolder(data, asUnprivileged)).stop();
      const visitors = [visit(data), visit(data), visit(data)];
      const greetings = await Promise.all(visitors.map(visitor => visitor.greeting));
      assert.deepEqual(greetings, ['ready', 'ready', 'ready']);
      await untilClosed(data);
      await Promise.all(visitors.map(visitor => visitor.leave()));
    },
  );

  test(
    'the data folder of another user stays usable for that user, with the password file',
    { timeout },
    async () => {
      const data = path.join(folder, 'of-user');
      await mkdir(data, { mode: 0o700 });
      await chown(data, asUnprivileged.uid, asUnprivileged.gid);
      await (await openEmbeddedDatabase(data)).close();
      for (const place of [clusterOf(data), passwordFileOf(data)])
        assert.equal((await stat(place)).uid, asUnprivileged.uid, place);
      const visitor = visit(data, asUnprivileged);
      assert.equal(await visitor.greeting, 'ready');
      await visitor.leave();
    },
  );
});

test(
  'a data folder of 0.2.0 of an ordinary user needs the password after the next start',
  { timeout, skip },
  async () => {
    const data = path.join(folder, 'released-of-user');
    await mkdir(data, { mode: 0o700 });
    await chown(data, asUnprivileged.uid, asUnprivileged.gid);
    const released = await startReleasedFolder(data, asUnprivileged);
    assert.equal(await connectWith(clusterOf(data), 'wrong'), 'kontor');
    await released.stop();
    const visitor = visit(data, asUnprivileged);
    assert.equal(await visitor.greeting, 'ready');
    await untilClosed(data);
    assert.equal(await connectWith(clusterOf(data), await readPassword(data)), 'kontor');
    await visitor.leave();
  },
);

describe('a password file that was lost', () => {
  let data: string;
  let first: string;
  before(async () => {
    data = path.join(folder, 'lost');
    await (await openEmbeddedDatabase(data)).close();
    first = await readPassword(data);
    await rm(passwordFileOf(data));
  });

  test('is made anew at the next start', { timeout }, async () => {
    await (await openEmbeddedDatabase(data)).close();
    assert.notEqual(await readPassword(data), first);
  });

  test('is made anew for a process that comes to others, which go on with it', { timeout }, async () => {
    const present = visit(data);
    assert.equal(await present.greeting, 'ready');
    const lost = await readPassword(data);
    await rm(passwordFileOf(data));
    const later = visit(data);
    assert.equal(await later.greeting, 'ready');
    await untilClosed(data);
    assert.equal(await connectWith(clusterOf(data), lost), '28P01');
    const stopped = (await serverPid(data))!;
    process.kill(stopped, 'SIGINT');
    await until(async () => ![stopped, null].includes(await serverPid(data)));
    for (const visitor of [present, later]) await until(async () => (await visitor.ask()) === 'present');
    await Promise.all([present.leave(), later.leave()]);
    assert.equal(await serverPid(data), null);
  });

  test(
    'may be replaced by one with another password, and an empty one is reported',
    { timeout },
    async () => {
      await writeFile(passwordFileOf(data), 'chosen-by-the-operator\n');
      const database = await openEmbeddedDatabase(data);
      await untilClosed(data);
      assert.equal(await connectWith(clusterOf(data), 'chosen-by-the-operator'), 'kontor');
      await database.close();
      await writeFile(passwordFileOf(data), '');
      await assert.rejects(openEmbeddedDatabase(data), /postgres\.password is empty: delete it/);
    },
  );
});

test('rules of access that a killed process left open are closed by the next one', { timeout }, async () => {
  const data = path.join(folder, 'killed');
  await (await openEmbeddedDatabase(data)).close();
  const rules = path.join(clusterOf(data), 'pg_hba.conf');
  const closed = await readFile(rules, 'utf8');
  await writeFile(rules, `local all all trust\n`);
  const visitor = visit(data);
  assert.equal(await visitor.greeting, 'ready');
  await untilClosed(data);
  await visitor.leave();
  assert.equal(await readFile(rules, 'utf8'), closed);
});

test('the rules of access are never written through a link', { timeout }, async () => {
  const data = path.join(folder, 'linked');
  await (await openEmbeddedDatabase(data)).close();
  const rules = path.join(clusterOf(data), 'pg_hba.conf');
  const target = path.join(folder, 'linked-target');
  await writeFile(target, 'kept');
  await rm(rules);
  await symlink(target, rules);
  await (await openEmbeddedDatabase(data)).close();
  assert.equal(await readFile(target, 'utf8'), 'kept');
});
