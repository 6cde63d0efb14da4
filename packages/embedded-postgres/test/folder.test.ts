import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openEmbeddedDatabase } from './database.ts';
import {
  asUnprivileged,
  noRoot,
  removeFolder,
  serverPid,
  temporaryFolder,
  until,
  visit,
} from './visitors.ts';

const timeout = 60_000;
const skip = noRoot();
let folder: string;

before(async () => {
  folder = await temporaryFolder();
  await chmod(folder, 0o755);
});

after(() => removeFolder(folder));

/** Opens the database of a folder, asks it, and leaves. */
async function use(dataDirectory: string): Promise<unknown> {
  const database = await openEmbeddedDatabase(dataDirectory);
  const [row] = await database.query<{ name: string }>('SELECT current_database() AS name');
  await database.close();
  return row!.name;
}

test('a cluster is created again after its creation was killed', { timeout }, async () => {
  const data = path.join(folder, 'half-made');
  const victim = visit(data);
  const drafts = async () => (await readdir(data).catch(() => [])).filter(name => name.includes('.new-'));
  await until(async () => (await drafts()).length > 0);
  victim.signal('SIGKILL');
  await victim.ended;
  assert.equal(await use(data), 'kontor');
  assert.deepEqual(await drafts(), []);
});

test('the data folder is made with its parents, for its user only', { timeout }, async () => {
  const parent = path.join(folder, 'parent');
  const data = path.join(parent, 'data');
  assert.equal(await use(data), 'kontor');
  const modes = await Promise.all([parent, data, path.join(data, 'postgres')].map(place => stat(place)));
  assert.deepEqual(
    modes.map(({ mode }) => mode & 0o077),
    [0o777 & ~process.umask() & 0o077, 0, 0],
  );
});

test('a data folder whose path is longer than that of a socket may be is used', { timeout }, async () => {
  assert.equal(await use(path.join(folder, 'long'.repeat(40), 'data')), 'kontor');
});

test(
  'a lock file that names the process of another program does not keep PostgreSQL from starting',
  {
    timeout,
    skip: process.platform !== 'linux' && 'known from /proc only',
  },
  async () => {
    const data = path.join(folder, 'stale');
    const victim = visit(data);
    assert.equal(await victim.greeting, 'ready');
    await victim.leave();
    // As after a restart of a container, where the number of PostgreSQL is by now that of this process.
    const lock = [process.pid, path.join(data, 'postgres'), 1, 5432, '.', '', '', 'ready'].join('\n');
    await writeFile(path.join(data, 'postgres', 'postmaster.pid'), `${lock}\n`);
    assert.equal(await use(data), 'kontor');
  },
);

test('a file in the place of the data folder is rejected in one line', { timeout }, async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  await assert.rejects(use(file), {
    message: `The data folder ${file} cannot be made: a file is in the way`,
  });
  await assert.rejects(use(path.join(file, 'below')), /cannot be made: a file is in the way$/);
});

test('a PostgreSQL that does not start is reported with its output', { timeout }, async () => {
  const data = path.join(folder, 'broken');
  assert.equal(await use(data), 'kontor');
  await writeFile(
    path.join(data, 'postgres', 'postgresql.auto.conf'),
    "shared_preload_libraries = 'missing'\n",
  );
  await assert.rejects(
    use(data),
    /^EmbeddedPostgresError: The embedded PostgreSQL did not start: .*"missing".*postgres\.log/,
  );
});

test('root below a folder that only root may enter', { timeout, skip }, async () => {
  const closed = path.join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  assert.equal(await use(path.join(closed, 'data')), 'kontor');
  assert.equal(await use(path.join(closed, 'data')), 'kontor');
  assert.notEqual((await stat(path.join(closed, 'data', 'postgres'))).uid, 0);
});

test('a user other than root', { timeout, skip }, async () => {
  const home = path.join(folder, 'home');
  await mkdir(home);
  await chmod(home, 0o777);
  const visitor = visit(path.join(home, 'data'), asUnprivileged);
  assert.equal(await visitor.greeting, 'ready');
  assert.equal(await visitor.ask(), 'present');
  await visitor.leave();
  assert.equal(await serverPid(path.join(home, 'data')), null);
  // Root may use it too, as its owner, and gives it back unspoilt.
  assert.equal(await use(path.join(home, 'data')), 'kontor');
  const again = visit(path.join(home, 'data'), asUnprivileged);
  assert.equal(await again.greeting, 'ready');
  await again.leave();
});

test('a data folder of another user is rejected in one line', { timeout, skip }, async () => {
  const data = path.join(folder, 'of-root');
  assert.equal(await use(data), 'kontor');
  const visitor = visit(data, asUnprivileged);
  assert.match(
    await visitor.greeting,
    /^error: The data folder .* belongs to user 0, and Kontor runs as user 65534: /,
  );
  await visitor.ended;
});

test('a data folder that this user cannot write to is rejected in one line', { timeout, skip }, async () => {
  const visitor = visit(path.join(folder, 'forbidden'), asUnprivileged);
  assert.match(await visitor.greeting, /^error: The data folder .* cannot be made: permission denied$/);
  await visitor.ended;
});
