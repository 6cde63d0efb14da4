import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AnswerOf, ask, Rejection } from '../../api/ask.ts';
import { queryClient } from '../../api/queries.ts';
import { Failure } from '../failure.tsx';
import { useAttempt } from '../form/use-action.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Popover } from '../overlay/popover.tsx';
import { AppearanceSwitch, LanguageSwitch } from './choices.tsx';
import { LinkButton } from './link-button.tsx';
import header from './header.module.css';

/** The user with what is theirs: account, sessions, language, appearance and the way out. */
export function UserMenu({ user: { name, email } }: { user: AnswerOf<'GET /session'>['user'] }) {
  const { t } = useLingui();
  return (
    <Popover
      className={header.user}
      buttonClass={header.opener}
      button={
        <>
          <Icon name="user" />
          <span>{name}</span>
        </>
      }
      label={t`${name}: menu`}
      title={name}
      panelClass={`${header.panel} ${header.menu}`}
    >
      {close => (
        <>
          <Stack gap={2} px="sm" py="xs">
            <Text fw={600} truncate>
              {name}
            </Text>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {email}
            </Text>
          </Stack>
          <Divider my={4} />
          <Entry to="/account" icon="lock" close={close}>
            <Trans>My account</Trans>
          </Entry>
          <Entry to="/sessions" icon="device" close={close}>
            <Trans>My sessions</Trans>
          </Entry>
          <SignOut />
          <Divider my={4} />
          <Group px="sm" py={6} justify="space-between" wrap="nowrap">
            <LanguageSwitch />
            <AppearanceSwitch />
          </Group>
        </>
      )}
    </Popover>
  );
}

function SignOut() {
  const navigate = useNavigate();
  const { attempt, busy, error } = useAttempt();
  const leave = () =>
    attempt('send', async () => {
      await ask('DELETE /session', {}).catch(unlessEnded);
      queryClient.clear();
      await navigate({ to: '/sign-in', search: { reason: 'signed-out' }, ignoreBlocker: true });
    });
  return (
    <>
      <Button
        {...appearance}
        leftSection={<Icon name="chevron" />}
        loading={busy !== null}
        onClick={() => void leave()}
      >
        <Trans>Sign out</Trans>
      </Button>
      {error !== null && <Failure error={error} />}
    </>
  );
}

/** A missing session counts as signed out. @throws Rejection for any other error. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Rejection && error.code === 'INVALID_SESSION')) throw error;
}

/** How what can be chosen looks. */
const appearance = {
  variant: 'subtle',
  color: 'gray',
  c: 'var(--mantine-color-text)',
  fw: 'normal',
  justify: 'flex-start',
  fullWidth: true,
  px: 'sm',
} as const;

interface EntryProps {
  readonly to: '/account' | '/sessions';
  readonly icon: IconName;
  readonly close: () => void;
  readonly children: ReactNode;
}

function Entry({ to, icon, close, children }: EntryProps) {
  return (
    <LinkButton to={to} {...appearance} leftSection={<Icon name={icon} />} onClick={close}>
      {children}
    </LinkButton>
  );
}
