import { once } from 'node:events';
import { carriesQuota } from '@kontor/contract';
import type { Logger } from 'pino';
import { discardRest, isUnread } from './body.ts';
import type { Exchange, RequestRecord } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import { quotaHeaders } from './quota.ts';
import { logBrokenDownload, logRequest } from './log.ts';
import { contentDisposition } from './content-disposition.ts';
import type { FileAnswer, JsonAnswer } from './route.ts';

/** What every answer needs beside itself. */
export interface Surroundings {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Sends the answer with the headers that all answers have, logs and counts it. A client that is still sending its body
 * gets the answer at once; the rest of the body is read before the connection goes on or closes.
 */
export function send(exchange: Exchange, answer: JsonAnswer, around: Surroundings): void {
  const { request, response } = exchange;
  const unread = isUnread(request);
  // A client that was not told to continue may leave its body out: then nobody knows where the next request begins.
  if (unread && request.headers.expect !== undefined) response.shouldKeepAlive = false;
  if (!response.destroyed) {
    const pieces =
      typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? [answer.body] : answer.body;
    // All pieces go in one write to the socket, and none of them is copied for that.
    response.cork();
    response.writeHead(answer.status, jsonHeaders(exchange, answer, pieces));
    if (request.method !== 'HEAD') for (const piece of pieces) response.write(piece);
    if (unread && request.method !== 'HEAD') {
      response.uncork();
      discardRest(request, () => response.end());
    } else response.end();
  }
  report(exchange, answer.status, around);
}

/**
 * Streams a file, as slowly as the client reads. A store that fails half way ends in a connection that is cut, so that the
 * client does not take what it has for the whole (counted as 502); a client that breaks off (499) closes the source.
 */
export async function sendFile(
  exchange: Exchange,
  { file }: FileAnswer,
  around: Surroundings,
): Promise<void> {
  const { request, response } = exchange;
  const left = new AbortController();
  const close = () => {
    left.abort();
    file.stream.destroy();
  };
  response.once('close', close);
  try {
    if (response.destroyed) throw new Error('the client has gone');
    response.writeHead(200, fileHeaders(exchange, file));
    for await (const piece of file.stream)
      if (!response.write(piece)) await once(response, 'drain', { signal: left.signal });
    if (isUnread(request)) discardRest(request, () => response.end());
    else response.end();
    report(exchange, 200, around);
  } catch (error) {
    const clientLeft = response.destroyed;
    if (!clientLeft) logBrokenDownload(around.logger, exchange, error);
    response.destroy();
    report(exchange, clientLeft ? 499 : 502, around);
  } finally {
    close();
  }
}

/** Logs and counts a request that ends here. */
export function report(record: RequestRecord, status: number, { logger, metrics }: Surroundings): void {
  const milliseconds = performance.now() - record.startedAt;
  logRequest(logger, record, status, milliseconds);
  metrics.answered(record.operation, status, milliseconds);
}

function jsonHeaders(exchange: Exchange, answer: JsonAnswer, pieces: readonly (Buffer | string)[]): string[] {
  const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const headers = commonHeaders(exchange, answer.status, 'application/json', size);
  for (const name in answer.headers) headers.push(name, answer.headers[name]!);
  return headers;
}

function fileHeaders(exchange: Exchange, file: FileAnswer['file']): string[] {
  const headers = commonHeaders(exchange, 200, file.mediaType, file.size);
  headers.push('Content-Disposition', contentDisposition(file.fileName));
  return headers;
}

function commonHeaders(exchange: Exchange, status: number, mediaType: string, size: number): string[] {
  const headers = [
    'Content-Type',
    mediaType,
    'Content-Length',
    String(size),
    'X-Request-ID',
    exchange.requestId,
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
  ];
  if (exchange.quota !== null && carriesQuota(status)) {
    const [policy, state] = quotaHeaders(exchange.quota);
    headers.push('RateLimit-Policy', policy, 'RateLimit', state);
  }
  return headers;
}
