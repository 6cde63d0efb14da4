import Type, {
  type Static,
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
} from 'typebox';

/** The JSON Schema of a nullable field: `type: ["string", "null"]`. */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  const { type, ...rest } = schema;
  return Type.Unsafe<Static<S> | null>({ ...rest, type: [type, 'null'] });
}

export function orNull<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** An object without other properties than these. */
export function ClosedObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** A closed object that is a component of the document, and so a type of its own in generated clients. */
export function NamedObject<Properties extends TProperties>(
  name: string,
  description: string,
  properties: Properties,
) {
  return Type.Object(properties, { $id: name, additionalProperties: false, description });
}

/** The body of a merge: at least one of the properties, each of which may be absent. */
export function PatchBody<Properties extends TProperties>(
  name: string,
  description: string,
  properties: Properties,
) {
  const options = { $id: name, additionalProperties: false, minProperties: 1, description };
  return Type.Object(optionals(properties), options);
}

/** The same properties, each of which may be absent. */
export function optionals<Properties extends TProperties>(properties: Properties) {
  return Type.Partial(Type.Object(properties)).properties;
}

export function Text(description: string, example: string, bounds: TStringOptions = {}) {
  return Type.String({ ...bounds, description, examples: [example] });
}

export function Integer(description: string, example: number, bounds: TNumberOptions = {}) {
  return Type.Integer({ ...bounds, description, examples: [example] });
}

/** A whole number from 0. */
export function Count(description: string, example: number) {
  return Integer(description, example, { minimum: 0 });
}

export function Flag(description: string, example: boolean) {
  return Type.Boolean({ description, examples: [example] });
}

/** A name in the portal or the platform API. It has no pattern for its characters: RE2 and ECMAScript write code points differently. */
export function Name(description: string, example: string) {
  const text = `${description}; without control characters, line breaks and characters that change the direction of text`;
  return Text(text, example, { minLength: 1, maxLength: 200 });
}

/** A named list of values, so that generated clients have a single type for it. */
export function Values<const V extends string[]>(name: string, values: readonly [...V], description: string) {
  return Type.Enum([...values], { $id: name, type: 'string', description });
}

/**
 * Formats for the service's own validation. The document omits them, because clients do not know them. `key-id` is the identifier of a key,
 * `period` a month, `decimal` an amount, `instant` a timestamp that ends in `Z`, and `sort` a field to sort by.
 */
export const houseFormats: ReadonlySet<unknown> = new Set([
  'id',
  'key-id',
  'period',
  'country',
  'decimal',
  'instant',
  'sort',
]);

/** 24 hexadecimal characters; uppercase is accepted on input and means the same identifier (specification.md 1.2). */
export const idPattern = '^[0-9a-fA-F]{24}$';

/** An identifier in a request. With `format: id` the validator distinguishes INVALID_REFERENCE_ID from VALIDATION_ERROR. */
export function Id(description: string, example = '65f0c0ffee0123456789abcd') {
  return Text(description, example, { pattern: idPattern, format: 'id' });
}

/** The identifier of a key or a token. It is case-sensitive. */
export const keyIdPattern = '^[0-9A-Za-z]{12}$';

/** The identifier of a key or a token, which is not secret. */
export function KeyId(description: string, example = '3vQ7kZ9mB2xT') {
  return Text(description, example, { pattern: keyIdPattern, format: 'key-id' });
}

/** An email address: text, one `@`, a domain with a dot; no white space or control characters. Like all patterns it must be valid in RE2. */
const emailPattern = '^[^\\s@\\x00-\\x1f\\x7f]+@[^\\s@\\x00-\\x1f\\x7f]+\\.[^\\s@\\x00-\\x1f\\x7f]+$';

export function Email(description: string, example: string) {
  return Text(description, example, { maxLength: 254, pattern: emailPattern, format: 'idn-email' });
}

export const periodPattern = '^[0-9]{4}-(0[1-9]|1[0-2])$';

export function Period(description: string, example = '2026-10') {
  return Text(description, example, { pattern: periodPattern, format: 'period' });
}

/** UTC instant with milliseconds, as in every response (specification.md 5.1). */
export function Instant(description: string) {
  const text = `${description}; in UTC, with milliseconds and \`Z\``;
  return Text(text, '2026-09-02T08:15:30.123Z', { format: 'date-time' });
}

/** The last two fields of a resource that clients poll (specification.md 5.1). */
export function timestamps(resource: string) {
  return {
    createdAt: Instant(`When the ${resource} was created`),
    updatedAt: Instant(
      `When the ${resource} last changed; strictly increasing per organization in commit order`,
    ),
  };
}

/** UTC instant in a request. Not `date-time`, because typed clients would send an offset, which is rejected. */
export function InstantInput(description: string, example = '2027-09-02T00:00:00Z') {
  const text = `${description}; ISO 8601 in UTC that ends in \`Z\``;
  return Text(text, example, { format: 'instant', pattern: instantPattern });
}

/** Accepted forms of an instant in a request (specification.md 2.8). */
export const instantPattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$';

/** `updatedAt` as answers contain it, without anchors. In quotation marks it is the version of a resource, see `hasVersion`. */
export const versionPattern = '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z';

/** A calendar day. The minimum year is 0001, which the format does not express. */
export function Day(description: string, example = '2026-09-02') {
  return Text(description, example, { format: 'date' });
}
