import { Anchor, Badge, Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import type { AnswerOf } from '../api/ask.ts';
import { passkeysWork } from '../api/passkeys.ts';
import { passkeysQuery, signInMethodsQuery } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { When } from '../parts/when.tsx';
import { Registration, Removal, Renaming } from './passkey-dialogs.tsx';

export type Passkey = AnswerOf<'GET /passkeys'>['items'][number];

type Question =
  { readonly of: 'registration' } | { readonly of: 'renaming' | 'removal'; readonly passkey: Passkey };

/** The passkeys of the user. */
export function Passkeys() {
  const { t } = useLingui();
  const { data, error, refetch } = useAnswer(passkeysQuery);
  const { data: methods } = useQuery(signInMethodsQuery);
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const titles = {
    registration: t`Register a passkey`,
    renaming: t`Rename the passkey`,
    removal: t`Remove the passkey?`,
  };
  return (
    <Box component="section">
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <Stack gap={2} miw={0} style={{ flex: '1 1 260px' }}>
          <Title order={2}>
            <Trans>Passkeys</Trans>
          </Title>
          <Text c="dimmed">
            <Trans>
              A passkey signs you in with the fingerprint, face or PIN of your device. It works on this page
              only, so nobody can lure it out of you.
            </Trans>
          </Text>
        </Stack>
        {passkeysWork(methods) && (
          <Button leftSection={<Icon name="plus" />} onClick={() => setQuestion({ of: 'registration' })}>
            <Trans>Register a passkey</Trans>
          </Button>
        )}
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} radius="lg" />}
      <Stack gap="sm">
        {methods && !passkeysWork(methods) && <Elsewhere origin={methods.passkeyOrigin} />}
        {data?.totalElements === 0 && passkeysWork(methods) && <None />}
        {data?.items.map(passkey => (
          <PasskeyCard key={passkey.id} passkey={passkey} ask={of => setQuestion({ of, passkey })} />
        ))}
      </Stack>
      <Dialog opened={question !== null} close={close} title={question && titles[question.of]}>
        {question?.of === 'registration' && <Registration close={close} />}
        {question?.of === 'renaming' && <Renaming passkey={question.passkey} close={close} />}
        {question?.of === 'removal' && <Removal passkey={question.passkey} close={close} />}
      </Dialog>
    </Box>
  );
}

/** Why no passkey can be registered here. */
function Elsewhere({ origin }: { origin: string | null }) {
  const address = origin ?? '';
  return (
    <Text className="surface" p="md" component="div">
      {origin === null && (
        <Trans>
          Passkeys do not work here: they need an address with a name and HTTPS, which the operator sets.
        </Trans>
      )}
      {origin !== null && origin !== window.location.origin && (
        <Trans>
          Passkeys work at{' '}
          <Anchor href={`${address}/portal/account`} underline="always">
            {address}
          </Anchor>{' '}
          only. Open the portal there to register one.
        </Trans>
      )}
      {origin === window.location.origin && <Trans>This browser does not know passkeys.</Trans>}
    </Text>
  );
}

function None() {
  return (
    <Group className="surface" p="md" gap="md" wrap="nowrap">
      <Box c="dimmed">
        <Icon name="passkey" size={24} />
      </Box>
      <Text>
        <Trans>
          You have none yet. Register this device, or the password manager that you use on all of them.
        </Trans>
      </Text>
    </Group>
  );
}

function PasskeyCard({
  passkey,
  ask,
}: {
  passkey: Passkey;
  ask: (question: 'renaming' | 'removal') => void;
}) {
  const { t } = useLingui();
  const { name, createdAt, lastUsedAt, synced } = passkey;
  return (
    <Group className="surface" p="md" justify="space-between" gap="sm">
      <Group gap="md" wrap="nowrap" align="flex-start" style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Box c="dimmed" mt={2}>
          <Icon name="passkey" size={22} />
        </Box>
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {synced && (
              <Badge variant="default" tt="none">
                <Trans>On several devices</Trans>
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {lastUsedAt ? (
              <Trans>
                Last used <When at={lastUsedAt} /> · registered <When at={createdAt} />
              </Trans>
            ) : (
              <Trans>
                Not used yet · registered <When at={createdAt} />
              </Trans>
            )}
          </Text>
        </Box>
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          onClick={() => ask('renaming')}
          aria-label={t`Rename the passkey ${name}`}
        >
          <Trans>Rename</Trans>
        </Button>
        <Button
          variant="default"
          size="xs"
          c="var(--mantine-color-error)"
          onClick={() => ask('removal')}
          aria-label={t`Remove the passkey ${name}`}
        >
          <Trans>Remove</Trans>
        </Button>
      </Group>
    </Group>
  );
}
