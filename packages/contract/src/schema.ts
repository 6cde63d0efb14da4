import Type, { type Static, type TSchema } from 'typebox';

/** The two-valued JSON Schema type of a field that may be null: `type: ["string", "null"]`. */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  const { type, ...rest } = schema;
  return Type.Unsafe<Static<S> | null>({ ...rest, type: [type, 'null'] });
}

/** A named schema, or null. */
export function orNull<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A list of values under a name of its own, so that generated clients have one type for it wherever it stands. */
export function Values<const V extends string[]>(name: string, values: readonly [...V], description: string) {
  return Type.Enum([...values], { $id: name, type: 'string', description });
}

/**
 * Formats of the house, which tell the service more than a pattern does, and no client anything: the document leaves them out.
 * `id` an identifier, `country` a code of a country, `decimal` an amount, `instant` a timestamp that ends in `Z`, `sort` a field to
 * sort by.
 */
export const houseFormats: ReadonlySet<unknown> = new Set(['id', 'country', 'decimal', 'instant', 'sort']);

/** 24 hexadecimal characters; uppercase is accepted on input and means the same identifier (specification.md 1.2). */
export const idPattern = '^[0-9a-fA-F]{24}$';

/** An identifier as a client sends it. `format: id` lets the validator tell INVALID_REFERENCE_ID from VALIDATION_ERROR. */
export function Id(description: string, example = '65f0c0ffee0123456789abcd') {
  return Type.String({ pattern: idPattern, format: 'id', description, examples: [example] });
}

/** UTC instant with milliseconds, as every response carries it (specification.md 5.1). */
export function Instant(description: string) {
  return Type.String({
    format: 'date-time',
    description: `${description}; in UTC, with milliseconds and \`Z\``,
    examples: ['2026-09-02T08:15:30.123Z'],
  });
}

/** A day of the calendar; its year is 0001 at least, which the format does not say. */
export function Day(description: string, example = '2026-09-02') {
  return Type.String({ format: 'date', description, examples: [example] });
}
