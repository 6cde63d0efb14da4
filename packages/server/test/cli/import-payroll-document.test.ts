import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { ApiClient } from '../support/contract/client.ts';
import { useFixture } from '../support/service/fixture.ts';
import { stateOf, type TestData } from '../support/data/test-data.ts';
import { kontorHere } from './in-process.ts';

let testData: TestData;
let client: ApiClient;
let folder: string;
let file: string;

const bytes = Buffer.from('4711;2026-10;12,50\n');

const fixture = useFixture(async () => {
  ({ testData, client } = fixture);
  folder = await mkdtemp(join(tmpdir(), 'kontor-payroll-'));
  file = join(folder, 'löhne.txt');
  await writeFile(file, bytes);
});

after(async () => {
  await rm(folder, { recursive: true });
});

function run(...args: string[]) {
  return kontorHere(['import', 'payroll-document', ...args, '--json'], { DATABASE_URL: fixture.databaseUrl });
}

const october = () => ['--tenant', testData.tenantA, '--period', '2026-10', '--format', 'datev_lodas'];

async function published(...args: string[]) {
  const { code, stdout, stderr } = await run(...args);
  assert.equal(code, 0, stderr);
  const { id } = JSON.parse(stdout) as { id: string };
  return (await client.get(`/payroll-export-documents/${id}`)).body;
}

describe('kontor import payroll-document', () => {
  test('publishes a file with its metadata, ready to download', async () => {
    const document = await published(file, ...october(), '--row-count', '1', '--skipped-count', '2');
    const { id, generatedAt, createdAt, updatedAt, ...rest } = document;
    assert.deepEqual(rest, {
      tenant: testData.tenantA,
      divisionId: null,
      period: '2026-10',
      format: 'datev_lodas',
      status: 'available',
      fileName: 'löhne.txt',
      mediaType: 'text/plain',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      rowCount: 1,
      skippedCount: 2,
    });
    assert.deepEqual([createdAt, updatedAt], [generatedAt, generatedAt]);
    assert.ok((await client.get(`/payroll-export-documents/${id}/download`)).bytes.equals(bytes));
  });

  test('rejects a CSV that is not UTF-8, which its download declares', async () => {
    const latin = join(folder, 'löhne.csv');
    await writeFile(latin, Buffer.from('name;amount\r\nMüller;12,50\r\n', 'latin1'));
    const args = ['--tenant', testData.tenantA, '--period', '2026-12', '--format', 'csv'];
    const { code, stderr } = await run(latin, ...args);
    assert.notEqual(code, 0);
    assert.match(stderr, /löhne\.csv is not UTF-8, .*save it as CSV UTF-8/);
    await writeFile(latin, 'name;amount\r\nMüller;12,50\r\n');
    const { id } = await published(latin, ...args);
    const { headers } = await client.get(`/payroll-export-documents/${id}/download`);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  });

  test('publishes that a division has no file, which only those see who hold the division', async () => {
    const args = ['--tenant', testData.tenantA, '--period', '2026-11', '--format', 'csv'];
    const document = await published(...args, '--division', testData.north, '--status', 'failed');
    assert.deepEqual(
      [document.status, document.fileName, document.size, document.divisionId],
      ['failed', null, null, testData.north],
    );
    const list = await client.get('/payroll-export-documents', { key: testData.keys.sales });
    assert.deepEqual(list.body.items, [document]);
    assert.equal(list.body.totalElements, 1);
  });

  const rejections: [name: string, args: () => string[], message: RegExp][] = [
    ['an available document without a file', () => october(), /needs its file/],
    ['a failed one with a file', () => [file, ...october(), '--status', 'failed'], /no file/],
    ['a file that is not there', () => [join(folder, 'x'), ...october()], /there is no file/],
    ['a period that is no month', () => [file, ...october(), '--period', '2026-13'], /YYYY-MM/],
    ['another format', () => [file, ...october(), '--format', 'pdf'], /csv, datev_lodas, datev_lug/],
    ['a negative count', () => [file, ...october(), '--row-count=-1'], /whole number/],
    ['a tenant that is none', () => [file, ...october(), '--tenant', 'f'.repeat(24)], /no tenant/],
    ['a division of another tenant', () => [file, ...october(), '--division', testData.lager], /no division/],
  ];
  for (const [name, args, message] of rejections)
    test(`refuses ${name}, and stores nothing`, async () => {
      const { sql } = fixture;
      const before = await stateOf(sql);
      const { code, stderr } = await run(...args());
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.equal(await stateOf(sql), before);
    });

  test('counts and audits what it publishes', async () => {
    const { sql } = fixture;
    const [row] = await sql<{ wrong: number; audited: number }[]>`
      SELECT (SELECT count(*)::int FROM (
          SELECT scope, n FROM counter WHERE resource_type = 'payroll_export_document' AND n <> 0
          EXCEPT
          SELECT scope, count(*) FROM payroll_export_document, unnest(ARRAY['', tenant_id, division_id]) AS scope
          WHERE scope IS NOT NULL GROUP BY scope) AS difference) AS wrong,
        (SELECT count(*)::int FROM audit a JOIN payroll_export_document d
          ON d.organization_id = a.organization_id AND d.id = a.target_id
          WHERE action = 'payroll_export_document.create') AS audited`;
    assert.deepEqual({ ...row }, { wrong: 0, audited: 3 });
  });
});
