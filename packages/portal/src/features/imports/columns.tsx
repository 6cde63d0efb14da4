import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { importProposalQuery } from '../../api/queries.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { type Choice, choicesFor, choose, type Chosen, isGuess, isUnchanged, mappingOf } from './choices.ts';
import { HeaderRows } from './header-rows.tsx';
import { changes, type Details, type Field, type Mapping, useFieldWords } from './words.tsx';
import styles from './imports.module.css';

interface Props {
  readonly details: Details;
  /** A button that discards the file, if it is offered here. */
  readonly discard: ReactNode;
}

/** Which row has the names, and which column fills which field. The service proposes it, and checks what is sent. */
export function Columns({ details, discard }: Props) {
  const { t } = useLingui();
  const words = useFieldWords();
  const navigate = useNavigate();
  const { import: one, fields, mapping } = details;
  const [headerRow, setHeaderRow] = useState(mapping.headerRow);
  const [key, setKey] = useState<Mapping['matchBy']>();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [isComplete, setComplete] = useState(one.status === 'planned' && details.missing.length > 0);
  const [isBlocked, setBlocked] = useState(false);
  const { proposal, isWaiting, answer } = useProposal(details, headerRow);
  const action = useAction(
    changes,
    (body: Mapping) => ask('POST /employee-imports/{id}/plan', { id: one.id, body }),
    () => void navigate({ to: '.', search: before => ({ ...before, step: undefined }), ignoreBlocker: true }),
  );
  const choices = choicesFor(proposal, chosen);
  const used = choices.map(({ field }) => field);
  const matchBy = key ?? keyFor(used, proposal.mapping.matchBy);
  const isMatched = used.includes(matchBy);
  const missing = fields.filter(({ field, isRequired }) => isRequired && !used.includes(field));
  const isDirty =
    headerRow !== mapping.headerRow || matchBy !== mapping.matchBy || !isUnchanged(mapping, choices);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isMatched && (missing.length === 0 || isComplete))
      return void action.run(mappingOf(choices, { headerRow, matchBy }));
    setBlocked(true);
    event.currentTarget.querySelector<HTMLElement>('[data-blocks]')?.focus();
  };
  return (
    <Section title={<Trans>Match the columns</Trans>}>
      <form onSubmit={submit}>
        <UnsavedChanges isDirty={isDirty && !action.busy} />
        <Stack gap="lg" aria-busy={isWaiting}>
          <HeaderRows
            details={details}
            headerRow={headerRow}
            choose={row => {
              action.forget();
              setHeaderRow(row);
            }}
          />
          {answer.error !== null && <Failure error={answer.error} retry={() => void answer.refetch()} />}
          <div tabIndex={-1} data-blocks={!isMatched || undefined}>
            <Radio.Group
              label={t`A row belongs to the person with the same`}
              value={matchBy}
              error={isBlocked && !isMatched && t`Choose a column for this field.`}
              onChange={setKey}
            >
              <Group mt="xs">
                <Radio value="employeeNumber" label={words.employeeNumber} />
                <Radio value="email" label={words.email} />
              </Group>
            </Radio.Group>
          </div>
          {missing.length > 0 && (
            <Missing
              fields={missing.map(({ field }) => field)}
              isComplete={isComplete}
              isBlocked={isBlocked}
              change={setComplete}
            />
          )}
          <Text size="sm">
            <Trans>An empty cell changes nothing, unless you choose that it clears the field.</Trans>
          </Text>
          <div className={styles.columns}>
            {proposal.columns.map((column, index) => (
              <ColumnRow
                key={index}
                title={column.name || t`Column ${index + 1}`}
                samples={column.samples}
                choice={choices[index]!}
                isGuess={isGuess(proposal, chosen, index)}
                fields={fields}
                matchBy={matchBy}
                change={choice => {
                  action.forget();
                  setChosen(before => choose(before, proposal, index, choice));
                }}
              />
            ))}
          </div>
          {action.error !== null && <Failure error={action.error} />}
          <Group>
            <Button type="submit" loading={action.busy} disabled={isWaiting}>
              <Trans>Check the file</Trans>
            </Button>
            {one.status === 'planned' && (
              <LinkButton
                variant="default"
                to="."
                search={before => ({ ...before, step: undefined })}
                resetScroll={false}
              >
                <Trans>Back</Trans>
              </LinkButton>
            )}
            {discard}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** The proposed key, or the other one if only that has a column. */
function keyFor(used: readonly (Field | '')[], proposed: Mapping['matchBy']): Mapping['matchBy'] {
  const other = proposed === 'email' ? 'employeeNumber' : 'email';
  return !used.includes(proposed) && used.includes(other) ? other : proposed;
}

/** The columns and their proposed fields for a header. Until the service has answered, those of the header before. */
function useProposal(details: Details, headerRow: number | null) {
  const isSaved = headerRow === details.mapping.headerRow;
  const answer = useAnswer({
    ...importProposalQuery(details.import.id, headerRow),
    enabled: !isSaved,
    placeholderData: keepPreviousData,
  });
  const proposal = isSaved ? details : (answer.data ?? details);
  const isWaiting = !isSaved && (answer.data === undefined || answer.isPlaceholderData);
  return { proposal, isWaiting, answer };
}

interface MissingProps {
  readonly fields: readonly Field[];
  readonly isComplete: boolean;
  readonly isBlocked: boolean;
  readonly change: (isComplete: boolean) => void;
}

/** Names the fields that new people need and that no column fills. A file without new people goes on without them. */
function Missing({ fields, isComplete, isBlocked, change }: MissingProps) {
  const { t } = useLingui();
  const words = useFieldWords();
  return (
    <div
      className={styles.missing}
      role="group"
      aria-labelledby="missing"
      tabIndex={-1}
      data-blocks={!isComplete || undefined}
    >
      <Text size="sm" fw={600} id="missing">
        <Trans>No column is chosen for:</Trans>
      </Text>
      <ul>
        {fields.map(field => (
          <li key={field}>{words[field]}</li>
        ))}
      </ul>
      <Text size="sm">
        <Trans>
          New people need these fields. Choose a column for each of them below. If the file lacks the column,
          add it to the file, and upload the file again.
        </Trans>
      </Text>
      <Checkbox
        label={t`This file has no new people`}
        checked={isComplete}
        error={
          isBlocked && !isComplete && t`Choose the columns first, or say that the file has no new people.`
        }
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
    </div>
  );
}

interface ColumnRowProps {
  readonly title: string;
  readonly samples: readonly string[];
  readonly choice: Choice;
  readonly isGuess: boolean;
  readonly fields: Details['fields'];
  readonly matchBy: Field;
  readonly change: (choice: Choice) => void;
}

function ColumnRow({ title, samples, choice, isGuess, fields, matchBy, change }: ColumnRowProps) {
  const { t } = useLingui();
  const words = useFieldWords();
  const known = fields.find(({ field }) => field === choice.field);
  return (
    <div className={styles.column}>
      <div className={styles.words}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {samples.filter(Boolean).join(' · ') || <Trans>No values in the first rows</Trans>}
        </Text>
      </div>
      <NativeSelect
        aria-label={t`Field for ${title}`}
        value={choice.field}
        data={[
          { value: '', label: t`Do not import` },
          ...fields.map(({ field }) => ({ value: field, label: words[field] })),
        ]}
        description={isGuess && choice.field !== '' && t`Proposed – please check`}
        inputWrapperOrder={['input', 'description']}
        classNames={{ description: styles.guess }}
        onChange={({ currentTarget }) =>
          change({ field: currentTarget.value as Field | '', emptyClears: false })
        }
      />
      {known?.isClearable && choice.field !== matchBy && (
        <Checkbox
          label={t`Empty clears`}
          aria-label={t`An empty cell of ${title} clears the field`}
          checked={choice.emptyClears}
          onChange={({ currentTarget }) => change({ ...choice, emptyClears: currentTarget.checked })}
        />
      )}
    </div>
  );
}
