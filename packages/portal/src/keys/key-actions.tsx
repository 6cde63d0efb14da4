import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/ask.ts';
import { Dialog, DialogEnd } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { useMaking } from '../session/use-making.ts';
import type { Key } from './key-parts.tsx';
import { type Made, MadeKey } from './made-key.tsx';
import { useKeyAction } from './use-key-action.ts';

type Dialog = 'deactivate' | 'replace' | 'delete';

/**
 * Actions on a key, each with a confirmation. They stay mounted when another user deletes the key: a dialog may be showing a new key, or
 * waiting for one.
 */
export function KeyActions({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const [made, setMade] = useState<Made | null>(null);
  const reactivation = useKeyAction(() => ask('POST /api-keys/{id}/reactivation', { id: shown.id }));
  const titles = {
    deactivate: t`Deactivate the key?`,
    replace: t`Replace the key`,
    delete: t`Delete the key for ever?`,
  };
  const isActive = shown.status === 'active';
  return (
    <>
      {isActive && (
        <Button variant="default" onClick={() => setDialog('replace')}>
          <Trans>Replace</Trans>
        </Button>
      )}
      {isActive && (
        <Button variant="default" onClick={() => setDialog('deactivate')}>
          <Trans>Deactivate</Trans>
        </Button>
      )}
      {shown.status === 'inactive' && (
        <Button variant="default" loading={reactivation.busy} onClick={() => void reactivation.run()}>
          <Trans>Reactivate</Trans>
        </Button>
      )}
      {shown.status !== 'deleted' && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setDialog('delete')}>
          <Trans>Delete</Trans>
        </Button>
      )}
      {reactivation.error !== null && <Failure error={reactivation.error} />}
      <Dialog opened={dialog !== null} close={close} title={dialog && titles[dialog]}>
        {dialog === 'deactivate' && <Deactivation shown={shown} close={close} />}
        {dialog === 'delete' && <Deletion shown={shown} close={close} />}
        {dialog === 'replace' && (
          <Replacement
            shown={shown}
            close={close}
            made={replacement => {
              close();
              setMade(replacement);
            }}
          />
        )}
      </Dialog>
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

function Deactivation({ shown, close }: DialogProps) {
  const { run, error, busy } = useKeyAction(
    () => ask('POST /api-keys/{id}/deactivation', { id: shown.id }),
    close,
  );
  return (
    <Stack>
      <Text size="sm">
        <Trans>
          The system that uses it is refused within a second. You can reactivate the key at any time.
        </Trans>
      </Text>
      {error !== null && <Failure error={error} />}
      <DialogEnd close={close} careful>
        <Button loading={busy} onClick={() => void run()}>
          <Trans>Deactivate</Trans>
        </Button>
      </DialogEnd>
    </Stack>
  );
}

function Deletion({ shown, close }: DialogProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { run, error, busy } = useKeyAction(
    () => ask('DELETE /api-keys/{id}', { id: shown.id }),
    () => void navigate({ to: '/settings/api-keys' }),
  );
  const { name } = shown;
  const matches = plain(typed) === plain(name);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (matches) void run();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
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
        {error !== null && <Failure error={error} />}
        <DialogEnd close={close}>
          <Button type="submit" color="#b42318" disabled={!matches} loading={busy}>
            <Trans>Delete for ever</Trans>
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** A name as it is read: how many spaces there are, and of what kind, cannot be seen. */
const plain = (text: string) => text.normalize().replaceAll(/\s+/gu, ' ').trim();

const hour = 3600;

function Replacement({ shown, close, made }: DialogProps & { made: (key: Made) => void }) {
  const { t } = useLingui();
  const [grace, setGrace] = useState(String(7 * 24 * hour));
  const graceSeconds = Number(grace);
  const { make, error, busy } = useMaking('keys', made);
  const replace = () =>
    make(() => ask('POST /api-keys/{id}/replacement', { id: shown.id, body: { graceSeconds } }));
  return (
    <Stack>
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
      {error !== null && <Failure error={error} />}
      <DialogEnd close={close}>
        <Button loading={busy} onClick={() => void replace()}>
          <Trans>Make the new key</Trans>
        </Button>
      </DialogEnd>
    </Stack>
  );
}
