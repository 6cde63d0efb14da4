import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { incidentsQuery } from '../../api/queries.ts';
import { day } from '../../kit/dates.ts';
import { useFieldWords } from '../../kit/field-words.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { IncidentState, useIncidentStatusWords, useIncidentTypeWords } from '../../kit/hr-words.tsx';
import type { Column, FileColumn } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { usePersonsOf } from '../../kit/list/persons.ts';
import {
  PersonCell,
  QueueFilter,
  showsAll,
  usePersonColumns,
  usePlaceColumns,
} from '../../kit/list/queue.tsx';
import { allOf, type ListView, type Question, questionOf, type QueueSearch } from '../../kit/list/search.ts';
import { useList } from '../../kit/list/use-list.ts';
import { CreateLink } from '../../kit/navigation/link-button.tsx';
import { useOpenPanel } from '../../kit/navigation/panel.ts';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { When } from '../../kit/when.tsx';
import { IncidentPanel } from './incident-panel.tsx';
import { type Incident, useSolutionWords } from './words.tsx';

/** The incidents of the companies that the user does the work of HR for, and one beside the list. */
export function IncidentsPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/incidents' });
  const list = useList({
    route: 'POST /incidents/search',
    search,
    questionOf: questionOfIncidents,
    searchesPersons: true,
    queryOf: incidentsQuery,
  });
  const isAll = showsAll(search, list.filterText);
  const shown = list.answer.data?.items ?? [];
  const open = useOpenPanel('incident');
  const mayChange = useMayChange();
  return (
    <Page
      title={t`Incidents`}
      lead={
        mayChange ? (
          <Trans>Report what disturbs a running order, and follow it.</Trans>
        ) : (
          <Trans>Follow what disturbs running orders.</Trans>
        )
      }
      actions={
        <CreateLink to="/incidents/new">
          <Trans>Report an incident</Trans>
        </CreateLink>
      }
    >
      <List
        list={list}
        columns={useColumns(shown)}
        valueWords={{
          type: useIncidentTypeWords(),
          status: useIncidentStatusWords(),
          requestedSolution: useSolutionWords(),
        }}
        exportRoute="POST /incidents/export"
        fileColumns={useFileColumns()}
        searchLabel={t`Search by name, number, description or police report`}
        narrowing={
          <QueueFilter
            label={t`Which incidents`}
            open={t`Open`}
            all={t`All incidents`}
            isAll={isAll}
            change={changed =>
              list.change({ ...changed, ...(isAll && !search.all && { filter: undefined }) })
            }
          />
        }
        count={<Plural value={list.total} one="# incident" other="# incidents" />}
        empty={
          list.text !== undefined || list.filterText !== undefined ? (
            <NoMatch title={t`No incident matches`} showAll={<Trans>Show all open incidents</Trans>}>
              <Trans>
                Search for a part of a name, of the number or of the description, or change the filter.
              </Trans>
            </NoMatch>
          ) : (
            <Empty icon="check" title={search.all ? t`No incidents yet` : t`No incident is open`}>
              {mayChange ? (
                <Trans>Report theft, damage, leave or the end of employment here.</Trans>
              ) : (
                <Trans>New reports appear automatically.</Trans>
              )}
            </Empty>
          )
        }
      />
      {search.incident !== undefined && <IncidentPanel id={search.incident} among={shown} open={open} />}
    </Page>
  );
}

function useColumns(incidents: readonly Incident[]): Column<Incident>[] {
  const { t } = useLingui();
  const types = useIncidentTypeWords();
  const statuses = useIncidentStatusWords();
  const personOf = usePersonsOf(incidents);
  return [
    {
      label: t`Person`,
      id: 'person',
      file: usePersonColumns(),
      cell: incident => (
        <PersonCell
          person={personOf(incident)}
          number={incident.incidentNumber}
          item={{ incident: incident.id }}
        />
      ),
    },
    { label: t`Kind of incident`, field: 'type', words: types, cell: ({ type }) => types[type] },
    {
      label: t`Status`,
      field: 'status',
      words: statuses,
      cell: ({ status }) => <IncidentState status={status} />,
    },
    {
      label: t`Number`,
      field: 'incidentNumber',
      isExtra: true,
      cell: ({ incidentNumber }) => incidentNumber,
    },
    {
      label: t`Happened`,
      field: 'occurredOn',
      cell: ({ occurredOn }) => (occurredOn === null ? '–' : day(occurredOn)),
    },
    {
      label: t`Reported`,
      field: 'createdAt',
      isExtra: true,
      cell: ({ createdAt }) => <When at={createdAt} />,
    },
  ];
}

/** More fields of the panel of an incident. */
function useFileColumns(): FileColumn[] {
  const words = useFieldWords();
  const solutions = useSolutionWords();
  const fields = ['effectiveFrom', 'effectiveTo', 'description', 'policeReference'] as const;
  return [
    { field: 'requestedSolution', label: words['requestedSolution']!, words: solutions },
    ...fields.map(field => ({ field, label: words[field]! })),
    ...usePlaceColumns(),
  ];
}

/** The state of the list of incidents that the address holds. */
export type IncidentsSearch = QueueSearch<'incident'>;

/** The parameters of the list: the newest first. */
export function questionOfIncidents(
  { all, incident: _incident, ...search }: ListView<IncidentsSearch>,
  ofPersons?: string,
): Question {
  const filter = allOf(
    showsAll({ all }, search.filter) ? undefined : 'status IN (draft, completed, in_progress)',
    search.filter,
  );
  const fields = ['incidentNumber', 'description', 'policeReference'];
  return questionOf({ ...search, sort: search.sort ?? '-createdAt', filter }, fields, ofPersons);
}
