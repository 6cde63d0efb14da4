import { bodyLimits, type Operation } from '@kontor/contract';
import { Limiter } from '../../lib/limiter.ts';
import { BodyBudget } from './body-budget.ts';

/** What the requests of one port share. Each port has its own, so that clients of one cannot block those of the other. */
export class RequestLimits {
  readonly bodies = new BodyBudget({
    total: 6 * bodyLimits.large,
    share: 3 * bodyLimits.large,
    bodiesOfOwner: 200,
  });
  /** Uploads that are stored at once: each is copied several times on its way. */
  readonly uploads = handlingLimiter();
  /** Batches that are handled at once: their parsed lines are several times as large as the body. */
  readonly batches = handlingLimiter();

  /** The limiter of the uploads or the batches; null: the operation waits for nothing. */
  limiterOf({ upload, batch }: Operation): Limiter | null {
    if (batch) return this.batches;
    return upload ? this.uploads : null;
  }
}

/** Three at once, and two of one caller: the third is for another one. */
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
