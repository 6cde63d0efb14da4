import { ApiError, type ErrorCode } from '@kontor/contract';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import { nearestName } from '../../lib/nearest-name.ts';
import { display } from './json.ts';
import { type PropertySchema, type Violation, describe } from './violation.ts';

// All violations of a body are counted in one message; a body has fewer properties than this.
Settings.Set({ maxErrors: 100 });

// PostgreSQL has no year 0000, which the formats allow.
Format.Set('instant', text => isRealInstant(text) && !text.startsWith('0000'));
Format.Set('date', text => Format.IsDate(text) && !text.startsWith('0000'));

/** Violations that a message names; it counts the others. */
const named = 3;

/**
 * Checks a parsed body against the contract of an operation, and returns it with its identifiers in lower case.
 * @throws ApiError UNSUPPORTED_FIELD for an undeclared property, INVALID_REFERENCE_ID for an invalid identifier, else 400 VALIDATION_ERROR. The
 * first violation decides the code; the message names the fields.
 */
export type BodyContract = (body: Record<string, unknown>) => Record<string, unknown>;

export function compileBody(schema: TObject): BodyContract {
  const validator = Compile(schema);
  const properties = schema.properties as Record<string, PropertySchema>;
  const identifiers = Object.keys(properties).filter(name => hasIdentifier(properties[name]!));
  return body => {
    const known = knownPart(body, properties);
    if (known !== body || !validator.Check(body)) {
      const unknown = unknownIn(body, properties);
      // Removing unknown properties may leave an empty body. That is not reported as a second problem.
      const violations = validator
        .Errors(known)
        .filter(({ keyword }) => keyword !== 'minProperties' || unknown.length === 0);
      throw rejection([...unknown, ...violationsOf(violations, properties)]);
    }
    for (const name of identifiers) if (name in body) body[name] = lowered(body[name], properties[name]!);
    return body;
  };
}

function hasIdentifier(schema: PropertySchema): boolean {
  return schema.format === 'id' || partsOf(schema).some(hasIdentifier);
}

function partsOf({ properties = {}, items, anyOf = [] }: PropertySchema): PropertySchema[] {
  return [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
}

function lowered(value: unknown, schema: PropertySchema): unknown {
  if (typeof value === 'string') return schema.format === 'id' ? value.toLowerCase() : value;
  if (typeof value !== 'object' || value === null) return value;
  const { items, properties = {}, anyOf } = schema;
  // The alternative that is not null.
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

/** Drops unknown properties and cuts far too long values: the validator takes up to quadratic time for texts, and reports each array element. */
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

/** A character has at most two UTF-16 units, so a longer text certainly has too many characters. */
function isFarTooLong(value: unknown, { maxLength, maxItems }: PropertySchema): boolean {
  if (Array.isArray(value)) return maxItems !== undefined && value.length > maxItems;
  return maxLength !== undefined && typeof value === 'string' && value.length > 2 * maxLength;
}

/** Cuts a value to a length that is still too long, so that the validator still reports it. */
function cutOff(value: string | unknown[], { maxLength, maxItems }: PropertySchema): string | unknown[] {
  return value.slice(0, typeof value === 'string' ? 2 * maxLength! + 2 : maxItems! + 1);
}

/** One problem for all undeclared properties, or none. */
function unknownIn(body: object, properties: Record<string, PropertySchema>): Problem[] {
  const accepted = Object.keys(properties);
  const unknown = Object.keys(body).filter(name => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return [];
  const listed = unknown.slice(0, named).map(name => {
    const near = nearestName(name, accepted);
    return near === null ? display(name) : `${display(name)} (did you mean ${near}?)`;
  });
  const rest = unknown.length > named ? ` and ${unknown.length - named} more` : '';
  const text = `${listed.join(', ')}${rest} cannot be set here. Allowed: ${accepted.join(', ')}`;
  return [{ code: 'UNSUPPORTED_FIELD', text }];
}

/** One problem for each field: its first violation. */
function violationsOf(
  violations: readonly Violation[],
  properties: Record<string, PropertySchema>,
): Problem[] {
  const byField = Map.groupBy(violations.filter(isOfItself), ({ instancePath }) => instancePath);
  const paths = [...byField.keys()];
  // When a part may be null, only violations inside of it are reported, not that it is not null.
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

/** An undeclared property is reported twice: itself, and by its object. Only the second report has its name. */
function isOfItself({ keyword }: Violation): boolean {
  return keyword !== 'boolean';
}

/** Whether an instant of the right form is in the calendar. `Date` would change February 30 to March. */
export function isRealInstant(text: string): boolean {
  const toTheSecond = text.slice(0, 19);
  const date = new Date(`${toTheSecond}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(toTheSecond);
}
