import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { kontorHere } from './in-process.ts';
import { start } from './kontor.ts';
import { apiClient } from '../support/contract/client.ts';
import { removeFolder, temporaryFolder } from '../../../embedded-postgres/test/visitors.ts';

const timeout = 120_000;
let folder: string;
let demo: { key: string };

before(async () => {
  folder = await temporaryFolder();
});
after(() => removeFolder(folder));

const place = (name: string) => path.join(folder, name);
const variables = (data: string) => ({ KONTOR_DATA_DIR: place(data), PORT: '0', MANAGEMENT_PORT: '0' });

async function rejected(data: string, ...args: string[]): Promise<string> {
  const run = await kontorHere(args, variables(data));
  assert.equal(run.code, 1, run.stdout);
  assert.match(run.stderr, /^error: [^\n]+\n$/);
  return run.stderr;
}

/** All documents of the public API, as its key sees them, and the bytes of the first payroll file. */
async function everything(baseUrl: string, key: string): Promise<unknown> {
  const client = apiClient(baseUrl, { key });
  const lists: unknown[] = [];
  for (const resourceType of ['employees', 'orders', 'incidents', 'divisions', 'payroll-export-documents'])
    lists.push((await client.get(`/${resourceType}`, { query: { pageSize: 1000 } })).body.items);
  client.close();
  const [file] = (lists[4] as { id: string; fileName: string | null }[]).filter(
    ({ fileName }) => fileName !== null,
  );
  const address = `${baseUrl}/payroll-export-documents/${file!.id}/download`;
  const answer = await fetch(address, { headers: { 'X-API-Key': key } });
  return { lists, bytes: await answer.text() };
}

test(
  'what is backed up while the service runs is there after a restore: rows, files and keys',
  { timeout },
  async () => {
    const running = start(['demo', '--json'], variables('first'));
    demo = JSON.parse(await running.line(/^\{/)) as { key: string; baseUrl: string };
    const then = await everything((demo as { baseUrl: string } & typeof demo).baseUrl, demo.key);
    const saved = await kontorHere(['backup', place('saved'), '--json'], variables('first'));
    assert.equal(saved.code, 0, saved.stderr);
    assert.equal(JSON.parse(saved.stdout).pepper, true);
    process.kill(running.process.pid!, 'SIGINT');
    await running.ended;
    const restored = await kontorHere(['restore', place('saved')], variables('second'));
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(restored.stdout, /^Restored \d+ rows/);
    const again = start(['serve', '--json'], variables('second'));
    const { baseUrl } = JSON.parse(await again.line(/^\{/)) as { baseUrl: string };
    assert.deepEqual(await everything(baseUrl, demo.key), then);
    process.kill(again.process.pid!, 'SIGINT');
    assert.equal((await again.ended).code, 0);
  },
);

test('a backup can be read by its owner only', { timeout }, async () => {
  for (const name of ['.', ...(await readdir(place('saved')))])
    assert.equal((await stat(path.join(place('saved'), name))).mode & 0o077, 0, name);
});

test('a backup does not write over another one, and is not of what is not there', { timeout }, async () => {
  assert.match(await rejected('first', 'backup', place('saved')), /exists already/);
  assert.match(await rejected('nowhere', 'backup', place('other')), /no database in the folder/);
  assert.match(await rejected('third', 'restore', place('nowhere')), /is not a backup/);
});

test('a backup of the embedded database is not taken for one of a server', { timeout }, async () => {
  const url = 'postgres://nobody@127.0.0.1:1/none';
  for (const [data, ...args] of [
    ['first', 'backup', place('other')],
    ['third', 'restore', place('saved')],
  ] as const) {
    const run = await kontorHere(args, { ...variables(data), DATABASE_URL: url });
    assert.deepEqual([run.code, /pg_dump/.test(run.stderr)], [1, true]);
    assert.match(await rejected(data, ...args, '--database-url', url), /unknown option '--database-url'/);
  }
});

test('a restore does not touch a folder that has data', { timeout }, async () => {
  assert.match(await rejected('first', 'restore', place('saved')), /new data folder/);
});

test(
  'a damaged backup, or one of a newer version, is rejected and nothing is restored',
  { timeout },
  async () => {
    const file = path.join(place('saved'), 'employee.copy.gz');
    const bytes = await readFile(file);
    await appendFile(file, 'x');
    assert.match(await rejected('fourth', 'restore', place('saved')), /employee\.copy\.gz is damaged/);
    await writeFile(file, bytes);
    const manifest = path.join(place('saved'), 'backup.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('"0001_organizations"', '"0001_organizations", "9999_later"'));
    assert.match(await rejected('fourth', 'restore', place('saved')), /newer version/);
    await writeFile(manifest, text);
    assert.equal((await kontorHere(['restore', place('saved')], variables('fourth'))).code, 0);
  },
);

test(
  'a cluster of another major version of PostgreSQL is rejected with advice, and stays unchanged',
  { timeout },
  async () => {
    const version = path.join(place('fourth'), 'postgres', 'PG_VERSION');
    await writeFile(version, '17\n');
    const given = await rejected('fourth', 'organization', 'list');
    assert.match(
      given,
      /is of PostgreSQL 17, and the embedded one is 18 now: .*kontor backup.*kontor restore/,
    );
    await writeFile(version, '18\n');
    assert.equal((await kontorHere(['organization', 'list'], variables('fourth'))).code, 0);
  },
);
