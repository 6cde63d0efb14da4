import { bodyLimits } from '@kontor/contract';
import { keys } from '../../http/stub-service.ts';

/** A request that costs as much as one can, and how it has to be answered. */
export interface Extreme {
  /** The whole request; made again by each call, as it may be large. */
  readonly bytes: () => Buffer;
  /** Null: the connection is cut, whatever has been answered by then. */
  readonly outcome: Outcome | null;
}

/** A status and the code of its envelope, which is null where it is no error. */
export type Outcome = readonly [status: number, code: string | null];

export const served: Outcome = [200, null];
export const malformed: Outcome = [400, 'VALIDATION_ERROR'];
export const unsupportedField: Outcome = [400, 'UNSUPPORTED_FIELD'];

/** A request on a connection that closes with the answer. */
export function request(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const all = { Host: 'x', Connection: 'close', 'X-API-Key': keys.all, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

/** A body of 5 MiB: a beginning, a piece as often as it fits, and an end. */
export type Body = readonly [start: string, chunk: string | ((index: number) => string), end?: string];

/** A request with such a body. */
export function withBody(line: string, type: string, body: Body): () => Buffer {
  return () => {
    const bytes = filled(body);
    return request(line, { 'Content-Type': type, 'Content-Length': String(bytes.length) }, bytes);
  };
}

/** A body of 5 MiB. */
export function filled([start, chunk, end = '']: Body): Buffer {
  const size = bodyLimits.large - Buffer.byteLength(start + end);
  if (typeof chunk === 'string')
    return Buffer.from(start + chunk.repeat(size / Buffer.byteLength(chunk)) + end);
  const chunks = [start];
  let left = size;
  for (let index = 0; ; index++) {
    const next = chunk(index);
    left -= Buffer.byteLength(next);
    if (left < 0) return Buffer.from(chunks.join('') + end);
    chunks.push(next);
  }
}
