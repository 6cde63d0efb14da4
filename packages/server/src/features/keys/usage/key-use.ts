import type { RequestRecord } from '../../../http/request-context.ts';
import { OrganizationBuffer } from '../../../lib/concurrency/organization-buffer.ts';
import { type AnsweredRequest, ErrorGroups } from './error-groups.ts';

/** How many of the latest requests say whether a key fails. */
const outcomesKept = 10;

export interface Rejections {
  /** Responses with 4xx, except 401 and 429. */
  rejected: number;
  /** Responses with 401: the key may not do that. */
  denied: number;
  /** Responses with 429: the quota was used up. */
  limited: number;
  /** Responses with 5xx. */
  failed: number;
}

/** All requests, including the ones without success. */
export interface Counts extends Rejections {
  requests: number;
}

export interface UsedRequest extends AnsweredRequest {
  /** For a poll: the instant of the organization clock up to which the client has read. Otherwise null. */
  readonly readTo: string | null;
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
  denied = 0;
  limited = 0;
  failed = 0;
  /** By operation. The contract bounds their number. */
  readonly operations = new Map<string, Counts>();
  /** The last poll of each collection. */
  readonly polls = new Map<string, Poll>();
  readonly errors = new ErrorGroups();
  /** Requests that were neither aborted nor denied. */
  answers = 0;
  /** Those of them that failed: the company is not in the scope, its client violates the contract, or the service is at fault. */
  failures = 0;
  /** Whether each of the latest answers was a failure, the newest in the lowest bit. */
  recentFailures = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Records the response to a request. An aborted one has status 499. */
  answered(request: UsedRequest, status: number): void {
    this.at = Date.now();
    this.requests++;
    const counts = this.#countsOf(request.operation);
    counts.requests++;
    if (status !== aborted && status !== denied) this.#recordOutcome(isFailure(status));
    if (status < 400) return this.#succeeded(request);
    const name = rejectionOf(status);
    if (name === null) return;
    counts[name]++;
    this[name]++;
    this.errors.add(request, status, this.at);
  }

  /** Adds earlier uses that could not be written. */
  addEarlier(earlier: KeyUse): void {
    addCounts(this, earlier);
    for (const [operation, counts] of earlier.operations) addCounts(this.#countsOf(operation), counts);
    for (const [operation, poll] of earlier.polls)
      if (!this.polls.has(operation)) this.polls.set(operation, poll);
    this.errors.addEarlier(earlier.errors);
    this.recentFailures = shiftIn(earlier.recentFailures, this);
    this.answers += earlier.answers;
    this.failures += earlier.failures;
    this.at = Math.max(this.at, earlier.at);
    this.succeededFrom = earlier.succeededFrom || this.succeededFrom;
    this.succeededAt = Math.max(this.succeededAt, earlier.succeededAt);
  }

  #countsOf(operation: string): Counts {
    let counts = this.operations.get(operation);
    if (!counts)
      this.operations.set(
        operation,
        (counts = { requests: 0, rejected: 0, denied: 0, limited: 0, failed: 0 }),
      );
    return counts;
  }

  #succeeded({ operation, readTo }: UsedRequest): void {
    const now = Date.now();
    this.succeededAt = now;
    if (this.succeededFrom === 0) this.succeededFrom = now;
    if (readTo !== null) this.polls.set(operation, { at: now, readTo });
  }

  #recordOutcome(isFailure: boolean): void {
    const recentFailures = Number(isFailure);
    this.recentFailures = shiftIn(this.recentFailures, { answers: 1, recentFailures });
    this.answers++;
    this.failures += recentFailures;
  }
}

const aborted = 499;

/** Only a valid key is counted, so its permissions lack the operation. That says nothing about the health of its system. */
const denied = 401;

/** Conflicts, missing resources and an exhausted quota are part of normal operation. */
function isFailure(status: number): boolean {
  return status === 400 || status === 403 || status >= 500;
}

/** Appends later outcomes to earlier ones. */
function shiftIn(earlier: number, { answers, recentFailures }: Outcomes): number {
  return ((earlier << Math.min(answers, outcomesKept)) | recentFailures) & ((1 << outcomesKept) - 1);
}

type Outcomes = Pick<KeyUse, 'answers' | 'recentFailures'>;

function addCounts(to: Counts, from: Counts): void {
  to.requests += from.requests;
  to.rejected += from.rejected;
  to.denied += from.denied;
  to.limited += from.limited;
  to.failed += from.failed;
}

/** Null for an aborted request. */
function rejectionOf(status: number): keyof Rejections | null {
  if (status === aborted) return null;
  if (status === denied) return 'denied';
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : 'rejected';
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
