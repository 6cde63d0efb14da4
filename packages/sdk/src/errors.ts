import type { ErrorCode, Open } from './contract.ts';

/** A code of the service, or one of the client itself. */
export type KontorErrorCode =
  | ErrorCode
  | Open<
      'CONNECTION_FAILED' | 'TIMEOUT' | 'WRITE_OUTCOME_UNKNOWN' | 'DOWNLOAD_INCOMPLETE' | 'UNEXPECTED_ANSWER'
    >;

/** How an error of the client is made. */
interface Details {
  readonly code: KontorErrorCode;
  readonly requestId: string;
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** Every error of the client but those of arguments, which are TypeError and RangeError, and the reason of an AbortSignal. */
export class KontorError extends Error {
  /** A code of the service, or of the client. A newer service may have others. */
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

/** No connection, or one that broke before the whole answer arrived. */
export class ConnectionError extends KontorError {
  /** Whether the request certainly never left this machine. */
  readonly neverSent: boolean;

  constructor(requestId: string, cause: unknown, neverSent: boolean) {
    const reason = codeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    super(`The connection failed: ${reason}`, {
      code: 'CONNECTION_FAILED',
      requestId,
      retryable: true,
      cause,
    });
    this.neverSent = neverSent;
  }
}

/** A success that is not the answer of Kontor to this call, such as the page of a proxy. `baseUrl` may be wrong. */
export class UnexpectedAnswerError extends KontorError {
  /** The status of HTTP. */
  readonly status: number;
  /** The `Content-Type` of the answer; null without one. */
  readonly mediaType: string | null;

  constructor(requestId: string, { status, headers, baseUrl }: AnswerSource, reason: string) {
    const mediaType = headers.get('content-type');
    const message = `${status} ${mediaType ?? 'without a media type'}: ${reason}. ${suspect(baseUrl)}`;
    super(message, { code: 'UNEXPECTED_ANSWER', requestId, retryable: false });
    this.status = status;
    this.mediaType = mediaType;
  }
}

/** Where an answer comes from. */
export interface AnswerSource {
  readonly status: number;
  readonly headers: Headers;
  readonly baseUrl: string;
}

const suspect = (baseUrl: string) => `Check baseUrl (${baseUrl}), and what is between it and Kontor`;

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
  /** The status of HTTP. */
  readonly status: number;
  /** The headers of the answer, such as `Retry-After`. */
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
export class ConflictError extends ApiError {
  /** The stored `updatedAt` after an update with another `ifMatch`; null for any other conflict. Read the resource before you pass it. */
  readonly current: string | null =
    /^(?:W\/)?"(\d[\d:.T-]+Z)"$/.exec(this.headers.get('etag') ?? '')?.[1] ?? null;
}
/** 413: the body is too large. */
export class PayloadTooLargeError extends ApiError {}
/** 422: a value or a rule does not allow it. */
export class UnprocessableError extends ApiError {}
/** 429: the quota of the key is spent, and the wait exceeds `maxQuotaWait`. The request was not sent, or was rejected. */
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
export function errorOf(source: AnswerSource, text: string, sentRequestId: string): ApiError {
  const { status, headers } = source;
  const { code, message } = detailOf(source, text);
  const ErrorClass = byStatus[status] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(
    `${status} ${code}: ${message}`,
    status,
    headers,
    code,
    headers.get('x-request-id') ?? sentRequestId,
  );
}

function detailOf({ headers, baseUrl }: AnswerSource, text: string): { code: string; message: string } {
  const body = parseJson(text) as { error?: { code?: unknown; message?: unknown } | null } | null | undefined;
  const { code, message } = body?.error ?? {};
  if (typeof code === 'string' && typeof message === 'string') return { code, message };
  const target = headers.get('location');
  const mediaType = headers.get('content-type') ?? 'without a media type';
  const reason =
    target === null
      ? `the body (${mediaType}) is not an error of Kontor, or was cut off`
      : `the answer is a redirect to ${target}, and the client follows none`;
  return { code: 'UNEXPECTED_ANSWER', message: `${reason}. ${suspect(baseUrl)}` };
}

/** The value of a text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
