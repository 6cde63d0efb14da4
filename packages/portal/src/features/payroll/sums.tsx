import { UnstyledButton, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useKindWords } from '../../kit/hr-words.tsx';
import { Icon } from '../../kit/icon.tsx';
import { money } from '../../kit/numbers.ts';
import { Persons } from './persons.tsx';
import { isAgain, type Kind, type Run } from './words.tsx';
import table from '../../kit/list/table.module.css';
import styles from './payroll.module.css';

type Summary = NonNullable<Run['summary']>;

/** The sums of a run beside the sums of the month before, as the service has computed them. Each opens into its persons. */
export function Sums({ run, summary }: { run: Run; summary: Summary }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState<Kind>();
  const { entries, orders, sums } = summary;
  const hasTotal = isAgain(summary);
  // The report of the check before stays while another one computes, which has no amounts yet.
  const canOpen = run.status !== 'computing';
  return (
    <>
      <Text size="sm">
        <Plural value={orders} one="# order computed" other="# orders computed" />
        {', '}
        {run.status === 'released' ? (
          <Plural value={entries} one="# amount exported" other="# amounts exported" />
        ) : (
          <Plural value={entries} one="# amount to export" other="# amounts to export" />
        )}
      </Text>
      {sums.length > 0 && (
        <table className={`${table.table} ${styles.sums}`}>
          <thead>
            <tr>
              <th>
                <Trans>Kind of amount</Trans>
              </th>
              <th className={styles.amount}>
                <Trans>This run</Trans>
              </th>
              {hasTotal && (
                <th className={styles.amount}>
                  <Trans>All releases of the month</Trans>
                </th>
              )}
              <th className={styles.amount}>
                <Trans>Month before</Trans>
              </th>
              <th className={styles.amount}>
                <Trans>Difference</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {sums.map(({ kind, amount, total, amountBefore, difference }) => (
              <tr key={kind}>
                <th scope="row">
                  <OpenButton
                    kind={kind}
                    isOpen={opened === kind}
                    isDisabled={!canOpen}
                    toggle={() => setOpened(opened === kind ? undefined : kind)}
                  />
                </th>
                <Amount label={t`This run`} amount={amount} />
                {hasTotal && <Amount label={t`All releases of the month`} amount={total} />}
                <Amount label={t`Month before`} amount={amountBefore} />
                <Amount label={t`Difference`} amount={difference} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {opened !== undefined && canOpen && <Persons key={opened} run={run} summary={summary} kind={opened} />}
    </>
  );
}

interface OpenButtonProps {
  readonly kind: Kind;
  readonly isOpen: boolean;
  readonly isDisabled: boolean;
  readonly toggle: () => void;
}

function OpenButton({ kind, isOpen, isDisabled, toggle }: OpenButtonProps) {
  const { t } = useLingui();
  const name = useKindWords()[kind];
  return (
    <UnstyledButton
      className={styles.open}
      disabled={isDisabled}
      aria-expanded={isOpen}
      aria-label={t`${name} by person`}
      onClick={toggle}
    >
      <Icon name={isOpen ? 'down' : 'chevron'} size={16} /> {name}
    </UnstyledButton>
  );
}

function Amount({ label, amount }: { label: string; amount: string }) {
  return (
    <td data-label={label} className={styles.amount}>
      {money(amount, 'EUR')}
    </td>
  );
}
