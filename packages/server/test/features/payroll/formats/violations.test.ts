import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PayrollSettings } from '@kontor/contract';
import type { FileHead, Line, Violation } from '../../../../src/features/payroll/formats/format.ts';
import { formats } from '../../../../src/features/payroll/formats/formats.ts';
import { head, lines, ownHead } from './samples.ts';

type Settings = FileHead['settings'];
type LugCorrections = PayrollSettings['lugCorrections'];
type FormatName = keyof typeof formats;

const datev = ['datev_lodas', 'datev_lug'] as const;

function assertSettings(names: readonly FormatName[], settings: Settings, ...expected: Violation[]): void {
  for (const name of names) assert.deepEqual(formats[name].checkSettings(settings), expected, name);
}

function assertLine(
  names: readonly FormatName[],
  file: FileHead,
  more: Partial<Line>,
  ...expected: Violation[]
): void {
  for (const name of names)
    assert.deepEqual(
      formats[name].checkLine({ ...lines[0]!, ...more }, file.settings),
      expected,
      `${name} ${JSON.stringify(more, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
    );
}

describe('what DATEV does not take is reported with its field', () => {
  test('an adviser number has 4 to 7 digits', () => {
    const violation = { code: 'adviser_number', field: 'adviserNumber' } as const;
    for (const adviserNumber of ['1000', '9999999'])
      assertSettings(datev, { ...head.settings, adviserNumber });
    for (const adviserNumber of [null, '', '999', '0999', '10000000', '12345a'])
      assertSettings(datev, { ...head.settings, adviserNumber }, violation);
  });

  test('a client number has 1 to 5 digits', () => {
    const violation = { code: 'client_number', field: 'clientNumber' } as const;
    for (const clientNumber of ['1', '99999']) assertSettings(datev, { ...head.settings, clientNumber });
    for (const clientNumber of [null, '', '0', '100000', '12a'])
      assertSettings(datev, { ...head.settings, clientNumber }, violation);
  });

  test("a personnel number of payroll is 1 to 99999, one of the company's own begins with a letter or digit and has at most 15 characters", () => {
    const violation = { code: 'personnel_number', field: 'employeeNumber' } as const;
    const all = [...datev, 'csv'] as const;
    for (const personnelNumber of ['1', '99999']) assertLine(all, head, { personnelNumber });
    for (const personnelNumber of ['', '0', '007', '100000', '-1', '1.5', 'E-1', '１'])
      assertLine(all, head, { personnelNumber }, violation);
    for (const personnelNumber of ['0', '007', '100000', 'MÜ 0042', 'E-1', '123456789012345'])
      assertLine(datev, ownHead, { personnelNumber });
    for (const personnelNumber of ['', '1;2', '1"2', ' 1', '1 ', '-5', '+7', '=7', '€', '1234567890123456'])
      assertLine(datev, ownHead, { personnelNumber }, violation);
  });

  test('a wage type of LODAS has 1 to 4 digits', () => {
    const violation = { code: 'wage_type', field: 'wageType' } as const;
    for (const wageType of ['1', '6000', '9999']) assertLine(['datev_lodas'], head, { wageType });
    for (const wageType of ['', '10000', 'A1', '-1'])
      assertLine(['datev_lodas'], head, { wageType }, violation);
  });

  test('a wage type of Lohn und Gehalt is 1 to 5999 or 8000 to 9999', () => {
    const violation = { code: 'wage_type', field: 'wageType' } as const;
    for (const wageType of ['1', '5999', '8000', '9999']) assertLine(['datev_lug'], head, { wageType });
    for (const wageType of ['', '0', '6000', '7999', '10000', 'A1'])
      assertLine(['datev_lug'], head, { wageType }, violation);
  });

  test('LODAS demands a processing key of 1 or 2 digits, Lohn und Gehalt has none', () => {
    const violation = { code: 'processing_key', field: 'processingKey' } as const;
    for (const processingKey of ['2', '04']) assertLine(datev, head, { processingKey });
    for (const processingKey of [null, '', '100', 'a']) {
      assertLine(['datev_lodas'], head, { processingKey }, violation);
      assertLine(['datev_lug'], head, { processingKey });
    }
  });

  test('a cost centre has at most 8 characters', () => {
    const violation = { code: 'cost_center', field: 'costCenter' } as const;
    for (const costCenter of [null, '1', 'Köln-Süd']) assertLine(datev, head, { costCenter });
    for (const costCenter of ['123456789', '1;2', '"1"', ' 1'])
      assertLine(datev, head, { costCenter }, violation);
  });

  test('an amount of LODAS has 11 digits, one of Lohn und Gehalt 9', () => {
    const violation = { code: 'amount', field: 'amount' } as const;
    assertLine(['datev_lug'], head, { cents: 999_999_999n });
    assertLine(['datev_lug'], head, { cents: -999_999_999n });
    for (const cents of [1_000_000_000n, -1_000_000_000n])
      assertLine(['datev_lug'], head, { cents }, violation);
    assertLine(['datev_lodas'], head, { cents: 99_999_999_999n });
    for (const cents of [100_000_000_000n, -100_000_000_000n])
      assertLine(['datev_lodas'], head, { cents }, violation);
  });

  test('a character that Windows-1252 does not have is reported, never replaced', () => {
    for (const text of ['Ł1', 'Ω', '\u0081', '\t1', '日本', '😀', 'a\u0308']) {
      assertLine(datev, ownHead, { personnelNumber: text }, { code: 'characters', field: 'employeeNumber' });
      assertLine(datev, head, { costCenter: text }, { code: 'characters', field: 'costCenter' });
    }
    for (const name of datev)
      assert.throws(() => formats[name].encode('Ł'), /Windows-1252 cannot write U\+141/);
  });

  test('DATEV corrects the current and the previous year, a CSV file any month', () => {
    const takes = (name: FormatName, month: string, lugCorrections: LugCorrections = 'two_years') =>
      formats[name].takesMonth(month, '2026-11', { lugCorrections });
    for (const name of datev) {
      for (const month of ['2026-11', '2026-01', '2025-12', '2025-01']) assert.ok(takes(name, month), month);
      for (const month of ['2024-12', '2020-01']) assert.ok(!takes(name, month), month);
    }
    assert.ok(takes('csv', '2020-01'));
    assert.ok(takes('datev_lug', '2020-01', 'any_month'), 'Lohn und Gehalt where the settings say so');
    assert.ok(!takes('datev_lodas', '2020-01', 'any_month'));
  });

  test('all that is wrong with a line is reported at once', () => {
    const more = {
      personnelNumber: 'E-1',
      wageType: '',
      processingKey: null,
      costCenter: '123456789',
      cents: 10n ** 12n,
    };
    const found = formats.datev_lodas.checkLine({ ...lines[0]!, ...more }, head.settings);
    assert.deepEqual(
      found.map(({ field }) => field),
      ['employeeNumber', 'costCenter', 'amount', 'wageType', 'processingKey'],
    );
  });
});

test('csv takes every line with a number of the company', () => {
  assertSettings(['csv'], { adviserNumber: null, clientNumber: null, personnelNumbers: 'company' });
  assertLine(['csv'], ownHead, { personnelNumber: '日;"\n', costCenter: '1'.repeat(36), cents: 10n ** 14n });
});
