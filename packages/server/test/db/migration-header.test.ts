import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { migrationsDirectory } from '../../src/db/migrate.ts';
import { readMigrations } from '../../src/db/migration/file.ts';
import { readHeader } from '../../src/db/migration/header.ts';

const compatible = '-- compatible with: 0003\n';
const batches = `${compatible}-- runs: in batches\n\n`;
const outside = `${compatible}-- runs: outside of a transaction\n\n`;

describe('the header of a migration', () => {
  const accepted: [string, string, ReturnType<typeof readHeader>][] = [
    [
      'runs in one transaction unless it says otherwise',
      `${compatible}\n-- why\nSELECT 1; SELECT 2;`,
      { compatibleWith: '0003', mode: 'in one transaction', index: null },
    ],
    [
      'may say so in any order',
      `-- runs: in one transaction\n${compatible}SELECT 1`,
      { compatibleWith: '0003', mode: 'in one transaction', index: null },
    ],
    [
      'may repeat a statement in batches',
      `${batches}-- why;\nUPDATE a SET b = 1 WHERE b IS NULL;\n`,
      { compatibleWith: '0003', mode: 'in batches', index: null },
    ],
    [
      'may build an index outside of a transaction',
      `${outside}CREATE UNIQUE INDEX CONCURRENTLY A_b\n  ON a (b)`,
      { compatibleWith: '0003', mode: 'outside of a transaction', index: 'a_b' },
    ],
    [
      'may drop an index outside of a transaction',
      `${outside}DROP INDEX CONCURRENTLY IF EXISTS a_b;`,
      { compatibleWith: '0003', mode: 'outside of a transaction', index: null },
    ],
  ];
  for (const [name, text, header] of accepted)
    test(name, () => assert.deepEqual(readHeader('0004', text), header));

  const refused: [string, string, RegExp][] = [
    ['is not missing', 'SELECT 1', /begin with the line "-- compatible with: NNNN"/],
    ['does not stand behind an empty line', `\n${compatible}SELECT 1`, /begin with the line/],
    ['names a number of four digits', '-- compatible with: 3\nSELECT 1', /begin with the line/],
    ['has no unknown words', `${compatible}-- batch: 100\nSELECT 1`, /"-- batch: 100" is no header/],
    ['has no misspelt words', '-- compatable with: 0003\nSELECT 1', /compatable with: 0003" is no header/],
    ['has its words in lower case', '-- Compatible with: 0003\nSELECT 1', /is no header/],
    ['has no comments among its lines', `${compatible}-- why\nSELECT 1`, /comments behind an empty line/],
    ['says nothing twice', compatible + compatible, /"compatible with" stands twice/],
    [
      'names a known manner',
      `${compatible}-- runs: in batch\n`,
      /"runs: in batch" is unknown: expected "in one/,
    ],
    ['has one statement for batches', `${batches}UPDATE a; UPDATE b;`, /one statement/],
    ['has a statement', batches, /one statement/],
    [
      'has no batches that pass over locked rows',
      `${batches}DELETE FROM a WHERE b IN (SELECT b FROM a LIMIT 9 FOR UPDATE skip  locked)`,
      /may not skip locked rows/,
    ],
    ...[
      'CREATE INDEX a_b ON a (b)',
      'CREATE INDEX CONCURRENTLY ON a (b)',
      // It would take one that was broken off for one that is there.
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b)',
      'DROP INDEX CONCURRENTLY a_b',
      'DROP INDEX CONCURRENTLY IF EXISTS a_b, a_c',
      'UPDATE a SET b = 1',
    ].map((statement): [string, string, RegExp] => [
      `does not let this run outside of a transaction: ${statement}`,
      outside + statement,
      /can be taken up again/,
    ]),
  ];
  for (const [name, text, message] of refused)
    test(name, () => assert.throws(() => readHeader('0004', text), message));

  test('is not asked for of the migrations that are older than it', () => {
    assert.deepEqual(readHeader('0003', '-- Why.\nSELECT 1'), {
      compatibleWith: '0003',
      mode: 'in one transaction',
      index: null,
    });
  });
});

describe('the migrations of a folder', () => {
  const refused: [string, Record<string, string>, RegExp][] = [
    ['have names with a number', { 'four.sql': '' }, /four\.sql is no name of a migration/],
    ['have a number each', { '0001_a.sql': '', '0001_b.sql': '' }, /Two migrations have the number 0001/],
    [
      'are compatible with one that is there',
      { '0001_a.sql': '', '0004_b.sql': compatible },
      /0004_b says that it is compatible with 0003/,
    ],
    [
      'are not compatible with a later one',
      { '0004_a.sql': '-- compatible with: 0005', '0005_b.sql': '-- compatible with: 0005' },
      /0004_a says that it is compatible with 0005/,
    ],
    ['are named where their header is wrong', { '0004_a.sql': 'SELECT' }, /Migration 0004_a: begin with/],
  ];
  for (const [name, files, message] of refused)
    test(name, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'kontor-headers-'));
      for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
      await assert.rejects(readMigrations(folder), message);
      await rm(folder, { recursive: true });
    });

  test('have the same checksum with the line ends of Windows', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-headers-'));
    await writeFile(path.join(folder, '0001_a.sql'), 'SELECT 1;\nSELECT 2;\n');
    await writeFile(path.join(folder, '0002_a.sql'), 'SELECT 1;\r\nSELECT 2;\r\n');
    const [first, second] = await readMigrations(folder);
    assert.equal(first!.checksum, second!.checksum);
    await rm(folder, { recursive: true });
  });

  test('of this version are read', async () => {
    const [first] = await readMigrations(migrationsDirectory);
    assert.equal(first!.name, '0001_foundation');
  });
});
