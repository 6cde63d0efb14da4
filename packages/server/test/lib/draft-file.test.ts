import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { makeDraftFolder, openDraft, writeWhole } from '../../src/lib/draft-file.ts';

let folder: string;
let place: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-draft-'));
  place = path.join(folder, 'people.csv');
});
afterEach(() => rm(folder, { recursive: true }));

test('a file is for its owner only, whatever the umask is, and replaces the one at its place', async () => {
  await writeFile(place, 'old', { mode: 0o644 });
  const umask = process.umask(0);
  try {
    await writeWhole(place, 'new');
  } finally {
    process.umask(umask);
  }
  assert.deepEqual([await readFile(place, 'utf8'), (await stat(place)).mode & 0o777], ['new', 0o600]);
  assert.deepEqual(await readdir(folder), ['people.csv']);
});

test('a draft that another program left is neither used nor changed, and no link is followed', async () => {
  const target = path.join(folder, 'target');
  await writeFile(target, 'kept');
  await writeFile(`${place}.partial`, 'foreign');
  await symlink(target, place);
  await writeWhole(place, 'new');
  assert.equal(await readFile(target, 'utf8'), 'kept');
  assert.equal(await readFile(`${place}.partial`, 'utf8'), 'foreign');
  assert.equal(await readFile(place, 'utf8'), 'new');
});

test('a file that fails leaves no draft, and the one at its place', async () => {
  await writeFile(place, 'old');
  const broken = Readable.from(
    (function* () {
      yield 'half';
      throw new Error('broken');
    })(),
  );
  await assert.rejects(writeWhole(place, broken), /broken/);
  assert.deepEqual([await readdir(folder), await readFile(place, 'utf8')], [['people.csv'], 'old']);
});

test('of two drafts that are published once, the first one gets the name', async () => {
  const drafts = [await openDraft(place), await openDraft(place)];
  drafts.forEach((draft, index) => draft.stream.write(String(index)));
  const published = [await drafts[0]!.publishOnce(), await drafts[1]!.publishOnce()];
  assert.deepEqual([published, await readFile(place, 'utf8')], [[true, false], '0']);
  assert.deepEqual(await readdir(folder), ['people.csv']);
});

test('a folder is for its owner only, and is removed if it is not published', async () => {
  const made = path.join(folder, 'made');
  {
    await using draft = await makeDraftFolder(made);
    await writeFile(path.join(draft.file, 'a'), '');
    await draft.publish();
  }
  {
    await using draft = await makeDraftFolder(path.join(folder, 'other'));
    await writeFile(path.join(draft.file, 'a'), '');
  }
  assert.deepEqual([(await stat(made)).mode & 0o777, await readdir(folder)], [0o700, ['made']]);
});

test('a process that exits removes its drafts', async () => {
  const module = import.meta.resolve('../../src/lib/draft-file.ts');
  const script = `const { openDraft, makeDraftFolder } = await import('${module}');
    await openDraft('${place}'); await makeDraftFolder('${place}'); process.exit(3)`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  assert.deepEqual([status, await readdir(folder)], [3, []]);
});
