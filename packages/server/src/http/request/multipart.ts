import { ApiError, malformed } from '@kontor/contract';
import { cleanFileName } from '../../files/file-name.ts';
import { sniffMediaType } from '../../files/sniff.ts';
import { shown } from './json.ts';
import { type Part, partsOf } from './multipart-parts.ts';
import type { Upload } from '../route.ts';

/** The one part of an upload. */
const partName = 'file';

/**
 * Reads the one file of a multipart body (RFC 7578).
 * @throws ApiError 400 VALIDATION_ERROR (no multipart, a second file), UNSUPPORTED_FIELD (another part), MISSING_ATTACHMENT,
 * UNSUPPORTED_MEDIA_TYPE (by the bytes, whatever the part says).
 */
export function parseUpload(body: Buffer, boundary: string): Upload {
  let file: Part | null = null;
  for (const part of partsOf(body, boundary)) {
    if (part.name !== partName)
      throw new ApiError(
        'UNSUPPORTED_FIELD',
        `The part ${shown(part.name)} is not accepted here; send one part "${partName}"`,
      );
    if (file) throw malformed(`The part "${partName}" was sent more than once; send one file`);
    file = part;
  }
  if (!file || file.fileName === null || file.content.length === 0)
    throw new ApiError(
      'MISSING_ATTACHMENT',
      `The part "${partName}" is missing or empty; send a file with its name in it`,
    );
  const { fileName, content: bytes } = file;
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null)
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The file is no PNG, JPEG, WebP or PDF by its content; send one of these',
    );
  return { fileName: cleanFileName(fileName), mediaType, bytes };
}
