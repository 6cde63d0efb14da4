import { List, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { TextArea } from '../../kit/form/limited-fields.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import type { ActionText } from '../../kit/list/row-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { employeeChanges } from './words.tsx';

/** Blocks or unblocks an employee. An empty reason is none. */
export function block(id: string, blocked: boolean, reason: string) {
  return ask('POST /employees/{id}/blocking', { id, body: { blocked, ...(reason && { reason }) } });
}

/** The reason, which the history of the person shows. */
export function useReasonField(): ActionText {
  const { t } = useLingui();
  return { label: t`Reason (optional, shown in the history)`, maxLength: 500 };
}

/** The effects of a block, and the work that goes on. */
export function BlockEffects() {
  return (
    <List size="sm" spacing={4} component="ul">
      <List.Item>
        <Trans>
          Access: Kontor has no sign-in for employees. Connected systems read the block and can end access.
        </Trans>
      </List.Item>
      <List.Item>
        <Trans>
          Payroll: contracts and deductions go on. Each payroll run asks about the person until a departure is
          recorded.
        </Trans>
      </List.Item>
      <List.Item>
        <Trans>Reports: no new incident is possible. Open ones are still handled.</Trans>
      </List.Item>
      <List.Item>
        <Trans>Orders: those under review can only be rejected. Approved ones go on.</Trans>
      </List.Item>
    </List>
  );
}

export function UnblockEffects() {
  return (
    <Trans>
      Incidents can be reported and orders approved again. Contracts and deductions have gone on, and payroll
      no longer asks about the person.
    </Trans>
  );
}

interface Props {
  readonly id: string;
  readonly blocked: boolean;
}

/** Blocks a person, or unblocks one who is blocked. */
export function BlockButton({ id, blocked }: Props) {
  const { t } = useLingui();
  return (
    <DialogButton
      label={blocked ? <Trans>Unblock</Trans> : <Trans>Block</Trans>}
      title={blocked ? t`Unblock the person?` : t`Block the person?`}
    >
      {close => <BlockForm id={id} blocked={blocked} close={close} />}
    </DialogButton>
  );
}

function BlockForm({ id, blocked: before, close }: Props & { close: () => void }) {
  const { t } = useLingui();
  const field = useReasonField();
  const [reason, setReason] = useState('');
  // Fixed: the page shows the new state before the dialog is closed.
  const [blocked] = useState(!before);
  const confirmUndo = useUndo(employeeChanges);
  const action = useAction(
    employeeChanges,
    () => block(id, blocked, reason.trim()),
    () => {
      close();
      if (!blocked) return confirmDone(t`Person unblocked`);
      return confirmUndo({
        done: t`Person blocked`,
        undo: () => block(id, false, ''),
        undone: t`Person unblocked`,
      });
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={blocked ? <Trans>Block</Trans> : <Trans>Unblock</Trans>}
      isCareful
    >
      <Stack gap="sm">
        {blocked ? (
          <BlockEffects />
        ) : (
          <Text size="sm">
            <UnblockEffects />
          </Text>
        )}
        <TextArea
          label={field.label}
          limit={field.maxLength}
          autosize
          minRows={2}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Stack>
    </DialogForm>
  );
}
