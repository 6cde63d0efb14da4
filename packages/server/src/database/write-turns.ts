import { availableParallelism } from 'node:os';
import { Slots } from './slots.ts';
import { type Pass, Turns } from './turns.ts';

/**
 * When the writes of a process may go to the database: those of one organization one transaction after the other, however
 * they are made, so that an organization that has to wait there keeps one connection and not all; and as many at once as
 * can really run, so that those of many organizations gather into batches.
 */
export class WriteTurns {
  /** How many writes wait for their turn, for metrics. */
  waiting = 0;
  readonly #organizations = new Turns();
  /** What takes longer than a commit usually does waits for a lock, and gives its slot away. */
  readonly #slots = new Slots({ count: Math.max(2, availableParallelism()), hold: 25 });

  /** The turn of the organization, when it is free now; else null. */
  tryTake(organizationId: string): Pass | null {
    const pass = this.#organizations.tryEnter(organizationId);
    if (!pass) return null;
    const giveBack = this.#slots.tryTake();
    if (giveBack) return both(giveBack, pass);
    pass();
    return null;
  }

  /** Resolves with the turn of the organization, in the order of arrival. */
  async take(organizationId: string): Promise<Pass> {
    const pass = await this.#organizations.enter(organizationId);
    return both(await this.#slots.take(), pass);
  }
}

function both(giveBack: () => void, pass: Pass): Pass {
  return () => {
    giveBack();
    pass();
  };
}
