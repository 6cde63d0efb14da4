import { csvCell } from '@kontor/tabular';
import { checkPayrollNumber, decimalComma, type Format } from './format.ts';

const columns = [
  'period',
  'month',
  'employeeNumber',
  'lastName',
  'firstName',
  'kind',
  'wageType',
  'amount',
  'costCenter',
  'contractNumber',
];

const byteOrderMark = '\uFEFF';

/** A file for people and for payroll systems without a format of their own: UTF-8 with BOM, `;`, decimal comma. */
export const csvFormat: Format = {
  mediaType: 'text/csv',
  extension: 'csv',
  name: 'lohn',
  hasNames: true,
  hasFilePerMonth: false,
  namesClient: false,
  checkSettings: () => [],
  takesMonth: () => true,
  checkLine: checkPayrollNumber,
  head: () => [byteOrderMark + columns.join(';')],
  line: (line, { period }) =>
    [
      period,
      line.month,
      cell(line.personnelNumber),
      cell(line.lastName),
      cell(line.firstName),
      line.kind,
      line.wageType,
      decimalComma(line.cents),
      cell(line.costCenter),
      cell(line.contractNumber),
    ].join(';'),
  encode: text => Buffer.from(text, 'utf8'),
};

function cell(text: string | null): string {
  return csvCell(text ?? '', ';');
}
