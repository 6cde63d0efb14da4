import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type ErrorCode, requestIdPattern } from '@kontor/contract';
import type { Caller } from '../auth/caller.ts';
import type { QuotaState } from './limits/quota.ts';

/** What log and metrics are told of a request. */
export interface RequestRecord {
  /** The operation, or one of a few fixed words. Never anything from the request. */
  readonly operation: string;
  /** `performance.now()` at the start, in milliseconds. */
  readonly startedAt: number;
  /** The identifier of the answer; fresh until the request's own has been accepted. */
  requestId: string;
  /** Null until somebody is let in. */
  caller: Pick<Caller, 'actor' | 'scope'> | null;
  /** What the answer says where it is no success. */
  refusal: { readonly code: ErrorCode; readonly message: string } | null;
  /** Of a poll: up to which instant of the clock of the organization the caller has read with this answer. */
  readTo: string | null;
}

/** One request and its response, with what the stages have learned so far. */
export interface Exchange extends RequestRecord {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Where the request comes from; empty until an operation has found out. */
  address: string;
  quota: QuotaState | null;
  /** The one that the path names, once it is known to have the form of an identifier. */
  organizationId: string | null;
  /** Whether something may be stored by now, so that a failure leaves the outcome open. */
  mayStore: boolean;
}

/** The beginning of an exchange: nothing is known but that it came in. */
export function begin(request: IncomingMessage, response: ServerResponse, operation: string): Exchange {
  return {
    request,
    response,
    operation,
    startedAt: performance.now(),
    requestId: '',
    caller: null,
    refusal: null,
    readTo: null,
    address: '',
    quota: null,
    organizationId: null,
    mayStore: false,
  };
}

/** A fresh request identifier: UUID of version 7. */
export function newRequestId(): string {
  // Node 20 makes version 4 only: the instant in milliseconds takes the place of its first 48 bits.
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

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
