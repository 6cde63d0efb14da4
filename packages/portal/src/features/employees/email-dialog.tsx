import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { isEmailAddress } from '../../kit/email.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { type Employee, employeeChanges, employeeRejected } from './words.tsx';

/** Changes the work email of a person. */
export function ChangeEmail({ employee }: { employee: Employee }) {
  const { t } = useLingui();
  return (
    <DialogButton label={<Trans>Change work email</Trans>} title={t`Change work email`}>
      {close => <EmailForm employee={employee} close={close} />}
    </DialogButton>
  );
}

function EmailForm({ employee: { id, email: before }, close }: { employee: Employee; close: () => void }) {
  const { t } = useLingui();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  // Fixed: the page shows the new one before the dialog is closed.
  const [present] = useState(before);
  const action = useAction(
    employeeChanges,
    () => ask('POST /employees/{id}/email', { id, body: { email: email.trim() } }).catch(employeeRejected),
    () => {
      close();
      confirmDone(t`Work email changed`);
    },
  );
  const checked = {
    ...action,
    run: async () => {
      const isMissing = !isEmailAddress(email) || email.trim() === present;
      setProblem(isMissing ? t`Enter the new email address, such as anna@example.com` : null);
      return !isMissing && action.run();
    },
  };
  return (
    <DialogForm action={checked} close={close} submit={<Trans>Change</Trans>}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          The work email is {present}. Connected systems receive the new one, and the history keeps both. A
          system that finds people by their email must know the new one first.
        </Trans>
      </Text>
      <TextField
        type="email"
        label={t`New work email`}
        required
        limit={254}
        autoComplete="off"
        data-autofocus
        value={email}
        error={problem}
        onChange={({ currentTarget }) => {
          setEmail(currentTarget.value);
          setProblem(null);
        }}
      />
    </DialogForm>
  );
}
