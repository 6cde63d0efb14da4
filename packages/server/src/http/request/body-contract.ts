import { ApiError, type ErrorCode } from '@kontor/contract';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import { nearestName } from '../../lib/nearest-name.ts';
import { display } from './json.ts';
import { type PropertySchema, type Violation, describe } from './violation.ts';

// All violations of a body are counted in one message; it has fewer properties than this.
Settings.Set({ maxErrors: 100 });

// PostgreSQL has no year 0000, which the formats admit.
Format.Set('instant', text => isRealInstant(text) && !text.startsWith('0000'));
Format.Set('date', text => Format.IsDate(text) && !text.startsWith('0000'));

/** How many of the violations of a body are named; the others are counted. */
const named = 3;

/**
 * Checks a parsed body against the contract of an operation, and returns it with its identifiers in lower case.
 * @throws ApiError UNSUPPORTED_FIELD for a property that the operation does not accept, INVALID_REFERENCE_ID for a string where
 * an identifier belongs, else 400 VALIDATION_ERROR: the first violation says which. The message names the field.
 */
export type BodyContract = (body: Record<string, unknown>) => Record<string, unknown>;

/** Compiles the schema of a body. */
export function compileBody(schema: TObject): BodyContract {
  const validator = Compile(schema);
  const properties = schema.properties as Record<string, PropertySchema>;
  const identifiers = Object.keys(properties).filter(name => hasIdentifier(properties[name]!));
  return body => {
    const known = knownPart(body, properties);
    if (known !== body || !validator.Check(body)) {
      const unknown = unknownIn(body, properties);
      // Without its unknown properties a body may be empty that was not.
      const violations = validator
        .Errors(known)
        .filter(({ keyword }) => keyword !== 'minProperties' || unknown.length === 0);
      throw rejection([...unknown, ...violationsOf(violations, properties)]);
    }
    for (const name of identifiers) if (name in body) body[name] = lowered(body[name], properties[name]!);
    return body;
  };
}

/** Whether identifiers are in what the schema is of. */
function hasIdentifier(schema: PropertySchema): boolean {
  return schema.format === 'id' || partsOf(schema).some(hasIdentifier);
}

function partsOf({ properties = {}, items, anyOf = [] }: PropertySchema): PropertySchema[] {
  return [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
}

/** A value that fits the schema, with its identifiers in lower case. */
function lowered(value: unknown, schema: PropertySchema): unknown {
  if (typeof value === 'string') return schema.format === 'id' ? value.toLowerCase() : value;
  if (typeof value !== 'object' || value === null) return value;
  const { items, properties = {}, anyOf } = schema;
  // The one alternative that is not null.
  if (anyOf) return lowered(value, anyOf[0]!);
  if (Array.isArray(value)) return items ? value.map(item => lowered(item, items)) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, lowered(part, properties[name] ?? {})]),
  );
}

interface Problem {
  readonly code: ErrorCode;
  readonly text: string;
}

/**
 * The body, or a copy of it where that is needed for the validator to look at it in linear time: without unknown properties, and with
 * texts and arrays that are far too long cut off. The validator tries patterns on a text however long it is, and some take quadratic
 * time; and it tells of each element of an array.
 */
function knownPart(
  body: Record<string, unknown>,
  properties: Record<string, PropertySchema>,
): Record<string, unknown> {
  let part: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    const property = Object.hasOwn(properties, name) ? properties[name]! : null;
    if (property !== null && !isFarTooLong(body[name], property)) continue;
    part ??= { ...body };
    if (property === null) delete part[name];
    else part[name] = cutOff(body[name] as string | unknown[], property);
  }
  return part ?? body;
}

/** Whether a text has too many characters, whatever they are (a character has two UTF-16 units at most), or an array too many elements. */
function isFarTooLong(value: unknown, { maxLength, maxItems }: PropertySchema): boolean {
  if (Array.isArray(value)) return maxItems !== undefined && value.length > maxItems;
  return maxLength !== undefined && typeof value === 'string' && value.length > 2 * maxLength;
}

/** The beginning of a text or an array that is far too long, which is still too long. */
function cutOff(value: string | unknown[], { maxLength, maxItems }: PropertySchema): string | unknown[] {
  return value.slice(0, typeof value === 'string' ? 2 * maxLength! + 2 : maxItems! + 1);
}

/** One problem of all properties that the operation does not accept, or none. */
function unknownIn(body: object, properties: Record<string, PropertySchema>): Problem[] {
  const accepted = Object.keys(properties);
  const unknown = Object.keys(body).filter(name => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return [];
  const listed = unknown.slice(0, named).map(name => {
    const near = nearestName(name, accepted);
    return near === null ? display(name) : `${display(name)} (did you mean ${near}?)`;
  });
  const rest = unknown.length > named ? ` and ${unknown.length - named} more` : '';
  const text = `Not accepted here: ${listed.join(', ')}${rest}; leave that out, or use ${accepted.join(', ')}`;
  return [{ code: 'UNSUPPORTED_FIELD', text }];
}

/** One problem of each field: what is wrong with it first. */
function violationsOf(
  violations: readonly Violation[],
  properties: Record<string, PropertySchema>,
): Problem[] {
  const byField = Map.groupBy(violations.filter(isOfItself), ({ instancePath }) => instancePath);
  const paths = [...byField.keys()];
  // Of a part that may be null, what is wrong in it; that it is not null either goes without saying.
  const isDeepest = (path: string) => path === '' || !paths.some(other => other.startsWith(`${path}/`));
  return paths.filter(isDeepest).map(path => describe(byField.get(path)!, properties));
}

function rejection(problems: readonly Problem[]): ApiError {
  const [first] = problems;
  if (first === undefined) throw new Error('A body failed its contract without a reason');
  const texts = problems.slice(0, named).map(problem => problem.text);
  const rest = problems.length - named;
  return new ApiError(first.code, [...texts, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; '), {
    status: 400,
  });
}

/** A property that a part has not is reported twice: by itself, and by the part, which tells its name. */
function isOfItself({ keyword }: Violation): boolean {
  return keyword !== 'boolean';
}

/** Whether an instant of the admitted shape is in the calendar: `Date` moves February 30 on to March instead of rejecting. */
export function isRealInstant(text: string): boolean {
  const toTheSecond = text.slice(0, 19);
  const date = new Date(`${toTheSecond}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(toTheSecond);
}
