import { ApiError, KontorError, NotFoundError } from './errors.ts';
import { checkOptions } from './options.ts';
import { sleep } from './transport/sleep.ts';

/** Whether a write is stored: once, not, or `unknown` where nothing proves either. */
export type Outcome = 'happened' | 'not_happened' | 'unknown';

/** The result of `reconcile()`. */
export interface Reconciled {
  /** Whether the write is stored. */
  readonly outcome: Outcome;
  /** The resource as it is stored, such as an `Employee`; null unless the write has happened. */
  readonly resource: any;
}

/** The options of `reconcile()`. */
export interface ReconcileOptions {
  /** Ends the waits and the requests. Default: none. */
  signal?: AbortSignal | undefined;
}

/** A write that may be stored. */
export interface LostWrite {
  readonly idempotencyKey: string | null;
  /** When the service has ended it in any case, by `performance.now()`. */
  readonly settledAt: number;
  /** When the service may no longer recognize it, by `Date.now()`. */
  readonly recognizedUntil: number;
  /** Sends it again. Rejects with an `ApiError` only when that proves that the service has not stored it. */
  repeat(signal: AbortSignal | undefined): Promise<unknown>;
}

/**
 * A write may be stored or not: its answers were lost until the deadline, or until the call was aborted. `cause` says how the last one was
 * lost. {@link reconcile} settles it.
 */
export class WriteOutcomeUnknown extends KontorError {
  /** The `Idempotency-Key` of the write, under which the service stores it once; null for an update. */
  readonly idempotencyKey: string | null;
  readonly #write: LostWrite;

  constructor(requestId: string, cause: unknown, write: LostWrite) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The answer to the write was lost, so it may have been stored or not: ${reason}`, {
      code: 'WRITE_OUTCOME_UNKNOWN',
      requestId,
      retryable: false,
      cause,
    });
    this.idempotencyKey = write.idempotencyKey;
    this.#write = write;
  }

  /**
   * Waits until the service has ended the write in any case, and sends it again with its key. Then it is stored once, or it is rejected and
   * has not happened. An update has no key: it has happened if its values are stored, and is `unknown` otherwise; without `ifMatch`, it
   * is sent so that it changes nothing. The service forgets a key after 24 hours; then the outcome is `unknown`: read before you repeat.
   * Rejects when the answer is lost again; call it again then.
   */
  async reconcile(options: ReconcileOptions = {}): Promise<Reconciled> {
    checkOptions(options, 'reconcile()');
    const { idempotencyKey, settledAt, recognizedUntil, repeat } = this.#write;
    if (Date.now() >= recognizedUntil) return { outcome: 'unknown', resource: null };
    await sleep(Math.max(0, settledAt - performance.now()), options.signal);
    try {
      return { outcome: 'happened', resource: await repeat(options.signal) };
    } catch (error) {
      // The resource may be out of the scope of the key by now, and an update may have been changed again.
      const isHidden = error instanceof WriteOutcomeUnknown && error.cause instanceof NotFoundError;
      if (!isHidden && !(error instanceof ApiError)) throw error;
      const isProven = idempotencyKey !== null && !isHidden;
      return { outcome: isProven ? 'not_happened' : 'unknown', resource: null };
    }
  }
}
