import { type Fault, fitCells, maxCharacters, type TableRecord } from '@kontor/tabular';
import { withoutNul } from './file.ts';
import { type Problem, problemOf } from './problems.ts';

/** A record as the columns of its file have it. */
export interface FittedRecord {
  /** Without any if the record cannot be read. */
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** Fits a record to the columns of its file, or finds why it cannot be read. */
export function fitRecord({ text, cells, faults: [fault] }: TableRecord, columns: number): FittedRecord {
  if (text.includes('\0')) return unreadable(problemOf('nul'));
  if (fault) return unreadable(problemOfFault(fault, columns));
  const fitted = fitCells(cells, columns);
  if (fitted.cells) return { cells: fitted.cells, problems: [] };
  return unreadable(problemOf('surplus_cell', { limit: columns, found: fitted.surplus.found }));
}

function unreadable(problem: Problem): FittedRecord {
  return { cells: [], problems: [problem] };
}

function problemOfFault({ code, line, column: position, found }: Fault, columns: number): Problem {
  if (code === 'too_many_cells') return problemOf('surplus_cell', { limit: columns, found });
  if (code === 'too_many_characters') return problemOf('too_long', { limit: maxCharacters });
  return problemOf(code === 'invalid_byte' ? code : 'quote', { line, position, found });
}

/** The cells of a rejected record for a file in which it is corrected. A record that has other columns is one cell: its text. */
export function originalCells(record: TableRecord, columns: number): string[] {
  const { cells, text, faults } = record;
  const hasColumns = faults.every(({ code }) => code === 'invalid_byte') && fitCells(cells, columns).cells;
  return (hasColumns ? [...hasColumns] : [text]).map(withoutNul);
}
