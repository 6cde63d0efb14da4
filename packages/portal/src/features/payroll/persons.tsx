import { NativeSelect, Stack, Text, Title } from '@mantine/core';
import { i18n } from '@lingui/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, download } from '../../api/ask.ts';
import { payrollEntriesQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { monthName } from '../../kit/dates.ts';
import { DownloadButton } from '../../kit/download-button.tsx';
import { useKindWords } from '../../kit/hr-words.tsx';
import { type Column, DataTable } from '../../kit/list/data-table.tsx';
import { Pages } from '../../kit/list/pages.tsx';
import { SearchInput } from '../../kit/list/search-input.tsx';
import { money } from '../../kit/numbers.ts';
import { isAgain, type Kind, type Run } from './words.tsx';
import { WhyLink } from './why-panel.tsx';
import list from '../../kit/list/list.module.css';
import shared from '../../kit/shared.module.css';

type Summary = NonNullable<Run['summary']>;
type Entry = AnswerOf<'POST /payroll-runs/{id}/entries/search'>['items'][number];

const pageSize = 50;

/** Letters of a name or number that the service searches for. */
const longestSearch = 100;

interface Props {
  readonly run: Run;
  readonly summary: Summary;
  readonly kind: Kind;
}

/** The amounts that a sum consists of, by person. */
export function Persons({ run: { id }, summary, kind }: Props) {
  const { t } = useLingui();
  const name = useKindWords()[kind];
  const [text, setText] = useState<string>();
  const [place, setPlace] = useState<number>();
  const [page, setPage] = useState(1);
  const columns = useColumns(isAgain(summary));
  const costCenters = summary.costCenters.filter(sum => sum.kind === kind);
  const selection = {
    kind,
    ...(text !== undefined && { person: text }),
    ...(place !== undefined && { costCenter: costCenters[place]!.costCenter }),
  };
  const after = (page - 1) * pageSize;
  const answer = useAnswer(payrollEntriesQuery(id, { ...selection, after, limit: pageSize }));
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        <Trans>{name} by person</Trans>
      </Title>
      <div className={list.toolbar}>
        <SearchInput
          label={t`Search by name or employee number`}
          text={text}
          search={words => {
            setText(words?.slice(0, longestSearch));
            setPage(1);
          }}
        />
        {costCenters.length > 1 && (
          <NativeSelect
            aria-label={t`Cost centre`}
            value={place ?? ''}
            onChange={({ currentTarget: { value } }) => {
              setPlace(value === '' ? undefined : Number(value));
              setPage(1);
            }}
            data={[
              { value: '', label: t`All cost centres` },
              ...costCenters.map(({ costCenter, amount }, index) => ({
                value: String(index),
                label: `${costCenter ?? t`Without a cost centre`}: ${money(amount, 'EUR')}`,
              })),
            ]}
          />
        )}
        <DownloadButton
          save={() =>
            download('POST /payroll-runs/{id}/entries/export', {
              id,
              body: { ...selection, language: i18n.locale === 'de' ? 'de' : 'en' },
            })
          }
        >
          <Trans>Save as CSV</Trans>
        </DownloadButton>
      </div>
      <Answered answer={answer} height={240}>
        {({ items, total }) => (
          <div className={list.list} aria-busy={answer.isPlaceholderData}>
            {items.length > 0 && (
              <DataTable rows={items.map(item => ({ ...item, ...rowOf(item) }))} columns={columns} />
            )}
            <div className={list.end}>
              <span className={shared.aside} role="status">
                {total === 0 ? (
                  <Trans>No amounts match</Trans>
                ) : (
                  <Plural value={total} one="# amount" other="# amounts" />
                )}
              </span>
              <Pages total={Math.ceil(total / pageSize)} page={page} change={setPage} />
            </div>
          </div>
        )}
      </Answered>
    </Stack>
  );
}

const rowOf = ({ position, employeeName, personnelNumber }: Entry) => ({
  id: String(position),
  name: employeeName ?? personnelNumber,
});

function useColumns(hasTotal: boolean): Column<Entry & ReturnType<typeof rowOf>>[] {
  const { t } = useLingui();
  const amount = (
    label: string,
    field: 'amount' | 'total' | 'amountBefore' | 'difference',
  ): Column<Entry & ReturnType<typeof rowOf>> => ({
    label,
    isAmount: true,
    cell: entry => money(entry[field], 'EUR'),
  });
  return [
    {
      label: t`Person`,
      cell: ({ employeeId, employeeName, months }) => (
        <>
          <WhyLink employee={employeeId} size="sm">
            {employeeName ?? t`A person without a name`}
          </WhyLink>
          {months.length > 1 && (
            <Text size="xs" c="dimmed">
              {months.map(monthName).join(', ')}
            </Text>
          )}
        </>
      ),
    },
    { label: t`Employee number`, cell: ({ personnelNumber }) => personnelNumber },
    { label: t`Wage type`, cell: ({ wageType }) => wageType },
    { label: t`Cost centre`, cell: ({ costCenter }) => costCenter ?? '–' },
    amount(t`This run`, 'amount'),
    ...(hasTotal ? [amount(t`All releases of the month`, 'total')] : []),
    amount(t`Month before`, 'amountBefore'),
    amount(t`Difference`, 'difference'),
  ];
}
