import type { Division } from '@kontor/contract';
import { Box, Button, Group, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useState } from 'react';
import { divisionsQuery, usePermission } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAttempt } from '../../kit/form/use-action.ts';
import { DivisionTree } from '../../kit/tree/division-tree.tsx';
import { type Place, placeAmongSiblings } from '../../kit/tree/places.ts';
import { ancestorsOf, type Tree, treeOf } from '../../kit/tree/tree.ts';
import { DivisionDialog, type Edited } from './division-form.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';
import { useMoves } from './use-moves.tsx';

interface Props {
  readonly tenant: string;
  /** Name of the company. */
  readonly company: string;
  readonly inspected: string | undefined;
  readonly inspect: (division: string) => void;
}

/** Actions on the selected division; null: the user only reads. */
interface Actions {
  readonly edit: (edited: Edited) => void;
  readonly ask: (move: Move) => void;
  readonly move: (division: Division, place: Place) => void;
}

const DivisionActions = createContext<Actions | null>(null);

/** The divisions of a company. A company admin creates, renames and moves them. */
export function Divisions(props: Props) {
  const isAdmin = usePermission('COMPANY_ADMIN');
  if (isAdmin) return <EditableDivisions {...props} />;
  const { tenant, company, inspected, inspect } = props;
  return (
    <Section title={<Trans>Divisions</Trans>}>
      <DivisionTree tenant={tenant} name={company} mode={{ inspected, inspect, About: AboutDivision }} />
    </Section>
  );
}

function EditableDivisions({ tenant, company, inspected, inspect }: Props) {
  const [edited, setEdited] = useState<Edited>();
  const [asked, setAsked] = useState<Move>();
  const { data } = useQuery(divisionsQuery(tenant));
  const tree = useMemo(() => treeOf(data ?? []), [data]);
  const { move, undo, revealed } = useMoves(tenant);
  const { attempt, error } = useAttempt();
  const moveOrAsk = (division: Division, place: Place) => {
    // Another place among the siblings changes no access.
    if (place.parentId === division.parentId) void attempt('send', () => move(tree, division, place));
    else setAsked({ division, place });
  };
  return (
    <DivisionActions value={{ edit: setEdited, ask: setAsked, move: moveOrAsk }}>
      <Section
        title={<Trans>Divisions</Trans>}
        aside={
          <Button variant="default" onClick={() => setEdited({ below: null })}>
            <Trans>New division</Trans>
          </Button>
        }
      >
        <DivisionTree
          tenant={tenant}
          name={company}
          mode={{ inspected, inspect, About: AboutDivision, arranging: { move: moveOrAsk, undo }, revealed }}
        />
        {error !== null && (
          <Box mt="sm">
            <Failure error={error} />
          </Box>
        )}
        {tree.byId.size > 0 && (
          <Text size="xs" c="dimmed" mt="sm">
            <Trans>
              Drag a division to another place, or select it and use its buttons. By keyboard: Alt with an
              arrow changes the order, Ctrl+X and Ctrl+V move it below another one, Ctrl+Z undoes a move.
            </Trans>
          </Text>
        )}
      </Section>
      <DivisionDialog tenant={tenant} edited={edited} close={() => setEdited(undefined)} done={inspect} />
      <MoveDialog
        tenant={tenant}
        company={company}
        asked={asked}
        close={() => setAsked(undefined)}
        send={(division, place) => move(tree, division, place)}
      />
    </DivisionActions>
  );
}

function AboutDivision({ tree, id }: { tree: Tree; id: string | undefined }) {
  const { t } = useLingui();
  const actions = useContext(DivisionActions);
  const division = id === undefined ? undefined : tree.byId.get(id);
  if (!division) return null;
  const { name, costCenter, createdAt, updatedAt } = division;
  const path = ancestorsOf(tree, division).map(({ name }) => name);
  return (
    <Box mt="md" role="group" aria-label={t`About ${name}`}>
      <Title order={3} fz="lg" mb="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      {actions && <DivisionButtons tree={tree} division={division} actions={actions} />}
      <Facts>
        <Fact name={t`ID`}>
          <TechnicalId {...division} />
        </Fact>
        <Fact name={t`Below`}>
          {path.length === 0 ? <Trans>None: it is at the top level</Trans> : path.join(' › ')}
        </Fact>
        <Fact name={t`Cost centre`}>{costCenter ?? <Trans>None</Trans>}</Fact>
        <Fact name={t`Created`}>{moment(createdAt)}</Fact>
        <Fact name={t`Changed`}>{moment(updatedAt)}</Fact>
      </Facts>
    </Box>
  );
}

interface ButtonsProps {
  readonly tree: Tree;
  readonly division: Division;
  readonly actions: Actions;
}

function DivisionButtons({ tree, division, actions }: ButtonsProps) {
  const { t } = useLingui();
  const step = (label: string, by: -1 | 1) => {
    const place = placeAmongSiblings(tree, division, by);
    return (
      <Button
        size="xs"
        variant="default"
        disabled={place === null}
        onClick={() => place && actions.move(division, place)}
      >
        {label}
      </Button>
    );
  };
  return (
    <Group gap="xs" mb="md">
      <Button size="xs" variant="default" onClick={() => actions.edit({ division })}>
        <Trans>Edit</Trans>
      </Button>
      <Button size="xs" variant="default" onClick={() => actions.ask({ division })}>
        <Trans>Move to …</Trans>
      </Button>
      {step(t`Move up`, -1)}
      {step(t`Move down`, 1)}
      <Button size="xs" variant="default" onClick={() => actions.edit({ below: division })}>
        <Trans>New division below</Trans>
      </Button>
    </Group>
  );
}
