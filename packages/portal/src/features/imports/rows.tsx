import { Text, VisuallyHidden } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EmployeeImportView } from '@kontor/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { importRowsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { number } from '../../kit/dates.ts';
import { Tabs } from '../../kit/detail/tabs.tsx';
import { DataTable } from '../../kit/list/data-table.tsx';
import { Pages } from '../../kit/list/pages.tsx';
import { Status } from '../../kit/status.tsx';
import { Empty } from '../../kit/navigation/page.tsx';
import shared from '../../kit/shared.module.css';
import { type Import, type Row, useFieldWords, useProblemWords, useSkipWords } from './words.tsx';
import styles from './imports.module.css';

/** The rows of the file by their effect, a page at a time. */
export function Rows({ one }: { one: Import }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { tab, page = 1 } = useSearch({ from: '/shell/imports' });
  const { adds, changes, errors, unchanged, applied, skipped } = one.counts!;
  const isDone = one.status === 'applied' || one.status === 'failed';
  const all: readonly { id: EmployeeImportView; name: string; count: number }[] = [
    ...(isDone
      ? [
          { id: 'skipped' as const, name: t`Left out`, count: skipped },
          { id: 'applied' as const, name: t`Imported`, count: applied },
        ]
      : [
          { id: 'change' as const, name: t`Changes`, count: changes },
          { id: 'add' as const, name: t`New`, count: adds },
        ]),
    { id: 'error', name: t`Errors`, count: errors },
    { id: 'unchanged', name: t`No change`, count: unchanged },
  ];
  const filled = all.filter(({ count }) => count > 0);
  const shown = filled.find(({ id }) => id === tab) ?? filled[0];
  const answer = useAnswer(importRowsQuery(one.id, one.status, { view: shown?.id ?? 'change', page }));
  if (shown === undefined) return null;
  const tabs = filled.map(({ id, name, count }) => ({ id, name: `${name} (${number(count)})` }));
  return (
    <section aria-label={t`Rows of the file`}>
      <Tabs label={t`Rows`} tabs={tabs} shown={shown.id} />
      <Answered answer={answer} height={300}>
        {({ items, totalPages, totalElements }) => (
          <div aria-busy={answer.isPlaceholderData} style={{ opacity: answer.isPlaceholderData ? 0.6 : 1 }}>
            {shown.id === 'error' && totalElements < shown.count && (
              <Text size="sm" component="p">
                <Trans>
                  Only the first {number(totalElements)} rows are listed. So many errors often come from a
                  wrong column: check the columns first.
                </Trans>
              </Text>
            )}
            <Table rows={items} />
            <div className={styles.end}>
              <span className={shared.aside} role="status">
                <Plural value={totalElements} one="# row" other="# rows" />
              </span>
              <Pages
                total={totalPages}
                page={page}
                change={page => void navigate({ to: '.', search: before => ({ ...before, page }) })}
              />
            </div>
            {items.length === 0 && (
              <Empty icon="search" title={t`No rows`}>
                <Trans>This page has no rows.</Trans>
              </Empty>
            )}
          </div>
        )}
      </Answered>
    </section>
  );
}

type NamedLine = Omit<Row, 'name'> & { readonly id: string; readonly name: string };

const nameCell = ({ name }: NamedLine) => <span className={styles.words}>{name}</span>;
/** As a spreadsheet shows it, without a separator. */
const lineCell = ({ line }: NamedLine) => line;
const contentCell = (row: NamedLine) => <Content row={row} />;

function Table({ rows }: { rows: readonly Row[] }) {
  const { t } = useLingui();
  if (rows.length === 0) return null;
  // An erasure removes the problems of a row, too.
  const nameOf = ({ name, problems }: Row) =>
    name ?? (problems.length > 0 ? t`Without a name` : t`A person who was erased`);
  return (
    <DataTable
      rows={rows.map(row => ({ ...row, id: String(row.line), name: nameOf(row) }))}
      actions={[]}
      sort=""
      sortBy={() => {}}
      columns={[
        { label: t`Person`, cell: nameCell },
        { label: t`Line`, cell: lineCell },
        { label: t`In the file`, cell: contentCell },
      ]}
    />
  );
}

/** The changes of a row, old → new, or why it cannot be imported. */
function Content({ row: { changes, problems, reason } }: { row: Omit<Row, 'name'> }) {
  const { t } = useLingui();
  const words = useFieldWords();
  const problemWords = useProblemWords();
  const skipWords = useSkipWords();
  return (
    <>
      {reason && (
        <Text size="sm" component="div">
          <Status status="failing">{skipWords[reason]}</Status>
        </Text>
      )}
      <ul className={styles.changes}>
        {changes.map(change => (
          <li key={change.field}>
            {words[change.field]}: <ChangeOf change={change} />
          </li>
        ))}
        {problems.map((problem, index) => (
          <li key={index}>
            {problem.field !== null && <strong>{problem.column || words[problem.field]}</strong>}{' '}
            {problem.value !== null && t`“${problem.value}”`} {problemWords(problem)}
          </li>
        ))}
      </ul>
    </>
  );
}

function ChangeOf({ change: { field, before, after } }: { change: Row['changes'][number] }) {
  const { t } = useLingui();
  const text = (value: string) => (field === 'blocked' ? (value === 'true' ? t`Yes` : t`No`) : value);
  return (
    <>
      {before !== null && (
        <>
          <VisuallyHidden>{t`Before:`} </VisuallyHidden>
          <span className={styles.before}>{text(before)}</span>
          {' → '}
        </>
      )}
      <VisuallyHidden>{t`After:`} </VisuallyHidden>
      {after === null ? (
        <Text span size="sm" fs="italic">
          <Trans>cleared</Trans>
        </Text>
      ) : (
        <strong>{text(after)}</strong>
      )}
    </>
  );
}
