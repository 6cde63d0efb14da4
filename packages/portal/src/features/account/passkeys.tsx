import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { passkeysWork } from '../../api/passkeys.ts';
import { passkeysQuery, signInMethodsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { PasskeysUnavailable } from '../../kit/devices.tsx';
import { Icon } from '../../kit/icon.tsx';
import { ItemCard } from '../../kit/list/item-card.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { ConfirmButton, DialogButton } from '../../kit/overlay/dialog.tsx';
import { When } from '../../kit/when.tsx';
import { type Passkey, passkeyChanges, Registration, Renaming } from './passkey-dialogs.tsx';
import shared from '../../kit/shared.module.css';

/** The passkeys of the user. */
export function Passkeys() {
  const { t } = useLingui();
  const { data: methods } = useQuery(signInMethodsQuery);
  return (
    <Box component="section">
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <Stack gap={2} miw={0} style={{ flex: '1 1 260px' }}>
          <Title order={2}>
            <Trans>Passkeys</Trans>
          </Title>
          <Text c="dimmed">
            <Trans>
              Sign in with your fingerprint, face or device PIN. A passkey only works on this site, so it
              cannot be phished.
            </Trans>
          </Text>
        </Stack>
        <DialogButton
          label={<Trans>Register a passkey</Trans>}
          title={t`Register a passkey`}
          isShown={passkeysWork(methods)}
          variant="filled"
          leftSection={<Icon name="plus" />}
        >
          {close => <Registration close={close} />}
        </DialogButton>
      </Group>
      <Stack gap="sm">
        {methods && !passkeysWork(methods) && (
          <Text className={shared.surface} p="md" component="div">
            <PasskeysUnavailable origin={methods.passkeyOrigin} />
          </Text>
        )}
        <Answered answer={useAnswer(passkeysQuery)} height={80}>
          {({ items }) =>
            items.length === 0
              ? passkeysWork(methods) && <None />
              : items.map(passkey => <PasskeyCard key={passkey.id} passkey={passkey} />)
          }
        </Answered>
      </Stack>
    </Box>
  );
}

function None() {
  return (
    <Group className={shared.surface} p="md" gap="md" wrap="nowrap">
      <Box c="dimmed">
        <Icon name="passkey" size={24} />
      </Box>
      <Text>
        <Trans>You have no passkeys yet. Register this device or your password manager.</Trans>
      </Text>
    </Group>
  );
}

function PasskeyCard({ passkey }: { passkey: Passkey }) {
  const { t } = useLingui();
  const { id, name, createdAt, lastUsedAt, synced } = passkey;
  return (
    <ItemCard
      icon="passkey"
      name={name}
      badge={synced && <Trans>On several devices</Trans>}
      actions={
        <>
          <DialogButton
            label={<Trans>Rename</Trans>}
            title={t`Rename passkey`}
            size="xs"
            aria-label={t`Rename the passkey ${name}`}
          >
            {close => <Renaming passkey={passkey} close={close} />}
          </DialogButton>
          <ConfirmButton
            label={<Trans>Remove</Trans>}
            title={t`Remove the passkey?`}
            size="xs"
            c="var(--mantine-color-error)"
            aria-label={t`Remove the passkey ${name}`}
            isDangerous
            changes={passkeyChanges}
            action={() => ask('DELETE /passkeys/{id}', { id })}
          >
            <Trans>
              You can no longer sign in with <strong>{name}</strong>. Delete the passkey on the device as
              well. If the device was lost, also end{' '}
              <TextLink to="/sessions" underline="always">
                its session
              </TextLink>
              .
            </Trans>
          </ConfirmButton>
        </>
      }
    >
      {lastUsedAt ? (
        <Trans>
          Last used <When at={lastUsedAt} /> · registered <When at={createdAt} />
        </Trans>
      ) : (
        <Trans>
          Not used yet · registered <When at={createdAt} />
        </Trans>
      )}
    </ItemCard>
  );
}
