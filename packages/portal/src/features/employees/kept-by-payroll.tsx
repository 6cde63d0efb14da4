import { Plural, Trans } from '@lingui/react/macro';
import { day, isPast } from '../../kit/dates.ts';
import type { Erasure } from './words.tsx';

/** The amounts that payroll keeps beyond an erasure, and the end of their retention. */
export function KeptByPayroll({ payrollEntries, payrollKeptUntil }: Erasure) {
  if (payrollKeptUntil === null) return <Trans>Payroll has no amounts of this person.</Trans>;
  const until = day(payrollKeptUntil);
  return (
    <>
      <Trans>
        The payroll ledger and the files of released months keep{' '}
        <Plural value={payrollEntries} one="# amount" other="# amounts" /> of this person, also after an
        erasure.
      </Trans>{' '}
      {isPast(payrollKeptUntil) ? (
        <Trans>Their retention ended on {until}.</Trans>
      ) : (
        <Trans>Their retention ends on {until}.</Trans>
      )}
    </>
  );
}
