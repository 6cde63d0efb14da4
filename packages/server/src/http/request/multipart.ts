import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { ApiError, malformed, uploadMediaTypes } from '@kontor/contract';
import { cleanFileName } from '../../files/file-name.ts';
import { sniffMediaType } from '../../files/sniff.ts';
import { display } from './json.ts';
import { decodePercent } from './parameters.ts';
import type { Upload } from '../route.ts';

const partName = 'file';

/** Bytes of the headers of a part, and parts of a body. The parser skips parts without a disposition. */
const limits = { headerSize: 16 * 1024, parts: 2 };

/** Bytes that the parser gets at a time. It stops after those with the first part that is not accepted. */
const chunkSize = 4 * 1024;

/**
 * Reads the one file of a multipart body (RFC 7578).
 * @throws ApiError 400 VALIDATION_ERROR (not multipart, or a second file), UNSUPPORTED_FIELD (another part), MISSING_ATTACHMENT,
 * UNSUPPORTED_MEDIA_TYPE (by the bytes; the declared type is ignored).
 */
export async function parseUpload(
  body: Buffer,
  boundary: string,
  mediaTypes: readonly string[] = uploadMediaTypes,
): Promise<Upload> {
  const { fileName, bytes } = await readFile(body, boundary);
  if (fileName === undefined || bytes.length === 0)
    throw new ApiError(
      'MISSING_ATTACHMENT',
      `The part "${partName}" is missing or empty; send a file with its name in it`,
    );
  // The import of another file fails with its format.
  const mediaType = mediaTypes.includes('text/csv') ? 'text/csv' : sniffMediaType(bytes);
  if (!mediaType) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content is not PNG, JPEG, WebP or PDF');
  return { fileName: cleanFileName(unescaped(fileName)), mediaType, bytes };
}

/** The content of the part `file`. Its name is absent for a plain field, or without such a part. */
async function readFile(body: Buffer, boundary: string): Promise<{ fileName?: string; bytes: Buffer }> {
  const parser = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    limits,
    preservePath: true,
    // Otherwise the content of a field would be decoded.
    isPartAFile: () => true,
  });
  let parts = 0;
  let fileName: string | undefined;
  const chunks: Buffer[] = [];
  parser.on('file', (name: string | undefined, content, sentName: string | undefined) => {
    // The parser itself fails with each of its parts.
    content.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
    fileName = sentName;
    const rejection = rejectionOf(name, ++parts);
    if (rejection) parser.destroy(rejection);
  });
  parser.on('partsLimit', () => parser.destroy(notMultipart()));
  try {
    await pipeline(chunksOf(body), parser);
  } catch (error) {
    throw error instanceof ApiError ? error : notMultipart();
  }
  return { ...(fileName !== undefined && { fileName }), bytes: Buffer.concat(chunks) };
}

function rejectionOf(name: string | undefined, number: number): ApiError | null {
  if (name === undefined) return notMultipart();
  if (name !== partName)
    return new ApiError(
      'UNSUPPORTED_FIELD',
      `The part ${display(unescaped(name))} is not accepted here; send one part "${partName}"`,
    );
  return number > 1 ? malformed(`The part "${partName}" was sent more than once; send one file`) : null;
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += chunkSize) yield body.subarray(at, at + chunkSize);
}

/** Browsers percent-encode `"` and line breaks in a value. */
function unescaped(value: string): string {
  return value.replaceAll(/%(22|0D|0A)/gi, encoded => decodePercent(encoded)!);
}

function notMultipart(): ApiError {
  return malformed('The body is not multipart/form-data with the boundary of Content-Type');
}
