import type { FieldRegistry, FieldType } from '@kontor/contract';

/** A field that the file of a list can have. */
export interface FileField<Item> {
  readonly type: FieldType;
  /** `wordOf` has the words of the page for a value. */
  readonly read: (item: Item, wordOf: (value: string) => string) => unknown;
}

export type FileFields<Item> = ReadonlyMap<string, FileField<Item>>;

/** The fields of a list, and further ones that its items have. */
export function fileFields<Item extends object>(
  fields: FieldRegistry,
  more: Readonly<Record<string, FileField<Item>>> = {},
): FileFields<Item> {
  const own = Array.from(fields.values(), ({ name, type }) => {
    const read = (item: Item) => (item as Readonly<Record<string, unknown>>)[name];
    return [name, { type, read }] as const;
  });
  return new Map([...own, ...Object.entries(more)]);
}
