import { once } from 'node:events';
import { carriesQuota } from '@kontor/contract';
import { discardRest, isCutShort, isUnread } from '../request/body.ts';
import type { RequestContext } from '../request-context.ts';
import { describeCause } from '../../telemetry/cause.ts';
import { type Telemetry, report } from '../telemetry.ts';
import type { FileAnswer, JsonAnswer, PageAnswer } from '../route.ts';

/**
 * Sends, logs and counts the answer. A client that still sends its body gets it at once; then the rest of the body is discarded. One that ended its
 * side inside of the body counts as gone (499): it may read the answer, but most such clients have been closed.
 */
export function send(context: RequestContext, answer: JsonAnswer, telemetry: Telemetry): void {
  const { request, response } = context;
  const unread = isUnread(request);
  // Without `100 Continue` the client may leave its body out, so the start of the next request is unknown.
  if (unread && request.headers.expect !== undefined) response.shouldKeepAlive = false;
  if (!response.destroyed) {
    response.writeHead(answer.status, jsonHeaders(context, answer));
    const body = request.method === 'HEAD' ? '' : answer.body;
    if (unread && request.method !== 'HEAD') {
      response.write(body);
      discardRest(request, () => response.end());
    } else response.end(body);
  }
  report(context, isCutShort(request) ? 499 : answer.status, telemetry);
}

/** A client keeps no answer of 304 whose headers declare another length than its copy has. */
export function sendPage(
  context: RequestContext,
  { status, headers, page }: PageAnswer,
  telemetry: Telemetry,
): void {
  const size = status === 304 ? {} : { 'content-length': Buffer.byteLength(page) };
  context.response.writeHead(status, { 'x-request-id': context.requestId, ...headers, ...size }).end(page);
  report(context, status, telemetry);
}

/** A store that fails half way cuts the connection, so that the file does not look complete (502). A client that leaves counts as 499. */
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
    const { requestId, operation } = context;
    // The line of the request does not have the reason.
    if (!clientLeft)
      telemetry.logger.error({ requestId, operation, cause: describeCause(error) }, 'download aborted');
    response.destroy();
    report(context, clientLeft ? 499 : 502, telemetry);
  } finally {
    close();
  }
}

function jsonHeaders(context: RequestContext, answer: JsonAnswer): string[] {
  const headers = commonHeaders(context, answer.status, 'application/json', Buffer.byteLength(answer.body));
  for (const name in answer.headers)
    for (const value of [answer.headers[name]!].flat()) headers.push(name, value);
  return headers;
}

/** Encodings of text files: CSV is UTF-8, and plain text is a file for DATEV. Clients take text without a charset for Latin-1. */
const charsets: Readonly<Record<string, string>> = { 'text/csv': 'utf-8', 'text/plain': 'windows-1252' };

function fileHeaders(context: RequestContext, file: FileAnswer['file']): string[] {
  const charset = charsets[file.mediaType];
  const type = charset === undefined ? file.mediaType : `${file.mediaType}; charset=${charset}`;
  const headers = commonHeaders(context, 200, type, file.size);
  headers.push('Content-Disposition', contentDisposition(file));
  return headers;
}

function commonHeaders(
  context: RequestContext,
  status: number,
  contentType: string,
  size: number | null,
): string[] {
  const headers = ['Content-Type', contentType];
  if (size !== null) headers.push('Content-Length', String(size));
  headers.push('X-Request-ID', context.requestId);
  headers.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff');
  if (context.quota !== null && carriesQuota(status)) {
    // draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4.
    const { policy, remaining, resetSeconds } = context.quota;
    headers.push('RateLimit-Policy', `"default";q=${policy.requests};w=${policy.seconds}`);
    headers.push('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
  }
  return headers;
}

/** `Content-Disposition` of a download (RFC 6266): an ASCII name for old clients, and the full name by RFC 8187. */
function contentDisposition({ fileName, isInline = false }: FileAnswer['file']): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `${isInline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${extendedValue(fileName)}`;
}

/** Percent-encodes all but the attr-char of RFC 8187 section 3.2.1. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
