import { ApiError, malformed } from '@kontor/contract';
import { cleanFileName } from '../../files/file-name.ts';
import { sniffMediaType } from '../../files/sniff.ts';
import { display } from './json.ts';
import { decodePercent } from './parameters.ts';
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
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null)
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The file is no PNG, JPEG, WebP or PDF by its content; send one of these',
    );
  return { fileName: cleanFileName(fileName), mediaType, bytes };
}

/** A part of a multipart body; `fileName` is null where it is a plain field. The content is a view of the body. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: Buffer;
}

const lineBreak = '\r\n';
const emptyLine = lineBreak + lineBreak;

/** Most bytes of the headers of a part, the rest of the delimiter line included. */
const headLimit = 16 * 1024;

/**
 * The parts of a multipart/form-data body (RFC 7578, RFC 2046 section 5.1.1) one by one, without a copy of their content,
 * which is why `formData` of a `Response` does not do it: that copies a body several times. What stands before the
 * first delimiter and behind the last one is ignored.
 * @throws ApiError 400 VALIDATION_ERROR where the body is not multipart.
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

/** Reads a part from behind its delimiter to the line break that begins the next one, which is no part of the content. */
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

/** A parameter. A value in quotes may contain anything; a quotation mark in it stands behind a backslash. */
const parameterPattern =
  /[ \t]*;[ \t]*(?:([^\s;="]+)=(?:"((?:\\"|[^"])*)"(?=[ \t]*(?:;|$))|([^;"]*)(?=;|$)))?/y;

/**
 * The parameters of the Content-Disposition among these headers, the first of each name in lower case; null where there is
 * none, or it is not form-data.
 */
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

/** `filename*=UTF-8''…` comes first, which some clients send although RFC 7578 section 4.2 says not to. */
function fileNameOf(disposition: ReadonlyMap<string, string>): string | null {
  const encoded = /^utf-8'[^']*'(.+)$/i.exec(disposition.get('filename*') ?? '')?.[1];
  const plain = disposition.get('filename');
  return (encoded && decodePercent(encoded)) ?? (plain === undefined ? null : unescaped(plain));
}

/** Browsers write `"` and line breaks in a value percent-encoded, others `"` behind a backslash; other backslashes are kept. */
function unescaped(value: string): string {
  return value
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function noMultipart(): Error {
  return malformed('The body is not multipart/form-data with the boundary of Content-Type');
}
