import { ApiError, malformed } from '@kontor/contract';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { shown } from './json.ts';

/** What the schema compiler reports; `params` depends on the keyword. */
interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

interface PropertySchema {
  readonly maxLength?: number;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

/**
 * Checks a parsed body against the contract of an operation, and returns it with its identifiers in lower case.
 * @throws ApiError UNSUPPORTED_FIELD for a property that the operation does not accept, INVALID_REFERENCE_ID for a string where
 * an identifier belongs, else 400 VALIDATION_ERROR; the message names the field.
 */
export type BodyContract = (body: Record<string, unknown>) => Record<string, unknown>;

/** Compiles the schema of a body. */
export function compileBody(schema: TObject): BodyContract {
  const validator = Compile(schema);
  const properties = schema.properties as Record<string, PropertySchema>;
  const identifiers = Object.keys(properties).filter(name => properties[name]!.format === 'id');
  return body => {
    refuseUnknown(body, properties);
    refuseFarTooLong(body, properties);
    if (!validator.Check(body)) throw refusal(validator.Errors(body), properties);
    for (const name of identifiers) {
      const value = body[name];
      if (typeof value === 'string') body[name] = value.toLowerCase();
    }
    return body;
  };
}

function refuseUnknown(body: object, properties: Record<string, PropertySchema>): void {
  for (const name of Object.keys(body))
    if (!Object.hasOwn(properties, name))
      throw new ApiError(
        'UNSUPPORTED_FIELD',
        `The property ${shown(name)} is not accepted here; leave it out`,
      );
}

/** The validator tries patterns on a text however long it is, and some take more than linear time. */
function refuseFarTooLong(body: Record<string, unknown>, properties: Record<string, PropertySchema>): void {
  for (const name of Object.keys(body)) {
    const value = body[name];
    const { maxLength } = properties[name]!;
    // A character is a code point, which has two UTF-16 units at most.
    if (maxLength !== undefined && typeof value === 'string' && value.length > 2 * maxLength)
      throw malformed(tooLong(name, maxLength));
  }
}

function tooLong(field: string, limit: unknown): string {
  return `${field} must have at most ${limit} characters`;
}

function refusal(violations: readonly Violation[], properties: Record<string, PropertySchema>): ApiError {
  const [first] = violations;
  if (first === undefined) throw new Error('A body failed its contract without a reason');
  const field = fieldName(first.instancePath);
  const property = properties[field] ?? {};
  if (first.keyword === 'pattern' && property.format === 'id')
    return new ApiError('INVALID_REFERENCE_ID', `${field} must be 24 hexadecimal characters`);
  return malformed(describe(first, field, property));
}

/** `/contract/startDate` as `contract.startDate`. */
function fieldName(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function describe({ keyword, params }: Violation, field: string, property: PropertySchema): string {
  const { limit, type, requiredProperties, allowedValues } = params as Record<string, unknown>;
  switch (keyword) {
    case 'required':
      return requirement(requiredProperties as string[], field);
    case 'minProperties':
      return 'The body is an empty object; send at least one property';
    case 'type':
      return `${field} must be ${typeNames(type as string | string[])}`;
    case 'enum':
      return `${field} must be one of ${(allowedValues as unknown[]).map(value => JSON.stringify(value)).join(', ')}`;
    case 'minLength':
      return limit === 1 ? `${field} must not be empty` : `${field} must have at least ${limit} characters`;
    case 'maxLength':
      return tooLong(field, limit);
    case 'minimum':
      return `${field} must be at least ${limit}`;
    case 'maximum':
      return `${field} must be at most ${limit}`;
    case 'format':
    case 'pattern':
      return `${field} must be ${shape(property)}`;
    default:
      return `${field} does not fit the contract`;
  }
}

function requirement(names: string[], field: string): string {
  const path = field === '' ? '' : `${field}.`;
  const listed = new Intl.ListFormat('en-GB').format(names.map(name => path + name));
  return names.length === 1 ? `${listed} is required` : `${listed} are required`;
}

const formatNames: Record<string, string> = {
  'idn-email': 'a valid e-mail address',
  date: 'a date of the calendar',
  'date-time': 'a timestamp in UTC',
};

function shape({ format, examples }: PropertySchema): string {
  const name = formatNames[format ?? ''] ?? 'of the documented form';
  return examples?.[0] === undefined ? name : `${name}, such as ${JSON.stringify(examples[0])}`;
}

const typePhrases: Record<string, string> = {
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  integer: 'a whole number',
  object: 'an object',
};

function typeNames(types: string | string[]): string {
  return [types]
    .flat()
    .map(type => typePhrases[type] ?? `a ${type}`)
    .join(' or ');
}
