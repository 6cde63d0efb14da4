import { Box, Checkbox, Skeleton, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { divisionsQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { ancestorsOf, type Division, found, toggled, type Tree, treeOf } from './tree.ts';

/** Most divisions that are drawn at one place: of ten thousand nobody reads more, and to search is quicker. */
const most = 200;

interface Props {
  readonly tenant: string;
  /** Name of the company. */
  readonly name: string;
  readonly chosen: ReadonlySet<string>;
  readonly choose: (chosen: ReadonlySet<string>) => void;
}

/** Chooses divisions of a company, by going down the tree or by searching. */
export function DivisionTree({ tenant, name, chosen, choose }: Props) {
  const { t } = useLingui();
  const { data, error } = useQuery(divisionsQuery(tenant));
  const [words, setWords] = useState('');
  const tree = useMemo(() => treeOf(data ?? []), [data]);
  if (error) return <Failure error={error} />;
  if (!data) return <Skeleton height={120} />;
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        <Trans>{name} has no divisions.</Trans>
      </Text>
    );
  const shared: Shared = { tree, chosen, toggle: division => choose(toggled(tree, chosen, division)) };
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        size="sm"
        aria-label={t`Search the divisions of ${name}`}
        placeholder={t`Search divisions`}
        leftSection={<Icon name="search" size={16} />}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        maw={340}
      />
      <Box
        mah={340}
        style={{ overflow: 'auto' }}
        role="group"
        aria-label={t`Divisions of ${name}`}
        tabIndex={0}
      >
        {words.trim() === '' ? (
          <Branch {...shared} parent={null} />
        ) : (
          <Matches {...shared} divisions={found(data, words.trim(), most)} />
        )}
      </Box>
    </Stack>
  );
}

interface Shared {
  readonly tree: Tree;
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (division: Division) => void;
}

function Branch({
  parent,
  covered = false,
  ...shared
}: Shared & { parent: string | null; covered?: boolean }) {
  const divisions = shared.tree.below.get(parent) ?? [];
  return (
    <ul className={parent === null ? 'tree' : undefined}>
      {divisions.slice(0, most).map(division => (
        <Twig key={division.id} {...shared} division={division} covered={covered} />
      ))}
      {divisions.length > most && <TooMany />}
    </ul>
  );
}

function Twig({ division, covered, ...shared }: Shared & { division: Division; covered: boolean }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  const { tree, chosen, toggle } = shared;
  const checked = chosen.has(division.id);
  const { id, name } = division;
  return (
    <li>
      <div>
        {tree.below.has(id) ? (
          <UnstyledButton
            className="opener"
            aria-expanded={opened}
            aria-label={t`Below ${name}`}
            onClick={() => setOpened(!opened)}
          >
            <span style={{ display: 'inline-flex', transform: opened ? 'rotate(90deg)' : 'none' }}>
              <Icon name="chevron" size={16} />
            </span>
          </UnstyledButton>
        ) : (
          <span className="opener" />
        )}
        <Checkbox
          size="sm"
          label={name}
          checked={covered || checked}
          disabled={covered}
          onChange={() => toggle(division)}
        />
      </div>
      {opened && <Branch {...shared} parent={id} covered={covered || checked} />}
    </li>
  );
}

function Matches({ divisions, tree, chosen, toggle }: Shared & { divisions: readonly Division[] }) {
  if (divisions.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        <Trans>No division has these words in its name.</Trans>
      </Text>
    );
  return (
    <ul className="tree">
      {divisions.map(division => {
        const above = ancestorsOf(tree, division);
        const covered = above.some(({ id }) => chosen.has(id));
        return (
          <li key={division.id}>
            <Checkbox
              size="sm"
              my={6}
              label={division.name}
              description={above.map(({ name }) => name).join(' › ')}
              checked={covered || chosen.has(division.id)}
              disabled={covered}
              onChange={() => toggle(division)}
            />
          </li>
        );
      })}
      {divisions.length === most && <TooMany />}
    </ul>
  );
}

function TooMany() {
  return (
    <Text component="li" size="sm" c="dimmed" py={4}>
      <Trans>There are more: search for the name.</Trans>
    </Text>
  );
}
