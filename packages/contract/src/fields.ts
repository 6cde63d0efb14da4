import type { TObject } from 'typebox';
import type { Operator } from './filter/ast.ts';

/** The type determines how literals are compared and which operators apply (specification.md 3.5). */
export type FieldType = 'string' | 'boolean' | 'date' | 'date-time' | 'number' | 'decimal' | 'enum';

/** A public scalar field of a resource, which its collection can filter and sort by. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly nullable: boolean;
  /** The values of an `enum` field, in the order of declaration; empty for other types. */
  readonly values: readonly string[];
}

export type FieldRegistry = ReadonlyMap<string, Field>;

interface PropertySchema {
  type?: string | string[];
  format?: string;
  enum?: string[];
  anyOf?: PropertySchema[];
}

/** Derives the field registry from the schema of a resource: exactly the scalar properties are fields. */
export function fieldsOf(resource: TObject): FieldRegistry {
  const fields = new Map<string, Field>();
  for (const [name, schema] of Object.entries(resource.properties)) {
    const field = fieldOf(name, schema);
    if (field) fields.set(name, field);
  }
  return fields;
}

function fieldOf(name: string, schema: PropertySchema): Field | undefined {
  const { value, nullable } = withoutNull(schema);
  const types = [value.type].flat();
  const type = fieldType(
    types.find(t => t !== 'null'),
    value,
  );
  if (!type) return undefined;
  return { name, type, nullable: nullable || types.includes('null'), values: value.enum ?? [] };
}

function withoutNull(schema: PropertySchema): { value: PropertySchema; nullable: boolean } {
  const value = schema.anyOf?.find(({ type }) => type !== 'null');
  return value ? { value, nullable: true } : { value: schema, nullable: false };
}

function fieldType(jsonType: string | undefined, schema: PropertySchema): FieldType | undefined {
  // An enum schema need not have a `type`.
  if (schema.enum) return 'enum';
  if (jsonType === 'boolean') return 'boolean';
  if (jsonType === 'number' || jsonType === 'integer') return 'number';
  if (jsonType !== 'string') return undefined;
  if (schema.format === 'date-time' || schema.format === 'date' || schema.format === 'decimal')
    return schema.format;
  return 'string';
}

const equality: readonly Operator[] = ['=', '!=', 'IN', 'IS NULL', 'IS NOT NULL'];
const ordering: readonly Operator[] = ['>', '>=', '<', '<=', ...equality];
const text: readonly Operator[] = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH', ...ordering];

/** The operators of each type (specification.md 3.5). */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  string: text,
  boolean: equality,
  enum: equality,
  date: ordering,
  'date-time': ordering,
  number: ordering,
  decimal: ordering,
};
