import { Button, Pagination, Skeleton, Stack } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Failure } from '../failure.tsx';
import { type PageOf, useSteady } from './steady.ts';

interface Props<Row> {
  /** The answer to the present question, or to the one before while that is in progress. */
  readonly query: {
    readonly data: PageOf<Row> | undefined;
    readonly error: unknown;
    refetch(): unknown;
    readonly isPlaceholderData: boolean;
  };
  /** The current request, as text. */
  readonly question: string;
  readonly page: number;
  readonly write: (page: number) => void;
  /** Content of an empty list. */
  readonly empty: ReactNode;
  /** How many there are on all pages, in words. */
  readonly count: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list with all that can become of it: waiting, failure, nothing, rows with their pages, and what others change meanwhile. */
export function ListFrame<Row extends { readonly id: string }>(props: Props<Row>) {
  const { query, question, page, write, empty, count, children } = props;
  const { t } = useLingui();
  const { error, isPlaceholderData } = query;
  const area = useRef<HTMLDivElement>(null);
  const { shown, waits, showAll, hands } = useSteady(query.data, isPlaceholderData ? 'before' : question);
  const navigate = useNavigate();
  const last = shown && !isPlaceholderData ? Math.max(1, shown.totalPages) : page;
  useEffect(() => {
    // An old link, or others have deleted what was on the last page: an empty page would have no way back.
    if (page > last) void navigate({ to: '.', search: before => ({ ...before, page: last }), replace: true });
  }, [page, last, navigate]);
  const show = () => {
    showAll();
    area.current?.focus();
  };
  return (
    <>
      {error !== null && <Failure error={error} retry={() => void query.refetch()} />}
      {!shown && error === null && <LoadingRows />}
      {shown?.totalElements === 0 && empty}
      {shown && shown.totalElements > 0 && (
        <div
          className="list"
          ref={area}
          tabIndex={-1}
          role="group"
          aria-label={t`List`}
          aria-busy={isPlaceholderData}
          style={{ opacity: isPlaceholderData ? 0.6 : 1 }}
          {...hands}
        >
          <div className="news" role="status">
            {waits && (
              <Button size="xs" radius="xl" onClick={show}>
                <Trans>The list has changed: show it</Trans>
              </Button>
            )}
          </div>
          {children(shown.items)}
          <div className="list-end">
            <span className="aside" role="status">
              {count}
            </span>
            {shown.totalPages > 1 && (
              <Pagination
                size="sm"
                total={shown.totalPages}
                value={page}
                onChange={write}
                getControlProps={control => ({
                  'aria-label': control === 'next' ? t`Next page` : t`Previous page`,
                })}
                getItemProps={page => ({ 'aria-label': t`Page ${page}` })}
              />
            )}
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
