import type { ErrorCode } from '@kontor/contract';

/** Most errors that are kept of a key, the last ones. */
export const errorsKept = 20;

/** How requests ended that did not succeed. */
export interface Rejections {
  /** Answered with 4xx, but for 429. */
  rejected: number;
  /** Answered with 429: the quota was used up. */
  limited: number;
  /** Answered with 5xx. */
  failed: number;
}

/** What was asked for: all requests, those that did not succeed among them. */
export interface Counts extends Rejections {
  requests: number;
}

/** A request that was answered, as far as the health of its key is concerned. */
export interface AnsweredRequest {
  readonly operation: string;
  readonly requestId: string;
  /** What the answer says where it is no success. */
  readonly rejection: { readonly code: ErrorCode; readonly message: string } | null;
  /** Of a poll: up to which instant of the clock of the organization the client has read with this answer. */
  readonly readTo: string | null;
}

/** An answer that was no success. */
export interface KeyError {
  readonly at: number;
  readonly operation: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** Without anything that came with the request. */
  readonly message: string;
  readonly requestId: string;
}

/** How far a collection was read by a poll, and when. */
export interface Poll {
  readonly at: number;
  readonly readTo: string;
}

/** What was done with a key since that was last written. Instants are in milliseconds, 0 for none. It stays small, whatever is asked. */
export class KeyUse implements Counts {
  readonly id: string;
  /** When it was last used. */
  at = Date.now();
  /** When the first and the last request succeeded. */
  succeededFrom = 0;
  succeededAt = 0;
  requests = 0;
  rejected = 0;
  limited = 0;
  failed = 0;
  /** By the operation, of which there are as many as the contract has. */
  readonly operations = new Map<string, Counts>();
  /** Of each collection the last poll. */
  readonly polls = new Map<string, Poll>();
  /** The last ones. */
  errors: KeyError[] = [];

  constructor(id: string) {
    this.id = id;
  }

  /** A request came in. */
  record(): void {
    this.at = Date.now();
    this.requests++;
  }

  /** A request that was recorded was answered with a status, or aborted (499). */
  answered(request: AnsweredRequest, status: number): void {
    const counts = this.#countsOf(request.operation);
    counts.requests++;
    if (status < 400) return this.#succeeded(request);
    const name = rejectionOf(status);
    if (name === null) return;
    counts[name]++;
    this[name]++;
    this.#failed(request, status);
  }

  /** Adds what was done before, and could not be written. */
  addEarlier(earlier: KeyUse): void {
    addCounts(this, earlier);
    for (const [operation, counts] of earlier.operations) addCounts(this.#countsOf(operation), counts);
    for (const [operation, poll] of earlier.polls)
      if (!this.polls.has(operation)) this.polls.set(operation, poll);
    this.errors = [...earlier.errors, ...this.errors].slice(-errorsKept);
    this.at = Math.max(this.at, earlier.at);
    this.succeededFrom = earlier.succeededFrom || this.succeededFrom;
    this.succeededAt = Math.max(this.succeededAt, earlier.succeededAt);
  }

  #countsOf(operation: string): Counts {
    let counts = this.operations.get(operation);
    if (!counts)
      this.operations.set(operation, (counts = { requests: 0, rejected: 0, limited: 0, failed: 0 }));
    return counts;
  }

  #succeeded({ operation, readTo }: AnsweredRequest): void {
    const now = Date.now();
    this.succeededAt = now;
    if (this.succeededFrom === 0) this.succeededFrom = now;
    if (readTo !== null) this.polls.set(operation, { at: now, readTo });
  }

  #failed({ operation, requestId, rejection }: AnsweredRequest, status: number): void {
    const given = rejection ?? aborted;
    const more = { code: given.code, message: withoutValues(given), requestId };
    this.errors.push({ at: Date.now(), operation, status, ...more });
    if (this.errors.length > errorsKept) this.errors.shift();
  }
}

/** A download that the file store did not bring to its end: its head was sent already. */
const aborted = {
  code: 'BAD_GATEWAY',
  message: 'The file store failed while the file was sent; ask for it again',
} as const;

function addCounts(to: Counts, from: Counts): void {
  to.requests += from.requests;
  to.rejected += from.rejected;
  to.limited += from.limited;
  to.failed += from.failed;
}

/** What an answer with this status counts as; null for 499, where there was none. */
function rejectionOf(status: number): keyof Rejections | null {
  if (status === 499) return null;
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : 'rejected';
}

/** Most characters of a message that are kept. */
const maxMessage = 300;

/** Codes whose messages name a field that the client has made up, without quotes. */
const namingFields: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED_FILTER_FIELD', 'UNSUPPORTED_SORT_FIELD']);

/**
 * What is kept of the message of a rejection: its words, without anything that came with the request, which could be personal data. A message
 * shows that between quotes, but for identifiers and names of fields.
 */
function withoutValues({ code, message }: { code: ErrorCode; message: string }): string {
  const named = namingFields.has(code)
    ? message.replace(/does not take (the field )?[^;]*;/, 'does not take $1…;')
    : message;
  return named
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{24}\b/gi, '…')
    .slice(0, maxMessage);
}
