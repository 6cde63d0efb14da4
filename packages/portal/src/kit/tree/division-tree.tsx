import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ComponentType, useMemo, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { divisionsQuery } from '../../api/queries.ts';
import { Answered } from '../answered.tsx';
import { Icon } from '../icon.tsx';
import type { Arranging } from './arrange.ts';
import { ancestorsOf, chosenAbove, findNodes, rowsOf, toggled, type Tree, treeOf } from './tree.ts';
import { TreeView } from './tree-view.tsx';

interface Props {
  readonly tenant: string;
  /** Name of the company. */
  readonly name: string;
  /** To choose any number of divisions, each with what is below it; or to look at one. */
  readonly mode: Choosing | Inspecting;
}

interface Choosing {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (chosen: ReadonlySet<string>) => void;
}

interface Inspecting {
  readonly inspected: string | undefined;
  readonly inspect: (id: string) => void;
  /** Renders the details of the selected division. */
  readonly About?: ComponentType<{ tree: Tree; id: string | undefined }>;
  readonly arranging?: Arranging | undefined;
  /** Shows a division that has got another place; another object shows it again. */
  readonly revealed?: { readonly id: string } | undefined;
}

/** The divisions of a company, to go through by mouse or keyboard and to search. */
export function DivisionTree({ tenant, name, mode }: Props) {
  const answer = useAnswer(divisionsQuery(tenant));
  const tree = useMemo(() => treeOf(answer.data ?? []), [answer.data]);
  return (
    <Answered answer={answer} height={160}>
      {() =>
        tree.byId.size > 0 ? (
          <SearchedTree tree={tree} name={name} mode={mode} />
        ) : (
          <Text size="sm" c="dimmed">
            <Trans>{name} has no divisions.</Trans>
          </Text>
        )
      }
    </Answered>
  );
}

function SearchedTree({ tree, name, mode }: Pick<Props, 'name' | 'mode'> & { tree: Tree }) {
  const { t } = useLingui();
  const inspected = 'inspected' in mode ? mode.inspected : undefined;
  const [words, setWords] = useState('');
  const [searched] = useDebouncedValue(words.trim(), 150);
  const [opened, setOpened] = useState(() => openedAt(tree, inspected));
  const [active, setActive] = useState(inspected);
  const revealed = 'inspected' in mode ? mode.revealed : undefined;
  const [seen, setSeen] = useState(revealed);
  if (seen !== revealed) {
    setSeen(revealed);
    setActive(revealed?.id);
    setOpened(before => new Set([...before, ...openedAt(tree, revealed?.id)]));
  }
  const result = useMemo(() => (searched === '' ? null : findNodes(tree, searched)), [tree, searched]);
  // Search results start expanded. Collapsing one does not affect the tree without the search.
  const [closed, setClosed] = useState({ searched, ids: none });
  const shut = closed.searched === searched ? closed.ids : none;
  const rows = useMemo(
    () =>
      result ? rowsOf(tree, id => !shut.has(id), result.shown) : rowsOf(tree, id => opened.has(id), null),
    [tree, opened, shut, result],
  );
  const at = active === undefined ? undefined : tree.byId.get(active);
  const above = at && 'chosen' in mode ? chosenAbove(tree, mode.chosen, at) : undefined;
  const path = at ? [...ancestorsOf(tree, at), at].map(({ name }) => name).join(' › ') : null;
  const open = (id: string, isOpen: boolean) => {
    if (!result) return setOpened(before => changed(before, id, isOpen));
    setClosed(before => {
      const ids = before.searched === searched ? before.ids : none;
      return { searched, ids: changed(ids, id, !isOpen) };
    });
  };
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        size="sm"
        aria-label={t`Search the divisions of ${name}`}
        placeholder={t`Name, cost centre or ID`}
        leftSection={<Icon name="search" size={16} />}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        maw={340}
      />
      {result && (
        <Text size="sm" c="dimmed" role="status">
          {result.matches === 0 ? (
            <Trans>No matching divisions.</Trans>
          ) : (
            <Plural value={result.matches} one="# division found" other="# divisions found" />
          )}
        </Text>
      )}
      {rows.length > 0 && (
        <TreeView
          tree={tree}
          rows={rows}
          label={t`Divisions of ${name}`}
          active={active}
          activate={setActive}
          open={open}
          {...('chosen' in mode
            ? {
                chosen: mode.chosen,
                select: division => mode.choose(toggled(tree, mode.chosen, division)),
              }
            : {
                inspected,
                select: division => mode.inspect(division.id),
                // The rows that a search leaves out are siblings, too.
                arranging: result ? undefined : mode.arranging,
              })}
        />
      )}
      {path !== null && 'chosen' in mode && (
        <Text size="xs" c="dimmed">
          {path}
        </Text>
      )}
      {above && (
        <Text size="xs" c="dimmed" role="status">
          <Trans>Included in {above.name}.</Trans>
        </Text>
      )}
      {'About' in mode && mode.About && <mode.About tree={tree} id={inspected} />}
    </Stack>
  );
}

const none: ReadonlySet<string> = new Set();

/** A set with an identifier in it, or without. */
function changed(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const after = new Set(ids);
  if (isIn) after.add(id);
  else after.delete(id);
  return after;
}

/** The nodes to expand so that a division is visible. In a small tree the roots are expanded as well. */
function openedAt(tree: Tree, id: string | undefined): ReadonlySet<string> {
  const division = id === undefined ? undefined : tree.byId.get(id);
  const above = division ? ancestorsOf(tree, division).map(({ id }) => id) : [];
  const roots = tree.byId.size <= 30 ? (tree.below.get(null) ?? []).map(({ id }) => id) : [];
  return new Set([...above, ...roots]);
}
