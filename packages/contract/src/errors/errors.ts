/** When a client may repeat the request (specification.md 2.9). */
export type Retry = 'never' | 'after-change' | 'after-wait' | 'reads-only';

export interface ErrorEntry {
  /** All statuses of the code; the first one is the default. */
  readonly statuses: readonly [number, ...number[]];
  readonly meaning: string;
  /** Absent: after a change of the request or its target. */
  readonly retry?: Retry;
}

/** All error codes of all APIs (specification.md 2.7). Only this catalog assigns statuses. */
export const errorCatalog = {
  VALIDATION_ERROR: {
    statuses: [400, 422],
    meaning:
      'The request is malformed (400), or one of its values is wrong (422). The message names the field.',
  },
  INVALID_REQUEST_ID: {
    statuses: [400],
    meaning: '`X-Request-ID` is not a UUID of version 4 or 7. The answer has a new identifier.',
  },
  UNKNOWN_QUERY_PARAMETER: {
    statuses: [400],
    meaning: 'The operation does not accept this query parameter.',
  },
  UNSUPPORTED_HEADER: {
    statuses: [400],
    meaning: 'The operation does not support this header or its value, or it was sent twice.',
  },
  INVALID_FILTER_SYNTAX: {
    statuses: [400],
    meaning:
      'The filter cannot be parsed, or exceeds a bound. The message gives the position and what was expected.',
  },
  UNSUPPORTED_FILTER_FIELD: {
    statuses: [400],
    meaning: 'The list cannot be filtered by this field.',
  },
  UNSUPPORTED_FILTER_OPERATOR: {
    statuses: [400],
    meaning: 'The operator is not valid for the type of the field.',
  },
  UNSUPPORTED_SORT_FIELD: {
    statuses: [400],
    meaning: 'The list cannot be sorted by this field.',
  },
  UNSUPPORTED_FIELD: {
    statuses: [400],
    meaning: 'The request body has an unknown or read-only property.',
  },
  INVALID_REFERENCE_ID: {
    statuses: [400],
    meaning: 'An identifier in the path or body is not 24 hexadecimal characters.',
  },
  MISSING_ATTACHMENT: {
    statuses: [400],
    meaning: 'The multipart body has no `file` part, or an empty one.',
  },
  INVALID_API_KEY: {
    statuses: [401],
    meaning:
      'The API key is missing, unknown, deactivated, expired or deleted, or not for this request. Then the message names what it is for.',
    retry: 'never',
  },
  INVALID_TOKEN: {
    statuses: [401],
    meaning: 'The platform token is missing, unknown, revoked or expired.',
    retry: 'never',
  },
  INVALID_SESSION: {
    statuses: [401],
    meaning: 'The portal session is missing or has ended. Sign in.',
  },
  SIGN_IN_FAILED: {
    statuses: [401],
    meaning:
      'The email or password is wrong, the passkey or identity is unknown, or the user cannot sign in. The answer does not say which.',
  },
  CROSS_SITE_REQUEST: {
    statuses: [403],
    meaning: 'The write was not sent by a page of the portal.',
    retry: 'never',
  },
  PASSKEY_REQUIRED: {
    statuses: [403],
    meaning:
      'The organization requires a passkey of this user. Register one, or confirm the session with it, then try again.',
  },
  FRESH_SIGN_IN_REQUIRED: {
    statuses: [403],
    meaning: 'The last sign-in is older than ten minutes. Confirm your identity, then try again.',
  },
  PERMISSION_DENIED: {
    statuses: [403],
    meaning: 'The token or user lacks the permission of the operation. The message names it.',
    retry: 'never',
  },
  TENANT_NOT_IN_SCOPE: {
    statuses: [403],
    meaning: 'The tenant of `X-Tenant-ID` is not in the scope of the caller.',
    retry: 'never',
  },
  NOT_FOUND: {
    statuses: [404],
    meaning:
      'The route is unknown, or the resource does not exist or is not in scope. The answer does not say which.',
  },
  FILE_NOT_FOUND: {
    statuses: [404],
    meaning: 'The resource exists, but not its file.',
  },
  NOT_ACCEPTABLE: {
    statuses: [406],
    meaning: 'The `Accept` header excludes every media type that the operation produces.',
  },
  DIVISION_CYCLE: {
    statuses: [409],
    meaning: 'A division cannot move below itself or one of its subdivisions.',
  },
  DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL: {
    statuses: [409],
    meaning: 'A sibling division already uses the name.',
  },
  DUPLICATE_RESOURCE: {
    statuses: [409],
    meaning: 'Another resource already has this value, which must be unique.',
  },
  INVALID_STATE_TRANSITION: {
    statuses: [409],
    meaning:
      'The current state of the resource does not allow the action, or it has changed since the version of `If-Match`.',
  },
  ORDER_ALREADY_DECIDED: {
    statuses: [409],
    meaning: 'The order already has a decision. Read it again.',
    retry: 'never',
  },
  PAYLOAD_TOO_LARGE: {
    statuses: [413],
    meaning: 'The whole request body is larger than 5 MiB (5,242,880 bytes).',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    statuses: [415],
    meaning: 'The media type or charset of the request, or the content of an upload, is not supported.',
  },
  TENANT_CONTEXT_AMBIGUOUS: {
    statuses: [422],
    meaning: 'Several tenants are possible for the new resource. Send `X-Tenant-ID`.',
  },
  EMPLOYEE_PLACEMENT_AMBIGUOUS: {
    statuses: [422],
    meaning: 'Several divisions are possible for the new employee. Send `divisionId`.',
  },
  INVALID_REFERENCE: {
    statuses: [422],
    meaning:
      'An identifier in the body names a resource that does not exist, is out of scope or cannot be used here.',
  },
  INVALID_LINK: {
    statuses: [422],
    meaning: 'The link is unknown, used, replaced or expired.',
    retry: 'never',
  },
  CHALLENGE_EXPIRED: {
    statuses: [422],
    meaning: 'The challenge has expired, was used, or belongs to another action. Start again.',
  },
  EMPLOYEE_NOT_ACTIVATED: {
    statuses: [422],
    meaning: 'The employee is not activated. Send a new request after the activation.',
  },
  EMPLOYEE_BLOCKED: {
    statuses: [422],
    meaning: 'The account of the employee is blocked.',
  },
  RATE_LIMIT_EXCEEDED: {
    statuses: [429],
    meaning: 'The quota of the key is used up; in the portal, a limit of sign-ins.',
    retry: 'after-wait',
  },
  INTERNAL_SERVER_ERROR: {
    statuses: [500],
    meaning: 'The service has a fault. Its log has the cause under the request identifier.',
    retry: 'reads-only',
  },
  BAD_GATEWAY: {
    statuses: [502],
    meaning: 'A service behind Kontor failed, such as the file store.',
    retry: 'reads-only',
  },
  SERVICE_UNAVAILABLE: {
    statuses: [503],
    meaning: 'The database is unavailable, or the request waited too long.',
    retry: 'reads-only',
  },
  GATEWAY_TIMEOUT: {
    statuses: [504],
    meaning: 'A service behind Kontor was too slow, such as the file store.',
    retry: 'reads-only',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalog;

/** Responses with these statuses, and all 5xx, have no quota headers (specification.md 2.4). */
const statusesWithoutQuota = new Set([400, 401, 406, 413, 415]);

/** Whether responses to authenticated requests with this status have `RateLimit-Policy` and `RateLimit`. */
export function carriesQuota(status: number): boolean {
  return status < 500 && !statusesWithoutQuota.has(status);
}

/** A field of a body that was rejected, for clients that say so in words of their own. */
export interface RejectedField {
  readonly field: string;
  /** Its minimum, such as the characters of a password; absent: something else is wrong. */
  readonly minimum?: number;
  /** Where its text is wrong, in Unicode code points from 1. */
  readonly position?: number;
}

/**
 * A rejection with a public code. The message is public, too: it says what to do, names the field, and never contains SQL, a
 * stack trace or data of others.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds to wait before a retry, if known and not given by the quota. */
  readonly retryAfter: number | null;
  /** The rejected field of the body, which an API with `namesFields` answers. */
  readonly rejectedField: RejectedField | null;
  /** The `updatedAt` of a resource that is not the version of `If-Match`; sent as `ETag`. */
  readonly currentVersion: string | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      status?: number;
      cause?: unknown;
      retryAfter?: number;
      rejectedField?: RejectedField;
      currentVersion?: string;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
    this.rejectedField = options.rejectedField ?? null;
    this.currentVersion = options.currentVersion ?? null;
    this.status = options.status ?? errorCatalog[code].statuses[0];
  }
}

/** 400 VALIDATION_ERROR: the request violates the contract. */
export function malformed(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { status: 400 });
}

/** 422 VALIDATION_ERROR: the request conforms to the contract, but a value is invalid. */
export function unprocessable(message: string, rejectedField?: RejectedField): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { status: 422, ...(rejectedField && { rejectedField }) });
}
