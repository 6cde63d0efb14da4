import type { Static, TObject } from 'typebox';

/** Values by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The column of a field: its name in snake case. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** Renders a row with the fields of a schema, each from the column of its name. Instants become texts. */
export function renderRow<Schema extends TObject>({ properties }: Schema, row: Row): Static<Schema> {
  const names = Object.keys(properties);
  return Object.fromEntries(names.map(name => [name, publicValue(row[columnOf(name)])])) as Static<Schema>;
}

/** Renders the first rows of a set, of which each has the size in `total`. */
export function renderFirstRows<Schema extends TObject>(
  schema: Schema,
  rows: readonly Row[],
): { total: number; items: Static<Schema>[] } {
  const total = (rows[0]?.['total'] as number | undefined) ?? 0;
  return { total, items: rows.map(row => renderRow(schema, row)) };
}

/** A stored object, with texts in place of its instants. */
export type Shown<Stored> = {
  readonly [Name in keyof Stored]: Date extends Stored[Name]
    ? Exclude<Stored[Name], Date> | string
    : Stored[Name];
};

export function showInstants<Stored extends object>(stored: Stored): Shown<Stored> {
  const shown = Object.entries(stored).map(([name, value]) => [name, publicValue(value)] as const);
  return Object.fromEntries(shown) as Shown<Stored>;
}

function publicValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
