import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { atScale } from '../../server/test/support/service/scale.ts';
import {
  ColumnNames,
  type Dialect,
  findHeader,
  fitCells,
  identifyFile,
  readBoolean,
  readCountry,
  readDate,
  readDecimal,
  type Reading,
  readPostalCode,
  readRecords,
  readText,
  type TableRecord,
} from '../src/index.ts';
import { type MadeFile, makeFile } from './generator/files.ts';
import { columns, type Kind } from './generator/values.ts';
import { openPython } from './python.ts';

const files = atScale(400, 10_000);

const readers: Readonly<Record<Kind, (cell: string) => Reading<string | boolean>>> = {
  text: readText,
  number: readText,
  yesNo: readBoolean,
  country: readCountry,
  date: readDate,
  amount: readDecimal,
  postalCode: cell => readPostalCode(cell, 'DE'),
};

const names = new ColumnNames(
  columns.map(([name, field]) => ({ field, names: name === 'Gesperrt ja/nein' ? ['Gesperrt'] : [name] })),
);

async function readAll(bytes: Uint8Array, dialect: Dialect): Promise<TableRecord[]> {
  const records: TableRecord[] = [];
  for await (const batch of readRecords(bytes, dialect, { pause: () => Promise.resolve() }))
    records.push(...batch.records);
  return records;
}

const meaningOf = ({ value, problem }: Reading<string | boolean>) =>
  problem === null ? value : { problem: problem.code };

/** Checks that a file is read as it was meant, or rejected for its damage, in its place. */
async function checkFile(file: MadeFile): Promise<TableRecord[]> {
  const { dialect, fault } = identifyFile(file.bytes);
  if (file.damage?.code === 'unknown_encoding') {
    assert.equal(fault?.code, 'unknown_encoding');
    const line = file.text.split(/\r\n|\n|\r/)[fault.line - 1]!;
    assert.match(line.charAt(fault.column - 1), /[^\0-~]/);
    return [];
  }
  assert.equal(fault, null);
  assert.equal(dialect.delimiter, file.delimiter);
  const records = await readAll(file.bytes, dialect);
  const header = findHeader(
    records.map(({ cells }) => cells),
    names,
  )!;
  assert.equal(records[header]?.line, file.headerLine);
  assert.deepEqual(records[header].cells, file.header);
  const rows = records.slice(header + 1);
  for (const [index, { line, cells }] of file.rows.entries()) checkRow(rows[index]!, line, cells, file);
  checkDamage(rows[file.rows.length], file);
  assert.equal(rows.length, file.rows.length + (file.damage === null ? 0 : 1));
  return records;
}

function checkRow(
  record: TableRecord,
  line: number,
  made: MadeFile['rows'][number]['cells'],
  { kinds }: MadeFile,
): void {
  assert.equal(record.line, line);
  assert.deepEqual(record.faults, []);
  const { cells } = fitCells(record.cells, kinds.length);
  assert.deepEqual(
    cells?.map((cell, column) => meaningOf(readers[kinds[column]!](cell))),
    made.map(({ meant }) => meant),
  );
}

function checkDamage(record: TableRecord | undefined, { damage, kinds }: MadeFile): void {
  if (damage === null || damage.code === 'unknown_encoding') return;
  if (damage.code === 'surplus_text')
    assert.deepEqual(fitCells(record!.cells, kinds.length).surplus, {
      position: damage.position,
      found: 'zu viel',
    });
  else {
    const { code, line, column } = damage;
    assert.deepEqual(
      record!.faults.map(({ found: _found, ...fault }) => fault),
      [{ code, line, column }],
    );
  }
}

const rowsWithText = (rows: readonly (readonly [line: number, cells: readonly string[]])[]) =>
  rows
    .map(([line, cells]) => [line, cells.map(cell => cell.trim())] as const)
    .filter(([, cells]) => cells.some(cell => cell !== ''));

describe('generated files', async () => {
  const python = await openPython();
  after(() => python?.end());

  test(`are read as they were meant, or rejected for the true reason: ${files} files`, async t => {
    if (python === null) t.diagnostic('python3 is not installed: no independent reader was asked');
    for (let seed = 1; seed <= files; seed++) {
      const file = makeFile(seed);
      try {
        const records = await checkFile(file);
        if (python === null || records.length === 0) continue;
        const expected = (await python.read(file.text, file.delimiter))!.slice(file.hasSeparatorLine ? 1 : 0);
        const found = records.map(({ line, cells }) => [line, cells] as const);
        assert.deepEqual(rowsWithText(found), rowsWithText(expected));
      } catch (cause) {
        throw new Error(`The file of seed ${seed} is read wrongly: ${JSON.stringify(file.text)}`, { cause });
      }
    }
  });
});
