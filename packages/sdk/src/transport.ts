import { type Answer, type ApiPromise, apiPromise } from './answer.ts';
import { type Read, sendOnce } from './attempt.ts';
import { type ListQuery, operations, type Operations } from './contract.ts';
import { KontorError, RateLimitError } from './errors.ts';
import {
  type AttemptEvent,
  checkNames,
  checkNumbers,
  type Hooks,
  type RequestOptions,
  type Settings,
  type WriteOptions,
} from './options.ts';
import { type Proof, WriteOutcomeUnknown } from './outcome.ts';
import { makeRequestId } from './request-id.ts';
import { isOutcomeUnknown, planRetry, readPause } from './retry.ts';
import { sleep } from './sleep.ts';

export type OperationId = keyof Operations;

/** The fields by which a list can be sorted. */
export type Fields<Id extends OperationId> =
  Operations[Id]['query'] extends ListQuery<infer Field> ? Field : never;

/** A call of an operation: what of the contract it is given, and the options of the caller. */
export interface Call<Id extends OperationId> {
  readonly parameters?: Operations[Id]['parameters'];
  readonly query?: Operations[Id]['query'];
  readonly body?: Operations[Id]['body'] | FormData;
  readonly options: WriteOptions | undefined;
  readonly proof?: Proof | undefined;
}

/** The part of a call that all its attempts have in common. */
interface Prepared {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | FormData | null;
  readonly isWrite: boolean;
  readonly options: RequestOptions;
  readonly timeout: number;
  readonly deadline: number;
}

/** Sends calls, waits, and repeats what can be repeated without harm. It has the key, where no inspection shows it. */
export class Transport {
  readonly #settings: Settings;
  /** When the quota of the key is there again, as `performance.now()` counts. */
  #quotaBackAt = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get timeout(): number {
    return this.#settings.timeout;
  }

  get maxRetries(): number {
    return this.#settings.maxRetries;
  }

  /** Calls an operation whose result is JSON. The result is never validated: a newer service may have more. */
  json<Id extends OperationId>(id: Id, call: Call<Id>): ApiPromise<Operations[Id]['result']> {
    return apiPromise(
      this.send(id, call, async response => (await response.json()) as Operations[Id]['result']),
    );
  }

  async send<Id extends OperationId, T>(id: Id, call: Call<Id>, read: Read<T>): Promise<Answer<T>> {
    const prepared = this.#prepare(id, call);
    const { isWrite, options } = prepared;
    const maxRetries = options.maxRetries ?? this.#settings.maxRetries;
    const deadlineAt = performance.now() + prepared.deadline;
    let failures = 0;
    for (let attempt = 1; ; attempt++) {
      await this.#awaitQuota(deadlineAt, options.signal);
      if (options.signal?.aborted) throw options.signal.reason as Error;
      const requestId = makeRequestId();
      const event = { operation: id, method: prepared.method, url: prepared.url, requestId, attempt };
      try {
        return await this.#attempt(prepared, read, event, deadlineAt);
      } catch (error) {
        if (!(error instanceof RateLimitError)) failures++;
        const remaining = deadlineAt - performance.now();
        const wait = planRetry(error, { isWrite, failures, maxRetries, remaining });
        if (wait === null) throw isWrite ? this.#lost(error, requestId, call.proof) : error;
        this.#settings.logger?.warn(`${id} failed and is sent again`, {
          ...event,
          wait,
          error: String(error),
        });
        this.#notify('onRetry', { ...event, error: error as Error, waitMilliseconds: wait });
        await sleep(wait, options.signal);
      }
    }
  }

  /** The error of a write: an unknown outcome, unless the service has said that it was not stored. */
  #lost(error: unknown, requestId: string, proof: Proof | undefined): unknown {
    if (!isOutcomeUnknown(error)) return error;
    const id = error instanceof KontorError ? error.requestId : requestId;
    return new WriteOutcomeUnknown(id, error, proof, this.#settings.serviceDeadline);
  }

  async #attempt<T>(
    prepared: Prepared,
    read: Read<T>,
    event: AttemptEvent,
    deadlineAt: number,
  ): Promise<Answer<T>> {
    const { fetch, apiKey, logger } = this.#settings;
    const { method, headers, body, options } = prepared;
    const startedAt = performance.now();
    const remaining = deadlineAt - startedAt;
    const isLast = remaining < prepared.timeout;
    headers.set('X-Request-ID', event.requestId);
    this.#notify('onRequest', event);
    const onHeaders = (response: Response) => {
      const answered = { ...event, status: response.status, milliseconds: performance.now() - startedAt };
      logger?.debug(`${method} ${event.url}: ${response.status}`, answered);
      this.#notify('onResponse', answered);
      this.#quotaBackAt = Math.max(this.#quotaBackAt, performance.now() + readPause(response.headers));
      received = response;
    };
    let received!: Response;
    const data = await sendOnce(event.url, { method, headers, body, redirect: 'manual' }, read, {
      fetch,
      apiKey,
      requestId: event.requestId,
      timeout: Math.max(0, isLast ? remaining : prepared.timeout),
      timeoutName: isLast
        ? `the deadline of the call, ${prepared.deadline} ms`
        : `the timeout of an attempt, ${prepared.timeout} ms`,
      signal: options.signal,
      onHeaders,
    });
    return { data, response: received, requestId: received.headers.get('x-request-id') ?? event.requestId };
  }

  /** Waits until the quota is there again; not beyond the deadline, where the service's own answer says more. */
  async #awaitQuota(deadlineAt: number, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    if (this.#quotaBackAt > now && this.#quotaBackAt < deadlineAt)
      await sleep(this.#quotaBackAt - now, signal);
  }

  #prepare<Id extends OperationId>(id: Id, { parameters, query, body, options = {} }: Call<Id>): Prepared {
    checkNumbers(options);
    const settings = this.#settings;
    const { method, path } = operations[id];
    if (method !== 'GET') checkNames(options);
    const { dryRun, ...requestOptions } = options;
    const isJson = body !== undefined && !(body instanceof FormData);
    const headers = new Headers({ ...settings.headers, ...options.headers });
    headers.set('X-API-Key', settings.apiKey);
    headers.set('User-Agent', headers.get('User-Agent') ?? 'kontor-sdk');
    if (isJson) headers.set('Content-Type', 'application/json');
    const tenant = options.tenant === undefined ? settings.tenant : options.tenant;
    if (tenant !== null) headers.set('X-Tenant-ID', tenant);
    return {
      operation: id,
      method,
      url: settings.baseUrl + fillPath(path, parameters) + queryString({ ...query, dryRun }),
      headers,
      body: isJson ? JSON.stringify(body) : (body ?? null),
      isWrite: method !== 'GET' && dryRun !== true,
      options: requestOptions,
      timeout: options.timeout ?? settings.timeout,
      deadline: options.deadline ?? settings.deadline,
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
