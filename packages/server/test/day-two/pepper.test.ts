import assert from 'node:assert/strict';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { parseKey } from '../../src/auth/api-keys.ts';
import { matchPepper, newSecret, hashSecret, type Pepper } from '../../src/auth/secrets.ts';
import { createKey } from '../../src/cli/access/key.ts';
import { countLostKeys, findPepperedKeys, openPepper } from '../../src/features/keys/pepper.ts';
import { newLink, secretOfStored } from '../../src/features/users/links.ts';
import { apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { insertTestData, type TestData, testPepper } from '../support/data/test-data.ts';
import { testToken } from '../support/data/tokens.ts';
import { signedInUser } from '../support/data/users.ts';
import { runKontor, startServiceProcess } from '../support/service/kontor.ts';
import { assertServed, startLoad } from './load.ts';

let testing: TestDatabase;
let testData: TestData;
let folder: string;

before(async () => {
  testing = await testDatabase();
  testData = await insertTestData(testing.database.sql);
});
after(() => testing.drop());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-pepper-'));
});
afterEach(() => rm(folder, { recursive: true }));

const old = testPepper.toString();
const fresh = 'the new pepper of this test, and no secret';

/** The variables of a process with these peppers. */
const given = (pepper: string, previous?: string) => ({
  DATABASE_URL: testing.url,
  KONTOR_KEY_PEPPER: pepper,
  ...(previous !== undefined && { KONTOR_KEY_PEPPER_PREVIOUS: previous }),
});

const start = (...peppers: [string, string?]) => startServiceProcess({ variables: given(...peppers) });

async function makeKey(name: string): Promise<string> {
  const wanted = { organizationId: testData.organization, name, quota: null, grants: 'all' } as const;
  return (await createKey(testing.database.sql, testPepper, wanted)).key;
}

test('under load the pepper is rotated without a rejected request, and the report says which keys are left', async t => {
  const { sql } = testing.database;
  const { organization, north } = testData;
  await openPepper(sql, { secret: old, dataDirectory: folder });
  const key = await makeKey('used');
  const unused = await makeKey('unused');
  const token = await testToken(sql);
  const { secret: session } = await signedInUser(sql, organization);
  // First all processes accept both, then they hash with the new one. A process of each step runs at the same time.
  const first = await start(old, fresh);
  const oldLoad = startLoad(first.url, key, north, 'first');
  t.after(oldLoad.stop);
  await oldLoad.more(2);
  const second = await start(fresh, old);
  const load = startLoad(second.url, key, north, 'second');
  t.after(load.stop);
  await load.more(3);
  await oldLoad.more(3);
  await oldLoad.stop();
  await first.end('SIGTERM');
  await load.more(3);
  assertServed(oldLoad.take());
  assertServed(load.take());
  const platform = apiClient(second.managementUrl, { api: 'platform', key: token });
  assert.equal((await platform.get('/organizations')).status, 200);
  platform.close();
  const portal = apiClient(second.url, { api: 'portal', key: session });
  assert.equal((await portal.get('/session')).status, 200);
  portal.close();
  // A read with the key after the last process with the old one re-hashes it for good.
  const client = apiClient(second.url, { key });
  const oldFingerprint = (await findPepperedKeys(sql)).find(({ id }) => id === parseKey(unused)!.id)!.pepper;
  const findLeft = async () =>
    (await findPepperedKeys(sql)).filter(({ pepper }) => pepper === oldFingerprint);
  while ((await findLeft()).some(({ id }) => id === parseKey(key)!.id)) await client.get('/divisions');
  const { exitCode, json } = await runKontor(['pepper', 'show'], { variables: given(fresh, old) });
  assert.equal(exitCode, 2);
  assert.deepEqual(
    json.peppers.map(({ state }: { state: string }) => state),
    ['present', 'previous'],
  );
  const left = json.left.map(({ id }: { id: string }) => id);
  assert.ok(left.includes(parseKey(unused)!.id));
  assert.ok(!left.includes(parseKey(key)!.id));
  assert.ok(!left.some((id: string) => token.includes(id)));
  client.close();
  await load.stop();
  await second.end('SIGTERM');
  // After the rotation a key that was not used during it is lost.
  const third = await start(fresh);
  const last = apiClient(third.url, { key });
  assert.equal((await last.get('/employees')).status, 200);
  assert.equal((await last.get('/employees', { key: unused })).status, 401);
  last.close();
  await third.end('SIGTERM');
  const pepper = await openPepper(sql, { secret: fresh, dataDirectory: folder });
  assert.equal(await countLostKeys(sql, pepper), left.length);
  await assert.rejects(openPepper(sql, { secret: old, dataDirectory: folder }), { name: 'PepperError' });
});

test('a moved file becomes the previous pepper, and a new one is made', async () => {
  const { sql } = testing.database;
  await sql`DELETE FROM setting`;
  const options = { secret: null, dataDirectory: folder };
  const original = Buffer.from(await openPepper(sql, options));
  await rename(path.join(folder, 'pepper'), path.join(folder, 'pepper.previous'));
  const rotated = await openPepper(sql, options);
  assert.notDeepEqual(Buffer.from(rotated), original);
  assert.deepEqual(rotated.previous, original);
  assert.deepEqual((await readdir(folder)).toSorted(), ['pepper', 'pepper.previous']);
  await rm(path.join(folder, 'pepper.previous'));
  const ended = await openPepper(sql, options);
  assert.equal(ended.previous, undefined);
  assert.deepEqual(Buffer.from(ended), Buffer.from(rotated));
});

test('a hash of another pepper than the two matches neither', () => {
  const secret = newSecret('kontor');
  const [a, b, c] = ['a', 'b', 'c'].map(letter => Buffer.from(letter.repeat(32))) as [Buffer, Buffer, Buffer];
  const both: Pepper = Object.assign(Buffer.from(a), { previous: b });
  assert.equal(matchPepper(secret, both, hashSecret(secret, a)), both);
  assert.equal(matchPepper(secret, both, hashSecret(secret, b)), b);
  assert.equal(matchPepper(secret, both, hashSecret(secret, c)), null);
  assert.equal(matchPepper(secret, both, null), null);
});

test('a mail that waited for a rotation has the link that was stored', () => {
  const link = newLink(testData.organization, testPepper, new Date());
  const rotated: Pepper = Object.assign(Buffer.from(fresh), { previous: testPepper });
  const findSecret = (pepper: Pepper) => secretOfStored(testData.organization, pepper, link, link.hash);
  assert.equal(findSecret(rotated)?.text, link.secret);
  assert.equal(findSecret(testPepper)?.text, link.secret);
  assert.equal(findSecret(Buffer.from(fresh)), null);
});
