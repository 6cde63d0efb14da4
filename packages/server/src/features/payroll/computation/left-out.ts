import type { PayrollFindingCode } from '@kontor/contract';
import type { Month } from '../../../lib/calendar.ts';
import { type Finding, severityOf } from './findings.ts';
import type { Kind } from './owed.ts';

/** An open amount that is in no file. */
export interface AmountLeftOut {
  readonly month: Month;
  readonly kind: Kind;
  readonly cents: bigint;
  readonly code: PayrollFindingCode;
  readonly field: string | null;
}

/** The amounts that a run leaves out or names to be settled elsewhere, each once, with the first reason. */
export function leftOut(findings: readonly Finding[]): AmountLeftOut[] {
  const amounts = new Map<string, AmountLeftOut>();
  for (const { code, month, kind, cents, field = null } of findings) {
    const isOverpaid = code === 'paid_elsewhere';
    const isLeftOut = isOverpaid || ['error', 'skipped'].includes(severityOf(code));
    const name = `${month} ${kind} ${isOverpaid}`;
    if (!isLeftOut || !month || !kind || cents === undefined || amounts.has(name)) continue;
    amounts.set(name, { month, kind, cents: isOverpaid ? -cents : cents, code, field });
  }
  return [...amounts.values()];
}
