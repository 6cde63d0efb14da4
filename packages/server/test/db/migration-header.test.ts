import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { migrationsDirectory, parseMigration, readMigrations } from '../../src/db/migrate.ts';
import { findProblems } from '../support/database/migration-rules.ts';
import { lastRelease } from '../support/database/versions.ts';

const run = promisify(execFile);

const compatible = '-- compatible with: 0003\n';
const batches = `${compatible}-- runs: in batches\n\n`;
const outside = `${compatible}-- runs: outside of a transaction\n\n`;
const parse = (text: string) => parseMigration('0004_shade.sql', text);

describe('the header of a migration', () => {
  const accepted: [string, string, string][] = [
    [
      'runs in one transaction unless it says otherwise',
      `${compatible}\n-- why\nSELECT 1`,
      'in one transaction',
    ],
    ['may say so', `${compatible}-- runs: in one transaction\nSELECT 1`, 'in one transaction'],
    ['may repeat a statement in batches', `${batches}-- why;\nUPDATE a SET b = 1;\n`, 'in batches'],
    ['may run outside of a transaction', `${outside}SELECT 1`, 'outside of a transaction'],
  ];
  for (const [name, text, mode] of accepted)
    test(name, () => {
      const migration = parse(text);
      assert.deepEqual([migration.compatibleWith, migration.mode], ['0003', mode]);
    });

  const rejected: [string, string][] = [
    ['is not missing', 'SELECT 1'],
    ['does not stand behind an empty line', `\n${compatible}SELECT 1`],
    ['names a number of four digits', '-- compatible with: 3\nSELECT 1'],
    ['has no unknown words', `${compatible}-- batch: 100\nSELECT 1`],
    ['has no misspelt words', '-- compatable with: 0003\nSELECT 1'],
    ['has its words in lower case', '-- Compatible with: 0003\nSELECT 1'],
    ['has no comments among its lines', `${compatible}-- why\nSELECT 1`],
    ['says nothing twice', compatible + compatible],
    ['names a known mode', `${compatible}-- runs: in batch\n`],
  ];
  for (const [name, text] of rejected)
    test(name, () =>
      assert.throws(
        () => parse(text),
        /0004_shade\.sql is not a migration: .* begins with "-- compatible with: NNNN"/,
      ),
    );

  test('belongs to a file whose name has a number', () =>
    assert.throws(() => parseMigration('four.sql', compatible), /four\.sql is not a migration/));

  test('has the same checksum with the line ends of Windows', () => {
    const text = `${compatible}SELECT 1;\nSELECT 2;\n`;
    assert.equal(parse(text).checksum, parse(text.replaceAll('\n', '\r\n')).checksum);
  });
});

describe('the rules of migrations', () => {
  test('hold for those of this version', async () => {
    const migrations = await readMigrations(migrationsDirectory);
    assert.equal(migrations[0]!.name, '0001_organizations');
    assert.deepEqual(findProblems(migrations), []);
  });

  test('hold for the files of the last release, which stay as they were', async t => {
    if (lastRelease === null) return t.skip('the history does not reach back to a release');
    const { stdout } = await run('git', [
      'diff',
      '--name-status',
      lastRelease.commit,
      '--',
      migrationsDirectory,
    ]);
    const edited = stdout.split('\n').filter(line => line !== '' && !line.startsWith('A'));
    assert.deepEqual(edited, [], 'Write a new migration');
  });

  const files = (...named: [string, string][]) => named.map(([file, text]) => parseMigration(file, text));
  const [first, second] = ['-- compatible with: 0001', '-- compatible with: 0002'];

  test('notice two of one number', () =>
    assert.deepEqual(findProblems(files(['0001_a.sql', first], ['0001_b.sql', first])), [
      '0001_b has the number of another one',
    ]));
  test('notice one that is compatible with one that is not there, or later', () =>
    assert.deepEqual(findProblems(files(['0001_a.sql', second], ['0002_b.sql', compatible])), [
      '0001_a is compatible with 0002, which is no migration up to this one',
      '0002_b is compatible with 0003, which is no migration up to this one',
    ]));

  const broken: [string, string][] = [
    [`${batches}UPDATE a; UPDATE b;`, 'runs in batches and is not one statement'],
    [batches, 'runs in batches and is not one statement'],
    [`${batches}SELECT 1`, 'runs in batches and changes no rows'],
    [
      `${batches}DELETE FROM a WHERE b IN (SELECT b FROM a LIMIT 9 FOR UPDATE skip  locked)`,
      'skips locked rows',
    ],
    ...[
      'CREATE INDEX a_b ON a (b)',
      'CREATE INDEX CONCURRENTLY ON a (b)',
      // It would take one that was not completed for one that is there.
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b)',
      'DROP INDEX CONCURRENTLY a_b',
      'DROP INDEX CONCURRENTLY IF EXISTS a_b, a_c',
      'UPDATE a SET b = 1',
    ].map((statement): [string, string] => [
      outside + statement,
      'cannot be repeated when it was interrupted',
    ]),
  ];
  for (const [text, problem] of broken)
    test(`notice: ${text.split('\n').at(-1)} ${problem}`, () => {
      const own = text.replace('0003', '0004');
      assert.deepEqual(findProblems([parse(own)]), [`0004_shade ${problem}`]);
    });

  for (const text of [
    `${batches}-- why;\nUPDATE a SET b = 1 WHERE b IS NULL;\n`,
    `${outside}CREATE UNIQUE INDEX CONCURRENTLY A_b\n  ON a (b)`,
    `${outside}DROP INDEX CONCURRENTLY IF EXISTS a_b;`,
  ])
    test(`accept: ${text.split('\n\n')[1]}`, () =>
      assert.deepEqual(findProblems([parse(text.replace('0003', '0004'))]), []));
});
