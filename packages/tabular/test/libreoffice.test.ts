// cspell:ignore Dvořák
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { isLong } from '../../server/test/support/service/scale.ts';
import { identifyFile, readBoolean, readDate, readDecimal, readRecords, readText } from '../src/index.ts';
import { makeFile } from './generator/files.ts';
import { charsets, convert, hasLibreOffice, readConverted } from './libreoffice.ts';
import { shortOf } from './support.ts';

/** One sheet, and what LibreOffice 7.4 wrote of it in several dialects. */
const files = path.join(import.meta.dirname, 'files');

async function read(bytes: Uint8Array): Promise<(readonly string[])[]> {
  const { dialect, fault } = identifyFile(bytes);
  assert.equal(fault, null);
  const records: (readonly string[])[] = [];
  for await (const batch of readRecords(bytes, dialect)) {
    assert.deepEqual(
      batch.records.flatMap(({ faults }) => faults),
      [],
    );
    records.push(...batch.records.map(({ cells }) => cells));
  }
  return records;
}

/** Checks the cells of the sheet, and what they mean. Windows-1252 has no `ř`. */
async function checkSheet(bytes: Uint8Array, lastName = 'Dvořák'): Promise<void> {
  const [title, header, ...rows] = await read(bytes);
  assert.deepEqual(title, ['Mitarbeiterliste Stand 01.11.2026', ...Array.from({ length: 10 }, () => '')]);
  assert.deepEqual(header?.slice(0, 5), [
    'Personalnummer',
    'Vorname',
    'Nachname',
    'E-Mail geschäftlich',
    'Gesperrt ja/nein',
  ]);
  const shorts = rows.map(row => [
    ...[row[0]!, row[1]!, row[2]!, row[5]!].map(cell => shortOf(readText(cell))),
    shortOf(readBoolean(row[4]!)),
    shortOf(readDate(row[6]!)),
    shortOf(readDecimal(row[7]!)),
    ...row.slice(8).map(cell => shortOf(readText(cell))),
  ]);
  assert.deepEqual(shorts, [
    [
      '00701',
      'Jürgen',
      'Groß',
      'Deutschland',
      true,
      '2026-11-01',
      '1234.50',
      '01067',
      'Zeile 1\nZeile 2',
      'a; "b", c',
    ],
    ['00702', 'Käthe', 'Weiß', 'D', false, '2025-03-31', '0.99', '80331', 'Weg 5; rechts', 'Tab'],
    ['00703', 'Ole', 'O’Neill', 'AT', true, '1999-12-31', '1000000.00', '1010', '? rounded_number', null],
    ['00704', 'Zoë', lastName, null, null, null, null, null, '? formula_error', null],
  ]);
}

describe('files that LibreOffice wrote', () => {
  for (const name of ['quoted', 'comma', 'utf-16'])
    test(`are read: ${name}`, async () =>
      checkSheet(await readFile(path.join(files, `libreoffice-${name}.csv`))));

  test('in Windows-1252 are read, and a letter that it wrote as ? is a question', async () => {
    await checkSheet(await readFile(path.join(files, 'libreoffice-windows-1252.csv')), '? garbled_text');
  });

  for (const [name, found] of [
    ['mac-roman', '0x8A'],
    ['ms-dos', '0x84'],
  ] as const)
    test(`in ${name} are rejected, with the first letter that is wrong`, async () => {
      const { fault } = identifyFile(await readFile(path.join(files, `libreoffice-${name}.csv`)));
      assert.deepEqual(fault, { code: 'unknown_encoding', line: 3, column: 45, found });
    });
});

describe('LibreOffice', async () => {
  const skip = !isLong
    ? 'runs in npm run test:long'
    : !(await hasLibreOffice()) && 'soffice is not installed';
  const inFolder = async (use: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-libreoffice-'));
    try {
      await use(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('writes files that are read, in each dialect', { skip }, () =>
    inFolder(async folder => {
      for (const [encoding, delimiter, isQuoted] of [
        ['utf-8', ';', true],
        ['utf-8', '|', false],
        ['utf-8', '\t', false],
        ['windows-1252', ',', true],
        ['utf-16', ';', false],
      ] as const) {
        const charset = charsets[encoding];
        await convert([path.join(files, 'libreoffice.fods')], folder, { delimiter, charset, isQuoted });
        await checkSheet(
          await readConverted(folder, 'libreoffice'),
          encoding === 'windows-1252' ? '? garbled_text' : undefined,
        );
      }
    }),
  );

  test('reads the same cells of generated files', { skip }, () =>
    inFolder(async folder => {
      await mkdir(path.join(folder, 'made'));
      for (const delimiter of [';', ',', '\t', '|'] as const) {
        const seeds = Array.from({ length: 2000 }, (_, seed) => seed)
          .filter(seed => isComparable(seed, delimiter))
          .slice(0, 50);
        assert.equal(seeds.length, 50);
        const names = seeds.map(seed => path.join(folder, 'made', `${seed}.csv`));
        for (const [index, seed] of seeds.entries()) await writeFile(names[index]!, makeFile(seed).text);
        await convert(names, folder, {
          delimiter: ';',
          charset: charsets['utf-8'],
          isQuoted: true,
          readAs: delimiter,
        });
        for (const seed of seeds)
          assert.deepEqual(
            rowsOf(await read(Buffer.from(makeFile(seed).text))),
            rowsOf(await read(await readConverted(folder, String(seed)))),
            `seed ${seed}`,
          );
      }
    }),
  );
});

/** Blanks around quotes and `sep=` are not its dialect. */
function isComparable(seed: number, wanted: string): boolean {
  const { text, delimiter, damage, hasSeparatorLine } = makeFile(seed);
  return delimiter === wanted && damage === null && !hasSeparatorLine && !/(?:^|[;,\t|\r\n]) +"/.test(text);
}

/** Cells without blanks around them, without empty ones at the end, and with one kind of line end. */
const rowsOf = (rows: readonly (readonly string[])[]) =>
  rows.map(row => {
    const cells = row.map(cell => cell.trim().replaceAll(/\r\n|\r/g, '\n'));
    return cells.slice(0, cells.findLastIndex(cell => cell !== '') + 1);
  });
