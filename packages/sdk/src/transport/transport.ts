import { type Answer, type ApiPromise, apiPromise } from '../answer.ts';
import {
  type End,
  failureOf,
  hasEnded,
  isInDoubt,
  type Read,
  sendOnce,
  type State,
  transitions,
} from './attempt.ts';
import { findMismatch, maxJsonBytes, readText } from '../body.ts';
import { type ListQuery, operations, type Operations, version } from '../contract.ts';
import { parseJson, RateLimitError, UnexpectedAnswerError } from '../errors.ts';
import {
  type AttemptEvent,
  checkOptions,
  type CreateOptions,
  entityTagOf,
  type Hooks,
  idempotencyKeyOf,
  type Settings,
  type UpdateOptions,
} from '../options.ts';
import { WriteOutcomeUnknown } from '../outcome.ts';
import { Pacer } from './pacer.ts';
import { redactHeaders } from '../redact.ts';
import { makeRequestId } from '../request-id.ts';
import { planRetry } from './retry.ts';
import { sleep } from './sleep.ts';
import { Multipart } from '../upload.ts';

export type OperationId = keyof Operations;

/** The fields by which a list can be sorted. */
export type Fields<Id extends OperationId> =
  Operations[Id]['query'] extends ListQuery<infer Field> ? Field : never;

/** A call of an operation: what of the contract it is given, and the options of the caller. */
export interface Call<Id extends OperationId> {
  readonly parameters?: Operations[Id]['parameters'];
  readonly query?: Operations[Id]['query'];
  readonly body?: Operations[Id]['body'] | Multipart;
  readonly options: (CreateOptions & UpdateOptions) | undefined;
}

/** Milliseconds for which a key of a write is used. The service keeps it for an hour more. */
const keyLifetime = 23 * 3_600_000;
/** A version that no resource has: an update on this condition changes nothing, and succeeds where its values are stored. */
const noVersion = '"1970-01-01T00:00:00.000Z"';
const optionsOf = { GET: 'a read', POST: 'a create, decision or upload', PATCH: 'an update' } as const;

/** The part of a call that all its attempts have in common. */
interface Prepared {
  readonly operation: OperationId;
  readonly method: string;
  /** The address without its query. */
  readonly url: string;
  /** The query with its question mark, or nothing. */
  readonly search: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The state of the call before its first attempt. */
  readonly state: State;
  readonly idempotencyKey: string | null;
  /** When the service may no longer recognize the write, by `Date.now()`. */
  readonly recognizedUntil: number;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly deadline: number;
  readonly maxQuotaWait: number;
  readonly maxRetries: number;
}

/** Sends calls, waits, and repeats what can be repeated without harm. It has the key, where no inspection shows it. */
export class Transport {
  readonly #settings: Settings;
  readonly #pacer = new Pacer();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get timeout(): number {
    return this.#settings.timeout;
  }

  get maxRetries(): number {
    return this.#settings.maxRetries;
  }

  /** Calls an operation whose result is JSON. Its fields are never validated: a newer service may have more. */
  json<Id extends OperationId>(id: Id, call: Call<Id>): ApiPromise<Operations[Id]['result']> {
    return apiPromise(
      this.send(id, call, async (response, _abort, { requestId }) => {
        const text = await readText(response, maxJsonBytes);
        const fail = (reason: string) => this.unexpected({ response, requestId }, reason);
        if (text === null) throw fail(`the body has more than ${maxJsonBytes} bytes`);
        const body = parseJson(text);
        const mismatch = findMismatch(body, {
          id: operations[id].path.endsWith('{id}') ? call.parameters?.id : undefined,
          query: id.startsWith('list') ? (call.query as ListQuery<string>) : undefined,
          field: id === 'getHealth' ? 'status' : 'id',
        });
        if (mismatch !== null) throw fail(mismatch);
        return body as Operations[Id]['result'];
      }),
    );
  }

  /** The error for an answer that Kontor does not give to the call. */
  unexpected({ response, requestId }: Omit<Answer<unknown>, 'data'>, reason: string): UnexpectedAnswerError {
    const { apiKey, baseUrl } = this.#settings;
    const headers = redactHeaders(response.headers, [apiKey]);
    const id = headers.get('x-request-id') ?? requestId;
    return new UnexpectedAnswerError(id, { status: response.status, headers, baseUrl }, reason);
  }

  /** Calls the hook for a call that failed. */
  reportFailure(event: AttemptEvent, error: unknown): void {
    this.#notify('onError', { ...event, error });
  }

  /** Sends attempts until one is answered, or must not be repeated. */
  async send<Id extends OperationId, T>(id: Id, call: Call<Id>, read: Read<T>): Promise<Answer<T>> {
    return this.#sendPrepared(this.#prepare(id, call), read);
  }

  async #sendPrepared<T>(prepared: Prepared, read: Read<T>): Promise<Answer<T>> {
    const { operation, maxRetries, method, url, signal, recognizedUntil } = prepared;
    const { serviceDeadline } = this.#settings;
    let { state } = prepared;
    let end: State | End = state;
    let settledAt = 0;
    let quotaWait = prepared.maxQuotaWait;
    let deadlineAt = performance.now() + prepared.deadline;
    let failures = 0;
    let event: AttemptEvent = { operation, method, url, requestId: makeRequestId(), attempt: 0 };
    try {
      for (;;) {
        const waited = await this.#awaitQuota(prepared, quotaWait, event);
        quotaWait -= waited;
        deadlineAt += waited;
        event = { ...event, requestId: makeRequestId(), attempt: event.attempt + 1 };
        if (state === 'lost' && performance.now() >= settledAt) state = 'settled';
        let isSent = false;
        try {
          return await this.#attempt(prepared, read, event, deadlineAt, () => (isSent = true));
        } catch (error) {
          const now = performance.now();
          const failure = failureOf(error, isSent);
          if (failure === 'lost') settledAt = now + serviceDeadline;
          if (failure !== 'quota') failures++;
          end = transitions[state][failure];
          if (hasEnded(end)) throw error;
          state = end;
          const remaining = Math.min(deadlineAt - now - serviceDeadline, recognizedUntil - Date.now());
          const minWait = failure === 'rejected' ? settledAt - now : 0;
          let wait = planRetry(error, { state, failures, maxRetries, remaining, minWait });
          if (error instanceof RateLimitError && wait !== null)
            wait = this.#pacer.pause < quotaWait ? this.#pacer.pause : null;
          if (wait === null) throw error;
          this.#settings.logger?.warn(`${operation} failed and is sent again`, {
            ...event,
            wait,
            error: String(error),
          });
          this.#notify('onRetry', { ...event, error: error as Error, waitMilliseconds: wait });
          // The pacer waits after 429.
          if (!(error instanceof RateLimitError)) await sleep(wait, signal);
        }
      }
    } catch (cause) {
      const error = isInDoubt(end) ? this.#lostWrite(prepared, read, cause, event.requestId) : cause;
      this.reportFailure(event, error);
      throw error;
    }
  }

  #lostWrite<T>(prepared: Prepared, read: Read<T>, cause: unknown, requestId: string): WriteOutcomeUnknown {
    const { idempotencyKey, recognizedUntil } = prepared;
    const headers = new Headers(prepared.headers);
    if (prepared.state === 'once') headers.set('If-Match', noVersion);
    return new WriteOutcomeUnknown(requestId, cause, {
      idempotencyKey,
      recognizedUntil,
      settledAt: performance.now() + this.#settings.serviceDeadline,
      repeat: async signal => {
        const { data } = await this.#sendPrepared({ ...prepared, headers, signal, state: 'settled' }, read);
        return data;
      },
    });
  }

  /**
   * Waits for the quota. Returns the milliseconds.
   * @throws RateLimitError after `maxWait` milliseconds, or the reason of the signal
   */
  async #awaitQuota(
    { operation, maxQuotaWait, signal }: Prepared,
    maxWait: number,
    { attempt, requestId }: AttemptEvent,
  ): Promise<number> {
    if (signal?.aborted) throw signal.reason as Error;
    const arrivedAt = performance.now();
    if (operation !== 'getHealth' && !(await this.#pacer.enter(maxWait, attempt > 0, signal))) {
      const message = `The quota of the key had no room within ${maxQuotaWait} ms (maxQuotaWait): the request was not sent`;
      throw new RateLimitError(message, 429, new Headers(), 'RATE_LIMIT_EXCEEDED', requestId);
    }
    return performance.now() - arrivedAt;
  }

  async #attempt<T>(
    prepared: Prepared,
    read: Read<T>,
    event: AttemptEvent,
    deadlineAt: number,
    onSend: () => void,
  ): Promise<Answer<T>> {
    const { fetch, apiKey, baseUrl, logger } = this.#settings;
    const { operation, method, url, search, headers, body, signal } = prepared;
    const { requestId } = event;
    const startedAt = performance.now();
    const remaining = deadlineAt - startedAt;
    const isLast = remaining < prepared.timeout;
    let isInFlight = operation !== 'getHealth';
    const leave = (response?: Response) => {
      if (isInFlight) this.#pacer.leave(response);
      isInFlight = false;
    };
    const onHeaders = (response: Response) => {
      leave(response);
      const answered = { ...event, status: response.status, milliseconds: performance.now() - startedAt };
      logger?.debug(`${method} ${url}: ${response.status}`, answered);
      this.#notify('onResponse', answered);
      received = response;
    };
    let received!: Response;
    headers.set('X-Request-ID', requestId);
    this.#notify('onRequest', event);
    try {
      const init = { method, headers: Object.fromEntries(headers), body, redirect: 'manual' } as const;
      const data = await sendOnce(url + search, init, read, {
        fetch: (...request) => (onSend(), fetch(...request)),
        baseUrl,
        secrets: [apiKey, search],
        event,
        timeout: Math.max(0, isLast ? remaining : prepared.timeout),
        timeoutName: isLast
          ? `the deadline of the call, ${prepared.deadline} ms`
          : `the timeout of an attempt, ${prepared.timeout} ms`,
        signal,
        onHeaders,
      });
      return { data, response: received, requestId: received.headers.get('x-request-id') ?? requestId };
    } finally {
      leave();
    }
  }

  #prepare<Id extends OperationId>(id: Id, { parameters, query, body, options = {} }: Call<Id>): Prepared {
    const settings = this.#settings;
    const { method, path } = operations[id];
    checkOptions(options, optionsOf[method]);
    const { dryRun, idempotencyKey, ifMatch } = options;
    const headers = new Headers({ ...settings.headers, ...options.headers });
    headers.set('X-API-Key', settings.apiKey);
    headers.set('User-Agent', headers.get('User-Agent') ?? `kontor-sdk/${version}`);
    if (body !== undefined)
      headers.set('Content-Type', body instanceof Multipart ? body.contentType : 'application/json');
    const tenant = options.tenant === undefined ? settings.tenant : options.tenant;
    if (tenant !== null) headers.set('X-Tenant-ID', tenant);
    if (ifMatch !== undefined) headers.set('If-Match', entityTagOf(ifMatch));
    const key =
      method === 'POST'
        ? idempotencyKeyOf(idempotencyKey ?? headers.get('Idempotency-Key') ?? crypto.randomUUID())
        : null;
    if (key !== null) headers.set('Idempotency-Key', key);
    const isRecognized = key !== null || headers.has('If-Match');
    return {
      operation: id,
      method,
      url: settings.baseUrl + fillPath(path, parameters),
      search: queryString({ ...query, dryRun }),
      headers,
      body: body instanceof Multipart ? body.bytes : body === undefined ? null : JSON.stringify(body),
      state: method === 'GET' || dryRun === true ? 'read' : isRecognized ? 'write' : 'once',
      idempotencyKey: key,
      recognizedUntil: key === null ? Infinity : Date.now() + keyLifetime,
      signal: options.signal,
      timeout: options.timeout ?? settings.timeout,
      deadline: options.deadline ?? settings.deadline,
      maxQuotaWait: options.maxQuotaWait ?? settings.maxQuotaWait,
      maxRetries: options.maxRetries ?? settings.maxRetries,
    };
  }

  #notify<Name extends keyof Hooks>(name: Name, event: Parameters<NonNullable<Hooks[Name]>>[0]): void {
    try {
      (this.#settings.hooks[name] as ((event: unknown) => void) | undefined)?.(event);
    } catch (error) {
      // An answer must not be lost because a hook is broken.
      this.#settings.logger?.warn(`The hook ${name} threw`, { error: String(error) });
    }
  }
}

function fillPath(path: string, parameters: Readonly<Record<string, string>> | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = parameters?.[name];
    // An empty identifier would be the path of the list, and `fetch` resolves dots.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be an identifier`);
    return encodeURIComponent(value);
  });
}

function queryString(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
