import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { isEmailAddress } from '../../kit/email.tsx';
import { Failure } from '../../kit/failure.tsx';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { changes, type Details, type Field, type Mapping, useFieldWords } from './words.tsx';
import styles from './imports.module.css';

interface Props {
  readonly details: Details;
  /** Absent: there is no check to go back to. */
  readonly back: (() => void) | undefined;
  readonly planned: () => void;
  /** A button that discards the file, if it is offered here. */
  readonly discard: ReactNode;
}

interface Choice {
  readonly field: Field | '';
  readonly emptyClears: boolean;
}

/** Which column fills which field. The service proposes it, and checks what is sent. */
export function Columns({ details, back, planned, discard }: Props) {
  const { t } = useLingui();
  const words = useFieldWords();
  const { import: one, columns, fields, mapping } = details;
  const [hasHeader, setHasHeader] = useState(mapping.hasHeader);
  const [matchBy, setMatchBy] = useState(mapping.matchBy);
  const [choices, setChoices] = useState(() => columns.map((_, index) => choiceOf(mapping, index)));
  const [isMissing, setMissing] = useState(false);
  const action = useAction(
    changes,
    (body: Mapping) => ask('POST /employee-imports/{id}/plan', { id: one.id, body }),
    planned,
  );
  const used = choices.map(({ field }) => field);
  const isMatched = used.includes(matchBy);
  const isPerson = columns.some(({ name }) => isEmailAddress(name));
  const isDirty =
    hasHeader !== mapping.hasHeader ||
    matchBy !== mapping.matchBy ||
    choices.some(({ field, emptyClears }, index) => {
      const before = choiceOf(mapping, index);
      return field !== before.field || emptyClears !== before.emptyClears;
    });
  const change = (index: number, choice: Choice) => {
    action.forget();
    // A field has one column: the one that has just been chosen.
    setChoices(before =>
      before.map((other, at) =>
        at === index ? choice : other.field === choice.field ? { field: '', emptyClears: false } : other,
      ),
    );
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isMatched) return setMissing(true);
    void action.run({
      hasHeader,
      matchBy,
      columns: choices.flatMap((choice, column) => sent(choice, column, matchBy)),
    });
  };
  return (
    <Section title={<Trans>Columns</Trans>}>
      <form onSubmit={submit}>
        <UnsavedChanges isDirty={isDirty && !action.busy} />
        <Stack gap="md">
          <Checkbox
            label={t`The first row contains column names`}
            description={isPerson && t`The first row has an email address, so it is about a person.`}
            disabled={isPerson}
            checked={hasHeader}
            onChange={({ currentTarget }) => {
              action.forget();
              setHasHeader(currentTarget.checked);
            }}
          />
          <Radio.Group
            label={t`A row belongs to the person with the same`}
            value={matchBy}
            error={isMissing && !isMatched && t`Choose a column for this field.`}
            onChange={value => setMatchBy(value)}
          >
            <Group mt="xs">
              <Radio value="employeeNumber" label={words.employeeNumber} />
              <Radio value="email" label={words.email} />
            </Group>
          </Radio.Group>
          <Text size="sm">
            <Trans>
              New people need a work email, a first name and a last name. An empty cell changes nothing,
              unless you choose that it clears the field.
            </Trans>
          </Text>
          <div className={styles.columns}>
            {columns.map(({ name, samples }, index) => {
              const choice = choices[index]!;
              const known = fields.find(({ field }) => field === choice.field);
              const title = (hasHeader && name) || t`Column ${index + 1}`;
              const values = hasHeader ? samples : [name, ...samples].slice(0, 3);
              return (
                <div key={index} className={styles.column}>
                  <div className={styles.words}>
                    <Text fw={600}>{title}</Text>
                    <Text size="sm" c="dimmed">
                      {values.filter(Boolean).join(' · ') || <Trans>No values in the first rows</Trans>}
                    </Text>
                  </div>
                  <NativeSelect
                    aria-label={t`Field for ${title}`}
                    value={choice.field}
                    data={[
                      { value: '', label: t`Do not import` },
                      ...fields.map(({ field }) => ({ value: field, label: words[field] })),
                    ]}
                    onChange={({ currentTarget }) =>
                      change(index, { field: currentTarget.value as Field | '', emptyClears: false })
                    }
                  />
                  {known?.isClearable && choice.field !== matchBy && (
                    <Checkbox
                      label={t`Empty clears`}
                      aria-label={t`An empty cell of ${title} clears the field`}
                      checked={choice.emptyClears}
                      onChange={({ currentTarget }) =>
                        change(index, { ...choice, emptyClears: currentTarget.checked })
                      }
                    />
                  )}
                </div>
              );
            })}
          </div>
          {action.error !== null && <Failure error={action.error} />}
          <Group>
            <Button type="submit" loading={action.busy}>
              <Trans>Check the file</Trans>
            </Button>
            {back && (
              <Button variant="default" onClick={back}>
                <Trans>Back</Trans>
              </Button>
            )}
            {discard}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function choiceOf({ columns }: Mapping, index: number): Choice {
  const found = columns.find(({ column }) => column === index);
  return { field: found?.field ?? '', emptyClears: found?.emptyClears ?? false };
}

function sent({ field, emptyClears }: Choice, column: number, matchBy: Field): Mapping['columns'] {
  return field === '' ? [] : [{ column, field, emptyClears: emptyClears && field !== matchBy }];
}
