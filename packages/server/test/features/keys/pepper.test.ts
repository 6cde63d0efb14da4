import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { pepperFingerprint } from '../../../src/auth/secrets.ts';
import { openPepper, PepperError } from '../../../src/features/keys/pepper.ts';
import { testDatabase, type TestDatabase } from '../../support/database/database.ts';

let testing: TestDatabase;
let folder: string;

before(async () => {
  testing = await testDatabase();
});
after(() => testing.drop());
beforeEach(async () => {
  await testing.database.sql`DELETE FROM setting`;
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-pepper-'));
});
afterEach(() => rm(folder, { recursive: true }));

const secret = 'x'.repeat(32);
const open = (options: { secret?: string; dataDirectory?: string } = {}) =>
  openPepper(testing.database.sql, { secret: null, dataDirectory: folder, ...options });

test('without a configured pepper a random file that only the owner may read is made and used from then on', async () => {
  const first = await open();
  assert.equal((await stat(path.join(folder, 'pepper'))).mode & 0o777, 0o600);
  assert.ok(first.length >= 32);
  assert.deepEqual(await open(), first);
});

test('of processes that start together all use the same pepper', async () => {
  const peppers = await Promise.all(Array.from({ length: 8 }, () => open()));
  for (const pepper of peppers) assert.deepEqual(pepper, peppers[0]);
  assert.deepEqual(await readdir(folder), ['pepper']);
});

test('a data folder that is not there yet is made', async () => {
  await open({ dataDirectory: path.join(folder, 'deep', 'er') });
});

test('a configured pepper is used and leaves no file', async () => {
  assert.deepEqual(await open({ secret }), Buffer.from(secret));
  assert.deepEqual(await readdir(folder), []);
});

test('a database with keys of another pepper is rejected', async () => {
  await open({ secret });
  await assert.rejects(open({ secret: 'y'.repeat(32) }), PepperError);
  assert.deepEqual(await open({ secret }), Buffer.from(secret));
});

test('a lost pepper file is not replaced by a new one', async () => {
  await open();
  await rm(path.join(folder, 'pepper'));
  await assert.rejects(open(), (error: Error) => {
    assert.ok(error instanceof PepperError);
    assert.match(error.message, /KONTOR_KEY_PEPPER/);
    return true;
  });
  assert.deepEqual(await readdir(folder), []);
});

for (const content of ['', '\n', 'x'.repeat(31)])
  test(`a pepper file of ${content.length} characters is rejected, and the message names the remedy`, async () => {
    const file = path.join(folder, 'pepper');
    await writeFile(file, content);
    const isRejected = (advice: RegExp) => (error: Error) => {
      assert.ok(error instanceof PepperError);
      assert.match(error.message, /fewer than 32 characters/);
      assert.match(error.message, advice);
      return true;
    };
    await assert.rejects(open(), isRejected(/delete it, .* or set KONTOR_KEY_PEPPER/));
    assert.equal((await testing.database.sql`SELECT FROM setting`).length, 0);
    assert.equal(await readFile(file, 'utf8'), content);
    // With keys about, a new pepper would make them worthless.
    await open({ secret });
    await assert.rejects(open(), isRejected(/bring back .* or set KONTOR_KEY_PEPPER/));
  });

test('the database holds a fingerprint of the pepper and not the pepper', async () => {
  await open();
  const file = await readFile(path.join(folder, 'pepper'), 'utf8');
  const rows = await testing.database.sql`SELECT name, value FROM setting`;
  assert.ok(rows.length > 0);
  assert.ok(!JSON.stringify(rows).includes(file));
});

test('the fingerprint of a pepper distinguishes peppers and is not the pepper', () => {
  const pepper = randomBytes(32);
  assert.equal(pepperFingerprint(pepper), pepperFingerprint(Buffer.from(pepper)));
  assert.notEqual(pepperFingerprint(pepper), pepperFingerprint(randomBytes(32)));
  assert.ok(!pepperFingerprint(pepper).includes(pepper.toString('hex').slice(0, 8)));
});
