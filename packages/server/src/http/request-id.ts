import { ApiError, requestIdPattern } from '@kontor/contract';
import { type Exchange, newRequestId } from './request-context.ts';

const pattern = new RegExp(requestIdPattern);

/**
 * Takes the request's `X-Request-ID` over unchanged, letter case included, or makes one when it is absent.
 * @throws ApiError INVALID_REQUEST_ID, and then the exchange has a fresh one (specification.md 2.2).
 */
export function acceptRequestId(exchange: Exchange): void {
  const sent = exchange.request.headers['x-request-id'];
  if (typeof sent === 'string' && pattern.test(sent)) {
    exchange.requestId = sent;
    return;
  }
  exchange.requestId = newRequestId();
  if (sent !== undefined)
    throw new ApiError(
      'INVALID_REQUEST_ID',
      'X-Request-ID must be one UUID of version 4 or 7; leave it out to have one made',
    );
}
