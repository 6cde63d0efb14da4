import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react';
import { download } from '../../api/ask.ts';
import { Failure, isUnavailable } from '../failure.tsx';
import { conditionsIn } from '../filter/draft.ts';
import { type ValueWords, ValueWordsContext } from '../filter/words.tsx';
import { useAction } from '../form/use-action.ts';
import { Icon } from '../icon.tsx';
import { lazyPage } from '../navigation/lazy-page.ts';
import { LinkButton } from '../navigation/link-button.tsx';
import { Empty, Unavailable } from '../navigation/page.tsx';
import { type Column, DataTable, type FileColumn } from './data-table.tsx';
import { contentOfFile, type ExportRoute, formOfFile, ofHr } from './export.ts';
import { Pages } from './pages.tsx';
import { typedPersonsMaximum } from './persons.ts';
import type { NamedRow, RowAction } from './row-action.ts';
import { SearchInput } from './search-input.tsx';
import type { ListSearch } from './search.ts';
import { type PageOf, useSteadyRows } from './steady.ts';
import type { useList } from './use-list.ts';
import shared from '../shared.module.css';
import styles from './list.module.css';

/** Most lists are read without a filter, so its form is loaded when it is opened. */
const FilterPanel = lazyPage(() => import('../filter/filter-panel.tsx'), 'FilterPanel');
const ActiveFilter = lazyPage(() => import('../filter/active-filter.tsx'), 'ActiveFilter');

const noWords: ValueWords = {};

interface RowsProps<Row extends NamedRow> {
  readonly list: ReturnType<typeof useList<PageOf<Row>, ListSearch, QueryKey>>;
  readonly columns: readonly Column<Row>[];
  /** The actions on one row and on several. */
  readonly actions?: readonly RowAction<Row>[];
  /** The name of a row for its actions; absent: its field `name`. */
  readonly nameOf?: (row: Row) => string;
  /** How many rows there are on all pages, in words. */
  readonly count: ReactNode;
  /** Content of a list without rows. */
  readonly empty: ReactNode;
}

interface Props<Row extends NamedRow> extends RowsProps<Row> {
  /** The label of the search. */
  readonly searchLabel: string;
  /** Changes a text before it is searched for. */
  readonly cleanText?: (text: string | undefined) => string | undefined;
  /** Inputs that narrow the list beside search and filter. */
  readonly narrowing?: ReactNode;
  /** The operation that exports what the list shows. */
  readonly exportRoute: ExportRoute;
  /** Columns of the file after those of the page. */
  readonly fileColumns?: readonly FileColumn[];
  /** Words for the values of its fields in the filter. */
  readonly valueWords?: ValueWords;
}

/** A list with its search and filter. */
export function List<Row extends NamedRow>(props: Props<Row>) {
  const { list, columns, searchLabel, cleanText = text => text, narrowing, valueWords = noWords } = props;
  const { exportRoute, fileColumns = [] } = props;
  const { route, text, filter, filterText, problem, searchFor, applyFilter } = list;
  const { t, i18n } = useLingui();
  const panel = useId();
  const [opened, { toggle }] = useDisclosure(problem !== null);
  const { data, error } = list.answer;
  const exporting = useAction([], async () => {
    const { filter, tenant, sort } = list.question;
    const narrowed = tenant === undefined ? {} : ofHr.has(exportRoute) ? { tenant } : { query: { tenant } };
    const body = {
      ...(filter !== undefined && { filter }),
      sort,
      ...contentOfFile(columns, fileColumns),
      ...formOfFile(i18n.locale),
    };
    await download(exportRoute, { body, ...narrowed });
  });
  const isOpen = opened || problem !== null;
  const count = filter ? conditionsIn(filter) : 0;
  if (data === undefined && isUnavailable(error)) return <Unavailable error={error} />;
  return (
    <ValueWordsContext value={valueWords}>
      <div className={styles.toolbar}>
        <SearchInput label={searchLabel} text={text} search={text => searchFor(cleanText(text))} />
        {narrowing}
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={16} />}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={panel}
        >
          {count === 0 ? t`Filter` : t`Filter (${count})`}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          loading={exporting.busy}
          disabled={list.total === 0}
          onClick={() => void exporting.run()}
        >
          <Trans>Export</Trans>
        </Button>
      </div>
      {exporting.error !== null && <Failure error={exporting.error} />}
      <div id={panel} hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={150} radius="md" />}>
            <FilterPanel route={route} text={filterText} problem={problem} apply={applyFilter} />
          </Suspense>
        )}
      </div>
      {filter && !isOpen && (
        <Suspense>
          <ActiveFilter route={route} filter={filter} apply={applyFilter} />
        </Suspense>
      )}
      {list.areMorePersons && (
        <Text size="sm" role="status">
          <Trans>
            More than {typedPersonsMaximum} employees match. Type more of the name to see all results.
          </Trans>
        </Text>
      )}
      {problem === null && <Rows {...props} />}
    </ValueWordsContext>
  );
}

/** The rows of a list and its other states: loading, failed, empty, and changed by other users. */
function Rows<Row extends NamedRow>(props: RowsProps<Row>) {
  const { list, columns, actions = [], nameOf, count, empty } = props;
  const { t } = useLingui();
  const navigate = useNavigate();
  const { answer, question, change } = list;
  const { error, isPlaceholderData } = answer;
  const { page } = question;
  const area = useRef<HTMLDivElement>(null);
  const asked = isPlaceholderData ? 'before' : JSON.stringify(question);
  const { shown, hasChanges, showAll, handlers } = useSteadyRows(answer.data, asked);
  const last = shown && !isPlaceholderData ? Math.max(1, shown.totalPages) : page;
  useEffect(() => {
    // The page of an old link may be gone, or its rows deleted: the last page replaces an empty one.
    if (page > last)
      void navigate({ to: '.', search: before => ({ ...before, page: last }), state: true, replace: true });
  }, [page, last, navigate]);
  const show = () => {
    showAll();
    area.current?.focus();
  };
  return (
    <>
      {error !== null && <Failure error={error} retry={() => void answer.refetch()} />}
      {!shown && error === null && <LoadingRows />}
      {shown?.totalElements === 0 && empty}
      {shown && shown.totalElements > 0 && (
        <div
          className={styles.list}
          ref={area}
          tabIndex={-1}
          role="group"
          aria-label={t`List`}
          aria-busy={isPlaceholderData}
          style={{ opacity: isPlaceholderData ? 0.6 : 1 }}
          {...handlers}
        >
          <div className={styles.news} role="status">
            {hasChanges && (
              <Button size="xs" radius="xl" onClick={show}>
                <Trans>The list has changed. Reload</Trans>
              </Button>
            )}
          </div>
          <DataTable
            list={list.route}
            rows={shown.items}
            columns={columns}
            actions={actions}
            nameOf={nameOf}
            acted={showAll}
            sort={question.sort}
            sortBy={sort => change({ sort })}
          />
          <div className={styles.end}>
            <span className={shared.aside} role="status">
              {count}
            </span>
            <Pages total={shown.totalPages} page={page} change={page => change({ page })} />
          </div>
        </div>
      )}
    </>
  );
}

function LoadingRows() {
  return (
    <Stack gap="xs" aria-hidden>
      {[1, 2, 3, 4, 5].map(each => (
        <Skeleton key={each} height={48} radius="md" />
      ))}
    </Stack>
  );
}

interface NoMatchProps {
  readonly title: string;
  /** Words for the link to the whole list. */
  readonly showAll: ReactNode;
  readonly children: ReactNode;
}

/** Replaces a list when search and filter leave nothing. */
export function NoMatch({ title, showAll, children }: NoMatchProps) {
  return (
    <Empty
      icon="search"
      title={title}
      action={
        <LinkButton to="." search={{ company: undefined }} variant="default">
          {showAll}
        </LinkButton>
      }
    >
      {children}
    </Empty>
  );
}
