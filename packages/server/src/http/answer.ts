import { carriesQuota } from '@kontor/contract';
import type { Logger } from 'pino';
import { discardRest, isUnread } from './body.ts';
import type { Exchange, RequestRecord } from './exchange.ts';
import { logRequest } from './log.ts';
import type { Metrics } from './metrics.ts';
import { quotaHeaders } from './quota.ts';
import type { Answer } from './route.ts';

/** What every answer needs beside itself. */
export interface Surroundings {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Sends the answer with the headers that all answers have, logs and counts it. A client that is still sending its body
 * gets the answer at once; the rest of the body is read before the connection goes on or closes.
 */
export function send(exchange: Exchange, answer: Answer, around: Surroundings): void {
  const { request, response } = exchange;
  const unread = isUnread(request);
  // A client that was not told to continue may leave its body out: then nobody knows where the next request begins.
  if (unread && request.headers.expect !== undefined) response.shouldKeepAlive = false;
  if (!response.destroyed) {
    response.writeHead(answer.status, headersOf(exchange, answer));
    if (request.method === 'HEAD') response.end();
    else if (unread) {
      response.write(answer.body);
      discardRest(request, () => response.end());
    } else response.end(answer.body);
  }
  report(exchange, answer.status, around);
}

/** Logs and counts a request that ends here. */
export function report(record: RequestRecord, status: number, { logger, metrics }: Surroundings): void {
  const milliseconds = performance.now() - record.startedAt;
  logRequest(logger, record, status, milliseconds);
  metrics.answered(record.operation, status, milliseconds);
}

function headersOf(exchange: Exchange, answer: Answer): string[] {
  const headers = [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(answer.body)),
    'X-Request-ID',
    exchange.requestId,
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
  ];
  if (exchange.quota !== null && carriesQuota(answer.status)) {
    const [policy, state] = quotaHeaders(exchange.quota);
    headers.push('RateLimit-Policy', policy, 'RateLimit', state);
  }
  for (const name in answer.headers) headers.push(name, answer.headers[name]!);
  return headers;
}
