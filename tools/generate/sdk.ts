import { readFileSync } from 'node:fs';
import { apis, type FieldRegistry, listEmployees, openApiDocument, type Operation } from '@kontor/contract';

/** The part of JSON Schema that the types of the SDK need. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const { prefix, operations } = apis.public;
const schemas = openApiDocument(apis.public).components.schemas as unknown as Record<string, Schema>;

const manifest = new URL('../../packages/sdk/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

const schemaOf = (schema: Operation['query']) => schema as unknown as Schema;
const nameOf = (schema: Operation['query']) => (schema as unknown as { $id: string }).$id;
/** Pages are one generic type, and the envelope of errors is read by the SDK itself. */
const isLeftOut = (name: string) => name.endsWith('List') || /^Error(Envelope|Detail)$/.test(name);
const isRequest = (name: string) =>
  /(Create|Patch|Decision)$/.test(name) && schemas[name]!.enum === undefined;

/** The types and operations of the public API for the SDK, as the source of `packages/sdk/src/contract.ts`. */
export function renderSdkContract(): string {
  return [
    '// Generated from @kontor/contract by `npm run generate`. Change the contract instead.\n',
    `export const prefix = '${prefix}';\n`,
    '/** The version of this client. */',
    `export const version = '${version}';\n`,
    '/** One of the known values, or one that a newer service has. */',
    'export type Open<Known extends string> = Known | (string & Record<never, never>);\n',
    '/** A field to sort by, descending with a leading `-`. */',
    'export type Sort<Field extends string> = Open<Field | `-${Field}`>;\n',
    ...Object.entries(schemas)
      .filter(([name]) => !isLeftOut(name))
      .map(([name, schema]) => renderNamed(name, schema)),
    renderInterface('Page<T>', schemas['EmployeeList']!).replace('readonly Employee[]', 'readonly T[]'),
    renderInterface('ListQuery<Field extends string>', schemaOf(listEmployees.query), false).replace(
      'sort?: string',
      'sort?: Sort<Field>',
    ),
    '/** By operation: its path parameters, its query, its body and its result. */',
    'export interface Operations {',
    ...Object.entries(operations).map(([id, operation]) => renderOperation(id, operation)),
    '}\n',
    'export const operations = {',
    ...Object.entries(operations).map(
      ([id, { method, path }]) => `  ${id}: { method: '${method}', path: '${path}' },`,
    ),
    '} as const;\n',
  ].join('\n');
}

function renderNamed(name: string, schema: Schema): string {
  if (schema.enum === undefined) return renderInterface(name, schema, !isRequest(name));
  return `${renderComment(schema)}export type ${name} = Open<${renderUnion(schema.enum)}>;\n`;
}

function renderInterface(name: string, schema: Schema, isReadOnly = true): string {
  const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
    const optional = schema.required?.includes(field) ? '' : '?';
    return `${renderComment(value, '  ')}  ${isReadOnly ? 'readonly ' : ''}${field}${optional}: ${renderType(value)};\n`;
  });
  return `${renderComment(schema)}export interface ${name} {\n${fields.join('')}}\n`;
}

function renderComment({ description }: Schema, indentation = ''): string {
  return description === undefined ? '' : `${indentation}/** ${description} */\n`;
}

const renderUnion = (values: readonly string[]) => values.map(value => `'${value}'`).join(' | ');

function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.anyOf !== undefined) return schema.anyOf.map(renderType).join(' | ');
  if (schema.enum !== undefined) return `Open<${renderUnion(schema.enum)}>`;
  return [schema.type ?? 'unknown']
    .flat()
    .map(type => renderJsonType(type, schema))
    .join(' | ');
}

function renderJsonType(type: string, { items }: Schema): string {
  if (type === 'array') return `readonly ${renderType(items!)}[]`;
  return type === 'integer' ? 'number' : type;
}

function renderOperation(id: string, operation: Operation): string {
  const { parameters, body, success, fields } = operation;
  const result = success.body === 'file' ? "'file'" : renderResult(nameOf(success.body));
  const parts = [
    `parameters: ${renderParameters(schemaOf(parameters))}`,
    `query: ${renderQuery(operation, fields)}`,
    `body: ${body === undefined ? (operation.upload ? "'file'" : 'undefined') : nameOf(body)}`,
    `result: ${result}`,
  ];
  return `  ${id}: { ${parts.join('; ')} };`;
}

const renderResult = (name: string) => (name.endsWith('List') ? `Page<${name.slice(0, -4)}>` : name);

function renderParameters({ properties = {} }: Schema): string {
  const names = Object.keys(properties);
  return names.length === 0 ? 'undefined' : `{ ${names.map(name => `${name}: string`).join('; ')} }`;
}

function renderQuery({ query }: Operation, fields: FieldRegistry | undefined): string {
  if (fields !== undefined) return `ListQuery<${renderUnion([...fields.keys()])}>`;
  return Object.keys(query.properties).length === 0 ? 'undefined' : '{ dryRun?: boolean }';
}
