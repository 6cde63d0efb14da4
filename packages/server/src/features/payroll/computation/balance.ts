import type { Released } from './facts.ts';

/*
 * Computes the amount that a run exports of a month and kind, from what is owed and from the sums of the ledger. The ledger model holds these lines:
 *
 * 1. A settlement `not_owed` reduces what is owed, at most to zero. It has no effect while nothing is owed.
 * 2. Exported and paid elsewhere are together what is then owed.
 * 3. Except: a run never pays out what was paid elsewhere. If less is owed than was paid elsewhere, exported amounts sink to zero at most, and
 *    the rest is named to be settled there.
 * 4. So a run after a release exports nothing, whatever was settled, and settling what is named ends the naming.
 */

export interface Balance {
  /** A run exports it. */
  readonly due: bigint;
  /** Paid elsewhere, but not owed: to be settled there. Never negative. */
  readonly overpaid: bigint;
}

type Sums = Pick<Released, 'exported' | 'paidElsewhere' | 'notOwed'>;

const nothing: Sums = { exported: 0n, paidElsewhere: 0n, notOwed: 0n };

export function balanceOf(owed: bigint, sums: Sums | null): Balance {
  const { exported, paidElsewhere, notOwed } = sums ?? nothing;
  const wanted = max(owed - notOwed, 0n) - paidElsewhere;
  // 0.2.0 has paid out settled amounts, so that `exported` may be negative already. That is not taken back.
  const lowest = exported < 0n ? exported : 0n;
  const target = paidElsewhere > 0n ? max(wanted, lowest) : wanted;
  return { due: target - exported, overpaid: target - wanted };
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
