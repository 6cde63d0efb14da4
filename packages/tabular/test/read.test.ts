import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Dialect, maxCells, maxCharacters, readRecords, type TableRecord } from '../src/index.ts';
import { openDecoder } from '../src/decode.ts';
import { RecordParser } from '../src/parser.ts';
import { openPython } from './python.ts';

const dialect: Dialect = { encoding: 'utf-8', delimiter: ';' };

async function read(file: string | Buffer, wanted: Partial<Dialect> = {}): Promise<TableRecord[]> {
  const bytes = Buffer.from(file as string);
  const records: TableRecord[] = [];
  for await (const batch of readRecords(bytes, { ...dialect, ...wanted })) records.push(...batch.records);
  return records;
}

/** Reads chunks as they are, each on its own. */
function readChunks(chunks: readonly Buffer[], wanted: Partial<Dialect> = {}): TableRecord[] {
  const decoder = openDecoder(wanted.encoding ?? 'utf-8');
  const parser = new RecordParser({ ...dialect, ...wanted }, { byte: 0, line: 1 }, decoder.countBytes);
  const records: TableRecord[] = [];
  const step = (text: string, isLast: boolean) => {
    parser.add(text);
    while (parser.read(isLast)) records.push(...parser.take().records);
    if (isLast) parser.end();
    records.push(...parser.take().records);
  };
  for (const chunk of chunks) step(decoder.decode(chunk), false);
  step(decoder.end(), true);
  return records;
}

const cellsOf = (records: readonly TableRecord[]) => records.map(({ cells }) => cells);
const faultsOf = (records: readonly TableRecord[]) =>
  records.flatMap(({ faults }) => faults.map(({ code, line, column, found }) => [code, line, column, found]));

/** Any text, with many of the characters that mean something. */
const anyText = fc.string({
  unit: fc.constantFrom('"', '"', ';', ',', '\n', '\r', '\r\n', 'a', ' ', 'ä', '€', '😀', '\0'),
  maxLength: 60,
});

describe('records', () => {
  test('end with LF, CR LF or CR, the last one also without; lines without characters are none', async () => {
    for (const end of ['\n', '\r\n', '\r'])
      for (const last of ['', end])
        assert.deepEqual(
          (await read(`a;b${end}${end}1;${end}${end}2;3${last}`)).map(({ line, text, cells }) => [
            line,
            text,
            cells,
          ]),
          [
            [1, 'a;b', ['a', 'b']],
            [3, '1;', ['1', '']],
            [5, '2;3', ['2', '3']],
          ],
        );
    assert.deepEqual(await read(''), []);
    assert.deepEqual(await read('\n\r\n\r'), []);
  });

  test('have the line that they begin in, and lines inside of quotes count', async () => {
    const records = await read('a\n"1\n2\r\n3\r4"\n\n\r\nb\r\n"4\r\n5"\r\nc');
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 2, 8, 9, 11],
    );
  });

  test('have their text as it is written', async () => {
    assert.deepEqual(
      (await read('"a ""b""";c\r\nx "y;\n')).map(({ text }) => text),
      ['"a ""b""";c', 'x "y;'],
    );
  });

  test('begin after a byte order mark, which is none in another place', async () => {
    assert.deepEqual(cellsOf(await read('\ufeffa;\ufeff\n')), [['a', '\ufeff']]);
    assert.deepEqual(cellsOf(await read('\ufeff"a;b"\n')), [['a;b']]);
  });

  test('of Windows-1252 have its characters', async () => {
    const bytes = Buffer.from([0x80, 0x3b, 0xfc, 0x3b, 0x84, 0x0a]);
    assert.deepEqual(cellsOf(await read(bytes, { encoding: 'windows-1252' })), [['€', 'ü', '„']]);
  });

  test('of quoted values are read as they were written', async () => {
    const cell = fc.oneof(anyText, fc.string({ unit: 'grapheme' }));
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
    const write = (rows: readonly (readonly string[])[], delimiter: string, end: string) =>
      rows.map(row => row.map(text => `"${text.replaceAll('"', '""')}"`).join(delimiter) + end).join('');
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(',', ';'),
        async (rows, end, delimiter) => {
          const records = await read(write(rows, delimiter, end), { delimiter });
          assert.deepEqual(
            cellsOf(records),
            rows.filter(cells => cells.some(text => text.trim() !== '')),
          );
          assert.deepEqual(faultsOf(records), []);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('are those of any chunks, down to single bytes', async () => {
    const file = fc.oneof(
      anyText.map(text => Buffer.from(text)),
      fc
        .array(
          fc.constantFrom(
            0x22,
            0x3b,
            0x0a,
            0x0d,
            0x61,
            0xc3,
            0xa4,
            0xe2,
            0x82,
            0xac,
            0xf0,
            0x9f,
            0x98,
            0x80,
            0xff,
          ),
        )
        .map(bytes => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom('utf-8', 'windows-1252'), async (bytes, encoding) => {
        const whole = await read(bytes, { encoding });
        for (let size = 1; size <= Math.min(bytes.length, 5); size++) {
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
            bytes.subarray(n * size, (n + 1) * size),
          );
          assert.deepEqual(readChunks(chunks, { encoding }), whole);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are read on from the position after a batch', async () => {
    const row = (n: number) =>
      n % 7 === 0 ? `"ä${n}\r\n€";\r\n` : n % 5 === 0 ? '\r\r\n' : `${n};"x"y 😀\n`;
    const text = `\ufeff${Array.from({ length: 9000 }, (_, n) => row(n)).join('')}`;
    const bad = Buffer.concat([Buffer.from('bad;'), Buffer.from([0xfc, 0xe2, 0x82]), Buffer.from('\n')]);
    const bytes = Buffer.concat([bad, Buffer.from(text), bad, Buffer.from(text)]);
    const whole = await read(bytes);
    let count = 0;
    let batches = 0;
    for await (const { records, next } of readRecords(bytes, dialect)) {
      count += records.length;
      if (batches++ % 3 > 0) continue;
      const rest: TableRecord[] = [];
      for await (const batch of readRecords(bytes.subarray(next.byte), dialect, { from: next }))
        rest.push(...batch.records);
      assert.deepEqual(rest, whole.slice(count));
    }
    assert.ok(batches > 9);
    assert.equal(count, whole.length);
  });
});

describe('faults', () => {
  test('have line, column and what was found, and spoil their own record only', async () => {
    const records = await read('a;b\nx "y" z;1\n"Fritz "Fritzi" M";2\n"x\n"y;3\n5" tube;4\n"x ""y""";5\n');
    assert.deepEqual(faultsOf(records), [
      ['quote_inside', 2, 3, '"'],
      ['text_after_quote', 3, 9, 'F'],
      ['quote_inside', 3, 15, '"'],
      ['text_after_quote', 5, 2, 'y'],
      ['quote_inside', 6, 2, '"'],
    ]);
    assert.deepEqual(
      records.map(({ line, cells }) => [line, cells]),
      [
        [1, ['a', 'b']],
        [2, ['x "y" z', '1']],
        [3, ['Fritz Fritzi" M"', '2']],
        [4, ['x\ny', '3']],
        [6, ['5" tube', '4']],
        [7, ['x "y"', '5']],
      ],
    );
  });

  test('of a quote that never ends is where it is opened, with the rest of the file in its record', async () => {
    const records = await read('a;b\n"1\n2";"3\n4;5\n');
    assert.deepEqual(faultsOf(records), [['unclosed_quote', 3, 4, '"']]);
    assert.deepEqual(cellsOf(records), [
      ['a', 'b'],
      ['1\n2', '3\n4;5\n'],
    ]);
  });

  test('of bytes that are not UTF-8 name the byte, and the character is replaced', async () => {
    const latin = Buffer.from('a\nMaria;x\nÖl;"ä"\nb\n', 'latin1');
    const records = await read(latin);
    assert.deepEqual(faultsOf(records), [['invalid_byte', 3, 1, '0xD6']]);
    assert.deepEqual(cellsOf(records), [['a'], ['Maria', 'x'], ['\ufffdl', '\ufffd'], ['b']]);
    // Overlong forms, surrogates, numbers over U+10FFFF, and a character that the end of the file cuts.
    for (const [bytes, found] of [
      [[0xc0, 0xaf], '0xC0'],
      [[0xe0, 0x80, 0xaf], '0xE0'],
      [[0xed, 0xa0, 0x80], '0xED'],
      [[0xf4, 0x90, 0x80, 0x80], '0xF4'],
      [[0x61, 0xe2, 0x82], '0xE2'],
    ] as const)
      assert.equal((await read(Buffer.from(bytes)))[0]!.faults[0]!.found, found);
    assert.deepEqual(faultsOf(await read('\ufffd\u{1f080}\u{10ffff}')), []);
  });

  test('of too many cells or characters keep the first ones, and reading goes on', async () => {
    const cells = await read(`${'x;'.repeat(maxCells - 1)}x\n${'x;'.repeat(maxCells + 5)}\nb\n`);
    assert.deepEqual(faultsOf(cells), [['too_many_cells', 2, 2 * maxCells, ';']]);
    assert.deepEqual(
      cells.map(record => record.cells.length),
      [maxCells, maxCells, 1],
    );
    const full = 'x'.repeat(maxCharacters);
    const characters = await read(`${full}\ny;${full}\n"${full}\n""";z\nb\n`);
    assert.deepEqual(faultsOf(characters), [
      ['too_many_characters', 2, maxCharacters + 1, 'x'],
      ['too_many_characters', 3, maxCharacters + 1, 'x'],
    ]);
    assert.deepEqual(
      characters.map(({ line, text, cells }) => [line, text.length, cells.length]),
      [
        [1, maxCharacters, 1],
        [2, maxCharacters, 1],
        [3, maxCharacters, 0],
        [5, 1, 1],
      ],
    );
  });
});

test('slices have at most 64 KiB or 2,000 cells, and each is followed by a pause', async () => {
  for (const [file, slices] of [
    [`email;n\n${'a"\n'.repeat(21_900)}`, 13],
    ['"'.repeat(1_000_000), 17],
    ['"'.repeat(999_999), 17],
    [`"${'x'.repeat(5_000_000)}`, 78],
    ['x'.repeat(5_000_000), 78],
    ['\n'.repeat(1_000_000), 17],
    ['"a"'.repeat(1_000_000), 47],
    [';'.repeat(1_000_000), 517],
    ['a\n'.repeat(500_000), 267],
    ['"\n'.repeat(500_000), 142],
    [Buffer.alloc(1_000_000, 0xfc), 17],
  ] as const) {
    let pauses = 0;
    const pause = () => Promise.resolve(pauses++);
    for await (const { records } of readRecords(Buffer.from(file as string), dialect, { pause }))
      assert.ok(records.reduce((sum, { cells }) => sum + cells.length, 0) <= Math.max(2000, maxCells));
    assert.ok(pauses <= slices, `${pauses} > ${slices}`);
    assert.ok(pauses >= file.length / 65_536, `${pauses}`);
  }
});

/** Rows that are not blank, without the blanks around their cells. */
const rowsWithText = (rows: readonly (readonly [line: number, cells: readonly string[]])[]) =>
  rows
    .map(([line, cells]) => [line, cells.map(cell => cell.trim())] as const)
    .filter(([, cells]) => cells.some(cell => cell !== ''));

describe('Python', async () => {
  const python = await openPython();
  after(() => python?.end());
  const skip = python === null && 'python3 is not installed';

  test('reads the same cells of any text', { skip }, async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom(',', ';'), async (text, delimiter) => {
        const records = await read(text, { delimiter });
        const expected = await python!.read(text, delimiter);
        assert.deepEqual(
          rowsWithText(records.map(({ line, cells }) => [line, cells])),
          rowsWithText(expected!),
        );
      }),
      { numRuns: 3000 },
    );
  });

  test('rejects strictly what has a fault', { skip }, async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async anything => {
        // Python rejects blanks after a closing quote.
        const text = anything.replaceAll(' ', '');
        const faults = faultsOf(await read(text)).filter(([code]) => code !== 'quote_inside');
        assert.equal((await python!.read(text, ';', 'strict')) === null, faults.length > 0);
      }),
      { numRuns: 1000 },
    );
  });
});
