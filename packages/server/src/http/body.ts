import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@kontor/contract';

/** Most bytes of a request body (spec.md, Limits). */
export const bodyLimit = 5 * 1024 * 1024;

/** Most bytes that are read and thrown away so that the client gets to read the answer. */
const discardLimit = 256 * 1024 * 1024;

/** The client broke off before its request was complete: there is nobody to answer. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected';
}

/** The most bytes that the body of a request can take: what it declares, or the limit. */
export function bodySize(request: IncomingMessage): number {
  const declared = request.headers['content-length'];
  return declared === undefined ? bodyLimit : Math.min(bodyLimit, Number(declared));
}

/** Bodies of a declared size from here on are read into one piece of memory at once. */
const largeBody = 256 * 1024;

/**
 * Reads the whole body of a request. Throws PAYLOAD_TOO_LARGE as soon as it is known to exceed the limit, whether
 * declared or not, and then leaves the rest unread; {@link Disconnected} when the client breaks off; the reason of `lost`
 * when that is aborted before the body is complete.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  lost?: AbortSignal,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bodyLimit) return Promise.reject(tooLarge());
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const whole = declared >= largeBody ? Buffer.allocUnsafe(declared) : null;
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      if (whole) chunk.copy(whole, size);
      size += chunk.length;
      if (size > bodyLimit) settle(() => reject(tooLarge()));
      else if (!whole) chunks.push(chunk);
    };
    const onEnd = () =>
      settle(() => resolve(whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))));
    const onBroken = () => settle(() => reject(new Disconnected('The client broke off')));
    const onLost = () => settle(() => reject(lost!.reason as Error));
    const settle = (outcome: () => void) => {
      request.pause();
      lost?.removeEventListener('abort', onLost);
      request.off('data', onData).off('end', onEnd).off('close', onBroken);
      outcome();
    };
    request.on('data', onData).on('end', onEnd).on('close', onBroken);
    lost?.addEventListener('abort', onLost);
  });
}

function tooLarge(): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The body is larger than 5 MiB (5,242,880 bytes); send less at once',
  );
}

/** Whether parts of the body are still on their way. */
export function isUnread(request: IncomingMessage): boolean {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !request.complete && !request.destroyed;
}

/**
 * Reads what is left of the body and throws it away, then calls back. Closing a connection with unread data would reset
 * it, and the client could lose the answer. Beyond a generous bound the connection is closed nevertheless.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > discardLimit) request.destroy();
  });
  const finish = () => {
    request.off('end', finish).off('close', finish);
    done();
  };
  request.on('end', finish).on('close', finish);
  request.resume();
}
