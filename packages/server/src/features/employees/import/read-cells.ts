import { EmployeeCreate } from '@kontor/contract';
import { type CellProblem, readCountry, readPersonCell, type TableRecord } from '@kontor/tabular';
import { firstCharacters } from '../../../imports/file.ts';
import { type Problem, problemOf } from '../../../imports/problems.ts';
import { fitRecord } from '../../../imports/records.ts';

export type ImportField = keyof EmployeeCreate;

export const importFields = Object.keys(EmployeeCreate.properties) as ImportField[];

export type Value = string | boolean | null;

/** The columns of a file, and how they fill fields. */
export interface Table {
  readonly header: readonly string[];
  readonly columns: readonly {
    readonly column: number;
    readonly field: ImportField;
    readonly emptyClears: boolean;
  }[];
}

/** A cell that is not empty, or that clears its field. */
export interface Cell {
  readonly field: ImportField;
  /** The cell as the file has it. */
  readonly text: string;
  /** Null if the cell clears the field. The suggestion of a problem, or undefined without one. */
  readonly value: Value | undefined;
  readonly problem: Problem | null;
}

/** The cells of a record by field. */
export interface Cells {
  readonly line: number;
  readonly cells: ReadonlyMap<ImportField, Cell>;
  /** Why the record cannot be read. */
  readonly problems: readonly Problem[];
}

/** Characters of a cell that are read. No field has as many, so a longer cell is too long without its rest. */
const maxLength = 10_000;

/** Reads the cells of a record. An empty cell has no value, unless its column clears. */
export function readCells(record: TableRecord, { header, columns }: Table): Cells {
  const { cells, problems } = fitRecord(record, header.length);
  const found = new Map<ImportField, Cell>();
  if (problems.length > 0) return { line: record.line, cells: found, problems };
  const textOf = (column: number) => firstCharacters(cells[column]!, maxLength);
  const country = columns.find(({ field }) => field === 'countryCode');
  const countryCode = country ? readCountry(textOf(country.column)).value : null;
  for (const { column, field, emptyClears } of columns) {
    const text = textOf(column);
    const { value, problem } = readPersonCell(field, text, countryCode);
    if (problem !== null) found.set(field, doubtfulCell({ field, text, column: header[column]! }, problem));
    else if (value !== null || emptyClears) found.set(field, { field, text, value, problem });
  }
  return { line: record.line, cells: found, problems };
}

function doubtfulCell(
  { field, text, column }: { field: ImportField; text: string; column: string },
  { code, found, suggestion }: CellProblem,
): Cell {
  const suggested = suggestion === null ? null : readPersonCell(field, suggestion, null).value;
  // Only dates and amounts have the other codes.
  const known = code as Problem['code'];
  const problem = problemOf(known, {
    field,
    column,
    found,
    suggestion: suggested === null ? null : suggestion,
  });
  return { field, text, value: suggested ?? undefined, problem };
}
