import type { TSchema } from 'typebox';
import type { Reference, SchemaObject } from './document.ts';

/** Collects the named schemas of a document: a schema with `$id` becomes a component and a reference to it. */
export class Components {
  readonly schemas: Record<string, SchemaObject> = {};

  /** The schema as it stands in the document, with every named part replaced by a reference. */
  use(schema: TSchema): SchemaObject | Reference {
    // Through JSON, because the document may hold nothing that JSON cannot.
    return this.#place(JSON.parse(JSON.stringify(schema)) as SchemaObject) as SchemaObject | Reference;
  }

  #place(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(item => this.#place(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id: name, ...rest } = value as SchemaObject;
    const placed: SchemaObject = {};
    for (const [keyword, part] of Object.entries(rest)) placed[keyword] = this.#place(part);
    if (typeof name !== 'string') return placed;
    this.schemas[name] = placed;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** An example of the schema: its own first one, or one put together from its parts. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, const: constant, enum: values, properties, items, anyOf, type } = schema as SchemaObject;
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties as Record<string, TSchema>).map(([name, property]) => [
        name,
        exampleOf(property),
      ]),
    );
  if (items !== undefined) return [exampleOf(items as TSchema)];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as TSchema);
  throw new Error(`a schema of type ${String(type)} needs an example: ${JSON.stringify(schema)}`);
}
