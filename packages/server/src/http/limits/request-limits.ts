import { bodyLimits, type Operation } from '@kontor/contract';
import { Limiter } from '../../lib/limiter.ts';
import { BodyBudget } from './body-budget.ts';

/** Limits that the requests of one port share. Each port has its own, so clients of one port cannot block the other. */
export class RequestLimits {
  readonly bodies = new BodyBudget({
    total: 6 * bodyLimits.large,
    share: 3 * bodyLimits.large,
    bodiesOfOwner: 200,
  });
  /** Uploads stored at once. Each is copied several times on its way. */
  readonly uploads = handlingLimiter();
  /** Batches handled at once. Their parsed lines take several times the memory of the body. */
  readonly batches = handlingLimiter();

  limiterOf({ upload, batch }: Operation): Limiter | null {
    if (batch) return this.batches;
    return upload ? this.uploads : null;
  }
}

/** Three at once, and two per caller, so that one place is left for other callers. */
function handlingLimiter(): Limiter {
  return new Limiter({
    running: { inAll: 3, perKey: 2 },
    waiting: { inAll: 2000, perKey: 200 },
    tooMany: 'Too many uploads or batches at once; send fewer at a time',
    maxWait: {
      milliseconds: 60_000,
      message: 'Too many uploads or batches are in progress; try again later',
    },
  });
}
