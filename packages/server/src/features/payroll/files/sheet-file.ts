import type { Readable } from 'node:stream';
import { csvCell } from '@kontor/tabular';
import { byteOrderMark, rowFile } from '../../../lib/row-file.ts';
import type { Kind } from '../computation/owed.ts';
import type { Language } from '../formats/recipe.ts';

/* CSV files for a spreadsheet in the language of the user, with `;` and decimal commas. */

export const kindNames: Readonly<Record<Language, Readonly<Record<Kind, string>>>> = {
  en: {
    salary_conversion: 'Salary conversion',
    taxable_benefit: 'Taxable benefit',
    employer_subsidy: 'Employer’s subsidy',
  },
  de: {
    salary_conversion: 'Entgeltumwandlung',
    taxable_benefit: 'Geldwerter Vorteil',
    employer_subsidy: 'Arbeitgeberzuschuss',
  },
};

export function textCell(text: string | null): string {
  return csvCell(text ?? '', ';');
}

/** A negative amount is not a formula. */
export function amountCell(amount: string): string {
  return amount.replace('.', ',');
}

/** A file with a heading for each cell. A slice of it is in memory. */
export function sheetFile<Row>(
  slices: AsyncGenerator<readonly Row[]>,
  cellsOf: (row: Row) => readonly string[],
  headings: readonly string[],
): Promise<Readable> {
  const lineOf = (cells: readonly string[]) => `${cells.join(';')}\r\n`;
  const render = (rows: readonly Row[]) => rows.map(row => lineOf(cellsOf(row))).join('');
  return rowFile(slices, render, byteOrderMark + lineOf(headings));
}
