import type { TObject } from 'typebox';

/** The type decides how a filter literal is compared and which operators a field takes (specification.md 3.5). */
export type FieldType = 'string' | 'boolean' | 'date' | 'date-time' | 'number' | 'decimal' | 'enum';

/** A public scalar field of a resource: filterable and sortable on the collection of that resource. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly nullable: boolean;
  /** The values of an `enum` field, in the order of the declaration; empty for the other types. */
  readonly values: readonly string[];
}

export type FieldRegistry = ReadonlyMap<string, Field>;

interface PropertySchema {
  type?: string | string[];
  format?: string;
  enum?: string[];
  anyOf?: PropertySchema[];
}

/** Reads the field registry off the response schema of a resource: every scalar property is a field, nothing else is. */
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

/** The schema without its `null` alternative. */
function withoutNull(schema: PropertySchema): { value: PropertySchema; nullable: boolean } {
  const value = schema.anyOf?.find(({ type }) => type !== 'null');
  return value ? { value, nullable: true } : { value: schema, nullable: false };
}

function fieldType(jsonType: string | undefined, schema: PropertySchema): FieldType | undefined {
  // A list of values needs no type beside it.
  if (schema.enum) return 'enum';
  if (jsonType === 'boolean') return 'boolean';
  if (jsonType === 'number' || jsonType === 'integer') return 'number';
  if (jsonType !== 'string') return undefined;
  if (schema.format === 'date-time' || schema.format === 'date' || schema.format === 'decimal')
    return schema.format;
  return 'string';
}
