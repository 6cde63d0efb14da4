import type { Division } from '@kontor/contract';
import { Checkbox, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { Failure } from '../../kit/failure.tsx';
import { Aborted, useAction, useFreshSignIn } from '../../kit/form/use-action.ts';
import { Dialog, DialogForm } from '../../kit/overlay/dialog.tsx';
import { DivisionTree } from '../../kit/tree/division-tree.tsx';
import type { Place } from '../../kit/tree/places.ts';
import { sendMove } from './use-moves.tsx';
import shared from '../../kit/shared.module.css';

/** A division that is to be moved, as the user has read it, and the place that was chosen for it already. */
export interface Move {
  readonly division: Division;
  readonly place?: Place;
}

interface Props {
  readonly tenant: string;
  /** Name of the company. */
  readonly company: string;
  /** Undefined: the dialog is closed. */
  readonly asked: Move | undefined;
  readonly close: () => void;
  readonly send: (division: Division, place: Place) => Promise<void>;
}

/** Asks where a division is moved to, and shows what that means before anything is stored. */
export function MoveDialog({ asked, close, ...more }: Props) {
  const { t } = useLingui();
  const name = asked?.division.name;
  return (
    <Dialog opened={asked !== undefined} close={close} title={t`Move ${name}`} size="lg">
      {asked && <MoveForm key={asked.division.id} asked={asked} close={close} {...more} />}
    </Dialog>
  );
}

function MoveForm({ tenant, company, asked, close, send }: Props & { asked: Move }) {
  const { division } = asked;
  const withFreshSignIn = useFreshSignIn();
  const [place, setPlace] = useState(asked.place);
  const parentId = place?.parentId;
  const isElsewhere = parentId !== undefined && parentId !== division.parentId;
  const preview = useAnswer({
    queryKey: ['divisions-move', division.id, division.updatedAt, parentId],
    queryFn: () =>
      withFreshSignIn(() =>
        sendMove(division.id, { expectedUpdatedAt: division.updatedAt, parentId: parentId ?? null }, true),
      ).catch((error: unknown) => {
        // Choosing a place again asks again.
        if (error instanceof Aborted) setPlace(undefined);
        throw error;
      }),
    enabled: isElsewhere,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const action = useAction([], () => send(division, place!), close);
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Move</Trans>}
      isDisabled={!isElsewhere || preview.data === undefined || preview.isPlaceholderData}
    >
      <Text size="sm">
        <Trans>Choose the division that it is moved into, with all divisions below it.</Trans>
      </Text>
      <Checkbox
        label={<Trans>To the top level of {company}</Trans>}
        checked={parentId === null}
        onChange={({ currentTarget }) =>
          setPlace(currentTarget.checked ? { parentId: null, after: undefined } : undefined)
        }
      />
      <DivisionTree
        tenant={tenant}
        name={company}
        mode={{
          inspected: parentId ?? undefined,
          inspect: id => setPlace({ parentId: id, after: undefined }),
        }}
      />
      <div role="status">
        {parentId !== undefined && !isElsewhere && (
          <Text size="sm">
            <Trans>It is there already.</Trans>
          </Text>
        )}
        {isElsewhere && preview.data && <Effects move={preview.data} />}
      </div>
      {isElsewhere && preview.error !== null && <Failure error={preview.error} />}
    </DialogForm>
  );
}

type Effect = AnswerOf<'POST /divisions/{id}/move'>;

function Effects({ move: { divisions, employees, gaining, losing } }: { move: Effect }) {
  const { t } = useLingui();
  const below = divisions - 1;
  return (
    <Stack gap={4} fz="sm">
      <Text size="sm" fw={600}>
        <Plural value={employees} one="# employee moves with it" other="# employees move with it" />
        {below > 0 && (
          <>
            {', '}
            <Plural value={below} one="and # division below it" other="and # divisions below it" />
          </>
        )}
        {'.'}
      </Text>
      {gaining.total > 0 && <Keys keys={gaining} title={t`These API keys will see them:`} />}
      {losing.total > 0 && <Keys keys={losing} title={t`These API keys will no longer see them:`} />}
      {gaining.total + losing.total === 0 && (
        <Text size="sm">
          <Trans>No API key gains or loses access.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function Keys({ keys: { total, items }, title }: { keys: Effect['gaining']; title: string }) {
  const more = total - items.length;
  return (
    <div>
      <Text size="sm">{title}</Text>
      <ul className={shared.list}>
        {items.map(({ id, name }) => (
          <li key={id} style={{ overflowWrap: 'anywhere' }}>
            {name} <span className={`${shared.mono} ${shared.aside}`}>{id}</span>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        )}
      </ul>
    </div>
  );
}
