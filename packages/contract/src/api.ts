import type { ErrorCode } from './errors.ts';
import type { SchemaObject } from './openapi/document.ts';
import type { Recorded } from './openapi/recording.ts';
import type { Operation } from './operation.ts';

/**
 * One API of the service: who calls it, what it offers, and what holds of all of its requests. The pipeline, the document, the
 * reference and the tests of all operations take it as an argument, so that another API needs no code of its own.
 */
export interface Api {
  /** Prefix of its paths, such as `/v1`. The reference page has the same path with `docs` as the last segment. */
  readonly prefix: string;
  readonly credential: Credential;
  /** The permissions, with their descriptions. Without permissions an authenticated caller may do everything within its scope. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Whether `X-Tenant-ID` narrows requests; else it is rejected. */
  readonly selectsTenant: boolean;
  /** Whether requests count against a quota, and answers tell of it. */
  readonly hasQuota: boolean;
  /** The most bytes of every body of an authenticated caller; absent: the kind of the operation decides (`bodyLimitOf`). */
  readonly bodyLimit?: number;
  /** By identifier, in the order of the document. No two APIs have one in common. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly texts: ApiTexts;
  /** Recorded requests and responses, the source of the examples in the document. */
  readonly recorded: Recorded;
}

/** How a caller shows who it is. */
export interface Credential {
  /**
   * The header that has it: by itself, in `Authorization` behind the word Bearer, or in a cookie of this name. Browsers send a cookie
   * by themselves, so writes of such an API are accepted from its own pages only.
   */
  readonly header: 'X-API-Key' | 'Authorization' | 'Cookie';
  readonly cookie?: string;
  /** The response to a request without a valid credential. */
  readonly rejection: { readonly code: ErrorCode; readonly message: string };
  /** Its name and scheme in the document. */
  readonly scheme: { readonly name: string; readonly object: SchemaObject };
}

/** The words of a document. */
export interface ApiTexts {
  readonly title: string;
  /** The title of the reference page. */
  readonly referenceTitle: string;
  readonly version: string;
  readonly summary: string;
  /** In Markdown. */
  readonly introduction: string;
  readonly server: { readonly description: string; readonly example: string };
  /** The description of each tag. Every tag of an operation has an entry. */
  readonly tags: Readonly<Record<string, string>>;
  /** Descriptions of error statuses that differ from those of the public API. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** Descriptions of error codes that differ from those of the public API. */
  readonly meanings?: Readonly<Partial<Record<ErrorCode, string>>>;
}
