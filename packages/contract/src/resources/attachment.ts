import Type, { type TSchema } from 'typebox';
import { Id, Instant, NamedObject } from '../schema.ts';

const properties = {
  fileName: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Name of the file',
    examples: ['angebot.pdf'],
  }),
  mediaType: Type.String({ description: 'Media type of the file', examples: ['application/pdf'] }),
  size: Type.Integer({ minimum: 0, description: 'Size of the file in bytes', examples: [48_213] }),
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
