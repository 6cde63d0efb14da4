import { Stack } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { employeeChangesQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { ReasonOfChange, useChangedValues } from '../../kit/detail/changed-values.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Actor, Timeline } from '../../kit/detail/timeline.tsx';
import type { Change } from '../../kit/form/conflict-notice.tsx';
import { Pages } from '../../kit/list/pages.tsx';
import type { EmployeeChange } from './words.tsx';

type Changes = AnswerOf<'GET /employees/{id}/changes'>;

/** The changed values of an employee with their actors, the latest first. */
export function History({ id }: { id: string }) {
  const { t } = useLingui();
  const [page, setPage] = useState(1);
  const answer = useAnswer(employeeChangesQuery(id, page));
  const pages = answer.data?.totalPages ?? 1;
  return (
    <Section title={t`History`}>
      <Answered answer={answer} height={220}>
        {({ items }) =>
          items.length === 0 ? (
            <Trans>There are no changes in the period for which they are kept.</Trans>
          ) : (
            <Stack>
              <Changes changes={items} />
              <Pages total={pages} page={page} change={setPage} />
            </Stack>
          )
        }
      </Answered>
    </Section>
  );
}

function Changes({ changes }: { changes: readonly EmployeeChange[] }) {
  const render = useChangedValues(changes.map(({ values }) => values));
  return (
    <Timeline
      events={changes.map(change => ({
        id: change.id,
        at: change.createdAt,
        who: <Actor type={change.actorType} name={change.actorName} />,
        what: (
          <>
            {render(change.values)}
            <ReasonOfChange reason={change.reason} />
          </>
        ),
      }))}
    />
  );
}

/** Stands for a history without changes, so that the first one is noticed. */
const none: Change = { id: '', at: '', actorId: '', actor: '' };

/** The latest change, for the notice of a conflict. */
export function latestOf(changes: Changes | undefined): Change | undefined {
  if (changes === undefined) return undefined;
  const [latest] = changes.items;
  return latest === undefined
    ? none
    : { ...latest, at: latest.createdAt, actor: <Actor type={latest.actorType} name={latest.actorName} /> };
}
