import { makeRequestId } from './request-id.ts';

/** A file to upload: its path, its bytes, or a stream of them. */
export type Upload = string | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The options of the file of an upload. */
export interface UploadOptions {
  /** The name that the service stores. Default: the name of the path or of the `File`, else `file`. */
  fileName?: string | undefined;
}

/** A body of `multipart/form-data` with one part. A `FormData` of another library than `fetch` would be sent as text. */
export class Multipart {
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(content: Uint8Array, fileName: string, mediaType: string) {
    const boundary = `kontor-${makeRequestId()}`;
    // As browsers write it (HTML, multipart form data).
    const name = fileName.replace(/["\r\n]/g, encodeURIComponent);
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mediaType}\r\n\r\n`;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    const encoder = new TextEncoder();
    this.bytes = joinBytes([encoder.encode(head), content, encoder.encode(`\r\n--${boundary}--\r\n`)]);
  }
}

/** The body of an upload. The service takes 5 MiB, so it is kept in memory, and every attempt sends the same. */
export async function multipartOf(file: Upload, fileName = nameOf(file)): Promise<Multipart> {
  const mediaType = file instanceof Blob && /^[\x20-\x7e]+$/.test(file.type) ? file.type : '';
  return new Multipart(await bytesOf(file), fileName, mediaType || 'application/octet-stream');
}

async function bytesOf(file: Upload): Promise<Uint8Array> {
  if (typeof file === 'string') return (await import('node:fs/promises')).readFile(file);
  if (file instanceof Blob) return new Uint8Array(await file.arrayBuffer());
  if (file instanceof Uint8Array) return file;
  const chunks: Uint8Array[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return joinBytes(chunks);
}

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

function nameOf(file: Upload): string {
  if (typeof file === 'string') return baseNameOf(file) ?? 'file';
  // A `ReadStream` of Node.js has a path.
  if ('path' in file && typeof file.path === 'string') return nameOf(file.path);
  return 'name' in file && typeof file.name === 'string' ? file.name : 'file';
}

/** The last part of a path, without control characters; null if that is not a file name. */
export function baseNameOf(path: string): string | null {
  const name = path
    .replace(/\p{Cc}/gu, '')
    .split(/[/\\]/)
    .at(-1)!;
  return /^\.{0,2}$/.test(name) ? null : name;
}
