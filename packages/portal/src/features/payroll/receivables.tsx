import { Group, Text, VisuallyHidden } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, download } from '../../api/ask.ts';
import { payrollReceivablesQuery } from '../../api/queries.ts';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { DownloadButton } from '../../kit/download-button.tsx';
import { useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import { SettleButton } from './settle.tsx';
import { WhyLink } from './why-panel.tsx';
import { useFindingWords, useMayRun } from './words.tsx';
import table from '../../kit/list/table.module.css';
import styles from './payroll.module.css';

type Receivable = AnswerOf<'GET /tenants/{id}/payroll-receivables'>['items'][number];

/** The open amounts of a company that no file contains. Each needs a settlement, or a correction of its field. */
export function Receivables({ company }: { company: string }) {
  const { t, i18n } = useLingui();
  const { data } = useQuery(payrollReceivablesQuery(company));
  if (data === undefined || data.items.length === 0) return null;
  const language = i18n.locale === 'de' ? 'de' : 'en';
  const save = () =>
    download('POST /tenants/{id}/payroll-receivables/export', { id: company, body: { language } });
  return (
    <Section title={<Trans>Open amounts that no file contains</Trans>}>
      <Group justify="space-between" mb="md">
        <Text size="sm">
          <Trans>Settle them in the payroll system, then record that here. Or correct what is named.</Trans>
        </Text>
        <DownloadButton save={save}>
          <Trans>Export as CSV</Trans>
        </DownloadButton>
      </Group>
      <table className={`${table.table} ${styles.sums}`} aria-label={t`Open amounts that no file contains`}>
        <thead>
          <tr>
            <th>
              <Trans>Person</Trans>
            </th>
            <th>
              <Trans>Employee number</Trans>
            </th>
            <th>
              <Trans>Amount</Trans>
            </th>
            <th>
              <Trans>Why</Trans>
            </th>
            <th>
              <VisuallyHidden>{t`Settlement`}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.items.map(item => (
            <Row key={`${item.orderId} ${item.month} ${item.kind} ${item.code}`} item={item} />
          ))}
        </tbody>
      </table>
      {data.next !== null && (
        <Text size="sm" c="dimmed">
          <Trans>The CSV file contains all amounts.</Trans>
        </Text>
      )}
    </Section>
  );
}

function Row({ item }: { item: Receivable }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const words = useFindingWords();
  const mayRun = useMayRun();
  const { employeeId, employeeName, personnelNumber, month, kind, amount, code } = item;
  return (
    <tr>
      <th scope="row">
        <WhyLink employee={employeeId}>{employeeName ?? t`A person without a name`}</WhyLink>
      </th>
      <td data-label={t`Employee number`}>{personnelNumber ?? '–'}</td>
      <td data-label={t`Amount`}>
        <span>
          <span className={styles.amount}>{money(amount, 'EUR')}</span>{' '}
          <Text span size="sm" c="dimmed">
            {kinds[kind]}, {monthName(month)}
          </Text>
        </span>
      </td>
      <td data-label={t`Why`}>
        <Text span size="sm">
          {words[code]}
        </Text>
      </td>
      <td>{mayRun && <SettleButton receipt={item} />}</td>
    </tr>
  );
}
