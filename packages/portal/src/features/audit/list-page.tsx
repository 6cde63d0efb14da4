import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/ask.ts';
import { auditQuery } from '../../api/queries.ts';
import { useAuditWords } from '../../kit/audit-words.tsx';
import { moment } from '../../kit/dates.ts';
import { useFieldWords } from '../../kit/field-words.tsx';
import { useFilterWords } from '../../kit/filter/words.tsx';
import type { Column } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { questionOf } from '../../kit/list/search.ts';
import { useList } from '../../kit/list/use-list.ts';
import { Page } from '../../kit/navigation/page.tsx';
import shared from '../../kit/shared.module.css';

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
        columns={useColumns()}
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

function useColumns(): Column<Entry>[] {
  const { t } = useLingui();
  const words = useAuditWords();
  const { field: labels } = useFilterWords();
  return [
    { label: t`Time`, field: 'createdAt', cell: ({ createdAt }) => moment(createdAt) },
    {
      label: t`Action`,
      field: 'action',
      file: [
        { field: 'action', label: t`Action`, words: words.values.action },
        { field: 'outcome', label: labels('outcome'), words: words.values.outcome },
        { field: 'reason', label: labels('reason'), words: words.values.reason },
        { field: 'fields', label: t`Fields`, words: useFieldWords() },
        { field: 'count', label: labels('count') },
      ],
      cell: ({ action, reason, fields, count }) => (
        <>
          {words.action(action)}
          {count > 1 && ` (${count} ×)`}
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {[action, reason && t`Rejected: ${words.values.reason[reason]}`, ...fields.map(labels)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </>
      ),
    },
    {
      label: t`By`,
      field: 'actorName',
      file: [
        { field: 'actorName', label: t`By` },
        { field: 'actorId', label: labels('actorId') },
        { field: 'actorType', label: labels('actorType'), words: words.values.actorType },
        { field: 'address', label: labels('address') },
      ],
      cell: ({ actorType, actorName, address }) => (
        <>
          {actorName}
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {[words.actor(actorType), address].filter(Boolean).join(' · ')}
          </Text>
        </>
      ),
    },
    {
      label: t`Target ID`,
      field: 'targetId',
      file: [
        { field: 'targetType', label: labels('targetType'), words: words.values.targetType },
        { field: 'targetId', label: t`Target ID` },
        { field: 'requestId', label: labels('requestId') },
      ],
      cell: ({ targetId }) => <span className={shared.mono}>{targetId}</span>,
    },
  ];
}
