import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { carriesQuota } from '@kontor/contract';
import type { Logger } from 'pino';
import { discardRest, isCutShort, isUnread } from '../request/body.ts';
import type { AuditedRejection } from './rejection.ts';
import type { RequestContext, RequestRecord } from '../request-context.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Chunk } from '../../db/list-statement.ts';
import { quotaHeaders } from '../limits/quota.ts';
import { logBrokenDownload, logRequest } from '../../telemetry/log.ts';
import type { FileAnswer, JsonAnswer } from '../route.ts';

/** Where every answer is logged and counted. */
export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Told of each request of a caller when it was answered, or aborted (status 499). */
  readonly answered?: (request: RequestRecord, status: number) => void;
  /** Audits a rejection, after its answer. */
  readonly rejected?: (rejection: AuditedRejection) => void;
}

/**
 * Sends the answer with the headers that all answers have, logs and counts it. A client that is still sending its body
 * gets the answer at once; the rest of the body is read before the connection goes on or closes.
 */
export function send(context: RequestContext, answer: JsonAnswer, telemetry: Telemetry): void {
  const { request, response } = context;
  const unread = isUnread(request);
  // A client that was not told to continue may leave its body out: then nobody knows where the next request begins.
  if (unread && request.headers.expect !== undefined) response.shouldKeepAlive = false;
  if (!response.destroyed) {
    response.writeHead(answer.status, jsonHeaders(context, answer));
    const chunks = chunksOf(request.method === 'HEAD' ? '' : answer.body);
    if (isCutShort(request)) return endCutShort(context, chunks, answer.status, telemetry);
    if (unread && request.method !== 'HEAD') {
      for (const chunk of chunks) response.write(chunk);
      discardRest(request, () => response.end());
    } else endWith(response, chunks);
  }
  report(context, isCutShort(request) ? 499 : answer.status, telemetry);
}

/** How long the reset of a client that has gone may take to come back, in milliseconds. */
const resetDelay = 500;

/**
 * Ends the answer to a client that has ended its side in the middle of its body. It may read the answer, or have gone, which
 * only the reset tells that the answer brings back: so the request is logged and counted a little later, as 499 then.
 */
function endCutShort(
  context: RequestContext,
  chunks: readonly Chunk[],
  status: number,
  telemetry: Telemetry,
): void {
  const { response } = context;
  for (const chunk of chunks) response.write(chunk);
  const timer = setTimeout(() => {
    // To write even nothing fails on a connection that was reset.
    response.socket?.write('');
    response.end();
  }, resetDelay);
  response.once('close', () => {
    clearTimeout(timer);
    report(context, response.writableFinished ? status : 499, telemetry);
  });
}

/**
 * Streams a file, as slowly as the client reads. A store that fails half way ends in a connection that is cut, so that the
 * client does not take what it has for the whole (counted as 502); a client that breaks off (499) closes the source.
 */
export async function sendFile(
  context: RequestContext,
  { file }: FileAnswer,
  telemetry: Telemetry,
): Promise<void> {
  const { request, response } = context;
  const left = new AbortController();
  const close = () => {
    left.abort();
    file.stream.destroy();
  };
  response.once('close', close);
  try {
    if (response.destroyed) throw new Error('the client has gone');
    response.writeHead(200, fileHeaders(context, file));
    for await (const chunk of file.stream)
      if (!response.write(chunk)) await once(response, 'drain', { signal: left.signal });
    if (isUnread(request)) discardRest(request, () => response.end());
    else response.end();
    report(context, 200, telemetry);
  } catch (error) {
    const clientLeft = response.destroyed;
    if (!clientLeft) logBrokenDownload(telemetry.logger, context, error);
    response.destroy();
    report(context, clientLeft ? 499 : 502, telemetry);
  } finally {
    close();
  }
}

/** Logs and counts a request that ends here. */
export function report(
  record: RequestRecord,
  status: number,
  { logger, metrics, answered }: Telemetry,
): void {
  const milliseconds = performance.now() - record.startedAt;
  logRequest(logger, record, status, milliseconds);
  metrics.answered(record.operation, status, milliseconds);
  if (record.caller !== null) answered?.(record, status);
}

function chunksOf(body: JsonAnswer['body']): readonly Chunk[] {
  return typeof body === 'string' ? [body] : body;
}

/** Up to this size a body in pieces is put together, in bytes: one write of a text is sooner done than one of many pieces. */
const smallBody = 4096;

/** Head and body go in one write to the socket. Node does that by itself, and sooner, for text in one piece. */
function endWith(response: ServerResponse, chunks: readonly Chunk[]): void {
  if (chunks.length === 1 || sizeOf(chunks) <= smallBody) return void response.end(chunks.join(''));
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end();
}

function sizeOf(body: JsonAnswer['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body.reduce((sum, chunk) => sum + chunk.length, 0);
}

function jsonHeaders(context: RequestContext, answer: JsonAnswer): string[] {
  const headers = commonHeaders(context, answer.status, 'application/json', sizeOf(answer.body));
  for (const name in answer.headers)
    for (const value of [answer.headers[name]!].flat()) headers.push(name, value);
  return headers;
}

function fileHeaders(context: RequestContext, file: FileAnswer['file']): string[] {
  const headers = commonHeaders(context, 200, file.mediaType, file.size);
  headers.push('Content-Disposition', contentDisposition(file.fileName));
  return headers;
}

function commonHeaders(
  context: RequestContext,
  status: number,
  mediaType: string,
  size: number | null,
): string[] {
  const headers = ['Content-Type', mediaType];
  if (size !== null) headers.push('Content-Length', String(size));
  headers.push('X-Request-ID', context.requestId);
  headers.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff');
  if (context.quota !== null && carriesQuota(status)) {
    const [policy, state] = quotaHeaders(context.quota);
    headers.push('RateLimit-Policy', policy, 'RateLimit', state);
  }
  return headers;
}

/**
 * `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and whole as RFC 8187 writes it.
 */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(fileName)}`;
}

/** The attr-char of RFC 8187 section 3.2.1 stand for themselves, all else is percent-encoded. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
