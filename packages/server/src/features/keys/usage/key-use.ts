import type { ErrorCode } from '@kontor/contract';
import type { RequestRecord } from '../../../http/request-context.ts';
import { OrganizationBuffer } from '../../../lib/organization-buffer.ts';

/** Max errors stored per key; older ones are dropped. */
export const errorsKept = 20;

export interface Rejections {
  /** Responses with 4xx, except 429. */
  rejected: number;
  /** Responses with 429: the quota was used up. */
  limited: number;
  /** Responses with 5xx. */
  failed: number;
}

/** All requests, including the ones without success. */
export interface Counts extends Rejections {
  requests: number;
}

export interface AnsweredRequest {
  readonly operation: string;
  readonly requestId: string;
  /** The error in the response; null for a success. */
  readonly rejection: { readonly code: ErrorCode; readonly message: string } | null;
  /** For a poll: the instant of the organization clock up to which the client has read. Otherwise null. */
  readonly readTo: string | null;
}

export interface KeyError {
  readonly at: number;
  readonly operation: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** Contains no values from the request. */
  readonly message: string;
  readonly requestId: string;
}

export interface Poll {
  readonly at: number;
  readonly readTo: string;
}

/** The use of a key since the last write. Instants are in milliseconds, 0 for none. Its size is bounded. */
export class KeyUse implements Counts {
  readonly id: string;
  at = Date.now();
  /** Times of the first and the last success. */
  succeededFrom = 0;
  succeededAt = 0;
  requests = 0;
  rejected = 0;
  limited = 0;
  failed = 0;
  /** By operation. The contract bounds their number. */
  readonly operations = new Map<string, Counts>();
  /** The last poll of each collection. */
  readonly polls = new Map<string, Poll>();
  errors: KeyError[] = [];

  constructor(id: string) {
    this.id = id;
  }

  /** Records the response to a request. An aborted one has status 499. */
  answered(request: AnsweredRequest, status: number): void {
    this.at = Date.now();
    this.requests++;
    const counts = this.#countsOf(request.operation);
    counts.requests++;
    if (status < 400) return this.#succeeded(request);
    const name = rejectionOf(status);
    if (name === null) return;
    counts[name]++;
    this[name]++;
    this.#failed(request, status);
  }

  /** Adds earlier uses that could not be written. */
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

/** For a download that failed after its headers were sent. */
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

/** Null for 499, an aborted request. */
function rejectionOf(status: number): keyof Rejections | null {
  if (status === 499) return null;
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : 'rejected';
}

/** In characters. */
const maxMessage = 300;

/** Codes with messages that contain a field name from the client without quotes. */
const namingFields: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED_FILTER_FIELD', 'UNSUPPORTED_SORT_FIELD']);

/** Removes values of the request from a message, since they may be personal data. Messages quote such values, except identifiers and field names. */
function withoutValues({ code, message }: { code: ErrorCode; message: string }): string {
  const named = namingFields.has(code)
    ? message.replace(/does not take (the field )?[^;]*;/, 'does not take $1…;')
    : message;
  return named
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{24}\b/gi, '…')
    .slice(0, maxMessage);
}

/** Milliseconds between two writes. */
const interval = 5000;

type Uses = Map<string, KeyUse>;

/** Buffers the use of keys and writes it in batches. Only existing keys are recorded, so memory is bounded. */
export class KeyUsage {
  readonly #uses: OrganizationBuffer<Uses>;

  /** `failed` receives an error of a round of writes; the next one tries again. */
  constructor(
    write: (organizationId: string, uses: readonly KeyUse[]) => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.#uses = new OrganizationBuffer<Uses>({
      interval,
      create: () => new Map(),
      write: (organizationId, uses) => write(organizationId, [...uses.values()]),
      keep: (earlier, uses) => {
        for (const [id, use] of earlier) {
          const later = uses.get(id);
          if (later) later.addEarlier(use);
          else uses.set(id, use);
        }
      },
      failed,
    });
  }

  /** Records the response to a request of a key. An aborted one has status 499. */
  answered(request: RequestRecord, status: number): void {
    const { caller } = request;
    if (caller?.actor.type === 'api_key' && 'organizationId' in caller.scope)
      useOf(this.#uses.of(caller.scope.organizationId), caller.actor.id).answered(request, status);
  }

  flush(): Promise<void> {
    return this.#uses.flush();
  }

  close(): Promise<void> {
    return this.#uses.close();
  }
}

function useOf(uses: Uses, id: string): KeyUse {
  let use = uses.get(id);
  if (!use) uses.set(id, (use = new KeyUse(id)));
  return use;
}
