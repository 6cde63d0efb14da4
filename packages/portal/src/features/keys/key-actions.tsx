import { Button, Select, Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { Failure } from '../../kit/failure.tsx';
import { ConfirmButton, DialogButton, DialogForm } from '../../kit/form/dialog.tsx';
import { useAction, useMaking } from '../../kit/form/use-action.ts';
import { type Key, keyChanges } from './key-parts.tsx';
import { type Made, MadeKey } from './made-key.tsx';

/** Actions on a key. They stay mounted when another user deletes it: a dialog may be showing a new key, or waiting for one. */
export function KeyActions({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made | null>(null);
  const reactivation = useAction(keyChanges, () => ask('POST /api-keys/{id}/reactivation', { id: shown.id }));
  const isActive = shown.status === 'active';
  return (
    <>
      <DialogButton label={<Trans>Replace</Trans>} title={t`Replace the key`} isShown={isActive}>
        {close => <Replacement shown={shown} close={close} made={setMade} />}
      </DialogButton>
      <ConfirmButton
        label={<Trans>Deactivate</Trans>}
        title={t`Deactivate the key?`}
        isShown={isActive}
        changes={keyChanges}
        action={() => ask('POST /api-keys/{id}/deactivation', { id: shown.id })}
      >
        <Trans>
          The system that uses it is refused within a second. You can reactivate the key at any time.
        </Trans>
      </ConfirmButton>
      {shown.status === 'inactive' && (
        <Button variant="default" loading={reactivation.busy} onClick={() => void reactivation.run()}>
          <Trans>Reactivate</Trans>
        </Button>
      )}
      <DialogButton
        label={<Trans>Delete</Trans>}
        title={t`Delete the key for ever?`}
        isShown={shown.status !== 'deleted'}
        c="var(--mantine-color-error)"
      >
        {close => <Deletion shown={shown} close={close} />}
      </DialogButton>
      {reactivation.error !== null && <Failure error={reactivation.error} />}
      {made && (
        <MadeKey
          made={made}
          done={() => {
            setMade(null);
            void navigate({ to: '/settings/api-keys/$id', params: { id: made.id } });
          }}
        />
      )}
    </>
  );
}

interface DialogProps {
  readonly shown: Key;
  readonly close: () => void;
}

function Deletion({ shown: { id, name }, close }: DialogProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const action = useAction(
    keyChanges,
    () => ask('DELETE /api-keys/{id}', { id }),
    () => void navigate({ to: '/settings/api-keys' }),
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Delete for ever</Trans>}
      isDangerous
      isDisabled={plain(typed) !== plain(name)}
    >
      <Text size="sm">
        <Trans>
          The system that uses it is refused within a second, and nobody can undo that. Type{' '}
          <strong>{name}</strong> to go on.
        </Trans>
      </Text>
      <TextInput
        label={t`Name of the key`}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}

/** A name as it is read: how many spaces there are, and of what kind, cannot be seen. */
const plain = (text: string) => text.normalize().replaceAll(/\s+/gu, ' ').trim();

const hour = 3600;

function Replacement({ shown: { id }, close, made }: DialogProps & { made: (key: Made) => void }) {
  const { t } = useLingui();
  const [grace, setGrace] = useState(String(7 * 24 * hour));
  const action = useMaking(
    'keys',
    () => ask('POST /api-keys/{id}/replacement', { id, body: { graceSeconds: Number(grace) } }),
    key => {
      close();
      made(key);
    },
  );
  return (
    <DialogForm action={action} close={close} submit={<Trans>Make the new key</Trans>}>
      <Text size="sm">
        <Trans>
          A new key is made that sees the same. The old one works beside it for a while, so that you can
          change the system over without a gap; its page shows when nobody uses it any more.
        </Trans>
      </Text>
      <Select
        label={t`The old key ends`}
        value={grace}
        allowDeselect={false}
        onChange={value => setGrace(value!)}
        data={[
          { value: '0', label: t`at once` },
          { value: String(hour), label: t`in an hour` },
          { value: String(24 * hour), label: t`in a day` },
          { value: String(7 * 24 * hour), label: t`in 7 days` },
          { value: String(31 * 24 * hour), label: t`in 31 days` },
        ]}
        data-autofocus
      />
    </DialogForm>
  );
}
