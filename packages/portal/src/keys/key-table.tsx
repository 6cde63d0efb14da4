import { Stack, Table, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { TextLink } from '../parts/link-button.tsx';
import { SortHeader } from '../parts/list/sort-header.tsx';
import { When } from '../parts/when.tsx';
import { type Key, Life, Maker, ScopeChips, Status, textOf } from './key-parts.tsx';
import { Spark } from './spark.tsx';

/** The keys as a table, whose columns the service sorts by. */
export function KeyTable({
  keys,
  sort,
  sortBy,
}: {
  keys: readonly Key[];
  sort: string;
  sortBy: (sort: string) => void;
}) {
  const { t } = useLingui();
  const column = (field: string, label: string) => <SortHeader {...{ field, label, sort, sortBy }} />;
  return (
    <div className="surface">
      <Table.ScrollContainer minWidth={690} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="sm" highlightOnHover className="keys">
          <Table.Thead>
            <Table.Tr>
              {column('name', t`Name`)}
              <Table.Th>
                <Trans>Sees</Trans>
              </Table.Th>
              {column('status', t`Status`)}
              {column('requests', t`30 days`)}
              {column('lastUsedAt', t`Last used`)}
              {column('expiresAt', t`Ends`)}
              {/* Narrower windows have it on the page of the key. */}
              <SortHeader field="createdAt" label={t`Created`} visibleFrom="lg" {...{ sort, sortBy }} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map(key => (
              <Row key={key.id} shown={key} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function Row({ shown }: { shown: Key }) {
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/settings/api-keys/$id" params={{ id: shown.id }} className="row-link">
          {shown.name}
        </TextLink>
        <Text size="xs" c="dimmed" className="mono">
          {textOf(shown)}
        </Text>
      </Table.Td>
      <Table.Td>
        <ScopeChips scope={shown} />
      </Table.Td>
      <Table.Td>
        <Stack gap={4} align="flex-start">
          <Status status={shown.status} />
          <Life shown={shown} />
        </Stack>
      </Table.Td>
      <Table.Td>
        <Spark shown={shown} />
      </Table.Td>
      <Table.Td>{shown.lastUsedAt ? <When at={shown.lastUsedAt} /> : <Trans>Never</Trans>}</Table.Td>
      <Table.Td>{shown.expiresAt ? <When at={shown.expiresAt} /> : <Trans>Never</Trans>}</Table.Td>
      <Table.Td visibleFrom="lg">
        <When at={shown.createdAt} />
        {shown.createdBy !== null && (
          <Text size="xs" c="dimmed">
            <Maker name={shown.createdBy} />
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
