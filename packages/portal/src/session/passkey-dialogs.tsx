import { Button, Stack, Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ask } from '../api/ask.ts';
import { registerPasskey } from '../api/passkeys.ts';
import { identityQuery, passkeysQuery } from '../api/queries.ts';
import { DialogEnd } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { browserOf } from './browser.ts';
import { useFreshly } from './fresh-sign-in.tsx';
import type { Passkey } from './passkeys.tsx';
import { useAction } from './use-action.ts';

interface DialogProps {
  readonly passkey: Passkey;
  readonly close: () => void;
}

/** Makes a passkey in the browser, under a name. */
export function Registration({ close }: { close: () => void }) {
  const freshly = useFreshly();
  return (
    <NameForm
      name={browserOf(navigator.userAgent) ?? ''}
      close={close}
      save={name => freshly(() => registerPasskey(name))}
      action={<Trans>Go on</Trans>}
    >
      <Trans>Your browser then asks where to keep it, and who you are.</Trans>
    </NameForm>
  );
}

export function Renaming({ passkey: { id, name }, close }: DialogProps) {
  return (
    <NameForm
      name={name}
      close={close}
      save={changed => ask('PATCH /passkeys/{id}', { id, body: { name: changed } })}
      action={<Trans>Save</Trans>}
    />
  );
}

/** Queries to invalidate after a change of passkeys. */
const changes = [passkeysQuery.queryKey, identityQuery.queryKey];

interface NameFormProps {
  readonly name: string;
  readonly close: () => void;
  readonly save: (name: string) => Promise<unknown>;
  readonly action: ReactNode;
  readonly children?: ReactNode;
}

function NameForm({ name, close, save, action, children }: NameFormProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(name);
  const { run, error, busy } = useAction(changes, () => save(typed.trim()), close);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed.trim()) void run();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children && <Text size="sm">{children}</Text>}
        <TextInput
          label={t`Name of the passkey`}
          description={t`By which you will know it again, such as that of the device`}
          autoComplete="off"
          required
          maxLength={200}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
        />
        {error !== null && <Failure error={error} />}
        <DialogEnd close={close}>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

export function Removal({ passkey: { id, name }, close }: DialogProps) {
  const freshly = useFreshly();
  const remove = () => freshly(() => ask('DELETE /passkeys/{id}', { id }));
  const { run, error, busy } = useAction(changes, remove, close);
  return (
    <Stack>
      <Text size="sm">
        <Trans>
          Nobody signs in with <strong>{name}</strong> any more. Delete it on the device as well. If the
          device was lost, end{' '}
          <TextLink to="/sessions" underline="always">
            its session
          </TextLink>
          , too.
        </Trans>
      </Text>
      {error !== null && <Failure error={error} />}
      <DialogEnd close={close} careful>
        <Button color="#b42318" loading={busy} onClick={() => void run()}>
          <Trans>Remove</Trans>
        </Button>
      </DialogEnd>
    </Stack>
  );
}
