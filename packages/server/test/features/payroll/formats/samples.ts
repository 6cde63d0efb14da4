import type { FileHead, Line } from '../../../../src/features/payroll/formats/format.ts';

const line: Line = {
  personnelNumber: '1234',
  lastName: 'Müller',
  firstName: 'Änne',
  month: '2026-11',
  kind: 'salary_conversion',
  wageType: '3010',
  processingKey: '2',
  cents: -8953n,
  costCenter: '4711',
  contractNumber: 'LV-2026-000123',
};

/** A month, an earlier month that is corrected, and texts that a spreadsheet would run. */
export const lines: readonly Line[] = [
  line,
  { ...line, kind: 'taxable_benefit', wageType: '3020', cents: 800n, costCenter: null },
  { ...line, month: '2026-09', cents: 2984n, costCenter: 'K-Süd' },
  { ...line, month: '2025-12', kind: 'employer_subsidy', wageType: '411', processingKey: '04', cents: -1n },
  {
    ...line,
    personnelNumber: '99999',
    lastName: '=HYPERLINK("http://x.example";"Lohn")',
    firstName: '-Zoë; "Zo"',
    cents: 999_999_999n,
    costCenter: '@1',
    contractNumber: '+49',
  },
];

/** The same with numbers of the company's own. */
export const ownLines: readonly Line[] = lines.map(each => ({
  ...each,
  personnelNumber: each.personnelNumber === '1234' ? 'MÜ-0042' : each.personnelNumber,
}));

const settings = { adviserNumber: '1234567', clientNumber: '10001', personnelNumbers: 'payroll' } as const;

/** A file of payroll's numbers for November 2026. */
export const head: FileHead = { settings, period: '2026-11', month: '2026-11' };
export const ownHead: FileHead = { ...head, settings: { ...settings, personnelNumbers: 'company' } };
