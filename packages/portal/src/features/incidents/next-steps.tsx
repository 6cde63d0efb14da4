import { Stack, Text } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useMayChange } from '../../kit/form/may-change.ts';
import type { Incident } from './words.tsx';

/** What happens to a report next, and whether payroll goes on deducting. */
export function NextSteps({ incident }: { incident: Pick<Incident, 'status' | 'type'> }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{nextStep(incident, useMayChange())}</Text>
      {incident.status !== 'cancelled' && <Text size="sm">{deduction(incident)}</Text>}
    </Stack>
  );
}

function nextStep({ status }: Pick<Incident, 'status'>, mayChange: boolean): ReactNode {
  switch (status) {
    case 'draft':
      return mayChange ? (
        <Trans>
          Next: add what is missing. The leasing provider works on a report only when it is complete.
        </Trans>
      ) : (
        <Trans>Next: HR adds what is missing.</Trans>
      );
    case 'completed':
      return mayChange ? (
        <Trans>
          Next: the leasing provider works on the report. Until then, you can change it, add and remove
          evidence, or withdraw it.
        </Trans>
      ) : (
        <Trans>Next: the leasing provider works on the report.</Trans>
      );
    case 'in_progress':
      return <Trans>Next: the leasing provider decides. The report can no longer be changed.</Trans>;
    case 'resolved':
      return <Trans>The leasing provider has finished the report.</Trans>;
    case 'rejected':
      return <Trans>The leasing provider has rejected the report.</Trans>;
    case 'cancelled':
      return <Trans>The report was withdrawn. It changes nothing in payroll.</Trans>;
  }
}

function deduction({ type, status }: Pick<Incident, 'status' | 'type'>): ReactNode {
  switch (type) {
    case 'long_term_illness':
    case 'maternity_leave':
    case 'parental_leave':
    case 'unpaid_leave':
      if (status === 'rejected')
        return <Trans>Deduction: it goes on. A rejected absence changes nothing.</Trans>;
      return status === 'draft' ? (
        <Trans>
          Deduction: it goes on until the report is complete. Then the payroll settings of the company decide
          whether the absence suspends it.
        </Trans>
      ) : (
        <Trans>
          Deduction: the payroll settings of the company decide whether the absence suspends it. Without a
          rule, it goes on and payroll asks.
        </Trans>
      );
    default:
      return <Trans>Deduction: it goes on until the contract ends. This report does not stop it.</Trans>;
  }
}
