import { Button, Divider, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { whenConfirmed } from '../../api/openid.ts';
import { confirmsWithPasskey, confirmWithPasskey } from '../../api/passkeys.ts';
import { identityQuery, queryClient, signInMethodsQuery } from '../../api/queries.ts';
import { Failure } from '../failure.tsx';
import { Icon } from '../icon.tsx';
import { Dialog, DialogEnd } from '../overlay/dialog.tsx';
import { PasswordField, wrongPassword } from './password.tsx';
import { useAttempt } from './use-action.ts';

type Identity = AnswerOf<'POST /session/confirmation'>;

interface Props {
  readonly confirmed: () => void;
  readonly left: () => void;
}

/** Asks once more who it is. */
export function ConfirmationDialog(props: Props) {
  const { t } = useLingui();
  return (
    <Dialog opened close={props.left} title={t`Confirm your identity`} zIndex={400}>
      <Confirmation {...props} />
    </Dialog>
  );
}

function Confirmation({ confirmed, left }: Props) {
  const { attempt, busy, error } = useAttempt<'password' | 'passkey'>();
  const { confirmsWith = [] } = queryClient.getQueryData(identityQuery.queryKey) ?? {};
  const byPassword = confirmsWith.includes('password');
  const byPasskey = confirmsWithPasskey(confirmsWith);
  const issuer = queryClient.getQueryData(signInMethodsQuery.queryKey)?.openIdName;
  const byIssuer = confirmsWith.includes('openid') && issuer;
  const confirm = (method: 'password' | 'passkey', action: () => Promise<Identity>) =>
    attempt(method, async () => {
      queryClient.setQueryData(identityQuery.queryKey, await action());
      confirmed();
    });
  return (
    <Stack>
      <Text size="sm">
        <Trans>
          This action is sensitive. Confirm your identity to continue. The confirmation is valid for ten
          minutes.
        </Trans>
      </Text>
      {byPasskey && (
        <Button
          variant="default"
          fullWidth
          data-autofocus={!byPassword || undefined}
          loading={busy === 'passkey'}
          leftSection={<Icon name="passkey" />}
          onClick={() => void confirm('passkey', confirmWithPasskey)}
        >
          <Trans>Use a passkey</Trans>
        </Button>
      )}
      {byIssuer && <IssuerButton name={byIssuer} confirmed={confirmed} />}
      {(byPasskey || byIssuer) && byPassword && <Divider label={<Trans>or</Trans>} />}
      {error !== null && <Failure error={error} />}
      {byPassword ? (
        <PasswordForm
          busy={busy === 'password'}
          left={left}
          send={password =>
            confirm('password', () =>
              ask('POST /session/confirmation', { body: { password } }).catch(wrongPassword),
            )
          }
        />
      ) : (
        <DialogEnd close={left} />
      )}
    </Stack>
  );
}

/** The issuer is visited in another tab, so that nothing of this page is lost. */
function IssuerButton({ name, confirmed }: { name: string; confirmed: () => void }) {
  useEffect(
    () =>
      whenConfirmed(() => {
        void queryClient.invalidateQueries(identityQuery);
        confirmed();
      }),
    [confirmed],
  );
  return (
    <Button
      component="a"
      href="/portal/sign-in/openid?begin=confirmation"
      target="_blank"
      variant="default"
      fullWidth
      leftSection={<Icon name="building" />}
    >
      <Trans>Confirm with {name} in another tab</Trans>
    </Button>
  );
}

interface PasswordFormProps {
  readonly busy: boolean;
  readonly left: () => void;
  /** Whether it was the password. */
  readonly send: (password: string) => Promise<boolean>;
}

function PasswordForm({ busy, left, send }: PasswordFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const email = queryClient.getQueryData(identityQuery.queryKey)?.user.email ?? '';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(await send(field.current!.value))) field.current?.select();
  };
  return (
    <form onSubmit={event => void submit(event)}>
      <Stack>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField ref={field} data-autofocus />
        <DialogEnd close={left}>
          <Button type="submit" loading={busy}>
            <Trans>Confirm</Trans>
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
