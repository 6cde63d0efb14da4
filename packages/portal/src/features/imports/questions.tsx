import { Button, Group, VisuallyHidden } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { ask } from '../../api/ask.ts';
import { type Action, useAction } from '../../kit/form/use-action.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import { changes, type Import, type Row } from './words.tsx';

type Answer = NonNullable<Row['answer']>;
type AnswerAction = Action<[answer: Answer, lines?: number[]]>;

/** Answers questions: those of some lines, or all. */
export function useAnswers({ id }: Pick<Import, 'id'>): AnswerAction {
  return useAction(changes.slice(0, 1), (answer: Answer, lines?: number[]) =>
    ask('POST /employee-imports/{id}/answers', { id, body: { answer, ...(lines && { lines }) } }),
  );
}

export interface Answering {
  readonly answers: AnswerAction;
  /** Whether answers can be changed. */
  readonly isOpen: boolean;
}

interface Props extends Answering {
  readonly row: Pick<Row, 'line' | 'answer' | 'outcome'>;
}

/** The answer to the question of a row. */
export function AnswerButtons({ row: { line, answer, outcome }, answers, isOpen }: Props) {
  const mayChange = useMayChange();
  if (isOpen && !mayChange) return null;
  if (!isOpen) return outcome === 'applied' ? <Trans>Imported</Trans> : <Trans>Left out</Trans>;
  return (
    <Group gap="xs" wrap="nowrap">
      {(['import', 'leave_out'] as const).map(each => (
        <Button
          key={each}
          size="xs"
          variant={answer === each ? 'filled' : 'default'}
          aria-pressed={answer === each}
          onClick={() => void answers.run(each, [line])}
        >
          {each === 'import' ? <Trans>Import</Trans> : <Trans>Leave out</Trans>}
          <VisuallyHidden>
            {' '}
            <Trans>row {line}</Trans>
          </VisuallyHidden>
        </Button>
      ))}
    </Group>
  );
}

/** Answers all questions at once. */
export function AnswerAll({ answers }: { answers: AnswerAction }) {
  if (!useMayChange()) return null;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => void answers.run('import')}>
        <Trans>Import all</Trans>
      </Button>
      <Button size="xs" variant="default" onClick={() => void answers.run('leave_out')}>
        <Trans>Leave out all</Trans>
      </Button>
    </Group>
  );
}
