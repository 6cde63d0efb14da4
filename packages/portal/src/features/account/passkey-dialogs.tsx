import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { registerPasskey } from '../../api/passkeys.ts';
import { identityQuery, passkeysQuery } from '../../api/queries.ts';
import { browserOf } from '../../kit/devices.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

export type Passkey = AnswerOf<'GET /passkeys'>['items'][number];

/** Makes a passkey in the browser, under a name. */
export function Registration({ close }: { close: () => void }) {
  return (
    <NameForm
      name={browserOf(navigator.userAgent) ?? ''}
      close={close}
      save={registerPasskey}
      submit={<Trans>Continue</Trans>}
    >
      <Trans>Your browser asks where to store it, and confirms your identity.</Trans>
    </NameForm>
  );
}

export function Renaming({ passkey: { id, name }, close }: { passkey: Passkey; close: () => void }) {
  return (
    <NameForm
      name={name}
      close={close}
      save={changed => ask('PATCH /passkeys/{id}', { id, body: { name: changed } })}
      submit={<Trans>Save</Trans>}
    />
  );
}

/** Queries to invalidate after a change of passkeys. */
export const passkeyChanges = [passkeysQuery.queryKey, identityQuery.queryKey];

interface NameFormProps {
  readonly name: string;
  readonly close: () => void;
  readonly save: (name: string) => Promise<unknown>;
  /** Words for the button. */
  readonly submit: ReactNode;
  readonly children?: ReactNode;
}

function NameForm({ name, close, save, submit, children }: NameFormProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(name);
  const action = useAction(
    passkeyChanges,
    () => save(typed.trim()),
    () => {
      close();
      confirmDone(t`Passkey saved`);
    },
  );
  return (
    <DialogForm action={action} close={close} submit={submit} isDisabled={typed.trim() === ''}>
      {children && <Text size="sm">{children}</Text>}
      <TextField
        label={t`Name of the passkey`}
        description={t`A name that you will recognize, such as the device`}
        autoComplete="off"
        required
        limit={200}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
