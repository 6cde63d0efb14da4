import {
  AppShell,
  Box,
  Burger,
  Button,
  Container,
  Divider,
  Group,
  Menu,
  NavLink,
  Stack,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLink, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ask } from '../api/ask.ts';
import { identityQuery, queryClient } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon, type IconName, Logo } from '../parts/icon.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { AppearanceSwitch, LanguageSwitch } from './choices.tsx';

const RouteNavLink = createLink(NavLink<'a'>);

/** The frame of all pages for who is signed in. */
export function Shell() {
  const { t } = useLingui();
  const [opened, menu] = useDisclosure();
  const router = useRouter();
  const { data: identity } = useQuery(identityQuery);
  useEffect(() => {
    if (identity === null) void router.invalidate();
  }, [identity, router]);
  useEffect(() => router.subscribe('onResolved', menu.close), [router, menu.close]);
  if (!identity) return null;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={0}
    >
      <a className="skip" href="#main">
        <Trans>To the content</Trans>
      </a>
      <AppShell.Header bg="var(--kontor-surface)">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t`Navigation`}
              aria-expanded={opened}
            />
            <Logo size={28} />
            <Text fw={700} lts={-0.3} fz="lg">
              Kontor
            </Text>
            <Text c="dimmed" truncate visibleFrom="xs">
              {identity.organization.name}
            </Text>
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" bg="var(--kontor-surface)" aria-label={t`Navigation`} className="nav">
        <Entry to="/" icon="home" label={t`Home`} exact />
        <Text size="xs" c="dimmed" fw={600} mt="md" mb={4} px="sm">
          <Trans>IT settings</Trans>
        </Text>
        <Entry to="/settings/api-keys" icon="key" label={t`API keys`} />
        <Text size="xs" c="dimmed" fw={600} mt="md" mb={4} px="sm">
          <Trans>Organization</Trans>
        </Text>
        <Entry to="/companies" icon="building" label={t`Companies`} />
        {identity.user.permissions.includes('COMPANY_ADMIN') && (
          <Entry to="/settings/users" icon="users" label={t`Users`} />
        )}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function Entry({
  to,
  icon,
  label,
  exact = false,
}: {
  to: '/' | '/settings/api-keys' | '/companies' | '/settings/users';
  icon: IconName;
  label: string;
  exact?: boolean;
}) {
  return (
    <RouteNavLink
      to={to}
      label={label}
      leftSection={<Icon name={icon} />}
      activeOptions={{ exact, includeSearch: false }}
    />
  );
}

/** The user with what is theirs: language, appearance, sessions and the way out. */
function UserMenu() {
  const { t } = useLingui();
  const router = useRouter();
  const { data: identity } = useQuery(identityQuery);
  if (!identity) return null;
  const { name, email } = identity.user;
  const leave = async () => {
    await ask('DELETE /session', {}).catch(() => null);
    queryClient.clear();
    await router.navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={280} shadow="md" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px="xs"
          leftSection={<Icon name="user" />}
          aria-label={t`${name}: menu`}
        >
          <Text truncate maw={{ base: 110, xs: 200 }} component="span" size="sm">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={2} px="sm" py="xs">
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        </Stack>
        <Divider my={4} />
        <Menu.Item
          leftSection={<Icon name="lock" />}
          onClick={() => void router.navigate({ to: '/account' })}
        >
          <Trans>My account</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="device" />}
          onClick={() => void router.navigate({ to: '/sessions' })}
        >
          <Trans>My sessions</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="chevron" />} onClick={() => void leave()}>
          <Trans>Sign out</Trans>
        </Menu.Item>
        <Divider my={4} />
        <Group px="sm" py={6} justify="space-between" wrap="nowrap">
          <LanguageSwitch />
          <AppearanceSwitch />
        </Group>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Stands where the portal could not find out who is signed in. */
export function ShellFailure({ error }: { error: unknown }) {
  return (
    <Container size="xs" py={80} component="main">
      <Failure error={error} retry={() => window.location.reload()} />
    </Container>
  );
}

export function MissingPage() {
  const { t } = useLingui();
  return (
    <Box component="main" p="xl">
      <Page
        title={t`There is no such page`}
        lead={<Trans>The link may be old, or a letter is missing.</Trans>}
      >
        <TextLink to="/">
          <Trans>To the home page</Trans>
        </TextLink>
      </Page>
    </Box>
  );
}
