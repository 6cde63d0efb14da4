import type { Readable } from 'node:stream';
import type { ApiError, Operation } from '@kontor/contract';
import type { CheckedList } from '../query/check.ts';
import type { Chunk } from '../db/list-statement.ts';
import type { Caller } from '../auth/caller.ts';
import type { Scope } from '../auth/scope.ts';

/** A request that has passed every stage of the pipeline before the handler. Identifiers of resources are in lower case. */
export interface Call {
  readonly requestId: string;
  /** Where the request comes from, as far as what stands in front is trusted to say. */
  readonly address: string;
  /** What the client says of itself, at most 300 characters; null: nothing. */
  readonly userAgent: string | null;
  readonly receivedAt: Date;
  /** The value of a cookie beside that of the session; undefined where it is not sent once. */
  readonly cookieOf: (name: string) => string | undefined;
  readonly caller: Caller;
  /** What the caller may see of the one organization that the call is about. */
  readonly scope: Scope;
  /** The tenant of `X-Tenant-ID`, which is in scope; null when none was sent. */
  readonly tenant: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** The query by the types of the operation, with defaults filled in. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body as the operation declares it, an {@link Upload} or {@link Batch} where it takes one; undefined where it declares none. */
  readonly body: unknown;
  readonly dryRun: boolean;
  /** The checked filter, sort and page of a collection; null elsewhere. */
  readonly list: CheckedList | null;
  /** Of a collection: aborted when nobody waits for the answer any more. Else undefined, since to make one costs every request. */
  readonly signal: AbortSignal | undefined;
  /** Of a collection: told up to which instant of the clock a caller that polls has read with this page. */
  readonly recordRead: ((to: string) => void) | undefined;
}

/** The one file of an upload. */
export interface Upload {
  /** Cleaned: 1 to 255 characters, no folders. */
  readonly fileName: string;
  /** PNG, JPEG, WebP or PDF, by the bytes. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The lines of a batch in their order: each as its contract declares it, or why it is not. */
export interface Batch<Value = unknown> {
  readonly items: readonly Line<Value>[];
}
export type Line<Value = unknown> = { readonly value: Value } | { readonly rejection: ApiError };

/** An answer of JSON: text, or pieces of its bytes that are sent one after the other. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: string | readonly Chunk[];
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** An answer of a file. The stream fails when the file is not what it should be; whoever sends it destroys it at the end. */
export interface FileAnswer {
  readonly status: 200;
  readonly file: {
    readonly stream: Readable;
    readonly fileName: string;
    readonly mediaType: string;
    /** Bytes; null where it is made while it is sent. */
    readonly size: number | null;
  };
}

/** What a handler answers. */
export type Answer = JsonAnswer | FileAnswer;

/** The answer of a read, of an update, and of any dry run. */
export interface OkAnswer extends JsonAnswer {
  readonly status: 200;
}

/** The answer of a create, which says where to find what there is now. */
export interface CreatedAnswer extends JsonAnswer {
  readonly status: 201;
  readonly headers: { readonly Location: string };
}

export function ok(body: JsonAnswer['body']): OkAnswer {
  return { status: 200, body };
}

/** An operation of an API, bound to its handler. */
export interface Route {
  readonly operation: Operation;
  readonly operationId: string;
  /** Answers the call. @throws ApiError for a rejection; any other error becomes 503 or 500. */
  handle(call: Call): Promise<Answer>;
}
