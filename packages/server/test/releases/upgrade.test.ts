import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Dump } from '../../src/cli/backup/dump.ts';
import { load } from '../../src/cli/backup/load.ts';
import { showProgress } from '../../src/cli/program/progress.ts';
import { checks, type Finding } from '../../src/consistency/finding.ts';
import { verify } from '../../src/consistency/verify.ts';
import { migrate, migrationsDirectory, readMigrations } from '../../src/db/migrate.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { lastRelease } from '../support/database/versions.ts';
import { apiClient } from '../support/contract/client.ts';
import { emptyDatabase } from '../support/database/database.ts';
import { startServiceProcess } from '../support/service/kontor.ts';

const timeout = 180_000;
const folder = fileURLToPath(import.meta.resolve('./'));
const releases = (await Array.fromAsync(glob('*.tar.gz', { cwd: folder }))).map(name =>
  path.basename(name, '.tar.gz'),
);

let place: string;
before(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'kontor-releases-'));
});
after(() => rm(place, { recursive: true }));

test('the rows of the last release are kept', t => {
  if (lastRelease === null) return t.skip('the history does not reach back to a release');
  assert.ok(releases.includes(lastRelease.version), String(releases));
});

for (const version of releases)
  test(`the rows of ${version} are upgraded, consistent, and served`, { timeout }, async () => {
    await using resources = new AsyncDisposableStack();
    execFileSync('tar', ['-xzf', path.join(folder, `${version}.tar.gz`), '-C', place]);
    const read = (name: string) => readFile(path.join(place, version, name), 'utf8');
    const manifest = JSON.parse(await read('backup.json')) as Dump & { version: string };
    const { organizationId, key, documentId } = JSON.parse(await read('demo.json')) as Record<string, string>;
    assert.equal(manifest.version, version);
    const testing = await emptyDatabase();
    resources.defer(() => testing.drop());
    const { sql } = testing.database;
    const progress = showProgress({ json: true, stderr: process.stderr });
    await load(sql.database, path.join(place, version), manifest, {
      signal: AbortSignal.timeout(timeout),
      progress,
    });

    const names = (await readMigrations(migrationsDirectory)).map(({ name }) => name);
    assert.deepEqual([...manifest.migrations, ...(await migrate(sql.database))], names);
    for (const { name, rows } of manifest.tables) {
      const [counted] = await sql.unsafe<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${name}`);
      assert.equal(counted!.rows, rows, name);
    }
    const findings: Finding[] = [];
    const files = { store: databaseStore(sql), timeout };
    const verification = {
      db: sql,
      organizationId: organizationId!,
      checks: new Set(checks),
      repair: false,
      files,
    };
    for await (const finding of verify({ ...verification, advance() {} })) findings.push(finding);
    assert.deepEqual(findings, []);

    const variables = { DATABASE_URL: testing.url, KONTOR_KEY_PEPPER: await read('pepper') };
    const service = await startServiceProcess({ variables });
    resources.defer(() => service.end('SIGTERM'));
    const client = apiClient(service.url, { key: key! });
    resources.defer(() => client.close());
    for (const [list, table] of [
      ['divisions', 'division'],
      ['employees', 'employee'],
      ['orders', 'employee_order'],
      ['incidents', 'incident'],
      ['payroll-export-documents', 'payroll_export_document'],
    ] as const) {
      const { status, body } = await client.get<{ totalElements: number }>(`/${list}`, {
        query: { pageSize: 500 },
      });
      assert.deepEqual(
        [status, body.totalElements],
        [200, manifest.tables.find(({ name }) => name === table)!.rows],
        list,
      );
    }
    assert.equal((await client.get(`/payroll-export-documents/${documentId}/download`)).status, 200);
  });

for (const name of ['0001_initial', '0001_organizations'])
  test(`a schema from before 0.2.0 is rejected, whose first migration is another ${name}`, async () => {
    const testing = await emptyDatabase();
    try {
      const { sql } = testing.database;
      await sql`
        CREATE TABLE migration (
          name text PRIMARY KEY, applied_at timestamptz, checksum text NOT NULL, compatible_with text NOT NULL)`;
      await sql`INSERT INTO migration VALUES (${name}, now(), 'another', '0001')`;
      const message =
        /from before Kontor 0\.2\.0, the first release, and cannot be upgraded: create a new database/;
      await assert.rejects(migrate(sql.database), message);
    } finally {
      await testing.drop();
    }
  });
