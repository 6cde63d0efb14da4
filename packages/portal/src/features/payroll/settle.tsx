import { Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask, recode } from '../../api/ask.ts';
import { monthName } from '../../kit/dates.ts';
import { useAction } from '../../kit/form/use-action.ts';
import { money } from '../../kit/numbers.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { type Receipt, useKindWords } from './words.tsx';

/** Records that an open amount was corrected in the payroll system, so that no run exports it. */
export function SettleButton({ receipt }: { receipt: Receipt }) {
  return (
    <DialogButton
      mt="sm"
      size="xs"
      label={<Trans>Settle outside</Trans>}
      title={<Trans>Settle an amount outside of Kontor</Trans>}
    >
      {close => <SettleForm receipt={receipt} close={close} />}
    </DialogButton>
  );
}

const rejected = recode({
  VALIDATION_ERROR: 'AMOUNT_NOT_OPEN',
  INVALID_STATE_TRANSITION: 'RELEASE_IN_PROGRESS',
});

function SettleForm({ receipt, close }: { receipt: Receipt; close: () => void }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const [reason, setReason] = useState('');
  const { orderId, month, kind, amount } = receipt;
  const action = useAction(
    [['payroll']],
    () =>
      ask('POST /payroll-settlements', {
        body: { orderId, month, kind, amount, reason: reason.trim() },
      }).catch(rejected),
    () => {
      close();
      confirmDone(t`The amount is settled.`);
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Settle</Trans>}
      isDisabled={reason.trim() === ''}
    >
      <Text size="sm">
        <Trans>
          {kinds[kind]} of {money(amount, 'EUR')} for {monthName(month)} counts as exported. Enter it in the
          payroll system yourself.
        </Trans>
      </Text>
      <TextInput
        label={t`Reason`}
        description={t`It stands in the explanation of the amount.`}
        value={reason}
        maxLength={500}
        data-autofocus
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </DialogForm>
  );
}
