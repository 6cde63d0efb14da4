import { Box, Group, Stack, Text } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { TextLink } from '../parts/link-button.tsx';
import { When } from '../parts/when.tsx';
import { beginningOf, type Key, ScopeChips, Status } from './key-parts.tsx';

/** The keys where a table has no room. */
export function KeyCards({ keys }: { keys: readonly Key[] }) {
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {keys.map(key => (
        <Box key={key.id} component="li" className="surface" p="md">
          <Group justify="space-between" gap="xs" mb={6} wrap="nowrap" align="flex-start">
            <TextLink
              to="/settings/api-keys/$id"
              params={{ id: key.id }}
              fw={600}
              style={{ overflowWrap: 'anywhere' }}
              miw={0}
            >
              {key.name}
            </TextLink>
            <Status status={key.status} />
          </Group>
          <Text size="xs" c="dimmed" className="mono" mb={6}>
            {beginningOf(key.id)}
          </Text>
          <ScopeChips scope={key} />
          <Text size="sm" c="dimmed" mt={8} component="div">
            {key.lastUsedAt ? (
              <Trans>
                Last used <When at={key.lastUsedAt} />
              </Trans>
            ) : (
              <Trans>Never used</Trans>
            )}
            {key.expiresAt && (
              <>
                {' · '}
                <Trans>
                  ends <When at={key.expiresAt} />
                </Trans>
              </>
            )}
          </Text>
        </Box>
      ))}
    </Stack>
  );
}
