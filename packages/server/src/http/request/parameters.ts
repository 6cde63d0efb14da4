import { ApiError, type FieldRegistry, malformed } from '@kontor/contract';
import type { TObject } from 'typebox';
import { namesToUse } from '../../lib/nearest-name.ts';
import { isRealInstant } from './body-contract.ts';
import { display } from './json.ts';

/** Converts `{name}` of a contract path to `:name` for the router. */
export function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Escapes a path with bad percent-encoding, so that a later stage rejects it. Asterisk and authority forms become unknown routes. */
export function routableTarget({ url: target = '/' }: { url?: string | undefined }): string {
  const path = pathOf(target);
  const rest = target.slice(path.length);
  if (path.includes('%') && decodePercent(path) === null) return path.replaceAll('%', '%25') + rest;
  return path.startsWith('/') || /^https?:\/\/[^/]*\//.test(path) ? target : `/${target}`;
}

/** The part of a request target behind the first question mark; empty without one. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

/** Whether the path of a raw request target is percent-encoded UTF-8. */
export function isDecodable(target: string): boolean {
  return decodePercent(pathOf(target)) !== null;
}

export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly examples?: readonly (string | number | boolean)[];
}

/**
 * Checks the path parameters of an operation and returns them, identifiers of resources in lower case. `target` is the raw request target.
 * @throws ApiError INVALID_REFERENCE_ID for an invalid identifier; 400 VALIDATION_ERROR for any other invalid parameter, and for a path that is not
 * percent-encoded UTF-8.
 */
export type PathContract = (sent: Readonly<Record<string, string>>, target: string) => Record<string, string>;

const pathForms: Readonly<Record<string, string>> = {
  id: '24 hexadecimal characters',
  'key-id': 'the 12 letters and digits that name a key',
  period: 'a year and a month, such as 2026-10',
};

/** @throws Error for a type that paths do not have. */
export function compilePath(schema: TObject): PathContract {
  const properties = Object.entries(schema.properties as Record<string, ParameterSchema>);
  const readers = properties.map(([name, { pattern, format = '' }]) => {
    const form = pathForms[format];
    if (form === undefined || pattern === undefined)
      throw new Error(
        `the path parameter ${name} needs a pattern, and a format of ${Object.keys(pathForms).join(', ')}`,
      );
    return { name, format, shape: new RegExp(pattern), message: `${name} in the path must be ${form}` };
  });
  return (sent, target) => {
    const parameters: Record<string, string> = {};
    for (const { name, format, shape, message } of readers) {
      const text = sent[name]!;
      if (!shape.test(text)) {
        if (!isDecodable(target)) throw malformed('The path is not percent-encoded UTF-8');
        throw format === 'period' ? malformed(message) : new ApiError('INVALID_REFERENCE_ID', message);
      }
      parameters[name] = format === 'id' ? text.toLowerCase() : text;
    }
    return parameters;
  };
}

/** @throws ApiError 400 VALIDATION_ERROR. */
type Reader = (text: string) => unknown;

/**
 * Checks a raw query string and returns typed values with defaults filled in.
 * @throws ApiError UNKNOWN_QUERY_PARAMETER for an undeclared name; 400 VALIDATION_ERROR for a parameter that is missing, sent twice or not of its type.
 */
export type QueryContract = (query: string) => Record<string, unknown>;

/** `fields` are the filter fields of a collection; the error for an unknown parameter suggests them. */
export function compileQuery(schema: TObject, fields?: FieldRegistry): QueryContract {
  const readers = new Map<string, Reader>();
  const defaults: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties as Record<string, unknown>)) {
    const parameter = property as ParameterSchema;
    readers.set(name, queryReader(name, parameter));
    if (parameter.default !== undefined) defaults[name] = parameter.default;
  }
  const required = (schema.required ?? []).filter(name => !(name in defaults));
  return query => {
    const values = { ...defaults };
    const seen = new Set<string>();
    for (const [name, text] of parseQueryString(query)) {
      const read = readers.get(name);
      if (!read) throw unknown(name, readers, fields);
      if (seen.has(name)) throw malformed(`The query parameter ${name} was sent more than once`);
      seen.add(name);
      values[name] = read(text);
    }
    for (const name of required)
      if (!seen.has(name)) throw malformed(`The query parameter ${name} is missing`);
    return values;
  };
}

function unknown(
  name: string,
  readers: ReadonlyMap<string, Reader>,
  fields: FieldRegistry | undefined,
): ApiError {
  const field = fields?.get(name);
  if (field)
    return new ApiError(
      'UNKNOWN_QUERY_PARAMETER',
      `Unknown query parameter ${display(name)}. Search for a field with filter, such as filter=${field.name} = "…"`,
    );
  const known = readers.size === 0 ? 'This operation has none' : namesToUse(name, 'Allowed', readers.keys());
  return new ApiError('UNKNOWN_QUERY_PARAMETER', `Unknown query parameter ${display(name)}. ${known}`);
}

function queryReader(name: string, schema: ParameterSchema): Reader {
  switch (schema.type) {
    case 'integer':
      return integerReader(name, schema);
    case 'boolean':
      return text => {
        if (text === 'true') return true;
        if (text === 'false') return false;
        throw malformed(`${name} must be true or false`);
      };
    case 'string':
      return stringReader(name, schema);
  }
}

function integerReader(name: string, { minimum, maximum }: ParameterSchema): Reader {
  const min = minimum ?? 0;
  const max = maximum ?? Number.MAX_SAFE_INTEGER;
  return text => {
    // Sixteen digits hold every value up to 2^53 - 1. More leading zeros are rejected.
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max))
      throw malformed(`${name} must be a whole number from ${min} to ${max}, in decimal digits`);
    return value;
  };
}

function stringReader(name: string, { pattern, format, examples, enum: values }: ParameterSchema): Reader {
  const shape = pattern === undefined ? null : new RegExp(pattern);
  const example = examples?.[0] === undefined ? '' : `, such as ${examples[0]}`;
  const form = forms[format ?? ''] ?? 'of the documented form';
  return text => {
    if (values && !values.includes(text)) throw malformed(`${name} must be one of ${values.join(', ')}`);
    if (shape && !shape.test(text)) throw malformed(`${name} must be ${form}${example}`);
    if (format === 'instant' && !isRealInstant(text))
      throw malformed(`${name} is a date that does not exist`);
    return text;
  };
}

const forms: Record<string, string> = {
  instant: 'a timestamp in UTC, with Z instead of +00:00',
  sort: 'one field, with a leading - for descending and no white space',
};

type QueryPair = readonly [name: string, value: string];

/**
 * The decoded pairs of a query string in order (application/x-www-form-urlencoded: `+` is a space).
 * @throws ApiError 400 VALIDATION_ERROR for bad percent-encoding, invalid UTF-8 and NUL.
 */
function parseQueryString(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals), 'The name of a query parameter');
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), `The query parameter ${display(name)}`);
    pairs.push([name, value]);
  }
  return pairs;
}

function decode(text: string, what: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const decoded = decodePercent(text.replaceAll('+', ' '));
  if (decoded === null)
    throw malformed(`${what} is not percent-encoded UTF-8; encode it, a percent sign as %25`);
  if (decoded.includes('\0')) throw malformed(`${what} has a NUL character`);
  return decoded;
}
