import { Button, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { confirmWithPasskey, passkeysWork, registerPasskey } from '../../api/passkeys.ts';
import { identityQuery, queryClient, signInMethodsQuery } from '../../api/queries.ts';
import { browserOf, PasskeysUnavailable } from '../../kit/devices.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { Icon } from '../../kit/icon.tsx';
import { Entry } from './entry.tsx';

type Identity = AnswerOf<'GET /session'>;

/** Stands instead of all pages until the user has shown the passkey that the organization requires. */
export function RequiredPasskey({ identity }: { identity: Identity }) {
  const { t } = useLingui();
  const { data: methods } = useQuery(signInMethodsQuery);
  const isNew = identity.passkeyRequired === 'register';
  const { run, busy, error } = useAction([], async () => {
    if (isNew) await registerPasskey(browserOf(navigator.userAgent) ?? t`Passkey`);
    else await confirmWithPasskey();
    // All that was rejected before is asked for again.
    await queryClient.invalidateQueries();
  });
  const leaving = useAction([identityQuery.queryKey], () => ask('DELETE /session', {}));
  return (
    <Entry
      title={isNew ? t`Register a passkey` : t`Use your passkey`}
      lead={
        <Trans>
          {identity.organization.name} requires a passkey. You are signed in as {identity.user.email}.
        </Trans>
      }
    >
      <Stack>
        <Text size="sm">
          {isNew ? (
            <Trans>
              A passkey is your fingerprint, face or device PIN. Your browser asks where to store it. You use
              it with each sign-in from now on.
            </Trans>
          ) : (
            <Trans>
              Confirm with the passkey that you have registered. If you have lost the device, ask an
              administrator for a new link.
            </Trans>
          )}
        </Text>
        {methods && !passkeysWork(methods) && (
          <Text size="sm" role="alert">
            <PasskeysUnavailable origin={methods.passkeyOrigin} />
          </Text>
        )}
        {error !== null && <Failure error={error} />}
        <Button
          loading={busy}
          disabled={!passkeysWork(methods)}
          leftSection={<Icon name="passkey" />}
          onClick={() => void run()}
        >
          {isNew ? <Trans>Register a passkey</Trans> : <Trans>Use a passkey</Trans>}
        </Button>
        {leaving.error !== null && <Failure error={leaving.error} />}
        <Button variant="default" loading={leaving.busy} onClick={() => void leaving.run()}>
          <Trans>Sign out</Trans>
        </Button>
      </Stack>
    </Entry>
  );
}
