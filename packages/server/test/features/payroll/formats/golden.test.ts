import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  encodeLines,
  type FileHead,
  type Format,
  type Line,
} from '../../../../src/features/payroll/formats/format.ts';
import { formats } from '../../../../src/features/payroll/formats/formats.ts';
import { lugImportDescription } from '../../../../src/features/payroll/formats/lug.ts';
import { csvLine, type ReadLine, readCsv, readLodas, readLug } from './readers.ts';
import { head, lines, ownHead, ownLines } from './samples.ts';

const golden = (name: string) => readFile(new URL(`golden/${name}`, import.meta.url));

function render(format: Format, file: FileHead, each: readonly Line[]): Buffer {
  return encodeLines(format, [...format.head(file), ...each.map(line => format.line(line, file))]);
}

/** A line as a DATEV program must receive it. */
function expected(
  { month, personnelNumber, wageType, cents, costCenter, processingKey }: Line,
  hasKey: boolean,
) {
  const line: ReadLine = { month, personnelNumber, wageType, cents, costCenter };
  return hasKey ? { ...line, processingKey: processingKey! } : line;
}

/** A file of Lohn und Gehalt has the lines of one month. */
const monthsOf = (each: readonly Line[]) => Map.groupBy(each, ({ month }) => month);

const variants = [
  { numbers: 'payroll', file: head, each: lines },
  { numbers: 'company', file: ownHead, each: ownLines },
] as const;

for (const { numbers, file, each } of variants) {
  const hasOwnNumbers = numbers === 'company';

  describe(`files with numbers of ${numbers}`, () => {
    test('csv is the golden file, and reads back as its entries', async () => {
      const bytes = render(formats.csv, file, each);
      assert.deepEqual(bytes, await golden(`${numbers}.csv`));
      assert.deepEqual(
        readCsv(bytes),
        each.map(line => csvLine(line, file.period)),
      );
    });

    test('datev_lodas is the golden file, and reads back as its entries, corrections as records of their own', async () => {
      const bytes = render(formats.datev_lodas, file, each);
      assert.deepEqual(bytes, await golden(`${numbers}-lodas.txt`));
      const read = readLodas(bytes);
      const { adviserNumber: adviser, clientNumber: client } = file.settings;
      const wanted = each.map(line => expected(line, true));
      assert.deepEqual(read, { adviser, client, hasOwnNumbers, lines: wanted, period: file.period });
    });

    for (const [month, ofMonth] of monthsOf(each))
      test(`datev_lug of ${month} is the golden file, and reads back as its entries`, async () => {
        const bytes = render(formats.datev_lug, { ...file, month }, ofMonth);
        assert.deepEqual(bytes, await golden(`${numbers}-lug-${month}.txt`));
        const { adviserNumber: adviser, clientNumber: client } = file.settings;
        const wanted = ofMonth.map(line => expected(line, false));
        assert.deepEqual(readLug(bytes), { adviser, client, hasOwnNumbers, lines: wanted, month });
      });
  });
}

test('the import description of datev_lug is the golden file', async () => {
  assert.deepEqual(lugImportDescription, await golden('lug.ini'));
});
