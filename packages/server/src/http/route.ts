import type { Readable } from 'node:stream';
import type { ApiError, Operation } from '@kontor/contract';
import type { CheckedList } from '../query/check.ts';
import type { Caller } from '../auth/caller.ts';
import type { Scope } from '../auth/scope.ts';
import type { Pool } from '../db/connect.ts';
import type { IdempotencyKey, Writes } from '../write/writes.ts';

/** Most routes need these. */
export interface RouteParts {
  readonly reads: Pool;
  readonly writes: Writes;
}

/** A request that has passed all stages before the handler. Identifiers of resources are in lower case. */
export interface Call {
  readonly requestId: string;
  /** Network address of the client. */
  readonly address: string;
  /** `User-Agent`, cut to 300 characters. */
  readonly userAgent: string | null;
  readonly receivedAt: Date;
  /** The value of another cookie than that of the session; undefined unless it was sent exactly once. */
  readonly cookieOf: (name: string) => string | undefined;
  readonly caller: Caller;
  readonly scope: Scope;
  /** From `X-Tenant-ID`, checked to be in scope; null when it was not sent. */
  readonly tenant: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** Typed by the contract, with defaults filled in. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body as the contract declares it, or an {@link Upload} or {@link Batch}; undefined when it declares none. */
  readonly body: unknown;
  readonly dryRun: boolean;
  /** The `updatedAt` that `If-Match` names. */
  readonly expectedVersion: string | undefined;
  /** Null without the header, and in a dry run. */
  readonly idempotencyKey: IdempotencyKey | null;
  /** The checked filter, sort and page of a collection; null for other operations. */
  readonly list: CheckedList | null;
  /** Aborted when the client no longer waits. Only for collections: making a signal costs time on every request. */
  readonly signal: AbortSignal | undefined;
  /** Records up to which instant a polling caller has read with this page. Only for collections. */
  readonly recordRead: ((to: string) => void) | undefined;
}

/** The company that a page of the portal is narrowed to, by the query parameter `tenant`; null: none. */
export function companyOf({ query }: Pick<Call, 'query'>): string | null {
  return (query['tenant'] as string | undefined) ?? null;
}

export interface Upload {
  /** Cleaned: 1 to 255 characters, no folders. */
  readonly fileName: string;
  /** A type that the operation accepts, detected from the bytes. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The lines of a batch in order: the value, or why it does not fit the contract. */
export interface Batch<Value = unknown> {
  readonly items: readonly Line<Value>[];
}
export type Line<Value = unknown> = { readonly value: Value } | { readonly rejection: ApiError };

export interface JsonAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A file answer. The stream fails when the stored file is damaged. The sender destroys the stream at the end. */
export interface FileAnswer {
  readonly status: 200;
  readonly file: {
    readonly stream: Readable;
    readonly fileName: string;
    readonly mediaType: string;
    /** Bytes; null when the file is generated while it is sent. */
    readonly size: number | null;
    /** Whether a browser may show it instead of saving it. */
    readonly isInline?: boolean;
  };
}

/** A page or a file of one, with its own headers. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly page: string | Buffer;
}

export type Answer = JsonAnswer | FileAnswer | PageAnswer;

/** The answer of a read, an update, and any dry run. */
export interface OkAnswer extends JsonAnswer {
  readonly status: 200;
}

export interface CreatedAnswer extends JsonAnswer {
  readonly status: 201;
  readonly headers: { readonly Location: string };
}

/** Answers a create with the document. It begins with the identifier, which a repeated request has from the first one. */
export function created(collection: string, doc: string, body = doc): CreatedAnswer {
  const id = doc.slice('{"id":"'.length, '{"id":"'.length + 24);
  return { status: 201, body, headers: { Location: `${collection}/${id}` } };
}

export function ok(body: JsonAnswer['body']): OkAnswer {
  return { status: 200, body };
}

export interface Route {
  readonly operation: Operation;
  readonly operationId: string;
  /** @throws ApiError for a rejection; any other error becomes 503 or 500. */
  handle(call: Call): Promise<Answer>;
}
