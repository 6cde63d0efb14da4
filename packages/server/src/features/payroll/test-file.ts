import { type PayrollTestFileInput, unprocessable } from '@kontor/contract';
import { cents } from '../../lib/money.ts';
import { settingOfKind } from './assess.ts';
import { encodeLines, type FileHead, type Line, type Violation } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { checkSettings } from './settings.ts';

const mark = 'TEST';

/**
 * Renders amounts as a run does, without storing anything. The name of the file marks it as a test, since the formats of DATEV have no place
 * for a remark. A CSV file names the person so, too.
 * @throws ApiError 422 VALIDATION_ERROR for a value that the format does not take
 */
export function renderTestFile(input: PayrollTestFileInput) {
  const { settings, period } = input;
  checkSettings(settings);
  const format = formats[input.format];
  rejectViolations(input, 'settings', format.checkSettings(settings));
  const head: FileHead = { settings, period, month: period };
  const lines = input.amounts.map(amount => {
    const line = lineOf(input, amount);
    rejectViolations(input, '', format.checkLine(line, settings));
    return format.line(line, head);
  });
  return {
    bytes: encodeLines(format, [...format.head(head), ...lines]),
    fileName: `${mark}-${format.name}-${period}.${format.extension}`,
    mediaType: format.mediaType,
  };
}

function lineOf(
  { settings, period, personnelNumber, costCenter }: PayrollTestFileInput,
  { kind, amount }: PayrollTestFileInput['amounts'][number],
): Line {
  const name = settingOfKind[kind];
  const mapping = settings.kinds[name];
  if (!mapping?.export)
    throw unprocessable(`amounts: kinds.${name} is not exported; export it, or leave it out`);
  const sign = mapping.sign === 'minus' ? -1n : 1n;
  return {
    personnelNumber,
    lastName: mark,
    firstName: mark,
    month: period,
    kind,
    wageType: mapping.wageType!,
    processingKey: mapping.processingKey,
    cents: cents(amount) * sign,
    costCenter,
    contractNumber: mark,
  };
}

/** The fields of a line that the request has under other names. */
const fieldOf: Readonly<Record<string, string>> = { employeeNumber: 'personnelNumber', amount: 'amounts' };

function rejectViolations(
  { format }: PayrollTestFileInput,
  place: string,
  violations: readonly Violation[],
): void {
  const [first] = violations;
  if (first === undefined) return;
  const field = fieldOf[first.field] ?? first.field;
  throw unprocessable(
    `${place && `${place}.`}${field}: ${format} requires another value; see docs/payroll.md`,
  );
}
