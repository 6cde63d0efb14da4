import { prefix } from './contract.ts';

/** A logger, such as the console. */
export interface Logger {
  debug(message: string, fields: object): void;
  warn(message: string, fields: object): void;
}

/** One attempt of a call. It never has the key. */
export interface AttemptEvent {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly requestId: string;
  /** Counted from 1. */
  readonly attempt: number;
}

export interface AnswerEvent extends AttemptEvent {
  readonly status: number;
  readonly milliseconds: number;
}

export interface RetryEvent extends AttemptEvent {
  readonly error: Error;
  readonly waitMilliseconds: number;
}

/** Functions that are called on the way. Their errors are logged and ignored. */
export interface Hooks {
  onRequest?(event: AttemptEvent): void;
  onResponse?(event: AnswerEvent): void;
  onRetry?(event: RetryEvent): void;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The options of one call, in place of those of the client. */
export interface RequestOptions {
  /** Ends the call. It rejects with the reason of the signal, a write that was sent with `WriteOutcomeUnknown`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of one attempt, connecting and the whole answer included. */
  timeout?: number | undefined;
  /** Milliseconds of the whole call, with all attempts and waits. Downloads: until the answer begins. */
  deadline?: number | undefined;
  /** Attempts after the first one; 0 for none. Waits for the quota (429) are not counted, but 0 forbids them too. */
  maxRetries?: number | undefined;
  /** The tenant (company) that the call is about: `X-Tenant-ID`. Null: none, although the client has one. */
  tenant?: string | null | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** Checks all rules and stores nothing. The answer is what would be stored. */
  dryRun?: boolean | undefined;
}

export interface KontorOptions extends Omit<RequestOptions, 'signal'> {
  /** Default: `KONTOR_API_KEY`. */
  apiKey?: string | undefined;
  /** Such as `https://kontor.example.com/v1`. Default: `KONTOR_BASE_URL`. */
  baseUrl?: string | undefined;
  /** In place of the global `fetch`. */
  fetch?: Fetch | undefined;
  logger?: Logger | undefined;
  hooks?: Hooks | undefined;
  /** Milliseconds after which the service has answered every request, or never will; only `reconcile()` waits for it. */
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
  readonly maxRetries: number;
  readonly tenant: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws RangeError unless each is a number from 0. An environment variable, for example, is a text. */
export function checkNumbers(options: Pick<RequestOptions, 'timeout' | 'deadline' | 'maxRetries'>): void {
  for (const name of ['timeout', 'deadline', 'maxRetries'] as const) {
    const value = options[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new RangeError(`${name} must be a number from 0`);
  }
}

const optionsOfWrites = ['signal', 'timeout', 'deadline', 'maxRetries', 'tenant', 'headers', 'dryRun'];

/** Without types a misspelled `dryRun` would be a write. @throws TypeError for an option that writes do not have */
export function checkNames(options: WriteOptions): void {
  const unknown = Object.keys(options).find(name => !optionsOfWrites.includes(name));
  if (unknown !== undefined) throw new TypeError(`${unknown} is not an option of a write`);
}

export function settingsOf(options: KontorOptions): Settings {
  checkNumbers(options);
  return {
    apiKey: apiKeyOf(options.apiKey ?? variable('KONTOR_API_KEY')),
    baseUrl: baseUrlOf(options.baseUrl ?? variable('KONTOR_BASE_URL')),
    // The global one is looked up with each request, so that it can be replaced, and is called without `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    logger: options.logger,
    hooks: options.hooks ?? {},
    serviceDeadline: options.serviceDeadline ?? 10_000,
    timeout: options.timeout ?? 30_000,
    deadline: options.deadline ?? 60_000,
    maxRetries: options.maxRetries ?? 3,
    tenant: options.tenant ?? variable('KONTOR_TENANT_ID') ?? null,
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
