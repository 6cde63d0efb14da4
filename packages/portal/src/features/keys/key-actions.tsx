import { Button, type ButtonProps, Select, Text } from '@mantine/core';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { healthQuery } from '../../api/queries.ts';
import { dayLength, daysFromNow } from '../../kit/dates.ts';
import { Failure } from '../../kit/failure.tsx';
import { useAction, useCreation } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ConfirmButton, DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { visibleText } from '../../kit/person.ts';
import { When } from '../../kit/when.tsx';
import { type Key, keyChanges, useLifetimes } from './key-parts.tsx';
import { type Made, MadeKey } from './made-key.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

/** Actions on a key. They stay mounted when another user deletes it: a dialog may be showing a new key, or waiting for one. */
export function KeyActions({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const reactivate = () => ask('POST /api-keys/{id}/reactivation', { id: shown.id });
  const reactivation = useAction(keyChanges, reactivate);
  const confirmUndo = useUndo(keyChanges);
  return (
    <>
      <ReplaceButton shown={shown} label={<Trans>Replace</Trans>} />
      <ConfirmButton
        label={<Trans>Deactivate</Trans>}
        title={t`Deactivate the key?`}
        isShown={shown.status === 'active'}
        changes={keyChanges}
        action={() => ask('POST /api-keys/{id}/deactivation', { id: shown.id })}
        done={() =>
          confirmUndo({ done: t`API key deactivated`, undo: reactivate, undone: t`API key reactivated` })
        }
      >
        <Trans>Its system loses access within a second. You can reactivate the key at any time.</Trans>
      </ConfirmButton>
      {shown.status === 'inactive' && mayChange && (
        <Button variant="default" loading={reactivation.busy} onClick={() => void reactivation.run()}>
          <Trans>Reactivate</Trans>
        </Button>
      )}
      <DialogButton
        label={<Trans>Delete</Trans>}
        title={t`Delete the key permanently?`}
        isShown={shown.status !== 'deleted'}
        c="var(--mantine-color-error)"
      >
        {close => <Deletion shown={shown} close={close} />}
      </DialogButton>
      {reactivation.error !== null && <Failure error={reactivation.error} />}
    </>
  );
}

interface ReplaceButtonProps extends ButtonProps {
  readonly shown: Key;
  readonly label: ReactNode;
}

/** Replaces a key. A key with a successor is replaced by that one already, until the successor is deleted. */
export function ReplaceButton({ shown, label, ...button }: ReplaceButtonProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made | null>(null);
  const { data: health } = useQuery(healthQuery(shown.id));
  return (
    <>
      <DialogButton
        label={label}
        title={t`Replace key`}
        isShown={shown.status === 'active' && health?.replacedBy === null}
        {...button}
      >
        {close => <Replacement shown={shown} close={close} made={setMade} />}
      </DialogButton>
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
  const action = useAction(
    keyChanges,
    () => ask('DELETE /api-keys/{id}', { id }),
    () => {
      confirmDone(t`API key deleted`);
      void navigate({ to: '/settings/api-keys' });
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Delete permanently</Trans>}
      isDangerous
      typed={{ label: t`Name of the key`, isRight: text => visibleText(text) === visibleText(name) }}
    >
      <Text size="sm">
        <Trans>
          Its system loses access within a second. This cannot be undone. Enter <strong>{name}</strong> to
          continue.
        </Trans>
      </Text>
    </DialogForm>
  );
}

const hour = 3600;

/** Stands for the lifetime of the old key. The other choices are days; 0: never. */
const same = 'same';

function Replacement({ shown, close, made }: DialogProps & { made: (key: Made) => void }) {
  const { t } = useLingui();
  const { id, createdAt, expiresAt, lastUsedAt } = shown;
  const [name, setName] = useState(shown.name);
  const [lifetime, setLifetime] = useState(same);
  const [grace, setGrace] = useState(String(7 * 24 * hour));
  const { choices, max } = useLifetimes();
  const days =
    expiresAt && Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / dayLength));
  const exceeds = max !== null && (!days || days > max);
  const action = useCreation(
    'keys',
    () => {
      const wanted = { name: name.trim() || shown.name, graceSeconds: Number(grace) };
      const ofNew =
        lifetime === same ? {} : { expiresAt: lifetime === '0' ? null : daysFromNow(Number(lifetime)) };
      return ask('POST /api-keys/{id}/replacement', { id, body: { ...wanted, ...ofNew } });
    },
    key => {
      close();
      made(key);
    },
  );
  return (
    <DialogForm action={action} close={close} submit={<Trans>Create new key</Trans>}>
      <Text size="sm">
        <Trans>
          The new key has the same access. The old key works until it expires, so that you can change the
          system over without a gap. Its page shows when it is no longer used.
        </Trans>{' '}
        {lastUsedAt === null ? (
          <Trans>The old key was never used.</Trans>
        ) : (
          <Trans>
            The old key was last used <When at={lastUsedAt} />.
          </Trans>
        )}
      </Text>
      <TextField
        label={t`Name`}
        limit={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label={t`New key expires`}
        value={lifetime}
        allowDeselect={false}
        onChange={value => setLifetime(value!)}
        data={[
          {
            value: same,
            label: exceeds
              ? t`${plural(max, { one: 'In # day', other: 'In # days' })}, the maximum`
              : days
                ? t`${plural(days, { one: 'In # day', other: 'In # days' })}, as the old one was to`
                : t`Never, like the old one`,
          },
          ...choices.filter(({ value }) => days || value !== '0'),
        ]}
      />
      <Select
        label={t`Old key expires`}
        value={grace}
        allowDeselect={false}
        onChange={value => setGrace(value!)}
        data={[
          { value: '0', label: t`immediately` },
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
