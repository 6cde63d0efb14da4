import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ask } from '../../api/ask.ts';
import { identityQuery, queryClient } from '../../api/queries.ts';
import { number } from '../../kit/dates.ts';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { changes, type Details, type Import, isStopped } from './words.tsx';

/** How many of the checked rows are not imported yet. */
export function rowsLeft({ counts }: Pick<Import, 'counts'>): number {
  const { adds, changes, applied, skipped } = counts!;
  return adds + changes - applied - skipped;
}

/** Imports the checked rows after a confirmation. If many people would change, their number is typed. */
export function ApplyButton({ details }: { details: Details }) {
  return (
    <DialogButton variant="filled" label={<Trans>Import</Trans>} title={<Trans>Import these rows?</Trans>}>
      {close => <ApplyForm details={details} close={close} />}
    </DialogButton>
  );
}

function ApplyForm({ details, close }: { details: Details; close: () => void }) {
  const { import: one, mapping } = details;
  const { id, counts, needsConfirmation } = one;
  const { t } = useLingui();
  const { adds, changes: changed, employees, questions, accepted } = counts!;
  const action = useAction(
    changes,
    () =>
      ask('POST /employee-imports/{id}/apply', {
        id,
        body: { mapping, ...(needsConfirmation && { confirmedChanges: changed }) },
      }),
    ({ appliedBy }) => {
      close();
      const self = queryClient.getQueryData(identityQuery.queryKey)?.user.id;
      const other = appliedBy && appliedBy.id !== self ? appliedBy.name : null;
      confirmDone(other === null ? t`The import has begun.` : t`${other} has already begun the import.`);
    },
  );
  const expected = String(changed);
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Import</Trans>}
      isCareful={!needsConfirmation}
      typed={
        needsConfirmation && {
          label: <Trans>Type {expected} to confirm</Trans>,
          inputMode: 'numeric',
          isRight: text => text.replaceAll(/\D/g, '') === expected,
        }
      }
    >
      <Text size="sm">
        {isStopped(one) ? (
          <Plural value={rowsLeft(one)} one="# row is imported." other="# rows are imported." />
        ) : (
          <>
            <Plural value={adds} one="# new person" other="# new people" />
            {', '}
            <Plural value={changed} one="# person changes" other="# people change" />
            {'.'}
          </>
        )}
      </Text>
      {questions > accepted && (
        <Text size="sm">
          <Plural
            value={questions - accepted}
            one="You did not answer # question with “Import”. What it asks about is left out."
            other="You did not answer # questions with “Import”. What they ask about is left out."
          />
        </Text>
      )}
      {needsConfirmation && (
        <Text size="sm" fw={600}>
          <Trans>
            {number(changed)} of {number(employees)} people would change, more than a tenth. Is this the right
            file, with the right columns?
          </Trans>
        </Text>
      )}
    </DialogForm>
  );
}
