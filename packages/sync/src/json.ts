/** A mistake in a JSON text, at a place that counts from 1. */
export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The part of JSON Schema that `kontor-sync.schema.json` uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

/** Reads a JSON text by a schema. Returns its value, or its first mistake. */
export function readJson(text: string, schema: Schema): { value: unknown } | { mistake: JsonMistake } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { mistake: { ...placeAt(text, findFault(text)), message: 'this is not valid JSON' } };
  }
  const found = findMistake(value, schema, []);
  if (found === null) return { value };
  return { mistake: { ...placeAt(text, findPath(text, found.path)), message: found.message } };
}

/** The position of the first character that no JSON has there. The messages of V8 do not always name it. */
function findFault(text: string): number {
  for (let end = 1; end <= text.length; end++)
    try {
      JSON.parse(text.slice(0, end));
    } catch (error) {
      const { message } = error as Error;
      const position = Number(/position (\d+)/.exec(message)?.[1] ?? end - 1);
      if (position < end && !/end of JSON|Unterminated/i.test(message)) return position;
    }
  return text.length;
}

interface Found {
  readonly path: readonly string[];
  readonly message: string;
}

function findMistake(value: unknown, schema: Schema, path: readonly string[]): Found | null {
  const name = path.length === 0 ? 'the configuration' : path.join('.');
  const wrong = (message: string): Found => ({ path, message: `${name} ${message}` });
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (!types.includes(type)) return wrong(`must be ${types.join(' or ')}`);
  if (typeof value === 'string') {
    if (schema.enum && !schema.enum.includes(value)) return wrong(`must be one of ${schema.enum.join(', ')}`);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
      return wrong(`does not match ${schema.pattern}. ${schema.description ?? ''}`.trim());
  }
  return type === 'object' ? findMistakeInside(value as Record<string, unknown>, schema, path) : null;
}

function findMistakeInside(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties = true }: Schema,
  path: readonly string[],
): Found | null {
  for (const [name, inner] of Object.entries(value)) {
    const inside = [...path, name];
    const schema = Object.hasOwn(properties, name) ? properties[name]! : additionalProperties;
    if (schema === false) return { path: inside, message: `${inside.join('.')} is not a known property` };
    const found = schema === true ? null : findMistake(inner, schema, inside);
    if (found !== null) return found;
  }
  const missing = required.find(name => !Object.hasOwn(value, name));
  return missing === undefined ? null : { path, message: `${[...path, missing].join('.')} is missing` };
}

function placeAt(text: string, position: number): { line: number; column: number } {
  const lines = text.slice(0, position).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** The position of the property at a path. The text is valid JSON. */
function findPath(text: string, path: readonly string[]): number {
  const names: (string | null)[] = [];
  let isName = false;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],:]+/g)) {
    if (token === '{' || token === '[') {
      names.push(null);
      isName = token === '{';
    } else if (token === '}' || token === ']') names.pop();
    else if (token === ',') isName = true;
    else if (isName && token.startsWith('"')) {
      names[names.length - 1] = JSON.parse(token) as string;
      isName = false;
      if (names.length === path.length && names.every((name, depth) => name === path[depth])) return index;
    }
  }
  return text.search(/\S/);
}
