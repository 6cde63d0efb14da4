import { readBoolean } from './boolean.ts';
import { readCountry } from './country.ts';
import { readPostalCode } from './postal-code.ts';
import type { Reading } from './reading.ts';
import { readText } from './text.ts';

/** Reads a cell by the field of a person that its column fills. The country is that of the row; null for an unknown one. */
export function readPersonCell(
  field: string,
  cell: string,
  countryCode: string | null,
): Reading<string | boolean> {
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
