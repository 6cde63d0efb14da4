import {
  cleanText,
  fitCells,
  headerSearchRows,
  identifyFile,
  isEmailAddress,
  labelColumns,
  readCountry,
  readPersonCell,
  readRecords,
  type TableRecord,
} from '@kontor/tabular';
import type { Column, Config, PersonField } from '../config.ts';
import { damageOf, findDamage } from './damage.ts';
import type { Value } from '../merge.ts';
import { SyncError } from '../sync-error.ts';

/** A row or a cell that cannot be read. */
export interface Reject {
  readonly line: number;
  /** The name of the column; null for the whole row. */
  readonly column: string | null;
  readonly found: string | null;
  readonly reason: string;
}

/** A reject of a whole row. */
export function rejectRow(line: number, reason: string, found: string | null = null): Reject {
  return { line, column: null, found, reason };
}

/** A division by its names from the root, and its number in the HR system. */
export interface DivisionPath {
  readonly names: readonly string[];
  readonly key: string | null;
  /** Whether it may be one name, such as `R&D/IT`: its slash has no blanks around it. */
  readonly isAmbiguous: boolean;
}

/** A person as the file has it. A field without a value is not compared. */
export interface Row {
  readonly line: number;
  readonly email: string | null;
  readonly employeeNumber: string | null;
  readonly values: Readonly<Partial<Record<PersonField, Value>>>;
  readonly division: DivisionPath | null;
  /** Cells that are left out. */
  readonly doubts: readonly (Reject & { readonly field: Column['field'] })[];
}

export interface Source {
  readonly rows: readonly Row[];
  readonly rejects: readonly Reject[];
  /** Emails and numbers of the rejected rows: these people are not absent. */
  readonly rejectedKeys: ReadonlySet<string>;
  /** Rejected rows without a key, which can be anybody. */
  readonly anonymousRejects: number;
}

/** The longest value of each field, in characters. */
export const maxLengths: Readonly<Partial<Record<Column['field'], number>>> = {
  email: 254,
  privateEmail: 254,
  firstName: 200,
  lastName: 200,
  employeeNumber: 64,
  phoneNumber: 50,
  street: 200,
  postalCode: 20,
  city: 200,
  additionalInfo: 1000,
};

/** Words for a fault of a cell or row, with what to do about it. */
const words: Readonly<Record<string, string>> = {
  rounded_number: 'has lost its last digits: export it as text',
  hidden_value: 'the column was too narrow: widen it, and export again',
  formula_error: 'is a formula that failed: correct it',
  formula: 'is a formula: export its value',
  garbled_text: 'was read in a wrong encoding: export the file as UTF-8',
  not_boolean: 'is neither yes nor no',
  not_country: 'is not a country: write a code such as DE',
  ambiguous_country: 'may be several countries: write a code such as DE',
  short_postal_code: 'lacks digits: export it as text, with the zeros in front',
  quote_inside: 'a quotation mark inside of a cell: quote the cell, and double the mark',
  text_after_quote: 'text after a quotation mark: double the marks inside of a cell',
  invalid_byte: 'is in another encoding than the rest: export the file as UTF-8',
  too_many_cells: 'the row has too many cells: check the export',
  too_many_characters: 'the row is too long: is a quotation mark open before it?',
};

export const isOfKey = ({ field }: Row['doubts'][number]) => field === 'email' || field === 'employeeNumber';

/** An email address as uniqueness compares it. */
export const emailKey = (email: string) => email.normalize('NFC').toLowerCase();

/** Reads a file of people. @throws SyncError for a file that is not CSV, or lacks a column of the configuration */
export async function readSource(bytes: Uint8Array, { columns }: Pick<Config, 'columns'>): Promise<Source> {
  const { header, below } = findColumns(await readRecordsOf(bytes), columns);
  // In UTF-16 the last byte may be 0.
  const lastByte = bytes.findLast(byte => byte !== 0);
  const damageIn = findDamage(below, header.width, lastByte === 0x0a || lastByte === 0x0d);
  const rejects: Reject[] = [];
  const rejectedKeys = new Set<string>();
  let anonymousRejects = 0;
  const reject = (reject: Reject, keys: readonly (string | null)[]) => {
    rejects.push(reject);
    const known = keys.filter(key => key !== null);
    for (const key of known) rejectedKeys.add(key);
    if (known.length === 0) anonymousRejects++;
  };
  const read: Row[] = [];
  for (const record of below) {
    const row = readRow(record, header, damageIn(record));
    if ('reason' in row) reject(row, []);
    else read.push(row);
  }
  const lines = Map.groupBy(
    read.flatMap(row => keysOf(row).map(key => ({ key, line: row.line }))),
    ({ key }) => key,
  );
  const unique = read.filter(row => {
    const { line } = row;
    const other = keysOf(row)
      .flatMap(key => lines.get(key)!)
      .find(each => each.line !== line);
    if (other === undefined) return true;
    const [kind, advice] = other.key.startsWith('number')
      ? ['number', 'export one row for each person']
      : ['email', 'each person needs their own'];
    const reason = `line ${other.line} has the same ${kind}: ${advice}`;
    reject(rejectRow(line, reason), keysOf(row));
    return false;
  });
  const rows = withoutUnclearKeys(unique, header);
  return { rows, rejects, rejectedKeys, anonymousRejects };
}

/** A number is one division. Rows that disagree about its name lose their division. */
function withoutUnclearKeys(rows: readonly Row[], { columns }: Header): readonly Row[] {
  const column = columns.find(({ field }) => field === 'divisionKey')?.name ?? null;
  const pathOf = ({ division }: Row) => division!.names.join('/').toLowerCase();
  const keyed = rows.filter(({ division }) => division !== null && division.key !== null);
  const unclear = new Map<string, readonly [Row, Row]>();
  for (const [key, [first, ...others]] of Map.groupBy(keyed, ({ division }) => division!.key!)) {
    const other = others.find(row => pathOf(row) !== pathOf(first!));
    if (other) unclear.set(key, [first!, other]);
  }
  return rows.map(row => {
    const found = row.division?.key ?? null;
    const pair = found === null ? undefined : unclear.get(found);
    if (pair === undefined) return row;
    const [first, other] = pair;
    const { line } = pathOf(row) === pathOf(first) ? other : first;
    const reason = `line ${line} has another name for the division with this number`;
    const doubt = { line: row.line, column, found, reason, field: 'divisionKey' as const };
    return { ...row, division: null, doubts: [...row.doubts, doubt] };
  });
}

/** The keys of a row, as sets of keys have them. */
export function keysOf({ email, employeeNumber }: Pick<Row, 'email' | 'employeeNumber'>): string[] {
  return [
    ...(employeeNumber === null ? [] : [`number ${employeeNumber}`]),
    ...(email === null ? [] : [`email ${emailKey(email)}`]),
  ];
}

/** The records of a file. @throws SyncError for a file that is not CSV */
export async function readRecordsOf(bytes: Uint8Array): Promise<TableRecord[]> {
  const { dialect, fault } = identifyFile(bytes);
  if (fault?.code === 'other_format')
    throw new SyncError(`the file is not CSV but ${fault.format}: export it as CSV`);
  if (fault)
    throw new SyncError(
      `line ${fault.line}, column ${fault.column}: ${fault.found} is neither UTF-8 nor Windows-1252: export the file as UTF-8`,
    );
  const records: TableRecord[] = [];
  for await (const batch of readRecords(bytes, dialect)) records.push(...batch.records);
  const open = records.flatMap(({ faults }) => faults).find(({ code }) => code === 'unclosed_quote');
  if (open) throw new SyncError(`line ${open.line}, column ${open.column}: close this quotation mark`);
  return records;
}

interface HeaderColumn extends Column {
  readonly name: string;
  readonly index: number;
}

interface Header {
  readonly columns: readonly HeaderColumn[];
  readonly width: number;
}

/** The names of the columns are in the row that has all of them. */
function findColumns(
  records: readonly TableRecord[],
  columns: Config['columns'],
): { header: Header; below: readonly TableRecord[] } {
  let best: { missing: string[]; labels: string[] } | null = null;
  for (const [at, { cells }] of records.slice(0, headerSearchRows).entries()) {
    const labels = labelColumns(cells);
    const missing = [...columns.keys()].filter(name => !labels.includes(cleanText(name)));
    if (missing.length > 0) {
      if (best === null || missing.length < best.missing.length) best = { missing, labels };
      continue;
    }
    const found = [...columns].map(([name, column]) => ({
      ...column,
      name,
      index: labels.indexOf(cleanText(name)),
    }));
    const below = records.slice(at + 1);
    if (below.length === 0) throw new SyncError('the file has columns but no people: check the export');
    return { header: { columns: found, width: labels.length }, below };
  }
  if (best === null) throw new SyncError('the file is empty: check the export');
  throw new SyncError(
    `the file has no column ${best.missing.join(', ')}; its columns are ${best.labels.join(', ')}: correct the export, or columns in the configuration`,
  );
}

function readRow(record: TableRecord, { columns, width }: Header, damage: string | null): Row | Reject {
  const { line, faults } = record;
  const [fault] = faults;
  if (fault) {
    const reason = `character ${fault.column} of line ${fault.line}: ${words[fault.code] ?? fault.code}`;
    return rejectRow(line, reason, fault.found);
  }
  const { cells, surplus } = fitCells(record.cells, width);
  if (surplus) {
    const reason = `cell ${surplus.position} has no column: is a separator in a cell?`;
    return rejectRow(line, reason, surplus.found);
  }
  if (damage !== null) return rejectRow(line, damage);
  const country = columns.find(({ field }) => field === 'countryCode');
  const countryCode = country ? readCountry(cells[country.index]!).value : null;
  const values: Partial<Record<Column['field'], Value>> = {};
  const doubts: Row['doubts'][number][] = [];
  for (const { field, name, index, emptyClears } of columns) {
    const cell = cells[index]!;
    const { value, problem } = readPersonCell(field, cell, countryCode);
    const reason = problem === null ? checkValue(field, value) : (words[problem.code] ?? problem.code);
    if (reason !== null)
      doubts.push({ line, column: name, found: cleanText(cell).slice(0, 100).toWellFormed(), reason, field });
    else if (value !== null || emptyClears) values[field] = value;
  }
  const { email = null, division, divisionKey = null, ...rest } = values as Record<string, Value>;
  const { employeeNumber = null } = rest;
  const doubtfulKey = doubts.find(isOfKey);
  if (email === null && employeeNumber === null)
    return doubtfulKey ?? rejectRow(line, 'has neither number nor email: add one');
  return {
    line,
    email: email as string | null,
    employeeNumber: employeeNumber as string | null,
    values: division === null ? { ...rest, divisionId: null } : rest,
    division: typeof division === 'string' ? pathOf(division, divisionKey as string | null) : null,
    doubts,
  };
}

/** A path such as `Sales / North`. */
const pathOf = (path: string, key: string | null): DivisionPath => ({
  names: path
    .split('/')
    .map(cleanText)
    .filter(name => name !== ''),
  key,
  isAmbiguous: /\S\/\s*\S|\S\s*\/\S/.test(path),
});

function checkValue(field: Column['field'], value: Value): string | null {
  if (typeof value !== 'string') return null;
  const damage = damageOf(field, value);
  if (damage !== null) return damage;
  if (/email$/i.test(field) && !isEmailAddress(value)) return 'not an email address';
  const max = maxLengths[field];
  return max !== undefined && [...value].length > max ? `longer than ${max} characters` : null;
}
