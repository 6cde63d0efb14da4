import type { ErrorCode } from '../errors/errors.ts';
import type { SchemaObject } from '../openapi/document.ts';
import type { Recorded } from '../openapi/recording.ts';
import type { Operation } from '../operation.ts';

/**
 * One API of the service. The pipeline, the document, the reference and the tests take it as an argument, so that another API
 * needs no code of its own.
 */
export interface Api {
  /** Prefix of its paths, such as `/v1`. The reference page is at `<prefix>` with `docs` as the last segment. */
  readonly prefix: string;
  readonly credential: Credential;
  /** The permissions with their descriptions. If empty, an authenticated caller may do everything within its scope. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Whether `X-Tenant-ID` narrows all requests with a credential; otherwise only those of operations that say so (`selectsTenant`). */
  readonly selectsTenant: boolean;
  readonly hasQuota: boolean;
  /** Whether an invalid `X-Request-ID` is INVALID_REQUEST_ID. Otherwise it is replaced. */
  readonly checksRequestId: boolean;
  /**
   * Whether updates accept `If-Match`, other writes accept `Idempotency-Key`, and a resource that clients change is answered with `ETag`.
   * In the other APIs the body names the version, and a client that lost an answer reads first.
   */
  readonly hasSafeWrites?: true;
  /** Whether errors name the rejected field of a body beside the message. */
  readonly namesFields?: true;
  /** Whether the text operators of its lists also compare without accents. */
  readonly ignoresAccents?: true;
  /** Maximum body size in bytes for authenticated callers. Defaults to a limit by kind of operation (`bodyLimitOf`). */
  readonly bodyLimit?: number;
  /** By operation id, in the order of the document. The ids are unique among all APIs. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly texts?: ApiTexts;
  readonly recorded?: Recorded;
}

/** An API with a document for its clients. One without it is private to its own pages. */
export interface PublishedApi extends Api {
  readonly texts: ApiTexts;
  /** Recorded requests and responses, the source of the examples in the document. */
  readonly recorded: Recorded;
}

export function isPublished(api: Api): api is PublishedApi {
  return api.texts !== undefined && api.recorded !== undefined;
}

export interface Credential {
  /**
   * The header with the credential: the plain value, `Authorization` with the scheme Bearer, or a cookie named `cookie`.
   * Browsers send cookies automatically, so writes of such an API are accepted only from its own pages.
   */
  readonly header: 'X-API-Key' | 'Authorization' | 'Cookie';
  readonly cookie?: string;
  /** The response to a request without a valid credential. */
  readonly rejection: { readonly code: ErrorCode; readonly message: string };
  /** The name and definition of the security scheme in the document. */
  readonly scheme: { readonly name: string; readonly object: SchemaObject };
}

export interface ApiTexts {
  readonly title: string;
  readonly referenceTitle: string;
  readonly version: string;
  readonly summary: string;
  /** Markdown. */
  readonly introduction: string;
  readonly server: { readonly description: string; readonly example: string };
  /** The description of each tag. Every tag of an operation has an entry. */
  readonly tags: Readonly<Record<string, string>>;
  /** Descriptions of error statuses that differ from those of the public API. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** Descriptions of error codes that differ from those of the public API. */
  readonly meanings?: Readonly<Partial<Record<ErrorCode, string>>>;
}
