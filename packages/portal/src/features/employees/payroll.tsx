import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { employeeReleasesQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { useKindWords } from '../../kit/hr-words.tsx';
import { type Column, DataTable } from '../../kit/list/data-table.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { money } from '../../kit/numbers.ts';
import { When } from '../../kit/when.tsx';
import table from '../../kit/list/table.module.css';

type Release = AnswerOf<'GET /employees/{id}/payroll-releases'>['items'][number];

/** The payroll files with amounts of a person, by month, each with the sheet that explains the amounts. */
export function Payroll({ id }: { id: string }) {
  const { t } = useLingui();
  const columns = useColumns(id);
  return (
    <Section title={t`Payroll documents`}>
      <Answered answer={useAnswer(employeeReleasesQuery(id))} height={220}>
        {({ items }) =>
          items.length === 0 ? (
            <Trans>No payroll file contains amounts of this person.</Trans>
          ) : (
            <DataTable
              rows={items.map(release => ({ ...release, id: release.runId }))}
              columns={columns}
              nameOf={({ period }) => monthName(period)}
            />
          )
        }
      </Answered>
    </Section>
  );
}

function useColumns(employee: string): Column<Release & { id: string }>[] {
  const { t } = useLingui();
  const kinds = useKindWords();
  return [
    {
      label: t`Month`,
      cell: ({ period, tenant }) => (
        <Link to="/payroll" search={{ company: tenant, month: period, employee }} className={table.rowLink}>
          {monthName(period)}
        </Link>
      ),
    },
    {
      label: t`Amounts`,
      cell: ({ sums }) =>
        sums.map(({ kind, amount }) => (
          <div key={kind}>
            {kinds[kind]}: {money(amount, 'EUR')}
          </div>
        )),
    },
    {
      label: t`Files`,
      cell: ({ files, tenant, period }) =>
        files.map(({ id, fileName }) => (
          <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <TextLink to="/payroll" search={{ company: tenant, month: period }} inherit>
              {fileName}
            </TextLink>
          </Text>
        )),
    },
    { label: t`Released`, cell: ({ releasedAt }) => <When at={releasedAt} /> },
  ];
}
