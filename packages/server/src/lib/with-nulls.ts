import type { Static, TObject } from 'typebox';

/** Sets absent properties to null, and puts all in the order of the schema. */
export function withNulls<S extends TObject>(schema: S, given: object): Static<S> {
  const values = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(schema.properties).map(name => [name, values[name] ?? null]),
  ) as Static<S>;
}
