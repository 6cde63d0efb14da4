import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type ErrorCode, requestIdPattern } from '@kontor/contract';
import type { Caller } from '../auth/caller.ts';
import type { QuotaState } from './limits/quota.ts';
import { Disconnected } from './request/body.ts';

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
  rejection: { readonly code: ErrorCode; readonly message: string } | null;
  /** Of a poll: up to which instant of the clock of the organization the caller has read with this answer. */
  readTo: string | null;
}

/** One request and its response, with what the stages have learned so far. */
export interface RequestContext extends RequestRecord {
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
export function begin(request: IncomingMessage, response: ServerResponse, operation: string): RequestContext {
  return {
    request,
    response,
    operation,
    startedAt: performance.now(),
    requestId: '',
    caller: null,
    rejection: null,
    readTo: null,
    address: '',
    quota: null,
    organizationId: null,
    mayStore: false,
  };
}

/** A fresh request identifier: UUID of version 7. */
export function newRequestId(): string {
  // `randomUUID` makes version 4: the instant in milliseconds takes the place of its first 48 bits.
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const pattern = new RegExp(requestIdPattern);

/**
 * Takes the request's `X-Request-ID` over unchanged, letter case included, or makes one when it is absent.
 * @throws ApiError INVALID_REQUEST_ID, and then the exchange has a fresh one (specification.md 2.2).
 */
export function acceptRequestId(context: RequestContext): void {
  const sent = context.request.headers['x-request-id'];
  if (typeof sent === 'string' && pattern.test(sent)) {
    context.requestId = sent;
    return;
  }
  context.requestId = newRequestId();
  if (sent !== undefined)
    throw new ApiError(
      'INVALID_REQUEST_ID',
      'X-Request-ID must be one UUID of version 4 or 7; leave it out to have one made',
    );
}

/**
 * The milliseconds that a request may take as a whole. Its body and its turn are waited for outside of {@link run}: those
 * waits have limits of their own. One timer and one listener serve the whole request, and a signal is made only for work that
 * asks for it, since every request pays for them. To be disposed of when the request is over.
 */
export class RequestTime {
  readonly #context: RequestContext;
  readonly #limit: number;
  #end: AbortController | undefined;
  /** Why the request was given up. */
  #reason: Error | undefined;
  /** Ends the wait for the part in progress. */
  #giveUpPart: ((reason: Error) => void) | undefined;
  /** Milliseconds taken by the parts that are over. */
  #taken = 0;
  /** When the part in progress began. */
  #began: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: RequestContext, limit: number) {
    this.#context = context;
    this.#limit = limit;
    context.response.once('close', this.#onClose);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#context.response.off('close', this.#onClose);
  }

  /** It is aborted when the time is over, or when the client has left. */
  get signal(): AbortSignal {
    if (!this.#end) {
      this.#end = new AbortController();
      if (this.#reason) this.#end.abort(this.#reason);
    }
    return this.#end.signal;
  }

  /**
   * Runs a part of the request in the time that is left of it. When that is over, or when the client has left, nobody waits for
   * it any longer: what follows the {@link signal} is given up then, such as a read; a write goes on.
   * @throws ApiError SERVICE_UNAVAILABLE when the time is over; {@link Disconnected}; the errors of the work.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reason) throw this.#reason;
    this.#began = performance.now();
    this.#timer ??= setTimeout(this.#check, this.#limit - this.#taken);
    try {
      return await new Promise((resolve, reject) => {
        this.#giveUpPart = reject;
        work().then(resolve, reject);
      });
    } finally {
      this.#taken += performance.now() - this.#began;
      this.#began = null;
    }
  }

  /** The timer went on during the waits that do not count, so there may be time left. */
  readonly #check = () => {
    this.#timer = undefined;
    if (this.#began === null) return;
    const left = this.#limit - this.#taken - (performance.now() - this.#began);
    if (left > 0) this.#timer = setTimeout(this.#check, left);
    else this.#giveUp(tooLate(this.#limit, this.#context.mayStore));
  };

  readonly #onClose = () => {
    if (!this.#context.mayStore) this.#giveUp(new Disconnected('The client broke off'));
  };

  #giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#giveUpPart?.(reason);
    this.#end?.abort(reason);
  }
}

function tooLate(milliseconds: number, mayStore: boolean): ApiError {
  const advice = mayStore ? readFirst : 'try again later';
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than ${milliseconds / 1000} s; ${advice}`,
  );
}

/** What a client does about a write whose outcome is not known. */
export const readFirst = 'it may have been stored: read before you send it again';
