import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../../api/ask.ts';
import { leaveForIssuer } from '../../api/openid.ts';
import { identityQuery, queryClient, signInMethodsQuery } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { Passkeys } from './passkeys.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import shared from '../../kit/shared.module.css';

/** How the user signs in, and what they are notified of. */
export function AccountPage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  const issuer = useQuery(signInMethodsQuery).data?.openIdName;
  return (
    <Page title={t`My account`} lead={identity?.user.email}>
      <Passkeys />
      {issuer && <Issuer name={issuer} linked={identity?.confirmsWith.includes('openid') ?? false} />}
      <Part
        title={<Trans>Password</Trans>}
        action={
          <LinkButton to="/account/password" variant="default">
            <Trans>Change password</Trans>
          </LinkButton>
        }
      >
        <Trans>A change signs you out everywhere else.</Trans>
      </Part>
      <Part
        title={<Trans>Notifications</Trans>}
        action={
          <LinkButton to="/account/notifications" variant="default">
            <Trans>Choose notifications</Trans>
          </LinkButton>
        }
      >
        <Trans>What the bell shows you, and whether you also get it by mail.</Trans>
      </Part>
      <Part
        title={<Trans>Sessions</Trans>}
        action={
          <LinkButton to="/sessions" variant="default">
            <Trans>My sessions</Trans>
          </LinkButton>
        }
      >
        <Trans>Your active sessions. End the session of a lost device here.</Trans>
      </Part>
    </Page>
  );
}

/** The identity at the issuer of OpenID Connect, which the user connects and disconnects. */
function Issuer({ name, linked }: { name: string; linked: boolean }) {
  const connecting = useAction([], () => leaveForIssuer({ kind: 'link', from: '/account' }));
  const disconnecting = useAction(
    [],
    () => ask('DELETE /openid-link', {}),
    identity => queryClient.setQueryData(identityQuery.queryKey, identity),
  );
  const { run, busy, error } = linked ? disconnecting : connecting;
  return (
    <>
      <Part
        title={name}
        action={
          <Button variant="default" loading={busy} onClick={() => void run()}>
            {linked ? <Trans>Disconnect</Trans> : <Trans>Connect account</Trans>}
          </Button>
        }
      >
        {linked ? (
          <Trans>You can sign in with your account there.</Trans>
        ) : (
          <Trans>Connect your account there to sign in with it.</Trans>
        )}
      </Part>
      {error !== null && <Failure error={error} />}
    </>
  );
}

function Part({ title, action, children }: { title: ReactNode; action: ReactNode; children: ReactNode }) {
  return (
    <Group className={shared.surface} p="md" justify="space-between" gap="sm" component="section">
      <Stack gap={2} miw={0} style={{ flex: '1 1 260px' }}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{children}</Text>
      </Stack>
      <Box>{action}</Box>
    </Group>
  );
}
