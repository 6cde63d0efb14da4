import { prefix } from './contract.ts';

/** A logger, such as the console. */
export interface Logger {
  /** Gets each answer. */
  debug(message: string, fields: object): void;
  /** Gets each repeated attempt, and each hook that threw. */
  warn(message: string, fields: object): void;
}

/** One attempt of a call. It has neither the key nor values of a filter. */
export interface AttemptEvent {
  /** Such as `listEmployees`. */
  readonly operation: string;
  /** Such as `GET`. */
  readonly method: string;
  /** The address without its query. */
  readonly url: string;
  /** The `X-Request-ID` of this attempt, under which the service logs it. */
  readonly requestId: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** An attempt that was answered. */
export interface AnswerEvent extends AttemptEvent {
  /** The status of HTTP. */
  readonly status: number;
  /** From the request to the head of the answer. */
  readonly milliseconds: number;
}

/** An attempt that failed and is repeated. */
export interface RetryEvent extends AttemptEvent {
  /** Why it failed. */
  readonly error: Error;
  /** Milliseconds before the next attempt. */
  readonly waitMilliseconds: number;
}

/** A call that failed; the last attempt of it. */
export interface ErrorEvent extends AttemptEvent {
  /** The rejection of the call: a `KontorError`, or the reason of the signal. */
  readonly error: unknown;
}

/** Functions that are called on the way. Their errors are logged and ignored. */
export interface Hooks {
  /** Before each attempt. */
  onRequest?(event: AttemptEvent): void;
  /** After the head of each answer, also of an error. */
  onResponse?(event: AnswerEvent): void;
  /** After each failed attempt that is repeated. */
  onRetry?(event: RetryEvent): void;
  /** After each call that failed, writes with an unknown outcome and downloads that broke off included. */
  onError?(event: ErrorEvent): void;
}

/** A function like the global `fetch`, such as undici has. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The request that the client gives to `fetch`, in values that every library accepts. */
export interface FetchInit {
  /** Such as `GET`. */
  method: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  /** JSON, the bytes of an upload, or null. */
  body: string | Uint8Array<ArrayBuffer> | null;
  /** The client follows no redirect. */
  redirect: 'manual';
  /** Ends the request. */
  signal: AbortSignal;
}

/** The parts of a response that the client reads; a `Response` has them. */
export interface FetchResponse {
  /** Whether the status is 2xx. */
  readonly ok: boolean;
  /** The status of HTTP. */
  readonly status: number;
  /** The headers, such as a `Headers`. */
  readonly headers: Iterable<[string, string]> & { get(name: string): string | null };
  /** The body, such as a `ReadableStream`. */
  readonly body: unknown;
}

/** The options of one call, in place of those of the client. */
export interface RequestOptions {
  /** Ends the call. It rejects with the reason of the signal, a write that may be stored with `WriteOutcomeUnknown`. Default: none. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of one attempt, connecting and the whole answer included; in a download, of the longest pause. Default: 30,000. */
  timeout?: number | undefined;
  /**
   * Milliseconds of the whole call, with all attempts and the waits between them; of a download until its answer begins. Waits for the
   * quota do not count. No attempt but the first begins in its last 10 seconds (`serviceDeadline`). Default: 60,000.
   */
  deadline?: number | undefined;
  /**
   * Milliseconds that the call may wait for the quota of the key. It is then rejected with `RateLimitError`, and not sent. With 0 it
   * never waits. Default: 300,000.
   */
  maxQuotaWait?: number | undefined;
  /**
   * Attempts after the first one. Not counted are repetitions after 429, and those of a write that may be stored. 0 forbids all of them.
   * Default: 3.
   */
  maxRetries?: number | undefined;
  /**
   * The tenant (company) that the call is about: `X-Tenant-ID`. Null: none, although the client has one. Default: `KONTOR_TENANT_ID`, or
   * none.
   */
  tenant?: string | null | undefined;
  /** Further headers. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a write. */
export interface WriteOptions extends RequestOptions {
  /** Checks all rules and stores nothing. The answer is what would be stored. Default: false. */
  dryRun?: boolean | undefined;
}

/** The options of a create, a decision and an upload. */
export interface CreateOptions extends WriteOptions {
  /**
   * 1 to 255 visible characters of ASCII. The service stores a write once, however often it comes with the same key and the same content
   * within 24 hours. Give one of your own to repeat a write in another process. Default: a random one for each call.
   */
  idempotencyKey?: string | undefined;
}

/** The options of an update. */
export interface UpdateOptions extends WriteOptions {
  /**
   * The resource as you last read it, or its `updatedAt`. If it has changed since, nothing is stored, and the call rejects with
   * `ConflictError`. Default: none, so that the update also replaces changes that you have not read, and is not repeated when its answer
   * is lost.
   */
  ifMatch?: string | { readonly updatedAt: string } | undefined;
}

/** The options of a client. Those of calls hold for each call that has none of its own. */
export interface KontorOptions extends Omit<RequestOptions, 'signal'> {
  /** The API key. Default: `KONTOR_API_KEY`. */
  apiKey?: string | undefined;
  /** Such as `https://kontor.example.com/v1`. Default: `KONTOR_BASE_URL`. */
  baseUrl?: string | undefined;
  /** A function that sends requests. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Gets answers and repeated attempts. Default: none. */
  logger?: Logger | undefined;
  /** Functions that are called on the way. Default: none. */
  hooks?: Hooks | undefined;
  /**
   * Milliseconds after which the service has answered every request, or never will. No attempt is repeated with less time left, and
   * `reconcile()` waits for it. Default: 10,000.
   */
  serviceDeadline?: number | undefined;
}

/** The options with all defaults. */
export interface Settings {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly logger: Logger | undefined;
  readonly hooks: Hooks;
  readonly serviceDeadline: number;
  readonly timeout: number;
  readonly deadline: number;
  readonly maxQuotaWait: number;
  readonly maxRetries: number;
  readonly tenant: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const numbers = ['timeout', 'deadline', 'maxQuotaWait', 'maxRetries', 'serviceDeadline'] as const;
const ofClient = ['timeout', 'deadline', 'maxQuotaWait', 'maxRetries', 'tenant', 'headers'];
const ofReads = [...ofClient, 'signal'];
const ofLists = [...ofReads, 'pageSize', 'sort', 'filter', 'createdAtFrom', 'createdAtTo'];

/** The names of the options, by what takes them. */
const names = {
  'the client': [...ofClient, 'apiKey', 'baseUrl', 'fetch', 'logger', 'hooks', 'serviceDeadline'],
  hooks: ['onRequest', 'onResponse', 'onRetry', 'onError'],
  'a read': ofReads,
  'a create, decision or upload': [...ofReads, 'dryRun', 'idempotencyKey'],
  'an update': [...ofReads, 'dryRun', 'ifMatch'],
  'list()': ofLists,
  'changes()': [...ofReads, 'since', 'pageSize'],
  'reconcile()': ['signal'],
};

/**
 * Checks the names of options, and the numbers among them. Without types a misspelled `dryRun` would be a write, and a misspelled
 * `filter` a list of everything.
 * @throws TypeError for an option that is none of these
 * @throws RangeError unless each number is one from 0. An environment variable, for example, is a text.
 */
export function checkOptions(options: object, takenBy: keyof typeof names): void {
  for (const name of Object.keys(options)) {
    if (names[takenBy].includes(name)) continue;
    const near = findNear(name, names[takenBy]);
    throw new TypeError(
      `${name} is not an option of ${takenBy}${near === undefined ? '' : `: did you mean ${near}?`}`,
    );
  }
  for (const name of numbers) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new RangeError(`${name} must be a number from 0`);
  }
}

/** The value of `Idempotency-Key`. @throws TypeError for a text that cannot be one */
export function idempotencyKeyOf(key: string): string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError('idempotencyKey must have 1 to 255 visible characters of ASCII');
}

/** The value of `If-Match`. @throws TypeError without an `updatedAt` */
export function entityTagOf(version: string | { readonly updatedAt: string }): string {
  const updatedAt = typeof version === 'string' ? version : version?.updatedAt;
  if (typeof updatedAt === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(updatedAt))
    return `"${updatedAt}"`;
  throw new TypeError('ifMatch must be the resource as it was read, or its updatedAt');
}

/** The name that was probably meant: one in other letters, or one that is longer or shorter. */
function findNear(name: string, candidates: readonly string[]): string | undefined {
  const reduce = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const given = reduce(name);
  const isPart = (long: string, short: string) => short.length > 2 && long.includes(short);
  const find = (test: (reduced: string) => boolean) => candidates.find(candidate => test(reduce(candidate)));
  return find(text => text === given) ?? find(text => isPart(text, given) || isPart(given, text));
}

/** The settings of a client. @throws TypeError for an unknown option, or without a key and a base URL */
export function settingsOf(options: KontorOptions): Settings {
  checkOptions(options, 'the client');
  const hooks = options.hooks ?? {};
  // An object with methods may have fields of its own.
  checkOptions(Object.fromEntries(Object.entries(hooks).filter(([name]) => /^on/i.test(name))), 'hooks');
  return {
    apiKey: apiKeyOf(options.apiKey ?? variable('KONTOR_API_KEY')),
    baseUrl: baseUrlOf(options.baseUrl ?? variable('KONTOR_BASE_URL')),
    // The global one is looked up with each request, so that it can be replaced, and is called without `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    logger: options.logger,
    hooks,
    serviceDeadline: options.serviceDeadline ?? 10_000,
    timeout: options.timeout ?? 30_000,
    deadline: options.deadline ?? 60_000,
    maxQuotaWait: options.maxQuotaWait ?? 300_000,
    maxRetries: options.maxRetries ?? 3,
    tenant: options.tenant === undefined ? (variable('KONTOR_TENANT_ID') ?? null) : options.tenant,
    headers: options.headers ?? {},
  };
}

/** An environment variable. None where there is no environment, or where it may not be read (Deno). */
function variable(name: string): string | undefined {
  try {
    return globalThis.process?.env[name] || undefined;
  } catch {
    return undefined;
  }
}

/** @throws TypeError without the value: an error must never have a key, and `fetch` would print one that cannot be a header */
function apiKeyOf(key: string | undefined): string {
  if (key === undefined) throw new TypeError('apiKey is missing: pass it, or set KONTOR_API_KEY');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('apiKey must be a key such as kontor_…, without spaces and line ends');
  return key;
}

function baseUrlOf(text: string | undefined): string {
  if (text === undefined) throw new TypeError('baseUrl is missing: pass it, or set KONTOR_BASE_URL');
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new TypeError('baseUrl must be an address such as https://kontor.example.com/v1');
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path === '' ? prefix : path);
}
