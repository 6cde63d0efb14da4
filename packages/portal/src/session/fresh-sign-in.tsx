import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react';
import { ask, Refusal } from '../api/ask.ts';
import { identityQuery, queryClient } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';

/** Does something; where the service asks for a fresh sign-in first, so does the portal, and does it then. */
type Freshly = <Result>(action: () => Promise<Result>) => Promise<Result>;

const Context = createContext<Freshly>(action => action());

/** What delicate actions go through. An action that the user breaks off is rejected with {@link BrokenOff}. */
export const useFreshly = () => useContext(Context);

/** The user did not want to show the password. */
export class BrokenOff extends Error {}

interface Waiting {
  readonly go: () => void;
  readonly leave: () => void;
}

export function FreshSignIn({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const freshly = useCallback<Freshly>(async action => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'FRESH_SIGN_IN_REQUIRED') throw error;
    }
    await new Promise<void>((resolve, reject) => {
      setWaiting({ go: resolve, leave: () => reject(new BrokenOff()) });
    });
    return action();
  }, []);
  const close = (how: keyof Waiting) => {
    setWaiting(null);
    waiting?.[how]();
  };
  return (
    <Context value={freshly}>
      {children}
      <ConfirmationDialog
        opened={waiting !== null}
        confirmed={() => close('go')}
        left={() => close('leave')}
      />
    </Context>
  );
}

function ConfirmationDialog(props: { opened: boolean; confirmed: () => void; left: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog opened={props.opened} close={props.left} title={t`Is it you?`} zIndex={400}>
      <Confirmation {...props} />
    </Dialog>
  );
}

function Confirmation({ confirmed, left }: { confirmed: () => void; left: () => void }) {
  const { t } = useLingui();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const email = queryClient.getQueryData(identityQuery.queryKey)?.user.email ?? '';
  const confirm = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      queryClient.setQueryData(
        identityQuery.queryKey,
        await ask('POST /session/confirmation', { body: { password: field.current!.value } }),
      );
      confirmed();
    } catch (failure) {
      setError(failure);
      field.current?.select();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={event => void confirm(event)}>
      <Stack>
        <Text size="sm">
          <Trans>
            This can do harm in the wrong hands, so the service asks for your password again when you have not
            typed it for ten minutes.
          </Trans>
        </Text>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          ref={field}
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password`, tabIndex: 0 }}
        />
        {error !== null && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={left}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={busy}>
            <Trans>Confirm</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
