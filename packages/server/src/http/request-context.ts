import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type ErrorCode, requestIdPattern } from '@kontor/contract';
import type { Caller, QuotaPolicy } from '../auth/caller.ts';
import type { AwaitedAnswer, SessionCaller, WithCaller } from '../db/session-caller.ts';
import { inSpan, type Span, startTrace } from '../lib/tracing.ts';
import { Disconnected } from './request/body.ts';

/** The part of a request that log and metrics use. */
export interface RequestRecord {
  /** The operation, or one of a few fixed words. Never text from the request. */
  readonly operation: string;
  /** `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  /** Absent while traces are off. */
  readonly span?: Span | undefined;
  /** Sent with the answer. The client's own once it was accepted, else a new one. */
  requestId: string;
  /** The invalid `X-Request-ID` that {@link requestId} replaces, for the log. */
  replacedRequestId?: string;
  /** Null until the request is authenticated. */
  caller: Pick<Caller, 'actor' | 'scope'> | null;
  rejection: { readonly code: ErrorCode; readonly message: string; readonly path?: string } | null;
  /** For polls: the instant of the organization's clock up to which the caller has read with this answer. */
  readTo: string | null;
}

export interface RequestContext extends RequestRecord, WithCaller {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Address of the client; empty until the operation resolves it. */
  address: string;
  quota: QuotaState | null;
  /** Null until the caller is known, as authentication is work of the service. */
  sessionCaller: SessionCaller | null;
  /** From the path, once it has the form of an identifier. */
  organizationId: string | null;
  /** Whether the errors of its API name the rejected field of the body. */
  readonly namesFields: boolean;
  /** Whether the handler may have stored something, so that the outcome of a failure is unknown. */
  mayStore: boolean;
}

export interface QuotaState {
  readonly allowed: boolean;
  readonly policy: QuotaPolicy;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the window ends. */
  readonly resetSeconds: number;
}

export function begin(
  request: IncomingMessage,
  response: ServerResponse,
  operation: string,
  namesFields = false,
): RequestContext {
  return {
    request,
    response,
    operation,
    startedAt: performance.now(),
    span: startTrace(operation, { kind: 'server', parent: traceparentOf(request) }),
    requestId: '',
    caller: null,
    rejection: null,
    readTo: null,
    address: '',
    quota: null,
    sessionCaller: null,
    organizationId: null,
    namesFields,
    mayStore: false,
  };
}

function traceparentOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** A UUID of version 7. */
export function newRequestId(): string {
  // `randomUUID` makes version 4. The time in milliseconds replaces its first 48 bits.
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const pattern = new RegExp(requestIdPattern);

/** Identifiers of proxies. Anything else may be a secret or personal data, which the log must not contain. */
const proxyIdPattern = /^[0-9A-Za-z+/=.-]{1,100}$/;

/**
 * Uses the `X-Request-ID` of the client unchanged, or makes one. An invalid one is replaced (specification.md 2.2).
 * @throws ApiError INVALID_REQUEST_ID, with a new one, for an invalid one if `isChecked`
 */
export function acceptRequestId(context: RequestContext, isChecked: boolean): void {
  const sent = context.request.headers['x-request-id'] as string | undefined;
  if (sent !== undefined && pattern.test(sent)) {
    context.requestId = sent;
    return;
  }
  context.requestId = newRequestId();
  if (sent === undefined) return;
  if (isChecked)
    throw new ApiError(
      'INVALID_REQUEST_ID',
      'X-Request-ID must be one UUID of version 4 or 7; omit it, and the service creates one',
    );
  context.replacedRequestId = proxyIdPattern.test(sent) ? sent : `(${sent.length} characters)`;
}

/**
 * The time limit of a request in milliseconds, without the waits for its body and for the concurrency limiter. Every request pays for this, so it
 * uses one timer and one listener, and makes a signal only on demand.
 */
export class RequestTime implements AwaitedAnswer {
  readonly #context: RequestContext;
  readonly #limit: number;
  #ended: AbortController | undefined;
  #reason: Error | undefined;
  #giveUpPart: ((reason: Error) => void) | undefined;
  /** Milliseconds used by finished calls of {@link run}. */
  #taken = 0;
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

  /** When the request arrived, by `performance.now()`. */
  get since(): number {
    return this.#context.startedAt;
  }

  /** When the time is over, by `performance.now()`. Waits that do not count move it. */
  get until(): number {
    const now = performance.now();
    return now + this.#limit - this.#taken - (now - (this.#began ?? now));
  }

  /** Aborted when the time is over or the client has disconnected. */
  get signal(): AbortSignal {
    if (!this.#ended) {
      this.#ended = new AbortController();
      if (this.#reason) this.#ended.abort(this.#reason);
    }
    return this.#ended.signal;
  }

  /**
   * Runs a stage of the request in the time that is left. It rejects when the time is over, or when the client disconnects before a write. A read
   * stops then by its {@link signal}; a write continues.
   * @throws ApiError SERVICE_UNAVAILABLE when the time is over; {@link Disconnected}; the errors of the work.
   */
  async run<T>(stage: string, work: () => Promise<T>): Promise<T> {
    if (this.#reason) throw this.#reason;
    this.#began = performance.now();
    this.#timer ??= setTimeout(this.#check, Math.max(0, this.#limit - this.#taken));
    try {
      return await new Promise((resolve, reject) => {
        this.#giveUpPart = reject;
        inSpan(stage, work).then(resolve, reject);
      });
    } finally {
      this.#taken += performance.now() - this.#began;
      this.#began = null;
    }
  }

  /** The timer also ran during waits that do not count, so there may be time left. */
  readonly #check = () => {
    this.#timer = undefined;
    if (this.#began === null) return;
    const left = this.#limit - this.#taken - (performance.now() - this.#began);
    if (left > 0) this.#timer = setTimeout(this.#check, left);
    else this.#giveUp(tooLate(this.#limit, this.#context));
  };

  readonly #onClose = () => {
    if (!this.#context.mayStore) this.#giveUp(new Disconnected('The client broke off'));
  };

  #giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#giveUpPart?.(reason);
    this.#ended?.abort(reason);
  }
}

function tooLate(milliseconds: number, context: RequestContext): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than ${milliseconds / 1000} s; ${adviceOnRepeat(context)}`,
  );
}

/** Advice to a client after a failure. Only an operation that accepts an idempotency key gets this far with one. */
export function adviceOnRepeat({ mayStore, request }: RequestContext): string {
  if (!mayStore) return 'try again later';
  return request.headers['idempotency-key'] === undefined
    ? 'it may have been stored: read before you send it again'
    : 'it may have been stored: send it again with the same Idempotency-Key';
}
