import type { ErrorCode, Open } from './contract.ts';

/** A code of the service, or one of the client itself. */
export type KontorErrorCode =
  | ErrorCode
  | Open<
      'CONNECTION_FAILED' | 'TIMEOUT' | 'WRITE_OUTCOME_UNKNOWN' | 'DOWNLOAD_INCOMPLETE' | 'UNEXPECTED_ANSWER'
    >;

interface Details {
  readonly code: KontorErrorCode;
  readonly requestId: string;
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** Every error of the client but those of arguments, which are TypeError and RangeError, and the reason of an AbortSignal. */
export class KontorError extends Error {
  readonly code: KontorErrorCode;
  /** The identifier of the last attempt, under which the service logs it. */
  readonly requestId: string;
  /** Whether the same call can succeed later, and repeating it does no harm. */
  readonly retryable: boolean;

  constructor(message: string, { code, requestId, retryable, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.requestId = requestId;
    this.retryable = retryable;
  }
}

/** No connection, or one that broke before the whole answer arrived, or an answer that is no JSON. */
export class ConnectionError extends KontorError {
  /** Whether the request certainly never left this machine. */
  readonly neverSent: boolean;

  constructor(requestId: string, cause: unknown, neverSent: boolean) {
    const isNoJson = cause instanceof Error && cause.name === 'SyntaxError';
    const reason = codeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    super(`${isNoJson ? 'The answer is not JSON' : 'The connection failed'}: ${reason}`, {
      code: 'CONNECTION_FAILED',
      requestId,
      retryable: true,
      cause,
    });
    this.neverSent = neverSent;
  }
}

/** The code of the system or of the client of HTTP, which `fetch` hides in a cause. */
export function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}

/** No answer within the timeout of an attempt, or within the deadline of the call. */
export class TimeoutError extends KontorError {
  constructor(requestId: string, message: string, cause?: unknown) {
    super(message, { code: 'TIMEOUT', requestId, retryable: true, cause });
  }
}

/** A download that was not whole, or is not the file that its document describes. */
export class DownloadError extends KontorError {
  constructor(requestId: string, message: string, cause?: unknown) {
    super(message, { code: 'DOWNLOAD_INCOMPLETE', requestId, retryable: true, cause });
  }
}

/** An answer of the service that is no success. */
export class ApiError extends KontorError {
  readonly status: number;
  readonly headers: Headers;

  constructor(message: string, status: number, headers: Headers, code: KontorErrorCode, requestId: string) {
    super(message, { code, requestId, retryable: status === 408 || status === 429 || status >= 500 });
    this.status = status;
    this.headers = headers;
  }
}

/** 400: the request breaks the contract. */
export class BadRequestError extends ApiError {}
/** 401: the key is wrong, inactive or expired. */
export class AuthenticationError extends ApiError {}
/** 403: the tenant is not in the scope of the key. */
export class PermissionError extends ApiError {}
/** 404: it does not exist, or is not in the scope of the key. */
export class NotFoundError extends ApiError {}
/** 409: it contradicts what is stored. */
export class ConflictError extends ApiError {}
/** 413: the body is too large. */
export class PayloadTooLargeError extends ApiError {}
/** 422: a value or a rule does not allow it. */
export class UnprocessableError extends ApiError {}
/** 429: the quota of the key is spent, and the wait exceeds the deadline of the call. */
export class RateLimitError extends ApiError {}
/** 5xx: the service or what it needs is not available. */
export class ServerError extends ApiError {}

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** The error for an answer that is no success. `text` is its body, JSON if the service itself answered. */
export function errorOf(status: number, headers: Headers, text: string, sentRequestId: string): ApiError {
  const { code, message } = detailOf(text, headers);
  const ErrorClass = byStatus[status] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(
    `${status} ${code}: ${message}`,
    status,
    headers,
    code,
    headers.get('x-request-id') ?? sentRequestId,
  );
}

function detailOf(text: string, headers: Headers): { code: string; message: string } {
  try {
    const { error } = JSON.parse(text) as { error: { code: unknown; message: unknown } };
    return { code: String(error.code), message: String(error.message) };
  } catch {
    const target = headers.get('location');
    const message =
      target === null
        ? 'the body is no error of Kontor: it comes from a proxy, or broke off'
        : `the answer is a redirect to ${target}, and the client follows none: correct baseUrl`;
    return { code: 'UNEXPECTED_ANSWER', message };
  }
}
