import type { TSchema } from 'typebox';
import { houseFormats } from '../schema.ts';
import { meaningsOf } from './value-meanings.ts';
import type { Reference, SchemaObject } from './document.ts';

/**
 * Collects the named schemas of a document: a schema with `$id` becomes a component and a reference to it.
 * Parts that only the service needs are omitted: internal formats, the bounds of doubles, and examples of single properties for messages.
 * The examples of the document are complete recorded responses (`recording.ts`).
 */
export class Components {
  readonly schemas: Record<string, SchemaObject> = {};

  /** Returns the schema for the document, with every named part replaced by a reference. */
  use(schema: TSchema): SchemaObject | Reference {
    // A round trip through JSON drops everything that the document cannot contain.
    return this.#place(JSON.parse(JSON.stringify(schema)) as SchemaObject) as SchemaObject | Reference;
  }

  #place(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(item => this.#place(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id: name, ...rest } = value as SchemaObject;
    const placed: SchemaObject = {};
    for (const [keyword, part] of Object.entries(rest))
      if (!isForTheService(keyword, part)) placed[keyword] = this.#place(part);
    if (typeof name !== 'string') return placed;
    const { enum: values } = rest;
    // Scalar and Redoc show it beside the values.
    if (Array.isArray(values)) placed['x-enumDescriptions'] = meaningsOf(name, values);
    this.schemas[name] = placed;
    return { $ref: `#/components/schemas/${name}` };
  }
}

function isForTheService(keyword: string, part: unknown): boolean {
  if (keyword === 'format') return houseFormats.has(part);
  // Numbers up to the largest double: `format: double` expresses the same, and a code generator crashes on these bounds.
  if (keyword === 'minimum' || keyword === 'maximum') return Math.abs(part as number) === Number.MAX_VALUE;
  return keyword === 'examples' && Array.isArray(part);
}
