import { type FieldRegistry, fold, foldVersion } from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import type { CollectionTable, Column } from './check.ts';
import { searchText } from './search-text.ts';

export interface StoredField extends Column {
  readonly type: 'text' | 'date' | 'timestamptz' | 'boolean' | 'bigint' | 'integer' | 'double precision';
  /** Whether the column holds the folded text (specification.md 3.4) instead of the value itself. */
  readonly folded?: boolean;
}

/** The columns of public fields. A field without a column is in the document only. */
type StoredFields<Data> = { readonly [Field in keyof Data]?: StoredField };

type ColumnName<Stored, Field extends keyof Stored> = Stored[Field] extends {
  readonly name: infer Name extends string;
}
  ? Name
  : never;

/** The column values that derive from public data. */
export type RowOf<Data, Stored> = {
  readonly [Field in keyof Stored & keyof Data as ColumnName<Stored, Field>]: Data[Field];
} & Search<Stored[keyof Stored]> & { readonly doc_version: number; readonly fold_version: number };

type Search<Field> = [Extract<Field, { search: true }>] extends [never]
  ? unknown
  : { readonly search: string };

export interface ResourceDeclaration<Schema extends TObject, Stored> {
  readonly table: string;
  /** The value of `counter.resource_type` for its rows. */
  readonly resourceType: string;
  readonly schema: Schema;
  readonly fields: FieldRegistry;
  readonly stored: Stored;
  readonly withoutAccents?: CollectionTable['withoutAccents'];
  /** One for each version of the stored document after the first. A scheduled job (`jobs/documents.ts`) upgrades older ones. */
  readonly upgrades?: DocumentUpgrades;
}

/** By version: the fields that it added to the document, computed from the other fields. */
export type DocumentUpgrades = Readonly<
  Record<number, (document: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>>
>;

/** How a resource of the contract is stored: as its document, with columns for filtering and sorting. */
export interface Resource<Data, Stored> extends CollectionTable {
  readonly docVersion: number;
  readonly upgrades: DocumentUpgrades;
  readonly schema: TObject;
  readonly columns: ReadonlyMap<string, StoredField>;
  /** The columns that derive from public data, with their PostgreSQL types. */
  readonly types: Readonly<Record<string, string>>;
  /** Returns the values of these columns. Fields missing in the data are omitted; the writer of the row supplies them. */
  row<Given extends Partial<Data>>(data: Given): RowOf<Given, Stored>;
  /** Parses a stored document and adds the fields of later versions. */
  parse(document: string): Data;
  /** Serializes a document in the field order of the contract. */
  document(data: Data): string;
  /** Serializes the fields from `from` up to, but not including, `before`, each followed by a comma. */
  part(data: Partial<Data>, from: keyof Data, before: keyof Data): string;
}

/** @throws Error when a list field has no column, or a document version has no upgrade */
export function defineResource<Schema extends TObject, const Stored extends StoredFields<Static<Schema>>>({
  table,
  resourceType,
  schema,
  fields,
  stored,
  withoutAccents,
  upgrades = {},
}: ResourceDeclaration<Schema, Stored>): Resource<Static<Schema>, Stored> {
  const order = Object.keys(schema.properties);
  const columns = new Map(Object.entries(stored as Record<string, StoredField>));
  for (const name of fields.keys())
    if (!columns.has(name))
      throw new Error(
        `${table} has no column for the field ${name}: add it to "stored" in the mapping.ts of the feature`,
      );
  const docVersion = Math.max(1, ...Object.keys(upgrades).map(Number));
  for (let version = 2; version <= docVersion; version++)
    if (upgrades[version] === undefined)
      throw new Error(`${table} has no upgrade of documents to version ${version}`);
  const isSearched = [...columns.values()].some(column => column.search);
  const inOrder = (data: Record<string, unknown>, names: readonly string[]) =>
    JSON.stringify(Object.fromEntries(names.map(name => [name, data[name]])));
  return {
    table,
    resourceType,
    schema,
    fields,
    docVersion,
    upgrades,
    columns,
    ...(withoutAccents && { withoutAccents }),
    types: typesOf(columns, isSearched),
    row: data =>
      ({ ...rowOf(columns, data, isSearched), doc_version: docVersion, fold_version: foldVersion }) as never,
    parse(text) {
      let document = JSON.parse(text) as Record<string, unknown>;
      for (const upgrade of Object.values(upgrades)) document = { ...upgrade(document), ...document };
      return document as Static<Schema>;
    },
    document: data => inOrder(data, order),
    part(data, from, before) {
      const names = order.slice(order.indexOf(String(from)), order.indexOf(String(before)));
      return `${inOrder(data, names).slice(1, -1)},`;
    },
  };
}

/** The end of a document: timestamps are the last fields of every document. */
export function documentEnd(createdAt: string, updatedAt: string): string {
  return `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"}`;
}

function typesOf(columns: ReadonlyMap<string, StoredField>, isSearched: boolean): Record<string, string> {
  const types = Object.fromEntries([...columns.values()].map(({ name, type }) => [name, type as string]));
  if (isSearched) types['search'] = 'text';
  return { ...types, doc_version: 'smallint', fold_version: 'smallint' };
}

function rowOf(columns: ReadonlyMap<string, StoredField>, data: object, isSearched: boolean) {
  const row: Record<string, unknown> = {};
  const texts: (string | null)[] = [];
  for (const [field, column] of columns) {
    if (!(field in data)) continue;
    const value = (data as Record<string, unknown>)[field];
    const stored = column.folded && typeof value === 'string' ? fold(value) : value;
    row[column.name] = stored;
    if (column.search) texts.push(stored as string | null);
  }
  if (isSearched) row['search'] = searchText(texts);
  return row;
}

type Indexed = NonNullable<Column['indexed']>;

/** A field with these indexes is indexed for every list of a scope. */
export const everywhere = ['organization', 'tenant', 'division'] as const;

export function plain<const Name extends string>(
  name: Name,
  type: StoredField['type'] = 'text',
  ...indexed: Indexed
): StoredField & { readonly name: Name } {
  return { name, type, ...(indexed.length > 0 && { indexed }) };
}

/** A column that holds folded text. */
export function folded<const Name extends string>(
  name: Name,
  ...indexed: Indexed
): StoredField & { readonly name: Name } {
  return { name, type: 'text', folded: true, ...(indexed.length > 0 && { indexed }) };
}

/** A column that holds folded text, which is also part of the `search` column. */
export function searched<const Name extends string>(
  name: Name,
  ...indexed: Indexed
): StoredField & { readonly name: Name; readonly search: true } {
  return { ...folded(name, ...indexed), search: true };
}
