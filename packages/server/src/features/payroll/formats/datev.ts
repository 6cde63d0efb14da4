import type { PayrollSettings } from '@kontor/contract';
import type { Month } from '../../../lib/calendar.ts';
import { checkPayrollNumber, type Line, type Violation } from './format.ts';

/** The bytes of characters in Windows-1252, the code page of DATEV's ASCII imports. */
const bytes = new Map(
  Array.from({ length: 256 }, (_, byte): [string, number] => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** Characters that have the same byte in Windows-1252 and in Latin-1, which Node writes by itself. */
const latin1 = /^[\0-\x7F\xA0-\xFF]*$/;

function isWritable(text: string): boolean {
  return !/\p{Cc}/u.test(text) && (latin1.test(text) || [...text].every(character => bytes.has(character)));
}

/** @throws Error for a character that Windows-1252 does not have */
export function encodeWindows1252(text: string): Buffer {
  if (latin1.test(text)) return Buffer.from(text, 'latin1');
  const encoded = Array.from(text, character => {
    const byte = bytes.get(character);
    if (byte === undefined)
      throw new Error(`Windows-1252 cannot write U+${character.codePointAt(0)!.toString(16)}`);
    return byte;
  });
  return Buffer.from(encoded);
}

const adviserPattern = /^[1-9][0-9]{3,6}$/;
const clientPattern = /^[1-9][0-9]{0,4}$/;
const maxCostCenter = 8;

type Settings = Pick<PayrollSettings, 'adviserNumber' | 'clientNumber' | 'personnelNumbers'>;

/** A personnel number of the company. A sign or a formula at its start would be another number, or none. */
const companyNumberPattern = /^[\p{L}0-9][\p{L}0-9 ./_-]{0,14}$/u;

/** The current and the previous year, which LODAS corrects (DATEV Hilfe 1070821). Lohn und Gehalt has the same bound unless the settings differ. */
export function isOfTwoYears(month: Month, period: Month): boolean {
  return Number(month.slice(0, 4)) >= Number(period.slice(0, 4)) - 1;
}

/** Both DATEV formats name the adviser and the client. */
export function checkDatevSettings({ adviserNumber, clientNumber }: Settings): Violation[] {
  return [
    ...(adviserPattern.test(adviserNumber ?? '')
      ? []
      : [{ code: 'adviser_number', field: 'adviserNumber' } as const]),
    ...(clientPattern.test(clientNumber ?? '')
      ? []
      : [{ code: 'client_number', field: 'clientNumber' } as const]),
  ];
}

/** Checks the rules that both DATEV formats have for a line. `maxCents` bounds the amount. */
export function checkDatevLine(line: Line, settings: Settings, maxCents: bigint): Violation[] {
  const { personnelNumber, costCenter, cents } = line;
  const violations = checkPayrollNumber(line, settings);
  if (violations.length === 0)
    violations.push(...checkText(personnelNumber, 'employeeNumber', 'personnel_number'));
  if (violations.length === 0 && !companyNumberPattern.test(personnelNumber))
    violations.push({ code: 'personnel_number', field: 'employeeNumber' });
  if (costCenter !== null) {
    if (costCenter.length > maxCostCenter) violations.push({ code: 'cost_center', field: 'costCenter' });
    else violations.push(...checkText(costCenter, 'costCenter', 'cost_center'));
  }
  if (cents > maxCents || cents < -maxCents) violations.push({ code: 'amount', field: 'amount' });
  return violations;
}

/** A separator in a text would move all fields behind it, and so would a quotation mark: DATEV's imports may delimit texts by it. */
function checkText(text: string, field: string, code: Violation['code']): Violation[] {
  if (!isWritable(text)) return [{ code: 'characters', field }];
  return text === '' || /[;"]/.test(text) || text.trim() !== text ? [{ code, field }] : [];
}
