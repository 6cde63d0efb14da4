import type { ErrorCode } from '@kontor/contract';
import { display } from './json.ts';

/** A violation as the schema compiler reports it; `params` depends on the keyword. */
export interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

export interface PropertySchema {
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly items?: PropertySchema;
  readonly anyOf?: readonly PropertySchema[];
}

/** The error code and text for one field. Its first violation decides. */
export function describe(
  violations: readonly Violation[],
  properties: Readonly<Record<string, PropertySchema>>,
): { code: ErrorCode; text: string } {
  const [first] = violations as [Violation, ...Violation[]];
  const field = fieldName(first.instancePath);
  const property = schemaAt(first.instancePath, { properties });
  if (first.keyword === 'pattern' && property.format === 'id')
    return { code: 'INVALID_REFERENCE_ID', text: `${field} must be 24 hexadecimal characters` };
  if (first.keyword === 'additionalProperties') return unknownPart(first, field);
  const orNull = violations.some(
    ({ keyword, params }) => keyword === 'type' && 'type' in params && params.type === 'null',
  );
  const text = wordsFor(first, field, property);
  return { code: 'VALIDATION_ERROR', text: orNull ? `${text} or null` : text };
}

function unknownPart({ params }: Violation, field: string): { code: ErrorCode; text: string } {
  const { additionalProperties } = params as { additionalProperties: readonly string[] };
  const [name] = additionalProperties;
  return { code: 'UNSUPPORTED_FIELD', text: `${field}.${display(name!)} cannot be set here; leave it out` };
}

function schemaAt(instancePath: string, whole: PropertySchema): PropertySchema {
  let schema: PropertySchema | undefined = whole;
  for (const step of instancePath.split('/').slice(1)) {
    // The alternative that is not null.
    schema = schema?.anyOf?.[0] ?? schema;
    schema = schema?.items ?? schema?.properties?.[step];
  }
  return schema ?? {};
}

/** Converts `/contract/startDate` to `contract.startDate`. */
function fieldName(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function wordsFor({ keyword, params }: Violation, field: string, property: PropertySchema): string {
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
      return `${field} must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? `${field} must not be empty` : `${field} must have at least ${limit} elements`;
    case 'maxItems':
      return `${field} must have at most ${limit} elements`;
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
  'idn-email': 'a valid email address',
  date: 'a valid date (YYYY-MM-DD)',
  'date-time': 'a timestamp in UTC',
  country: 'two uppercase letters',
  instant: 'a valid timestamp in UTC (YYYY-MM-DDTHH:mm:ssZ)',
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
