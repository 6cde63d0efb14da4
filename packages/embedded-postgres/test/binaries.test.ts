import assert from 'node:assert/strict';
import { chmod, chown, cp, lstat, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { completeSymlinks, findBinaries, packageRoot } from '../src/binaries.ts';
import { asUnprivileged, noRoot, removeFolder, temporaryFolder } from './visitors.ts';

const skip = noRoot();
const me = { uid: process.getuid!(), gid: process.getgid!(), credentials: {} };
const unprivileged = { ...asUnprivileged, credentials: asUnprivileged };
let folder: string;
/** An installation without the links, as it is when npm runs no install scripts. */
let installation: string;
let links: string[];

before(async () => {
  folder = await temporaryFolder();
  await chmod(folder, 0o755);
  installation = path.join(folder, 'installation');
  await cp(path.join(packageRoot(), 'native'), path.join(installation, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const list = await readFile(path.join(installation, 'native', 'pg-symlinks.json'), 'utf8');
  links = (JSON.parse(list) as { target: string }[]).map(({ target }) => path.join(installation, target));
});

after(() => removeFolder(folder));

const removeLinks = () => Promise.all(links.map(link => rm(link, { force: true })));

test('links between the libraries that are missing are made', async () => {
  await removeLinks();
  const binaries = await findBinaries(me, installation, []);
  assert.equal(binaries.postgres, path.join(installation, 'native', 'bin', 'postgres'));
  for (const link of links) assert.ok((await lstat(link)).isSymbolicLink());
});

test('several processes may make the links at once', async () => {
  await removeLinks();
  await Promise.all([1, 2, 3, 4].map(() => completeSymlinks(installation)));
  for (const link of links) await stat(link);
});

test(
  'binaries that the user of PostgreSQL cannot reach are used from a copy, which is made once',
  { skip },
  async () => {
    const closed = path.join(folder, 'closed');
    const cache = path.join(folder, 'cache');
    await mkdir(closed, { mode: 0o700 });
    await cp(installation, path.join(closed, 'installation'), { recursive: true, verbatimSymlinks: true });
    const binaries = await findBinaries(unprivileged, path.join(closed, 'installation'), [cache]);
    assert.ok(binaries.postgres.startsWith(`${cache}/kontor-postgres-`));
    const made = await stat(binaries.postgres);
    assert.deepEqual([made.uid, made.mode & 0o777], [0, 0o755]);
    assert.deepEqual(await findBinaries(unprivileged, path.join(closed, 'installation'), [cache]), binaries);
    assert.equal((await stat(binaries.postgres)).ino, made.ino);
  },
);

test('a copy that another user has planted is not used', { skip }, async () => {
  const closed = path.join(folder, 'closed', 'installation');
  const [planted, cache] = [path.join(folder, 'planted'), path.join(folder, 'cache')];
  const genuine = await findBinaries(unprivileged, closed, [cache]);
  const copy = path.relative(cache, path.resolve(genuine.postgres, '../../..'));
  await cp(path.join(cache, copy), path.join(planted, copy), { recursive: true, verbatimSymlinks: true });
  await chown(path.join(planted, copy), asUnprivileged.uid, asUnprivileged.gid);
  assert.deepEqual(await findBinaries(unprivileged, closed, [planted, cache]), genuine);
});

test('an installation that is not there is reported with what to do', async () => {
  await assert.rejects(
    findBinaries(me, path.join(folder, 'nowhere'), []),
    /does not run here.*set DATABASE_URL/,
  );
});
