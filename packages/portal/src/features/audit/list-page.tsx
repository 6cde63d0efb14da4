import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/ask.ts';
import { auditQuery } from '../../api/queries.ts';
import { useAuditWords } from '../../kit/audit-words.tsx';
import { moment } from '../../kit/dates.ts';
import { ReasonOfChange, useChangedValues } from '../../kit/detail/changed-values.tsx';
import { useFieldWords } from '../../kit/field-words.tsx';
import { useFilterWords } from '../../kit/filter/words.tsx';
import type { Column } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { questionOf } from '../../kit/list/search.ts';
import { useList } from '../../kit/list/use-list.ts';
import { Page } from '../../kit/navigation/page.tsx';
import { useSettingValueWords, useSettingWords } from '../../kit/detail/setting-words.tsx';
import { Sentence } from './sentence.tsx';
import styles from './audit.module.css';

type Entry = AnswerOf<'POST /audit-entries/search'>['items'][number];

/** The changes of the organization with their actors, the latest first. */
export function AuditPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/audit' });
  const words = useAuditWords();
  const list = useList({
    route: 'POST /audit-entries/search',
    search,
    questionOf: ({ company: _company, sort = '-createdAt', ...view }) =>
      questionOf({ ...view, sort }, ['actorName', 'action', 'targetId'], words.actionsWith(view.text)),
    queryOf: auditQuery,
  });
  const { total: count } = list;
  return (
    <Page
      title={t`Audit log`}
      lead={
        <Trans>Changes, sign-ins and rejected requests of the organization. Entries cannot be changed.</Trans>
      }
    >
      <List
        list={list}
        columns={useColumns(list.answer.data?.items ?? [])}
        valueWords={words.values}
        exportRoute="POST /audit-entries/export"
        searchLabel={t`Search by user, key, action or target ID`}
        count={<Plural value={count} one="# entry" other="# entries" />}
        empty={
          <NoMatch title={t`No matching entries`} showAll={<Trans>Show all entries</Trans>}>
            <Trans>Search for a part of the name, action or ID, or change the filter.</Trans>
          </NoMatch>
        }
      />
    </Page>
  );
}

function useColumns(entries: readonly Entry[]): Column<Entry>[] {
  const { t } = useLingui();
  const words = useAuditWords();
  const { field: labels } = useFilterWords();
  const render = useChangedValues(entries.map(({ values }) => values));
  const names = { ...useSettingWords(), ...useFieldWords() };
  const values = useSettingValueWords();
  const listOf = (fields: readonly string[]) => fields.flatMap(field => names[field] ?? []).join(' · ');
  return [
    {
      label: t`Time`,
      field: 'createdAt',
      cell: ({ createdAt, address }) => (
        <>
          {moment(createdAt)}
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Text>
        </>
      ),
    },
    {
      label: t`Entry`,
      field: 'action',
      file: [
        { field: 'entry', label: t`Entry` },
        { field: 'outcome', label: labels('outcome'), words: words.values.outcome },
        { field: 'reason', label: labels('reason'), words: words.values.reason },
        { field: 'fields', label: t`Fields`, words: names },
        { field: 'values', label: t`Changes`, words: { ...values, ...names } },
        { field: 'count', label: labels('count') },
        { field: 'targetType', label: labels('targetType'), words: words.values.targetType },
        { field: 'targetId', label: t`Target ID` },
        { field: 'requestId', label: labels('requestId') },
        { field: 'actorName', label: t`By` },
        { field: 'actorId', label: labels('actorId') },
        { field: 'actorType', label: labels('actorType'), words: words.values.actorType },
        { field: 'address', label: labels('address') },
      ],
      cell: entry => (
        <div className={styles.entry}>
          <Sentence entry={entry} />
          {entry.count > 1 && ` (${entry.count} ×)`}
          <Text size="sm" c="dimmed" component="div">
            {entry.values.length > 0 ? render(entry.values) : listOf(entry.fields)}
            <ReasonOfChange reason={entry.comment} />
          </Text>
        </div>
      ),
    },
  ];
}
