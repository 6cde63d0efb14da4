import {
  clearableFields,
  EmployeeCreate,
  type EmployeeImportDetails,
  type EmployeeImportFailure,
  employeeImportFields,
  type EmployeeImportMapping,
  fold,
  importRowsMaximum,
  unprocessable,
} from '@kontor/contract';
import { failureOf, type Inspection } from './file.ts';

/** A mapping by the names of columns, as it is saved for the next file of a tenant. */
export interface SavedMapping {
  readonly matchBy: EmployeeImportMapping['matchBy'];
  /** All columns of the file. A null field is not imported. */
  readonly columns: readonly {
    readonly name: string;
    readonly field: Field | null;
    readonly emptyClears: boolean;
  }[];
}

type Field = (typeof employeeImportFields)[number];

const required: readonly string[] = EmployeeCreate.required;

export const importFields: EmployeeImportDetails['fields'] = employeeImportFields.map(field => ({
  field,
  isRequired: required.includes(field),
  isClearable: clearableFields.includes(field),
}));

// cspell:disable
/** Names of columns in files of German and English HR systems, in lower case and without signs. */
const knownNames: Readonly<Record<Field, readonly string[]>> = {
  email: ['mail', 'mailadresse', 'emailadresse', 'emailaddress', 'workemail', 'dienstlicheemail'],
  privateEmail: ['privatemail', 'privateemailadresse', 'emailprivat', 'privatemailadresse'],
  employeeNumber: ['personalnummer', 'personalnr', 'persnr', 'pnr', 'employeeid', 'employeeno'],
  firstName: ['vorname', 'givenname', 'rufname'],
  lastName: ['nachname', 'familienname', 'name', 'surname', 'familyname'],
  phoneNumber: ['telefon', 'telefonnummer', 'phone', 'mobil', 'tel'],
  street: ['strasse', 'strasseundhausnummer', 'strassehausnummer', 'address', 'adresse'],
  postalCode: ['plz', 'postleitzahl', 'zip', 'zipcode', 'postcode'],
  city: ['ort', 'stadt', 'wohnort', 'town'],
  countryCode: ['land', 'laendercode', 'landercode', 'country', 'landeskennzeichen'],
  additionalInfo: ['zusatz', 'adresszusatz', 'info', 'bemerkung', 'note'],
  blocked: ['gesperrt', 'locked'],
  divisionId: ['abteilung', 'bereich', 'division', 'department', 'organisationseinheit'],
};
// cspell:enable

const plain = (name: string) => fold(name).replaceAll(/[^\p{L}\p{N}]/gu, '');

const fieldsByName = new Map(
  employeeImportFields.flatMap(field =>
    [field, ...knownNames[field]].map(name => [plain(name), field] as const),
  ),
);

/** Text, an `@`, text, a dot, text, and no white space. Searching for the signs is linear, a pattern of them is not. */
function isEmailAddress(cell: string): boolean {
  const dot = cell.lastIndexOf('.', cell.length - 2);
  const at = cell.indexOf('@', 1);
  return at > 0 && dot > at + 1 && !/\s/.test(cell);
}

/** A number, a day or an amount. */
const isNumber = (cell: string) => /^[\d\s.,:/+()-]+$/.test(cell);

/**
 * Whether a first row is taken for the names of the columns. Its person would be left out, and be kept as names for the next file. So a
 * name must be known, and no cell may be a value.
 */
function isHeader(first: readonly string[], saved: SavedMapping | null): boolean {
  return (
    !first.some(cell => isEmailAddress(cell) || isNumber(cell)) &&
    first.some(cell => fieldsByName.has(plain(cell)) || saved?.columns.some(({ name }) => name === cell))
  );
}

/** Proposes a mapping: what the tenant used last for a column of this name, else what the name says. A field has at most one column. */
export function proposeMapping(first: readonly string[], saved: SavedMapping | null): EmployeeImportMapping {
  const hasHeader = isHeader(first, saved);
  const header = hasHeader ? first : [];
  const known = header.map(name => saved?.columns.find(column => column.name === name));
  const used = new Set(known.map(column => column?.field));
  const columns = header.flatMap((name, column) => {
    const last = known[column];
    const field = last ? last.field : guessField(name, used);
    return field === null ? [] : [{ column, field, emptyClears: last?.emptyClears ?? false }];
  });
  const fields = columns.map(({ field }) => field);
  const { matchBy = 'employeeNumber' } = saved ?? {};
  return { hasHeader, matchBy: fields.includes(matchBy) ? matchBy : otherKey[matchBy], columns };
}

const otherKey = { employeeNumber: 'email', email: 'employeeNumber' } as const;

function guessField(name: string, used: Set<Field | null | undefined>): Field | null {
  const field = fieldsByName.get(plain(name)) ?? null;
  if (field === null || used.has(field)) return null;
  used.add(field);
  return field;
}

export function savedMapping(
  header: readonly string[],
  { matchBy, columns }: EmployeeImportMapping,
): SavedMapping {
  const byColumn = new Map(columns.map(({ column, ...rest }) => [column, rest]));
  return {
    matchBy,
    columns: header.flatMap((name, column) =>
      name === '' ? [] : [{ name, ...(byColumn.get(column) ?? { field: null, emptyClears: false }) }],
    ),
  };
}

/** The names of the columns: empty ones without a header. */
export function headerOf(first: readonly string[], { hasHeader }: EmployeeImportMapping): string[] {
  return first.map(name => (hasHeader ? name : ''));
}

/** A name that several columns have. A saved mapping could not tell them apart. */
function findRepeatedName(header: readonly string[]): string | undefined {
  return header.find((name, index) => name !== '' && header.indexOf(name) !== index);
}

/** Why a file cannot be imported by its number of rows and, if it seems to have one, its header. */
export function failureOfRows(
  { head: [first = []], count }: Pick<Inspection, 'head' | 'count'>,
  saved: SavedMapping | null,
): EmployeeImportFailure | null {
  const hasHeader = isHeader(first, saved);
  if (count - (hasHeader ? 1 : 0) > importRowsMaximum) return failureOf('too_many_rows');
  if (!hasHeader) return null;
  if (count === 1) return failureOf('no_rows');
  const repeated = findRepeatedName(first);
  return repeated === undefined ? null : failureOf('repeated_column', { column: repeated });
}

/** @throws ApiError 422 VALIDATION_ERROR that names the column or field */
export function checkMapping(header: readonly string[], { matchBy, columns }: EmployeeImportMapping): void {
  if (header.some(isEmailAddress))
    throw unprocessable('hasHeader: the first row has an email address, so it is a person and no header');
  if (findRepeatedName(header) !== undefined)
    throw unprocessable('hasHeader: the first row has a value twice; rename one of the columns in the file');
  const unknown = columns.find(({ column }) => column >= header.length);
  if (unknown) throw unprocessable(`columns: the file has no column ${unknown.column}`);
  const repeated = columns.find(
    (one, index) =>
      columns.findIndex(({ column, field }) => column === one.column || field === one.field) < index,
  );
  if (repeated) throw unprocessable(`columns: name each column and each field once, also ${repeated.field}`);
  if (!columns.some(({ field }) => field === matchBy))
    throw unprocessable(`columns: a column must fill ${matchBy}, which matches the rows`);
  const fixed = columns.find(
    ({ field, emptyClears }) => emptyClears && (field === matchBy || !clearableFields.includes(field)),
  );
  if (fixed) throw unprocessable(`columns: an empty cell cannot clear ${fixed.field}; leave emptyClears off`);
}
