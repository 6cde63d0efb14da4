import type { PayrollFindingCode, PayrollSettings } from '@kontor/contract';
import type { Month } from '../../../lib/calendar.ts';
import { amount } from '../../../lib/money.ts';
import type { Kind } from '../computation/owed.ts';

/** An entry as it is written to files. */
export interface Line {
  readonly personnelNumber: string;
  readonly lastName: string | null;
  readonly firstName: string | null;
  /** The month that is owed. It is earlier than the period of the run for late amounts and corrections. */
  readonly month: Month;
  readonly kind: Kind;
  readonly wageType: string;
  readonly processingKey: string | null;
  /** With the sign of the settings. */
  readonly cents: bigint;
  readonly costCenter: string | null;
  readonly contractNumber: string | null;
}

/** The settings that files show. */
export type ClientSettings = Pick<PayrollSettings, 'adviserNumber' | 'clientNumber' | 'personnelNumbers'>;

export function clientSettings({
  adviserNumber,
  clientNumber,
  personnelNumbers,
}: ClientSettings): ClientSettings {
  return { adviserNumber, clientNumber, personnelNumbers };
}

export interface FileHead {
  readonly settings: ClientSettings;
  /** The month of the run. */
  readonly period: Month;
  /** The month that the file is for: the period, or in formats with a file per month an earlier one. */
  readonly month: Month;
  /** Rendered again after the release. */
  readonly isCopy?: boolean;
}

/** A value that a format cannot take. */
export interface Violation {
  readonly code: PayrollFindingCode;
  readonly field: string;
}

/** A format of payroll files. Lines end in CR LF. */
export interface Format {
  readonly mediaType: 'text/csv' | 'text/plain';
  readonly extension: 'csv' | 'txt';
  /** The start of the file names. */
  readonly name: string;
  /** Whether lines have the names of employees. */
  readonly hasNames: boolean;
  /** Whether corrections of each month are a file of their own. */
  readonly hasFilePerMonth: boolean;
  /** Whether a file names the adviser and the client, so that amounts of another client are a file of their own. */
  readonly namesClient: boolean;
  /** Names the settings that this format lacks. */
  checkSettings(settings: ClientSettings): Violation[];
  /** Whether amounts of a month can be exported in a period. */
  takesMonth(month: Month, period: Month, settings: Pick<PayrollSettings, 'lugCorrections'>): boolean;
  checkLine(line: Line, settings: ClientSettings): Violation[];
  /** The lines before the entries. */
  head(file: FileHead): string[];
  line(line: Line, file: FileHead): string;
  /** @throws Error for characters that the format cannot write; `checkLine` reports them before */
  encode(text: string): Buffer;
}

const payrollNumberPattern = /^[1-9][0-9]{0,4}$/;

/** The number of an employee in a payroll system is 1 to 99999. One of the company has no form. */
export function checkPayrollNumber(
  { personnelNumber }: Line,
  { personnelNumbers }: ClientSettings,
): Violation[] {
  if (personnelNumbers === 'company' || payrollNumberPattern.test(personnelNumber)) return [];
  return [{ code: 'personnel_number', field: 'employeeNumber' }];
}

/** The bytes of lines of a file. */
export function encodeLines(format: Pick<Format, 'encode'>, lines: readonly string[]): Buffer {
  return format.encode(lines.map(line => `${line}\r\n`).join(''));
}

/** `1234.50` as `1234,50`. */
export function decimalComma(cents: bigint): string {
  return amount(cents).replace('.', ',');
}

/** `2026-11` as `11/2026`. */
export function monthAndYear(month: Month): string {
  return month.split('-').toReversed().join('/');
}
