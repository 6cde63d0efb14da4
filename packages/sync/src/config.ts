import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from './json.ts';
import schema from './kontor-sync.schema.json' with { type: 'json' };
import { SyncError } from './sync-error.ts';

/** Fields that a column can fill. `division` is a path such as `Sales / North`, `divisionKey` its number in the HR system. */
export type ColumnField = PersonField | 'email' | 'division' | 'divisionKey';

/** Fields of an employee that are compared and written. */
export type PersonField =
  | 'firstName'
  | 'lastName'
  | 'privateEmail'
  | 'employeeNumber'
  | 'phoneNumber'
  | 'street'
  | 'postalCode'
  | 'city'
  | 'countryCode'
  | 'additionalInfo'
  | 'blocked'
  | 'divisionId';

export interface Column {
  readonly field: ColumnField;
  readonly emptyClears: boolean;
}

/** The part of a configuration that every command needs. */
export interface Connection {
  readonly baseUrl: string;
  readonly keyFile: string | null;
  readonly tenant: string | null;
  readonly access: 'company' | 'divisions';
  /** Whether it describes a file of people. */
  readonly hasColumns: boolean;
}

export interface Config extends Connection {
  /** The file of the state. */
  readonly state: string;
  readonly matchBy: 'employeeNumber' | 'email';
  readonly columns: ReadonlyMap<string, Column>;
  readonly createDivisions: boolean;
  readonly absent: 'report' | 'block';
  /** In percent. */
  readonly brake: { readonly changed: number; readonly blocked: number };
}

/** A configuration as the file has it. */
export interface ConfigFile extends Partial<Omit<Config, 'columns' | 'brake' | 'hasColumns'>> {
  readonly $schema?: string;
  readonly baseUrl: string;
  readonly matchBy: Config['matchBy'];
  readonly columns: Readonly<Record<string, ColumnField | { field: ColumnField; emptyClears?: boolean }>>;
  readonly brake?: Partial<Config['brake']>;
}

/** As the schema lists them. */
export const columnFields = schema.properties.columns.additionalProperties.enum as ColumnField[];
export const personFields = columnFields
  .map(field => (field === 'division' ? 'divisionId' : field))
  .filter((field): field is PersonField => field !== 'email' && field !== 'divisionKey');
const clearable: readonly ColumnField[] = columnFields.filter(
  field => !['email', 'firstName', 'lastName', 'blocked', 'divisionKey'].includes(field),
);

/** Reads `kontor-sync.json`. Its files are relative to it. @throws SyncError that names line and column of a mistake */
export async function readConfig(file: string): Promise<Config> {
  const given = await readConfigFile(file, [...schema.required, 'matchBy', 'columns']);
  return {
    ...connectionOf(file, given),
    state: path.resolve(path.dirname(file), given.state ?? 'kontor-sync.sqlite'),
    matchBy: given.matchBy,
    columns: readColumns(file, given),
    createDivisions: given.createDivisions ?? true,
    absent: given.absent ?? 'report',
    brake: { changed: 10, blocked: 2, ...given.brake },
  };
}

/** Reads the address and the key of `kontor-sync.json`, which need not describe a file of people. @throws SyncError as {@link readConfig} */
export async function readConnection(file: string): Promise<Connection> {
  return connectionOf(file, await readConfigFile(file, schema.required));
}

async function readConfigFile(file: string, required: readonly string[]): Promise<ConfigFile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const hint = error.code === 'ENOENT' ? ': write it with kontor-sync init' : `: ${error.message}`;
    throw new SyncError(`${file} cannot be read${hint}`);
  });
  const read = readJson(text, { ...schema, required });
  if ('value' in read) return read.value as ConfigFile;
  const { line, column, message } = read.mistake;
  throw new SyncError(`${file}:${line}:${column}: ${message}`);
}

function connectionOf(
  file: string,
  { baseUrl, keyFile, tenant, access, columns }: Partial<ConfigFile> & Pick<ConfigFile, 'baseUrl'>,
): Connection {
  return {
    baseUrl,
    keyFile: keyFile === undefined || keyFile === null ? null : path.resolve(path.dirname(file), keyFile),
    tenant: tenant?.toLowerCase() ?? null,
    access: access ?? 'company',
    hasColumns: columns !== undefined,
  };
}

function readColumns(file: string, { columns, matchBy }: ConfigFile): Config['columns'] {
  const found = new Map<string, Column>();
  const fields = new Set<ColumnField>();
  const wrong = (message: string) => new SyncError(`${file}: columns: ${message}`);
  for (const [name, given] of Object.entries(columns)) {
    const { field, emptyClears = false } = typeof given === 'string' ? { field: given } : given;
    if (!columnFields.includes(field))
      throw wrong(`${field} is not a field; write one of ${columnFields.join(', ')}`);
    if (fields.has(field)) throw wrong(`two columns fill ${field}: keep one`);
    if (emptyClears && (field === matchBy || !clearable.includes(field)))
      throw wrong(`an empty cell cannot clear ${field}: remove emptyClears`);
    fields.add(field);
    found.set(name, { field, emptyClears });
  }
  if (!fields.has(matchBy)) throw wrong(`no column fills ${matchBy}: add one, or change matchBy`);
  if (fields.has('divisionKey') && !fields.has('division'))
    throw wrong('a column fills divisionKey, and none fills division: add one');
  return found;
}

/** The API key of the environment, or of the file. @throws SyncError without one */
export async function readKey({ keyFile }: Connection, variable: string | undefined): Promise<string> {
  if (variable !== undefined && variable !== '') return variable;
  if (keyFile === null)
    throw new SyncError('there is no API key: set KONTOR_API_KEY, or keyFile in kontor-sync.json');
  const text = await readFile(keyFile, 'utf8').catch((error: Error) => {
    throw new SyncError(`the API key cannot be read: ${error.message}`);
  });
  return text.trim();
}
