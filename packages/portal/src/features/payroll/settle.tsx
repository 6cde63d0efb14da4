import { Radio, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, recode } from '../../api/ask.ts';
import { payrollSettingsQuery } from '../../api/queries.ts';
import { monthName } from '../../kit/dates.ts';
import { useAction } from '../../kit/form/use-action.ts';
import { useKindWords } from '../../kit/hr-words.tsx';
import { useOneCompany } from '../../kit/navigation/company.tsx';
import { money } from '../../kit/numbers.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { type Receipt, useMeaningWords } from './words.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

interface Props {
  readonly receipt: Pick<Receipt, 'orderId' | 'month' | 'kind' | 'amount'>;
}

/** Records that an open amount was corrected in the payroll system, so that no run exports it. */
export function SettleButton({ receipt }: Props) {
  return (
    <DialogButton
      size="xs"
      label={<Trans>Settle outside</Trans>}
      title={<Trans>Settle an amount outside of Kontor</Trans>}
    >
      {close => <SettleForm receipt={receipt} close={close} />}
    </DialogButton>
  );
}

/** Whether another user of the company must confirm a settlement. */
function useNeedsSecondPerson(): boolean {
  const { data } = useQuery({ ...payrollSettingsQuery(useOneCompany() ?? ''), enabled: false });
  return data?.changesBySecondActor === true;
}

type Meaning = NonNullable<Receipt['meaning']>;

const rejected = recode({
  VALIDATION_ERROR: 'AMOUNT_NOT_OPEN',
  INVALID_STATE_TRANSITION: 'RELEASE_IN_PROGRESS',
});

function SettleForm({ receipt, close }: Props & { close: () => void }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const meanings = useMeaningWords();
  const [meaning, setMeaning] = useState<Meaning | null>(null);
  const [reason, setReason] = useState('');
  const { orderId, month, kind, amount } = receipt;
  const isProposal = useNeedsSecondPerson();
  const action = useAction(
    [['payroll']],
    async () => {
      const body = { orderId, month, kind, meaning: meaning!, amount, reason: reason.trim() };
      await (
        isProposal
          ? ask('POST /payroll-settlements/proposals', { body })
          : ask('POST /payroll-settlements', { body })
      ).catch(rejected);
    },
    () => {
      close();
      confirmDone(isProposal ? t`The settlement waits for a second person.` : t`The amount is settled.`);
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={isProposal ? <Trans>Propose</Trans> : <Trans>Settle</Trans>}
      isDisabled={meaning === null || reason.trim() === ''}
    >
      <Text size="sm">
        <Trans>
          No run exports {kinds[kind]} of {money(amount, 'EUR')} for {monthName(month)}.
        </Trans>
      </Text>
      <Radio.Group
        label={t`What was settled?`}
        required
        value={meaning}
        onChange={value => setMeaning(value)}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="paid_elsewhere"
            label={meanings.paid_elsewhere}
            description={t`It was booked outside of Kontor. No later run pays it out.`}
          />
          {!amount.startsWith('-') && (
            <Radio
              value="not_owed"
              label={meanings.not_owed}
              description={t`The person does not have to pay it. If a leave takes the month off later, nothing else changes.`}
            />
          )}
        </Stack>
      </Radio.Group>
      <TextField
        label={t`Reason`}
        required
        description={t`Shown in the explanation of the amount.`}
        value={reason}
        limit={500}
        data-autofocus
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </DialogForm>
  );
}
