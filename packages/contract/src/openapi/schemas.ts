import type { TSchema } from 'typebox';
import { houseFormats } from '../schema.ts';
import type { Reference, SchemaObject } from './document.ts';

/**
 * Collects the named schemas of a document: a schema with `$id` becomes a component and a reference to it. What only the service
 * reads is left out: formats of the house, the bounds of all doubles, and examples of single properties, which messages show. The examples of the
 * document are whole answers of a service (`recorded.ts`).
 */
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
    for (const [keyword, part] of Object.entries(rest))
      if (!isForTheService(keyword, part)) placed[keyword] = this.#place(part);
    if (typeof name !== 'string') return placed;
    this.schemas[name] = placed;
    return { $ref: `#/components/schemas/${name}` };
  }
}

function isForTheService(keyword: string, part: unknown): boolean {
  if (keyword === 'format') return houseFormats.has(part);
  // Numbers beyond the doubles: `format: double` says so to others, and a generator crashes over the bounds.
  if (keyword === 'minimum' || keyword === 'maximum') return Math.abs(part as number) === Number.MAX_VALUE;
  return keyword === 'examples' && Array.isArray(part);
}
