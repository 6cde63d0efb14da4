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

function publicValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
