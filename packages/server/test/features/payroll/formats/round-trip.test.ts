import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payrollKinds } from '@kontor/contract';
import fc from 'fast-check';
import { encodeLines, type FileHead, type Line } from '../../../../src/features/payroll/formats/format.ts';
import { formats } from '../../../../src/features/payroll/formats/formats.ts';
import { csvLine, type ReadLine, readCsv, readLodas, readLug } from './readers.ts';

/** Any text, with separators, quotes, formulas and letters of Windows-1252 more often. */
const anyText = (maxLength: number) =>
  fc.string({
    unit: fc.oneof(
      fc.constantFrom(...`;"'=+-@\t\r\n ,Ä Ö Ü ß € Ž é 0123456789`),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength,
  });

/** An apostrophe before a formula may be part of the text: no reader can tell. */
const cellText = anyText(40).filter(text => !/^'([\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text));

const number = (max: number) => fc.integer({ min: 0, max }).map(String);
const month = fc.tuple(fc.integer({ min: 2024, max: 2026 }), fc.integer({ min: 1, max: 12 }));
const anyMonth = month.map(([year, index]) => `${year}-${String(index).padStart(2, '0')}`);

const anyLine: fc.Arbitrary<Line> = fc.record({
  personnelNumber: fc.oneof({ weight: 3, arbitrary: number(120_000) }, cellText),
  lastName: fc.option(cellText),
  firstName: fc.option(cellText),
  month: anyMonth,
  kind: fc.constantFrom(...payrollKinds),
  wageType: fc.oneof({ weight: 9, arbitrary: number(12_000) }, fc.constant('A1')),
  processingKey: fc.option(number(120), { freq: 9 }),
  cents: fc.oneof(
    fc.bigInt({ min: -20_000n, max: 20_000n }),
    fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  ),
  costCenter: fc.option(fc.oneof({ weight: 3, arbitrary: number(99_999_999) }, cellText)),
  contractNumber: fc.option(cellText),
});

const anyHead: fc.Arbitrary<FileHead> = fc
  .record({
    adviserNumber: fc.integer({ min: 1000, max: 9_999_999 }).map(String),
    clientNumber: fc.integer({ min: 1, max: 99_999 }).map(String),
    personnelNumbers: fc.constantFrom('payroll', 'company'),
  })
  .map(settings => ({ settings, period: '2026-11', month: '2026-11' }));

const anyFile = fc.tuple(anyHead, fc.array(anyLine, { minLength: 2, maxLength: 12 }));
const runs = { numRuns: 300 };

function identity(file: FileHead) {
  const { adviserNumber: adviser, clientNumber: client, personnelNumbers } = file.settings;
  return { adviser, client, hasOwnNumbers: personnelNumbers === 'company' };
}

const written = ({ month: ofMonth, personnelNumber, wageType, cents, costCenter }: Line): ReadLine => ({
  month: ofMonth,
  personnelNumber,
  wageType,
  cents,
  costCenter,
});

/** Lines that the format takes for its period. */
function linesTakenBy(name: keyof typeof formats, file: FileHead, all: readonly Line[]): Line[] {
  const format = formats[name];
  return all.filter(
    line =>
      format.takesMonth(line.month, file.period, { lugCorrections: 'two_years' }) &&
      format.checkLine(line, file.settings).length === 0,
  );
}

function render(name: keyof typeof formats, file: FileHead, lines: readonly Line[]): Buffer {
  const format = formats[name];
  return encodeLines(format, [...format.head(file), ...lines.map(line => format.line(line, file))]);
}

test('csv reads back as any lines', () => {
  fc.assert(
    fc.property(anyFile, ([file, lines]) => {
      const expected = lines.map(line => csvLine(line, file.period));
      assert.deepEqual(readCsv(render('csv', file, lines)), expected);
    }),
    runs,
  );
});

test('datev_lodas reads back as the lines that it takes', () => {
  fc.assert(
    fc.property(anyFile, ([file, all]) => {
      const lines = linesTakenBy('datev_lodas', file, all);
      const { period, ...read } = readLodas(render('datev_lodas', file, lines));
      const expected = lines.map(line => ({ ...written(line), processingKey: line.processingKey! }));
      assert.deepEqual(read, { ...identity(file), lines: expected });
      assert.equal(period, lines.length === 0 ? null : file.period);
    }),
    runs,
  );
});

test('datev_lug reads back as the lines that it takes, a file per month', () => {
  fc.assert(
    fc.property(anyFile, ([file, all]) => {
      for (const [ofMonth, lines] of Map.groupBy(linesTakenBy('datev_lug', file, all), line => line.month)) {
        const read = readLug(render('datev_lug', { ...file, month: ofMonth }, lines));
        assert.deepEqual(read, { ...identity(file), lines: lines.map(written), month: ofMonth });
      }
    }),
    runs,
  );
});

test('the property lines are often taken', () => {
  for (const name of ['datev_lodas', 'datev_lug'] as const) {
    const count = fc
      .sample(anyFile, { numRuns: 200, seed: 1 })
      .filter(([file, all]) => linesTakenBy(name, file, all).length > 0).length;
    assert.ok(count > 60, `${name}: ${count}`);
  }
});
