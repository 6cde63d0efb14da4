import { ApiError, malformed, uploadMediaTypes } from '@kontor/contract';
import { cleanFileName } from '../../files/file-name.ts';
import { sniffMediaType } from '../../files/sniff.ts';
import { display } from './json.ts';
import { decodePercent } from './parameters.ts';
import type { Upload } from '../route.ts';

const partName = 'file';

/**
 * Reads the one file of a multipart body (RFC 7578).
 * @throws ApiError 400 VALIDATION_ERROR (not multipart, or a second file), UNSUPPORTED_FIELD (another part), MISSING_ATTACHMENT,
 * UNSUPPORTED_MEDIA_TYPE (by the bytes; the declared type is ignored).
 */
export function parseUpload(
  body: Buffer,
  boundary: string,
  mediaTypes: readonly string[] = uploadMediaTypes,
): Upload {
  let file: Part | null = null;
  for (const part of partsOf(body, boundary)) {
    if (part.name !== partName)
      throw new ApiError(
        'UNSUPPORTED_FIELD',
        `The part ${display(part.name)} is not accepted here; send one part "${partName}"`,
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
  // The import of another file fails with its format.
  const mediaType = mediaTypes.includes('text/csv') ? 'text/csv' : sniffMediaType(bytes);
  if (!mediaType)
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The file is no PNG, JPEG, WebP or PDF by its content; send one of these',
    );
  return { fileName: cleanFileName(fileName), mediaType, bytes };
}

/** `fileName` is null for a plain field. The content is a view of the body. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: Buffer;
}

const lineBreak = '\r\n';
const emptyLine = lineBreak + lineBreak;

/** Bytes of the headers of a part, with the rest of the delimiter line. */
const headLimit = 16 * 1024;

/**
 * Yields the parts of a multipart/form-data body (RFC 7578, RFC 2046 section 5.1.1). Text before the first and behind the last delimiter is ignored.
 * `formData` of a `Response` is not used because it copies a body several times.
 * @throws ApiError 400 VALIDATION_ERROR when the body is not multipart.
 */
export function* partsOf(body: Buffer, boundary: string): Generator<Part, void> {
  const delimiter = Buffer.from(`${lineBreak}--${boundary}`);
  const startsAtOnce = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  let at = startsAtOnce ? -2 : body.indexOf(delimiter);
  while (at !== -1) {
    at += delimiter.length;
    if (body.toString('latin1', at, at + 2) === '--') return;
    const end = body.indexOf(delimiter, at);
    if (end !== -1) yield readPart(body.subarray(at, end + lineBreak.length));
    at = end;
  }
  throw noMultipart();
}

/** Reads a part that begins behind its delimiter. The line break before the next delimiter does not belong to the content. */
function readPart(bytes: Buffer): Part {
  const headEnd = bytes.subarray(0, headLimit + emptyLine.length).indexOf(emptyLine);
  const head = /^[ \t]*\r\n(.*)$/s.exec(bytes.toString('utf8', 0, Math.max(headEnd, 0) + 2))?.[1];
  if (headEnd === -1 || head === undefined) throw noMultipart();
  const disposition = parametersOf(head);
  const name = disposition?.get('name');
  if (!disposition || name === undefined) throw noMultipart();
  return {
    name: unescaped(name),
    fileName: fileNameOf(disposition),
    content: bytes.subarray(headEnd + emptyLine.length, -lineBreak.length),
  };
}

/** A parameter. A value in quotes may contain anything; a quotation mark in it is escaped with a backslash. */
const parameterPattern =
  /[ \t]*;[ \t]*(?:([^\s;="]+)=(?:"((?:\\"|[^"])*)"(?=[ \t]*(?:;|$))|([^;"]*)(?=;|$)))?/y;

/** The parameters of the Content-Disposition header, the first of each name in lower case; null when there is none or it is not form-data. */
function parametersOf(head: string): Map<string, string> | null {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split(lineBreak);
  const line = lines.find(text => /^content-disposition:/i.test(text))?.trimEnd();
  const start = line === undefined ? null : /^[^:]+:[ \t]*form-data(?=[ \t]*(?:;|$))/i.exec(line);
  if (line === undefined || !start) return null;
  const found = new Map<string, string>();
  parameterPattern.lastIndex = start[0].length;
  while (parameterPattern.lastIndex < line.length) {
    const match = parameterPattern.exec(line);
    if (!match) return null;
    const [, name, quoted, token] = match;
    if (name !== undefined && !found.has(name.toLowerCase()))
      found.set(name.toLowerCase(), quoted ?? token!.trim());
  }
  return found;
}

/** Prefers `filename*=UTF-8''…`, which some clients send although RFC 7578 section 4.2 forbids it. */
function fileNameOf(disposition: ReadonlyMap<string, string>): string | null {
  const encoded = /^utf-8'[^']*'(.+)$/i.exec(disposition.get('filename*') ?? '')?.[1];
  const plain = disposition.get('filename');
  return (encoded && decodePercent(encoded)) ?? (plain === undefined ? null : unescaped(plain));
}

/** Browsers percent-encode `"` and line breaks in a value; other clients escape `"` with a backslash. Other backslashes are kept. */
function unescaped(value: string): string {
  return value
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function noMultipart(): Error {
  return malformed('The body is not multipart/form-data with the boundary of Content-Type');
}
