import { Trans, useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { useAnswer } from '../../api/answer.ts';
import { historyQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { useAuditWords } from '../../kit/audit-words.tsx';
import { useChangedValues } from '../../kit/detail/changed-values.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Actor, Timeline } from '../../kit/detail/timeline.tsx';
import type { Change } from '../../kit/form/conflict-notice.tsx';

export type KeyHistory = AnswerOf<'GET /api-keys/{id}/history'>;
export type KeyChange = KeyHistory['changes'][number];

/** The changes of a key with their actors. */
export function History({ id }: { id: string }) {
  const { t } = useLingui();
  const wordsFor = useChangeWords();
  const render = useChangedValues([]);
  return (
    <Section title={t`History`}>
      <Answered answer={useAnswer(historyQuery(id))} height={220}>
        {({ changes }) =>
          changes.length === 0 ? (
            <Trans>The audit log has no change of this key.</Trans>
          ) : (
            <Timeline
              events={changes.map(change => ({
                id: change.id,
                at: change.at,
                what: (
                  <>
                    {wordsFor(change.action)}
                    {render(change.values)}
                  </>
                ),
                who: <Actor type={change.actorType} name={change.actorName} />,
              }))}
            />
          )
        }
      </Answered>
    </Section>
  );
}

function useChangeWords(): (action: string) => string {
  const { t } = useLingui();
  const words: Readonly<Record<string, string>> = {
    'key.create': t`Created`,
    'key.update': t`Expected interval changed`,
    'key.expire': t`Expiry changed`,
    'key.deactivate': t`Deactivated`,
    'key.reactivate': t`Reactivated`,
    'key.delete': t`Deleted`,
    'key.remind': t`Contacts reminded that the key expires`,
    'key.no_recent_activity': t`Contacts notified that the key has no recent activity`,
  };
  const { action: actionWords } = useAuditWords();
  return action => words[action] ?? actionWords(action);
}

/** The latest change by a person, for the notice of a conflict. */
export function latestOf(history: KeyHistory | undefined): Change | undefined {
  const latest = history?.changes.find(({ actorType }) => actorType !== 'system');
  return latest && { ...latest, actor: <Actor type={latest.actorType} name={latest.actorName} /> };
}
