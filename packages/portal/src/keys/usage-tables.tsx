import { Button, Collapse, Table, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { day, number } from '../parts/dates.ts';
import { useOperationWords } from './operation-words.tsx';
import { type Day, sumOf, type Use } from './usage.tsx';

/** The days of a chart in numbers, which are read aloud and shown when they are asked for. */
export function UsageTable({ days }: { days: readonly Day[] }) {
  const { t } = useLingui();
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        mt="xs"
        px={6}
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        {opened ? <Trans>Hide the numbers</Trans> : <Trans>Show the numbers by day</Trans>}
      </Button>
      <Collapse expanded={opened} id={id}>
        <Table horizontalSpacing={6} className="counts">
          <Table.Caption>{t`Requests by day`}</Table.Caption>
          <Heads first={t`Day`} />
          <Table.Tbody>
            {days.toReversed().map(use => (
              <Counts key={use.day} name={day(use.day)} days={[use]} />
            ))}
          </Table.Tbody>
        </Table>
      </Collapse>
    </>
  );
}

/** What was asked of each operation, most first. */
export function OperationTable({
  operations,
  choose,
}: {
  operations: Use['operations'];
  choose: (operation: string) => void;
}) {
  const { t } = useLingui();
  const wordsFor = useOperationWords();
  const sorted = operations.toSorted((a, b) => sumOf(b.days, 'requests') - sumOf(a.days, 'requests'));
  return (
    <>
      <Title order={3} fz="md" mt="lg" mb={4}>
        <Trans>By operation</Trans>
      </Title>
      <Table horizontalSpacing={6} className="counts">
        <Heads first={t`Operation`} />
        <Table.Tbody>
          {sorted.map(({ operation, days }) => (
            <Counts
              key={operation}
              name={wordsFor(operation)}
              days={days}
              choose={operations.length > 1 ? () => choose(operation) : undefined}
            />
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function Heads({ first }: { first: string }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{first}</Table.Th>
        <Table.Th className="count">
          <Trans>Requests</Trans>
        </Table.Th>
        <Table.Th className="count">
          <Trans>Refused</Trans>
        </Table.Th>
        <Table.Th className="count">
          <Trans>Failed</Trans>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

function Counts({
  name,
  days,
  choose,
}: {
  name: string;
  days: readonly Day[];
  choose?: (() => void) | undefined;
}) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {choose ? (
          <Button variant="transparent" size="compact-sm" px={0} ta="left" onClick={choose}>
            {name}
          </Button>
        ) : (
          name
        )}
      </Table.Th>
      <Table.Td className="count">{number(sumOf(days, 'requests'))}</Table.Td>
      <Table.Td className="count">{number(sumOf(days, 'refused') + sumOf(days, 'limited'))}</Table.Td>
      <Table.Td className="count">{number(sumOf(days, 'failed'))}</Table.Td>
    </Table.Tr>
  );
}
