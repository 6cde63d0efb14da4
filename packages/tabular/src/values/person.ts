import { readBoolean } from './boolean.ts';
import { readCountry } from './country.ts';
import { readPostalCode } from './postal-code.ts';
import { emptyCell, type Reading } from './reading.ts';
import { cleanText, readText } from './text.ts';

/** Whether a cell has what reports write where there is no value. */
const isDash = (cell: string) => cell.length < 20 && /^[-‐‑–—−_./]+$/.test(cleanText(cell));

/** Reads a cell by the field of a person that its column fills. A dash is an empty cell. The country is that of the row; null for an unknown one. */
export function readPersonCell(
  field: string,
  cell: string,
  countryCode: string | null,
): Reading<string | boolean> {
  if (isDash(cell)) return emptyCell;
  switch (field) {
    case 'blocked':
      return readBoolean(cell);
    case 'countryCode':
      return readCountry(cell);
    case 'postalCode':
      return readPostalCode(cell, countryCode);
    default:
      return readText(cell);
  }
}
