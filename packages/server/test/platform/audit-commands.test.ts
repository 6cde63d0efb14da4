import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { targetUrl } from '../support/database/target-url.ts';
import { kontorHere } from '../cli/in-process.ts';
import { testPepper } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();
let folder: string;
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'kontor-audit-'))));
after(() => rm(folder, { recursive: true }));

async function run(...args: string[]) {
  const variables = {
    DATABASE_URL: await targetUrl(fixture.sql.database.target),
    KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
  };
  return kontorHere(['audit', ...args], variables);
}

const place = () => ['--organization', fixture.testData.organization] as const;
const listed = async (query: Record<string, string | number>) =>
  (await fixture.platform.get(`/organizations/${fixture.testData.organization}/audit-entries`, { query }))
    .body;

describe('kontor audit list', () => {
  test('is the list of the API, the latest first', async () => {
    const filter = 'targetType IN (tenant, division)';
    const { stdout } = await run('list', ...place(), '--filter', filter, '--page-size', '3', '--json');
    assert.deepEqual(JSON.parse(stdout), await listed({ filter, sort: '-createdAt', pageSize: 3 }));
  });

  test('shows a line for each entry, and how many there are', async () => {
    const { stdout } = await run('list', ...place(), '--filter', "action = 'tenant.create'");
    assert.match(stdout, /^at +who +action +target/);
    assert.match(stdout, /operator +tenant\.create +[0-9a-f]{24}/);
    assert.match(stdout, /2 entries\n$/);
  });

  test('of what belongs to no organization', async () => {
    const { stdout } = await run('list', '--platform');
    assert.match(stdout, /platform_token\.create/);
  });

  test('rejects an empty change, and an invalid filter', async () => {
    assert.match((await run('list')).stderr, /either --organization, or --platform/);
    assert.match(
      (await run('list', ...place(), '--filter', 'city = Bonn')).stderr,
      /Cannot filter by "city"/,
    );
  });
});

describe('kontor audit export', () => {
  for (const format of ['jsonl', 'csv'] as const)
    test(`${format}: the bytes of the API, in a file that no other user may read`, async () => {
      const file = path.join(folder, `audit.${format}`);
      const filter = "action != 'key.use'";
      const chosen = ['--filter', filter, '--format', format, '--file', file, '--json'];
      const { code, stdout } = await run('export', ...place(), ...chosen);
      assert.equal(code, 0);
      const { totalElements } = await listed({ filter });
      assert.deepEqual(JSON.parse(stdout), { file, entries: totalElements });
      const route = `/organizations/${fixture.testData.organization}/audit-entries/export`;
      const { bytes } = await fixture.platform.get(route, { query: { filter, format } });
      assert.equal(await readFile(file, 'utf8'), bytes.toString());
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.match((await run('export', ...place(), '--file', file)).stderr, /exists already/);
    });

  test('rejects another format', async () => {
    assert.match((await run('export', ...place(), '--format', 'xlsx')).stderr, /expected one of jsonl, csv/);
  });
});
