import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EmployeeImportView } from '@kontor/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { download } from '../../api/ask.ts';
import { importRowsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { number } from '../../kit/dates.ts';
import { Tabs } from '../../kit/detail/tabs.tsx';
import { DownloadButton } from '../../kit/download-button.tsx';
import { Failure } from '../../kit/failure.tsx';
import { Icon } from '../../kit/icon.tsx';
import { DataTable } from '../../kit/list/data-table.tsx';
import { Pages } from '../../kit/list/pages.tsx';
import { Empty } from '../../kit/navigation/page.tsx';
import { Status } from '../../kit/status.tsx';
import { useNoticeWords, usePlaceWords, useProblemWords, useQuestionWords } from './problem-words.tsx';
import { AnswerAll, AnswerButtons, type Answering, useAnswers } from './questions.tsx';
import { type Import, type Row, useFieldWords, useSkipWords } from './words.tsx';
import shared from '../../kit/shared.module.css';
import styles from './imports.module.css';

/** The rows of the file by their effect, a page at a time. */
export function Rows({ one }: { one: Import }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { tab, page = 1 } = useSearch({ from: '/shell/imports' });
  const { adds, changes, errors, questions, unchanged, applied, skipped } = one.counts!;
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
    { id: 'question', name: t`Questions`, count: questions },
    { id: 'error', name: t`Errors`, count: errors },
    { id: 'unchanged', name: t`No change`, count: unchanged },
  ];
  const filled = all.filter(({ count }) => count > 0);
  const shown = filled.find(({ id }) => id === tab) ?? filled[0];
  const answer = useAnswer(importRowsQuery(one.id, one.status, { view: shown?.id ?? 'change', page }));
  if (shown === undefined) return null;
  const tabs = filled.map(({ id, name, count }) => ({ id, name: `${name} (${number(count)})` }));
  const isCorrected = shown.id === 'error' || shown.id === 'question';
  return (
    <section aria-label={t`Rows of the file`}>
      <Tabs label={t`Rows`} tabs={tabs} shown={shown.id} />
      <Answered answer={answer} height={300}>
        {({ items, totalPages, totalElements }) => (
          <Stack
            gap="md"
            pt="md"
            aria-busy={answer.isPlaceholderData}
            style={{ opacity: answer.isPlaceholderData ? 0.6 : 1 }}
          >
            {isCorrected && totalElements < shown.count && (
              <Text size="sm">
                <Trans>
                  Only the first {number(totalElements)} rows are listed. So many errors often come from a
                  wrong column: check the columns first.
                </Trans>
              </Text>
            )}
            {isCorrected && <Corrections id={one.id} />}
            {shown.id === 'question' ? (
              <Questions one={one} rows={items} />
            ) : (
              <Table rows={items} content={t`In the file`} />
            )}
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
          </Stack>
        )}
      </Answered>
    </section>
  );
}

/** The file in which rows are corrected. */
function Corrections({ id }: { id: string }) {
  const { i18n } = useLingui();
  const language = i18n.locale === 'de' ? 'de' : 'en';
  return (
    <div className={styles.corrections}>
      <Text size="sm">
        <Trans>
          The file with these rows has one more column, which says what is wrong. Correct the rows in Excel,
          save the file as CSV UTF-8, and upload it again.
        </Trans>
      </Text>
      <DownloadButton
        save={() => download('GET /employee-imports/{id}/rows-with-errors', { id, query: { language } })}
      >
        <Trans>Download the rows with errors</Trans>
      </DownloadButton>
    </div>
  );
}

/** Rows that a user decides about. */
function Questions({ one, rows }: { one: Import; rows: readonly Row[] }) {
  const { t } = useLingui();
  const answers = useAnswers(one);
  const isOpen = one.status === 'planned';
  if (rows.length === 0) return null;
  return (
    <>
      {isOpen && (
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            <Trans>
              Questions without an answer are left out. You can change an answer until the import.
            </Trans>
          </Text>
          <AnswerAll answers={answers} />
        </Group>
      )}
      {answers.error !== null && <Failure error={answers.error} />}
      <Table rows={rows} content={t`Question`} answering={{ answers, isOpen }} />
    </>
  );
}

interface NamedLine {
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly row: Row;
  readonly answering: Answering | undefined;
}

const nameCell = ({ name }: NamedLine) => <span className={styles.words}>{name}</span>;
/** As a spreadsheet shows it, without a separator. */
const lineCell = ({ line }: NamedLine) => line;
const contentCell = ({ row }: NamedLine) => <Content row={row} />;
const answerCell = ({ row, answering }: NamedLine) => <AnswerButtons row={row} {...answering!} />;

interface TableProps {
  readonly rows: readonly Row[];
  /** The head of the column with the changes and problems. */
  readonly content: string;
  /** Present for questions. */
  readonly answering?: Answering;
}

function Table({ rows, content, answering }: TableProps) {
  const { t } = useLingui();
  if (rows.length === 0) return null;
  // An erasure also removes the problems of a row.
  const nameOf = ({ name, problems }: Row) =>
    name ?? (problems.length > 0 ? t`Without a name` : t`A person who was erased`);
  return (
    <div className={styles.rows}>
      <DataTable
        rows={rows.map(row => ({ id: String(row.line), line: row.line, name: nameOf(row), row, answering }))}
        columns={[
          { label: t`Person`, cell: nameCell },
          { label: t`Row`, cell: lineCell },
          { label: content, cell: contentCell },
          ...(answering ? [{ label: t`Answer`, cell: answerCell }] : []),
        ]}
      />
    </div>
  );
}

/** The changes of a row, old → new, what a user decides, or why it cannot be imported. */
function Content({ row }: { row: Row }) {
  const words = useFieldWords();
  const questionWords = useQuestionWords();
  const problemWords = useProblemWords();
  const noticeWords = useNoticeWords();
  const placeWords = usePlaceWords();
  const skipWords = useSkipWords();
  const { kind, changes, problems, notices, reason } = row;
  return (
    <>
      {reason && (
        <Text size="sm" component="div">
          <Status status="failing">{skipWords[reason]}</Status>
        </Text>
      )}
      <ul className={styles.changes}>
        {problems.map((problem, index) => (
          <li key={`problem ${index}`}>
            {problem.field !== null && problem.code !== 'number_reused' && (
              <strong>{placeWords(problem)} </strong>
            )}
            {kind === 'error' ? problemWords(problem) : questionWords(problem, row)}
          </li>
        ))}
        {changes.map(change => (
          <li key={change.field}>
            {words[change.field]}: <ChangeOf change={change} />
          </li>
        ))}
        {notices.map((notice, index) => (
          <li key={`notice ${index}`} className={styles.notice}>
            <Icon name="alert" size={14} />
            <span>
              {notice.field !== null && <strong>{placeWords(notice)} </strong>}
              {noticeWords(notice)}
            </span>
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
