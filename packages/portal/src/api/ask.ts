import type { ErrorBody, ErrorCode, OperationOf } from '@kontor/contract';
import type { Static, TObject } from 'typebox';

type Operation = OperationOf<'portal'>;

/** Method and path of an operation of the portal API, such as `GET /api-keys/{id}`. */
export type Route = RouteOf<Operation>;

type RouteOf<One> = One extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Method} ${Path}`
  : never;
type At<R extends Route, One = Operation> = One extends unknown
  ? R extends RouteOf<One>
    ? One
    : never
  : never;

type BodyOf<One> = One extends { body: infer Body extends TObject }
  ? { body: Static<Body> }
  : { body?: never };
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ParametersOf<One> = One extends { path: infer Path } ? Record<NamesIn<Path>, string> : never;
type QueryOf<One> = One extends { query: infer Query extends TObject } ? { query?: Static<Query> } : object;

/** Parameters and body of an operation. */
export type RequestOf<R extends Route> = RequestTo<At<R>>;

/** Distributes over the operations: the product of all bodies, parameters and queries is too large for the compiler. */
type RequestTo<One> = One extends unknown ? BodyOf<One> & ParametersOf<One> & QueryOf<One> : never;

/** Response body of an operation. */
export type AnswerOf<R extends Route> =
  At<R> extends { success: { body: infer Body extends TObject } } ? Static<Body> : never;

/** Codes of the portal, beside those of the service: for failures without an answer of the service, and for words of one page. */
export type PortalCode =
  | 'AMOUNT_NOT_OPEN'
  | 'CHANGED_MEANWHILE'
  | 'DAMAGED_FILE'
  | 'EMPLOYEE_EXISTS'
  | 'FIRST_PERIOD_FIXED'
  | 'FORMAT_NOT_POSSIBLE'
  | 'MONTH_NOT_POSSIBLE'
  | 'NO_ANSWER'
  | 'OPENID_REFUSED'
  | 'OPENID_NOT_CONNECTED'
  | 'OPEN_IMPORT'
  | 'OPEN_RUN'
  | 'PASSKEY_FIRST'
  | 'PASSKEY_REFUSED'
  | 'PROVIDER_UNAVAILABLE'
  | 'RELEASE_IN_PROGRESS'
  | 'SIGN_IN_LIMITED'
  | 'TREE_TOO_DEEP'
  | 'UNREACHABLE'
  | 'WRONG_PASSWORD';

interface RejectionDetails {
  readonly status: number;
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt; null: none were named. */
  readonly retryAfter: number | null;
  /** The rejected field of the body, with its minimum or where its text is wrong; null: none is named. */
  readonly field: string | null;
  readonly minimum: number | null;
  readonly position: number | null;
}

/** A request that was rejected, failed, or got no answer: `NO_ANSWER` where it may have been done all the same, else `UNREACHABLE`. */
export class Rejection extends Error implements RejectionDetails {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly field: string | null;
  readonly minimum: number | null;
  readonly position: number | null;

  constructor(code: string, message: string, more: Partial<RejectionDetails> = {}) {
    super(message);
    this.name = 'Rejection';
    this.code = code;
    this.status = more.status ?? 0;
    this.requestId = more.requestId ?? null;
    this.retryAfter = more.retryAfter ?? null;
    this.field = more.field ?? null;
    this.minimum = more.minimum ?? null;
    this.position = more.position ?? null;
  }

  /** The same under a code of the portal, for words of its own. */
  as(code: PortalCode): Rejection {
    return new Rejection(code, this.message, this);
  }
}

/** For `catch`: gives a rejection a code of the portal, for words of one page. @throws the rejection, or any other error as it is */
export function recode(codes: Readonly<Partial<Record<ErrorCode, PortalCode>>>): (error: unknown) => never {
  return error => {
    const code = error instanceof Rejection ? codes[error.code as ErrorCode] : undefined;
    throw code === undefined ? error : (error as Rejection).as(code);
  };
}

let readPageUser: () => string | undefined = () => undefined;

/** Sets where {@link ask} reads the user that the page shows. */
export function expectUser(read: () => string | undefined): void {
  readPageUser = read;
}

/**
 * Names the user that the page shows, since all tabs share one cookie: the service rejects the request when another user has signed in in
 * another tab. Requests for the session itself must work for any user.
 */
export function expectedUser(route: Route): Record<string, string> {
  const user = readPageUser();
  return user === undefined || route.endsWith(' /session') ? {} : { 'X-Expected-User': user };
}

/** Milliseconds until a request is aborted. The service answers earlier. */
const timeout = 60_000;

/**
 * Asks the portal API, for at most {@link timeout}; types of what is sent and answered are those of the contract.
 * @throws Rejection
 */
export async function ask<R extends Route>(
  route: R,
  request: RequestOf<R> & { readonly tenant?: string },
): Promise<AnswerOf<R>> {
  const unanswered = unansweredCode(route);
  const answer = await answerTo(route, request, unanswered);
  return answer.json().catch(noAnswer(unanswered)) as Promise<AnswerOf<R>>;
}

/**
 * Saves a file that the portal API answers with, under the name that the answer has. One with another SHA-256 is not saved.
 * @throws Rejection
 */
export async function download<R extends Route>(
  route: R,
  request: RequestOf<R> & { readonly tenant?: string },
  sha256?: string,
): Promise<void> {
  const unanswered = unansweredCode(route);
  const answer = await answerTo(route, request, unanswered);
  const bytes = await answer.blob().catch(noAnswer(unanswered));
  if (sha256 !== undefined && (await digestOf(bytes)) !== sha256)
    throw new Rejection('DAMAGED_FILE', 'The checksum of the file differs');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? '';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** In lower-case hexadecimal. */
async function digestOf(bytes: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The answer that is no rejection. @throws Rejection */
async function answerTo<R extends Route>(
  route: R,
  request: RequestOf<R>,
  unanswered: PortalCode,
): Promise<Response> {
  const [method] = route.split(' ') as [string];
  const { body, tenant } = request as { body?: object; tenant?: string };
  const sent: RequestInit = {
    method,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(timeout),
    headers: {
      ...expectedUser(route),
      ...(body && { 'Content-Type': 'application/json' }),
      ...(tenant && { 'X-Tenant-ID': tenant }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
  const answer = await fetch(`/portal/api${addressOf(route, request)}`, sent).catch(noAnswer(unanswered));
  if (!answer.ok) throw await rejectionOf(answer, unanswered);
  return answer;
}

/** Reads, which change nothing: searches have a body, too. */
const reading = /^GET |\/(search|export|sample|(payroll-)?preview|payroll-test-file)$/;

/** The code for a request without an answer, as the connection is now: it may be lost on the way. */
function unansweredCode(route: Route): PortalCode {
  return !reading.test(route) && navigator.onLine ? 'NO_ANSWER' : 'UNREACHABLE';
}

/** For `catch`: a request whose connection broke, or that took too long. */
function noAnswer(unanswered: PortalCode): () => never {
  return () => {
    throw new Rejection(unanswered, 'The service gave no answer');
  };
}

/** Path and query of a request, below the portal API. */
function addressOf<R extends Route>(route: R, request: RequestOf<R>): string {
  const path = route.slice(route.indexOf(' ') + 1);
  const { query, ...parameters } = request as { query?: Record<string, unknown> };
  const valueOf = (name: string) => encodeURIComponent(String((parameters as Record<string, unknown>)[name]));
  return `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name))}${search(query)}`;
}

function search(query: Record<string, unknown> = {}): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return parameters.length === 0
    ? ''
    : `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

/** A proxy in front of the service answers without the error envelope. After a 502 or 504 the service may still have executed the request. */
export async function rejectionOf(answer: Response, unanswered: PortalCode): Promise<Rejection> {
  const { status } = answer;
  const retryAfter = Number(answer.headers.get('Retry-After')) || null;
  const envelope = (await answer.json().catch(() => null)) as ErrorBody | null;
  const requestId = envelope?.error.requestId ?? answer.headers.get('X-Request-ID');
  const { field = null, minimum = null, position = null } = envelope?.error ?? {};
  return new Rejection(
    envelope?.error.code ?? (status === 502 || status === 504 ? unanswered : 'UNREACHABLE'),
    envelope?.error.message ?? answer.statusText,
    { status, requestId, retryAfter, field, minimum, position },
  );
}
