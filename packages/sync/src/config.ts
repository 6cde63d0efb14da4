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

export interface Config {
  readonly baseUrl: string;
  readonly keyFile: string | null;
  readonly tenant: string | null;
  readonly access: 'company' | 'divisions';
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
export interface ConfigFile extends Partial<Omit<Config, 'columns' | 'brake'>> {
  readonly $schema?: string;
  readonly baseUrl: string;
  readonly matchBy: Config['matchBy'];
  readonly columns: Readonly<Record<string, ColumnField | { field: ColumnField; emptyClears?: boolean }>>;
  readonly brake?: Partial<Config['brake']>;
}

const columnFields = schema.properties.columns.additionalProperties.enum as ColumnField[];
const clearable: readonly ColumnField[] = columnFields.filter(
  field => !['email', 'firstName', 'lastName', 'blocked', 'divisionKey'].includes(field),
);

/** Reads `kontor-sync.json`. Its files are relative to it. @throws SyncError that names line and column of a mistake */
export async function readConfig(file: string): Promise<Config> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const hint = error.code === 'ENOENT' ? `: "kontor-sync init" writes it` : `: ${error.message}`;
    throw new SyncError(`${file} cannot be read${hint}`);
  });
  const read = readJson(text, schema);
  if ('mistake' in read) {
    const { line, column, message } = read.mistake;
    throw new SyncError(`${file}:${line}:${column}: ${message}`);
  }
  const folder = path.dirname(path.resolve(file));
  const given = read.value as ConfigFile;
  return {
    baseUrl: given.baseUrl,
    keyFile:
      given.keyFile === undefined || given.keyFile === null ? null : path.resolve(folder, given.keyFile),
    tenant: given.tenant?.toLowerCase() ?? null,
    access: given.access ?? 'company',
    state: path.resolve(folder, given.state ?? 'kontor-sync.sqlite'),
    matchBy: given.matchBy,
    columns: readColumns(file, given),
    createDivisions: given.createDivisions ?? true,
    absent: given.absent ?? 'report',
    brake: { changed: 10, blocked: 2, ...given.brake },
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
    if (fields.has(field)) throw wrong(`two columns fill ${field}`);
    if (emptyClears && (field === matchBy || !clearable.includes(field)))
      throw wrong(`an empty cell cannot clear ${field}`);
    fields.add(field);
    found.set(name, { field, emptyClears });
  }
  if (!fields.has(matchBy)) throw wrong(`a column must fill ${matchBy}, which matches the rows`);
  if (fields.has('divisionKey') && !fields.has('division'))
    throw wrong('divisionKey needs a column for division');
  return found;
}

/** The API key of the environment, or of the file. @throws SyncError without one */
export async function readKey({ keyFile }: Config, variable: string | undefined): Promise<string> {
  if (variable !== undefined && variable !== '') return variable;
  if (keyFile === null)
    throw new SyncError('there is no API key: set KONTOR_API_KEY, or keyFile in kontor-sync.json');
  const text = await readFile(keyFile, 'utf8').catch((error: Error) => {
    throw new SyncError(`the API key cannot be read: ${error.message}`);
  });
  return text.trim();
}
