import { Anchor, Box, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { type Filter, printFilter } from '@kontor/contract/filter';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { type ListRoute, lists } from '../../api/lists.ts';
import { DateField } from '../form/date-field.tsx';
import { GroupForm } from './builder.tsx';
import { draftOf, filterOfDraft, firstOf, newCondition, newGroup, replaced } from './draft.ts';
import { type FilterProblem, readFilter } from './read.ts';
import { divideFilter, joinFilter, type Simple, simpleFieldsOf } from './simple.ts';
import { useFilterWords, useProblemWords } from './words.tsx';
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

/** Writes the filter of a list: by state and period, by any conditions, or as the text of the filter language. */
export function FilterPanel({ route, text, problem, apply }: Props) {
  const { t } = useLingui();
  const fields = lists[route];
  const simpleFields = simpleFieldsOf(route, fields);
  const words = useProblemWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState(text ?? '');
  const divided = (filter: Filter | null) => {
    const { simple, rest } = divideFilter(filter, simpleFields);
    return { simple, rest: rest === null ? null : draftOf(rest) };
  };
  const [{ simple, rest }, setParts] = useState(() => divided(filterOfText(text)));
  const [own, setOwn] = useState<FilterProblem | null>(null);
  const [asText, setAsText] = useState(problem !== null);
  const wrong = own ?? problem;
  const joined = () => {
    const filter = joinFilter(simple, rest === null ? null : filterOfDraft(rest), simpleFields);
    return filter === null ? undefined : printFilter(filter);
  };
  const [seen, setSeen] = useState(text);
  // Somebody went back, or followed a link.
  if (text !== seen) {
    setSeen(text);
    setWritten(text ?? '');
    setOwn(null);
    if (text !== joined()) setParts(divided(filterOfText(text)));
  }

  // A button that is gone passes the focus on to what it has shown.
  const form = useRef<HTMLFormElement>(null);
  const focusNext = useRef<'select' | 'textarea' | 'input' | null>(null);
  useEffect(() => {
    if (focusNext.current !== null) form.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });
  const showMore = () => {
    focusNext.current = 'select';
    setParts({ simple, rest: newGroup('and', [newCondition(firstOf(fields))]) });
  };
  const showText = () => {
    focusNext.current = 'textarea';
    setWritten(joined() ?? '');
    setOwn(null);
    setAsText(true);
  };
  const showForm = () => {
    const read = written.trim() === '' ? null : readFilter(written);
    if (read && 'problem' in read) return setOwn(read.problem);
    focusNext.current = 'input';
    setParts(divided(read && read.filter));
    setOwn(null);
    setAsText(false);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = asText ? written.trim() || undefined : joined();
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
    <form ref={form} onSubmit={submit} aria-label={t`Filter`} className={`${shared.surface} ${styles.panel}`}>
      <Stack gap="md">
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
            <SimpleForm
              fields={simpleFields}
              simple={simple}
              change={changed => setParts({ simple: { ...simple, ...changed }, rest })}
            />
            {rest !== null && (
              <GroupForm
                group={rest}
                fields={fields}
                replace={(id, part) =>
                  setParts({
                    simple,
                    rest: part?.id === rest.id && part.kind === 'group' ? part : replaced(rest, id, part),
                  })
                }
              />
            )}
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
          {rest === null && !asText && (
            <Button size="sm" variant="subtle" onClick={showMore}>
              <Trans>More conditions</Trans>
            </Button>
          )}
          {asText ? (
            <Button size="sm" variant="subtle" onClick={showForm}>
              <Trans>Filter as form</Trans>
            </Button>
          ) : (
            rest !== null && (
              <Button size="sm" variant="subtle" onClick={showText}>
                <Trans>Filter as text</Trans>
              </Button>
            )
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface SimpleFormProps {
  readonly fields: ReturnType<typeof simpleFieldsOf>;
  readonly simple: Simple;
  readonly change: (changed: Partial<Simple>) => void;
}

/** The states and the period. */
function SimpleForm({ fields: { state, period }, simple, change }: SimpleFormProps) {
  const { t } = useLingui();
  const words = useFilterWords();
  const name = words.field(period.name);
  return (
    <div className={styles.simple}>
      {state !== undefined && (
        <Checkbox.Group
          label={words.field(state.name)}
          value={[...simple.states]}
          onChange={states => change({ states })}
        >
          <Group gap="sm" mt={6}>
            {state.values.map(value => (
              <Checkbox key={value} value={value} label={words.value(state.name, value)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <div className={styles.period}>
        <DateField label={t`${name}, from`} value={simple.from} onChange={from => change({ from })} />
        <DateField label={t`${name}, to`} value={simple.to} onChange={to => change({ to })} />
      </div>
    </div>
  );
}

function filterOfText(text: string | undefined): Filter | null {
  const read = text === undefined ? null : readFilter(text);
  return read && 'filter' in read ? read.filter : null;
}
