import { KontorError } from './errors.ts';
import { checkOptions, type RequestOptions } from './options.ts';
import { sleep } from './sleep.ts';

/** Whether a write has been stored, in these values, by this call or one that asked the same. `unknown`: nothing proves either. */
export type Outcome = 'happened' | 'not_happened' | 'unknown';

/** The result of `reconcile()`. */
export interface Reconciled {
  /** Whether the write has been stored. */
  readonly outcome: Outcome;
  /**
   * The resource as it is stored, such as an `Employee`. Null when there is none, or nothing proves which one it is.
   */
  readonly resource: any;
}

/** The unique value by which a read proves whether a write has been stored. */
export type ProvenBy = 'email' | 'employeeNumber' | 'divisionName' | 'decision';

/** The options of `reconcile()`. */
export interface ReconcileOptions {
  /** Ends the wait and the read. Default: none. */
  signal?: AbortSignal | undefined;
}

/** How a method proves the outcome of its write. */
export interface Proof {
  readonly by: ProvenBy;
  read(options: RequestOptions): Promise<Reconciled>;
}

/**
 * The answer to a write was lost: it may have been stored or not. `cause` says how the answer was lost. Call {@link reconcile} before
 * you send the write again.
 */
export class WriteOutcomeUnknown extends KontorError {
  /** The value that `reconcile()` looks for; null when it can only answer `unknown`. */
  readonly provenBy: ProvenBy | null;
  readonly #proof: Proof | undefined;
  readonly #options: RequestOptions;
  readonly #settledAt: number;

  constructor(
    requestId: string,
    cause: unknown,
    { proof, options }: { proof: Proof | undefined; options: RequestOptions },
    serviceDeadline: number,
  ) {
    super(`The answer to the write was lost, so it may have been stored or not: ${reasonOf(cause)}`, {
      code: 'WRITE_OUTCOME_UNKNOWN',
      requestId,
      retryable: false,
      cause,
    });
    this.provenBy = proof?.by ?? null;
    this.#proof = proof;
    this.#options = options;
    this.#settledAt = performance.now() + serviceDeadline;
  }

  /**
   * Waits until the service has ended the write in any case, reads what it would have stored, and decides. It proves
   * `employees.create` (email), `employees.update` with an `employeeNumber`, `divisions.create` and `divisions.update` with a `name`
   * (unique among siblings), and `orders.decide` (an order is decided once). Other writes are `unknown`. Rejects when reading fails;
   * call it again then.
   */
  async reconcile(options: ReconcileOptions = {}): Promise<Reconciled> {
    checkOptions(options, 'reconcile()');
    const { signal } = options;
    if (this.#proof === undefined) return { outcome: 'unknown', resource: null };
    await sleep(Math.max(0, this.#settledAt - performance.now()), signal);
    return this.#proof.read({ ...this.#options, signal });
  }
}

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** The outcome of a create, whose unique value only this resource has. */
export function proveCreate(resource: Timestamps, sent: object): Reconciled {
  if (hasValues(resource, sent)) return { outcome: 'happened', resource };
  // As it was created, with other values: another create took the unique value.
  if (resource.updatedAt === resource.createdAt) return { outcome: 'not_happened', resource: null };
  return { outcome: 'unknown', resource: null };
}

interface Timestamps {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The outcome of an update with a unique value. */
export function proveUpdate(resource: object, sent: object, unique: object): Reconciled {
  if (hasValues(resource, sent)) return { outcome: 'happened', resource };
  return { outcome: hasValues(resource, unique) ? 'unknown' : 'not_happened', resource };
}

/** Whether a resource has all values of a write; `undefined` was not sent. Texts are compared as the service stores them. */
export function hasValues(stored: object, sent: object): boolean {
  const values = stored as Readonly<Record<string, unknown>>;
  return Object.entries(sent).every(([name, value]) => value === undefined || isSame(values[name], value));
}

function isSame(stored: unknown, sent: unknown): boolean {
  if (typeof stored !== 'string' || typeof sent !== 'string') return stored === sent;
  // Identifiers are answered in lower case.
  if (/^[0-9a-f]{24}$/i.test(sent)) return stored === sent.toLowerCase();
  return stored.normalize() === sent.normalize();
}
