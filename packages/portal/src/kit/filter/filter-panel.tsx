import { Anchor, Box, Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { printFilter } from '@kontor/contract/filter';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { type ListField, type ListRoute, lists } from '../../api/lists.ts';
import { GroupForm } from './builder.tsx';
import {
  draftOf,
  filterOfDraft,
  type Group as GroupOfParts,
  newCondition,
  newGroup,
  replaced,
} from './draft.ts';
import { type FilterProblem, readFilter } from './read.ts';
import { useProblemWords } from './words.tsx';
import shared from '../shared.module.css';
import styles from './filter.module.css';

interface Props {
  readonly route: ListRoute;
  /** The filter that the address has, if it has one. */
  readonly text: string | undefined;
  /** Why it cannot be used, if it cannot. */
  readonly problem: FilterProblem | null;
  readonly apply: (text: string | undefined) => void;
}

/** Writes the filter of a list: as a form, or as the text of the filter language. */
export function FilterPanel({ route, text, problem, apply }: Props) {
  const { t } = useLingui();
  const fields = lists[route];
  const words = useProblemWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState(text ?? '');
  const [draft, setDraft] = useState<GroupOfParts>(() => draftOfText(text) ?? emptyDraft(fields));
  const [own, setOwn] = useState<FilterProblem | null>(null);
  const [asText, setAsText] = useState(problem !== null);
  const wrong = own ?? problem;
  const [seen, setSeen] = useState(text);
  // Somebody went back, or followed a link.
  if (text !== seen) {
    setSeen(text);
    setWritten(text ?? '');
    setOwn(null);
    if (text !== textOfDraft(draft)) setDraft(draftOfText(text) ?? emptyDraft(fields));
  }

  const show = (mode: string) => {
    const read = written.trim() === '' ? null : readFilter(written);
    if (mode === 'text') {
      setWritten(textOfDraft(draft) ?? '');
      setOwn(null);
      setAsText(true);
    } else if (read && 'problem' in read) setOwn(read.problem);
    else {
      setDraft(read ? draftOf(read.filter) : emptyDraft(fields));
      setOwn(null);
      setAsText(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = asText ? written.trim() || undefined : textOfDraft(draft);
    const read = wanted === undefined ? null : readFilter(wanted);
    setOwn(read && 'problem' in read ? read.problem : null);
    if (!read || 'filter' in read) return apply(wanted);
    const position = (read.problem.position ?? 1) - 1;
    field.current?.focus();
    field.current?.setSelectionRange(position, field.current.value.length);
  };
  const help = useId();
  const names = fields.map(({ name }) => name).join(', ');
  return (
    <form onSubmit={submit} aria-label={t`Filter`} className={`${shared.surface} ${styles.panel}`}>
      <Stack gap="md">
        <SegmentedControl
          size="xs"
          aria-label={t`Filter syntax`}
          value={asText ? 'text' : 'form'}
          onChange={show}
          data={[
            { value: 'form', label: t`Form` },
            { value: 'text', label: t`Text` },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
        {asText ? (
          <Box>
            <Textarea
              ref={field}
              label={t`Filter as text`}
              aria-describedby={help}
              value={written}
              onChange={({ currentTarget }) => setWritten(currentTarget.value)}
              error={wrong && words(wrong)}
              autosize
              minRows={2}
              maxRows={10}
              spellCheck={false}
              classNames={{ input: shared.mono! }}
            />
            {wrong && (
              <Text size="xs" c="dimmed" mt={4} lang="en">
                {wrong.message}
              </Text>
            )}
            <Text size="xs" c="dimmed" mt={4} id={help}>
              <Trans>
                Fields of this list: <span className={shared.mono}>{names}</span>. Use the filter language of
                the API:
              </Trans>{' '}
              <Anchor href="/docs/specification#33-filter-grammar" size="xs" underline="always">
                <Trans>reference</Trans>
              </Anchor>
            </Text>
          </Box>
        ) : (
          <>
            <GroupForm
              group={draft}
              fields={fields}
              replace={(id, part) =>
                setDraft(part?.id === draft.id && part.kind === 'group' ? part : replaced(draft, id, part))
              }
            />
            {wrong && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {words(wrong)}
              </Text>
            )}
          </>
        )}
        <Group gap="xs">
          <Button type="submit" size="sm">
            <Trans>Apply</Trans>
          </Button>
          {text !== undefined && (
            <Button size="sm" variant="default" onClick={() => apply(undefined)}>
              <Trans>Clear filter</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** One condition to begin with. */
function emptyDraft(fields: readonly ListField[]): GroupOfParts {
  return newGroup('and', [newCondition(fields.find(({ name }) => name === 'name') ?? fields[0]!)]);
}

function draftOfText(text: string | undefined): GroupOfParts | null {
  const read = text === undefined ? null : readFilter(text);
  return read && 'filter' in read ? draftOf(read.filter) : null;
}

function textOfDraft(draft: GroupOfParts): string | undefined {
  const filter = filterOfDraft(draft);
  return filter === null ? undefined : printFilter(filter);
}
