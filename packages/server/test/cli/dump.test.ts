import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { type Dump, dump } from '../../src/cli/backup/dump.ts';
import { checkFiles } from '../../src/cli/backup/load.ts';
import { testDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { insertTestData } from '../support/data/test-data.ts';

/** Adds up the progress of each part of the work. */
function recorder() {
  const parts: { step: string; total: number; done: number }[] = [];
  return {
    parts,
    begin: (step: string, total: number) => void parts.push({ step, total, done: 0 }),
    advance: (bytes: number) => void (parts.at(-1)!.done += bytes),
    step() {},
  };
}

test('a dump reports its size first, and is done when all of that is: so is the check of its files', async () => {
  const testing = await testDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-dump-'));
  try {
    const { organization, tenantA } = await insertTestData(testing.database.sql);
    const staff = ['zwei\nZeilen', 'Tabulator\t'].map(lastName => ({ tenant: tenantA, lastName }));
    await storeEmployees(testing.database.sql, organization, staff);
    const progress = recorder();
    const dumped: Dump = await dump(testing.database, folder, progress);
    await checkFiles(folder, dumped, progress);
    const [written, inspected] = progress.parts;
    assert.deepEqual([written!.step, inspected!.step], ['Backing up', 'Checking']);
    assert.ok(written!.total > 100_000, 'it is of the tables as they are stored');
    for (const { total, done } of progress.parts)
      assert.ok(Math.abs(total - done) < 1, `${done} of ${total}`);
    const { size } = await stat(path.join(folder, 'employee.copy.gz'));
    assert.ok(inspected!.total > size);
  } finally {
    await rm(folder, { recursive: true });
    await testing.drop();
  }
});
