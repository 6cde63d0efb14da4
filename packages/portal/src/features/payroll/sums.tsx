import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import type { Run } from './words.tsx';
import table from '../../kit/list/table.module.css';
import styles from './payroll.module.css';

type Summary = NonNullable<Run['summary']>;

/** The sums of a run beside those of the month before, as the service has computed them. */
export function Sums({ summary, isReleased }: { summary: Summary; isReleased: boolean }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const { entries, orders, sums } = summary;
  // A second run of a month exports only what is left.
  const isAgain = sums.some(({ amount, total }) => amount !== total);
  const cell = (label: string, amount: string) => (
    <td data-label={label} className={styles.amount}>
      {money(amount, 'EUR')}
    </td>
  );
  return (
    <>
      <Text size="sm">
        <Plural value={orders} one="# order computed" other="# orders computed" />
        {', '}
        {isReleased ? (
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
              {isAgain && (
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
                <th scope="row">{kinds[kind]}</th>
                {cell(t`This run`, amount)}
                {isAgain && cell(t`All releases of the month`, total)}
                {cell(t`Month before`, amountBefore)}
                {cell(t`Difference`, difference)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
