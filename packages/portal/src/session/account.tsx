import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { identityQuery } from '../api/queries.ts';
import { LinkButton } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { Passkeys } from './passkeys.tsx';

/** How the user signs in. */
export function AccountPage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  return (
    <Page title={t`My account`} lead={identity?.user.email}>
      <Passkeys />
      <Part
        title={<Trans>Password</Trans>}
        action={
          <LinkButton to="/account/password" variant="default">
            <Trans>Set another password</Trans>
          </LinkButton>
        }
      >
        <Trans>When you set another one, you are signed out everywhere else.</Trans>
      </Part>
      <Part
        title={<Trans>Sessions</Trans>}
        action={
          <LinkButton to="/sessions" variant="default">
            <Trans>My sessions</Trans>
          </LinkButton>
        }
      >
        <Trans>Where you are signed in, and how to end that on a device that was lost.</Trans>
      </Part>
    </Page>
  );
}

function Part({ title, action, children }: { title: ReactNode; action: ReactNode; children: ReactNode }) {
  return (
    <Group className="surface" p="md" justify="space-between" gap="sm" component="section">
      <Stack gap={2} miw={0} style={{ flex: '1 1 260px' }}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{children}</Text>
      </Stack>
      <Box>{action}</Box>
    </Group>
  );
}
