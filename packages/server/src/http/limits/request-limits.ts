import { ApiError, bodyLimits, type Operation } from '@kontor/contract';
import { BodyBudget } from './body-budget.ts';
import { FairLine } from './fair-queue.ts';

/** What the requests of one port share, so that no caller takes all of it. */
export interface RequestLimits {
  readonly bodies: BodyBudget;
  /** Uploads that are stored at once: each is copied several times on its way. */
  readonly uploads: FairLine;
  /** Batches that are handled at once: their parsed lines are several times as large as the body. */
  readonly batches: FairLine;
}

/** The limits of a port. Each port has its own, so that clients of one cannot block those of the other. */
export function createRequestLimits(): RequestLimits {
  return {
    bodies: new BodyBudget({ total: 6 * bodyLimits.large, share: 3 * bodyLimits.large, bodiesOfOwner: 200 }),
    uploads: handlingQueue(),
    batches: handlingQueue(),
  };
}

/** Three at once, and two of one caller: the third is for another one. */
function handlingQueue(): FairLine {
  return new FairLine({
    places: 3,
    placesOfKey: 2,
    waitingOfKey: 200,
    waiting: 2000,
    tooManyMessage: 'Too many uploads or batches at once; send fewer at a time',
  });
}

/** Longest wait of an upload or a batch until it is handled, in milliseconds. */
const longestWait = 60_000;

/**
 * Waits until an upload or a batch of the caller may be handled; null: the operation waits for nothing.
 * @throws ApiError SERVICE_UNAVAILABLE when too many wait, or for too long; the reason of the signal.
 */
export async function waitForHandling(
  { upload, batch }: Operation,
  callerId: string,
  { limits, signal }: { limits: RequestLimits; signal: () => AbortSignal },
): Promise<Disposable | null> {
  if (!upload && !batch) return null;
  const queue = batch ? limits.batches : limits.uploads;
  const wait = new AbortController();
  const timer = setTimeout(() => wait.abort(tooBusy()), longestWait);
  try {
    return await queue.take(callerId, AbortSignal.any([signal(), wait.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function tooBusy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'Too many uploads or batches are in progress; try again later');
}
