import type { TSchema } from 'typebox';
import { Count, Id, Instant, NamedObject, Text } from './schema.ts';

const properties = {
  fileName: Text('Name of the file', 'angebot.pdf', { minLength: 1, maxLength: 255 }),
  mediaType: Text('Media type of the file', 'application/pdf'),
  size: Count('Size of the file in bytes', 48_213),
  createdAt: Instant('When the file was stored'),
};

/** The metadata of a file. `more` is placed between the id and the name. */
export function attachmentOf<More extends Record<string, TSchema>>(
  name: string,
  description: string,
  more: More,
) {
  return NamedObject(name, description, { id: Id('Identifier of the attachment'), ...more, ...properties });
}
