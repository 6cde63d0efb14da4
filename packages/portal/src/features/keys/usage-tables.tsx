import { Button, Collapse, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { day } from '../../kit/dates.ts';
import { countsOf, type Day, sumOf, type Use } from './days.ts';
import { useOperationWords } from './operation-words.tsx';
import table from '../../kit/list/table.module.css';
import styles from './usage-tables.module.css';

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
        {opened ? <Trans>Hide numbers</Trans> : <Trans>Show numbers by day</Trans>}
      </Button>
      <Collapse expanded={opened} id={id}>
        <table className={`${table.table} ${styles.counts}`}>
          <caption>{t`Requests by day`}</caption>
          <Heads first={t`Day`} />
          <tbody>
            {days.toReversed().map(use => (
              <Counts key={use.day} name={day(use.day)} days={[use]} />
            ))}
          </tbody>
        </table>
      </Collapse>
    </>
  );
}

interface OperationTableProps {
  readonly operations: Use['operations'];
  readonly choose: (operation: string) => void;
}

/** Requests per operation, the most frequent first. */
export function OperationTable({ operations, choose }: OperationTableProps) {
  const { t } = useLingui();
  const wordsFor = useOperationWords();
  const sorted = operations.toSorted((a, b) => sumOf(b.days, 'requests') - sumOf(a.days, 'requests'));
  return (
    <>
      <Title order={3} fz="md" mt="lg" mb={4}>
        <Trans>By operation</Trans>
      </Title>
      <table className={`${table.table} ${styles.counts}`}>
        <Heads first={t`Operation`} />
        <tbody>
          {sorted.map(({ operation, days }) => (
            <Counts
              key={operation}
              name={wordsFor(operation)}
              days={days}
              choose={operations.length > 1 ? () => choose(operation) : undefined}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Heads({ first }: { first: string }) {
  const { t } = useLingui();
  return (
    <thead>
      <tr>
        <th>{first}</th>
        {[t`Requests`, t`Rejected`, t`Failed`].map(name => (
          <th key={name} className={styles.count}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CountsProps {
  readonly name: string;
  readonly days: readonly Day[];
  readonly choose?: (() => void) | undefined;
}

function Counts({ name, days, choose }: CountsProps) {
  const { requests, rejected, failed } = countsOf(days);
  return (
    <tr>
      <th scope="row">
        {choose ? (
          <Button variant="transparent" size="compact-sm" px={0} ta="left" onClick={choose}>
            {name}
          </Button>
        ) : (
          name
        )}
      </th>
      {[requests, rejected, failed].map((count, column) => (
        <td key={column} className={styles.count}>
          {count}
        </td>
      ))}
    </tr>
  );
}
