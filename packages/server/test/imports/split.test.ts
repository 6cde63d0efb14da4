import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { OperatorError } from '../../src/lib/operator-error.ts';
import {
  type CsvRecord,
  parseRecords,
  recordMaximum,
  splitRecords,
} from '../../src/features/employees/import/csv.ts';

/** Reads the bytes in pieces of the given size. */
async function read(bytes: string | Buffer, chunkSize = 1 << 16): Promise<CsvRecord[]> {
  const buffer = Buffer.from(bytes as string);
  async function* chunks() {
    for (let at = 0; at < buffer.length; at += chunkSize) yield buffer.subarray(at, at + chunkSize);
  }
  const records: CsvRecord[] = [];
  for await (const batch of splitRecords(chunks())) records.push(...parseRecords(batch));
  return records;
}

async function cells(bytes: string | Buffer): Promise<(readonly string[] | null)[]> {
  return (await read(bytes)).map(record => record.cells);
}

async function lines(text: string): Promise<number[]> {
  return (await read(text)).map(record => record.line);
}

function rejected(text: string | Buffer, message: RegExp): Promise<void> {
  return assert.rejects(read(text), error => error instanceof OperatorError && message.test(error.message));
}

test('lines end with LF or CRLF, also the last one, or it has no end', async () => {
  const expected = [
    ['a', 'b'],
    ['1', ''],
  ];
  for (const text of ['a,b\n1,\n', 'a,b\r\n1,\r\n', 'a,b\n1,', 'a,b\r\n1,'])
    assert.deepEqual(await cells(text), expected);
});

test('a byte order mark is no part of the first column', async () => {
  assert.deepEqual(await cells('\ufeffa,b\n'), [['a', 'b']]);
});

test('the line of a record is the one it begins in, quoted line ends and empty lines counted', async () => {
  assert.deepEqual(await lines('a\n"1\n2\r\n3"\n\n\r\nb\r\n"4\r\n5"\r\nc'), [1, 2, 7, 8, 10]);
});

test('a quotation mark inside a value spoils its own record and no other', async () => {
  const records = await read('a,b\nx "y" z,1\n"Fritz "Fritzi" M",2\n"x"y,3\n5" tube,4\n"x ""y""",5\n');
  assert.deepEqual(
    records.map(record => [record.line, record.cells?.[1] ?? null, record.problem === null]),
    [
      [1, 'b', true],
      [2, null, false],
      [3, null, false],
      [4, null, false],
      [5, null, false],
      [6, '5', true],
    ],
  );
});

test('a quoted value that does not end is an error with the line where its record begins', async () => {
  await rejected('a,b\n1,2\n3,"4\n5,6\n', /record in line 3 does not end/);
  await rejected(`a\n"${'x\n'.repeat(recordMaximum)}`, /record in line 2 does not end/);
});

test('bytes that are not UTF-8 are an error with their line', async () => {
  const latin = Buffer.from('a\nMaria\nJürgen\nb\n', 'latin1');
  await rejected(latin, /line 3 is not UTF-8/);
  await rejected(Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xc3])]), /line 2 is not UTF-8/);
});

test('what a CSV writer wrote is read again, whatever the pieces, with the lines of the records', async () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', 'ä', '😀', 'x', ' ', ';') }),
    fc.string(),
  );
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom('\n' as const, '\r\n' as const),
      fc.integer({ min: 1, max: 40 }),
      async (rows, end, chunkSize) => {
        const texts = rows.map(row =>
          stringify([row], { quoted: true, quoted_empty: true, record_delimiter: end }),
        );
        const records = await read(texts.join(''), chunkSize);
        assert.deepEqual(
          records.map(record => record.cells),
          rows,
        );
        const starts = texts.map((_, index) => texts.slice(0, index).join('').split('\n').length);
        assert.deepEqual(
          records.map(record => record.line),
          starts,
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('any text is read or rejected with an OperatorError', async () => {
  const text = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', '\\', '\0') });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (csv, chunkSize) => {
      const whole = await read(csv).catch(String);
      assert.deepEqual(await read(csv, chunkSize).catch(String), whole);
      if (typeof whole === 'string') assert.match(whole, /^OperatorError/);
    }),
    { numRuns: 500 },
  );
});
