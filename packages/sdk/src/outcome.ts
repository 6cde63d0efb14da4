import { KontorError } from './errors.ts';
import { sleep } from './sleep.ts';

/** Whether a write has been stored, in these values, by this call or one that asked the same. `unknown`: nothing proves either. */
export type Outcome = 'happened' | 'not_happened' | 'unknown';

/** The unique value by which a read proves whether a write has been stored. */
export type ProvenBy = 'email' | 'employeeNumber' | 'divisionName' | 'decision';

/** How a method proves the outcome of its write. */
export interface Proof {
  readonly by: ProvenBy;
  read(signal: AbortSignal | undefined): Promise<Outcome>;
}

/**
 * The answer to a write was lost: it may have been stored or not. `cause` says how the answer was lost. Call {@link reconcile} before
 * you send the write again.
 */
export class WriteOutcomeUnknown extends KontorError {
  /** The value that `reconcile()` looks for; null when it can only answer `unknown`. */
  readonly provenBy: ProvenBy | null;
  readonly #proof: Proof | undefined;
  readonly #settledAt: number;

  constructor(requestId: string, cause: unknown, proof: Proof | undefined, serviceDeadline: number) {
    super('The answer to the write was lost: it may have been stored or not', {
      code: 'WRITE_OUTCOME_UNKNOWN',
      requestId,
      retryable: false,
      cause,
    });
    this.provenBy = proof?.by ?? null;
    this.#proof = proof;
    this.#settledAt = performance.now() + serviceDeadline;
  }

  /**
   * Waits until the service has ended the write in any case, reads what it would have stored, and decides. It proves
   * `employees.create` (email), `employees.update` with an `employeeNumber`, `divisions.create` and `divisions.update` with a `name`
   * (unique among siblings), and `orders.decide` (an order is decided once). Other writes are `unknown`. Rejects when reading fails;
   * call it again then.
   */
  async reconcile({ signal }: { signal?: AbortSignal } = {}): Promise<Outcome> {
    if (this.#proof === undefined) return 'unknown';
    await sleep(Math.max(0, this.#settledAt - performance.now()), signal);
    return this.#proof.read(signal);
  }
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
