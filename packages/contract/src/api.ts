import type { ErrorCode } from './errors.ts';
import type { SchemaObject } from './openapi/document.ts';
import type { Recorded } from './openapi/recording.ts';
import type { Operation } from './operation.ts';

/**
 * One API of the service: who calls it, what it offers, and what holds of all of its requests. The pipeline, the document, the
 * reference and the tests of all operations take it as an argument, so that another API needs no code of its own.
 */
export interface Api {
  /** What its paths begin with, such as `/v1`. The reference is beside it, at `docs` instead of the last segment. */
  readonly prefix: string;
  readonly credential: Credential;
  /** What a caller can be permitted to do, with the words for it; none: whoever is let in may do all within its scope. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Whether `X-Tenant-ID` narrows requests; else it is refused. */
  readonly selectsTenant: boolean;
  /** Whether requests count against a quota, and answers tell of it. */
  readonly hasQuota: boolean;
  /** The most bytes of every body of an authenticated caller; absent: the kind of the operation decides (`bodyLimitOf`). */
  readonly bodyLimit?: number;
  /** By identifier, in the order of the document. No two APIs have one in common. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly texts: ApiTexts;
  /** What the examples of the document are made of. */
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
  /** What a request without a valid one is answered. */
  readonly refusal: { readonly code: ErrorCode; readonly message: string };
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
  /** What each tag holds; every tag of an operation has an entry. */
  readonly tags: Readonly<Record<string, string>>;
  /** What a status of an error means, where that is another thing than with the public API. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** What a code means, where that is said in other words than with the public API. */
  readonly meanings?: Readonly<Partial<Record<ErrorCode, string>>>;
}
