import { Box, Group, Stack, Text } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { TextLink } from '../parts/link-button.tsx';
import { OrderChoice } from '../parts/list/order-choice.tsx';
import type { Sorting } from '../parts/list/sort-header.tsx';
import { When } from '../parts/when.tsx';
import { type Key, Life, ScopeChips, Status, textOf, useFieldWords } from './key-parts.tsx';
import { Spark } from './spark.tsx';

/** The keys where a table has no room. */
export function KeyCards({ keys, ...sorting }: Sorting & { keys: readonly Key[] }) {
  const fields = Object.entries(useFieldWords()).map(([field, label]) => ({ field, label }));
  return (
    <Stack gap="sm">
      <OrderChoice fields={fields} {...sorting} />
      <Cards keys={keys} />
    </Stack>
  );
}

function Cards({ keys }: { keys: readonly Key[] }) {
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
            {textOf(key)}
          </Text>
          <Group gap={6}>
            <ScopeChips scope={key} />
            <Life shown={key} />
          </Group>
          {key.requests > 0 && (
            <Box mt={8}>
              <Spark shown={key} />
            </Box>
          )}
          <Text size="sm" c="dimmed" mt={8} component="div">
            <Uses shown={key} />
          </Text>
        </Box>
      ))}
    </Stack>
  );
}

function Uses({ shown: { lastUsedAt, expiresAt } }: { shown: Key }) {
  return (
    <>
      {lastUsedAt ? (
        <Trans>
          Last used <When at={lastUsedAt} />
        </Trans>
      ) : (
        <Trans>Never used</Trans>
      )}
      {expiresAt && (
        <>
          {' · '}
          <Trans>
            ends <When at={expiresAt} />
          </Trans>
        </>
      )}
    </>
  );
}
