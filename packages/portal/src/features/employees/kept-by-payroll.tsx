import { Plural, Trans } from '@lingui/react/macro';
import { day } from '../../kit/dates.ts';
import type { Erasure } from './words.tsx';

/** The amounts that payroll keeps beyond an erasure, and the end of their retention. */
export function KeptByPayroll({ payrollEntries, payrollKeptUntil }: Erasure) {
  if (payrollKeptUntil === null) return <Trans>Payroll has no amounts of this person.</Trans>;
  return (
    <Trans>
      The payroll ledger and files keep <Plural value={payrollEntries} one="# amount" other="# amounts" /> of
      this person. Their retention ends on {day(payrollKeptUntil)}.
    </Trans>
  );
}
