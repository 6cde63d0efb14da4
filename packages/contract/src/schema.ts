import Type, { type Static, type TSchema } from 'typebox';

/** The two-valued JSON Schema type of a field that may be null: `type: ["string", "null"]`. */
export function nullable<S extends TSchema & { type: string; enum?: unknown[] }>(schema: S) {
  const { type, enum: values, ...rest } = schema;
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
}

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
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
    description,
    examples: ['2026-09-02T08:15:30.123Z'],
  });
}
