import { Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { payrollMonthsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { ColumnChart } from '../../kit/charts/column-chart.tsx';
import type { Tone } from '../../kit/charts/legend.tsx';
import { monthName, shortMonth } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { useKindWords } from '../../kit/hr-words.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { money } from '../../kit/numbers.ts';
import type { Kind } from './words.tsx';
import table from '../../kit/list/table.module.css';
import styles from './payroll.module.css';

const tones: Readonly<Record<Kind, Tone>> = {
  salary_conversion: 'first',
  taxable_benefit: 'second',
  employer_subsidy: 'third',
};

/** The sums of twelve months up to the one of the page, as a chart and as a table. */
export function TwelveMonths({ company, month }: { company: string; month: string }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const answer = useAnswer(payrollMonthsQuery(company, month));
  const hasSums = answer.data?.items.some(({ sums }) => sums.length > 0) ?? answer.error !== null;
  if (!hasSums) return null;
  return (
    <Section title={<Trans>Twelve months</Trans>}>
      <Answered answer={answer} height={220}>
        {({ items }) => {
          const shown = (Object.keys(tones) as Kind[]).filter(kind =>
            items.some(({ sums }) => sums.some(sum => sum.kind === kind)),
          );
          const amountOf = ({ sums }: (typeof items)[number], kind: Kind) =>
            sums.find(sum => sum.kind === kind)?.amount;
          return (
            <Stack gap="sm">
              <ColumnChart
                columns={items.map(item => ({
                  id: item.period,
                  label: shortMonth(item.period),
                  isOpen: item.isOpen,
                  bars: shown.map(kind => ({
                    name: kinds[kind],
                    value: Number(amountOf(item, kind) ?? 0),
                    tone: tones[kind],
                  })),
                }))}
              />
              {items.some(({ isOpen }) => isOpen) && (
                <Text size="xs" c="dimmed">
                  <Trans>Months with a dashed frame are not released yet.</Trans>
                </Text>
              )}
              <details className={styles.group}>
                <summary>
                  <Trans>The sums as a table</Trans>
                </summary>
                <table className={`${table.table} ${styles.sums}`}>
                  <thead>
                    <tr>
                      <th>
                        <Trans>Month</Trans>
                      </th>
                      {shown.map(kind => (
                        <th key={kind} className={styles.amount}>
                          {kinds[kind]}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(item => (
                      <tr key={item.period}>
                        <th scope="row">
                          <TextLink
                            to="."
                            size="sm"
                            underline="always"
                            search={before => ({ ...before, month: item.period, employee: undefined })}
                          >
                            {monthName(item.period)}
                          </TextLink>
                          {item.isOpen && ` (${t`open`})`}
                        </th>
                        {shown.map(kind => {
                          const amount = amountOf(item, kind);
                          return (
                            <td key={kind} data-label={kinds[kind]} className={styles.amount}>
                              {amount === undefined ? '–' : money(amount, 'EUR')}
                            </td>
                          );
                        })}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </details>
            </Stack>
          );
        }}
      </Answered>
    </Section>
  );
}
