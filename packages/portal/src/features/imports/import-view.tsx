import { Group, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { ask, download } from '../../api/ask.ts';
import { number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { DownloadButton } from '../../kit/download-button.tsx';
import { StepList } from '../../kit/form/steps.tsx';
import { JobProgress } from '../../kit/job-progress.tsx';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { ImportState } from '../../kit/hr-words.tsx';
import { When } from '../../kit/when.tsx';
import { ApplyButton, rowsLeft } from './apply.tsx';
import { Columns } from './columns.tsx';
import { FileFailure } from './file-failure.tsx';
import { Upload } from './new-import.tsx';
import { Rows } from './rows.tsx';
import { changes, type Details, type Import, isStopped, useFileName } from './words.tsx';
import styles from './imports.module.css';

const steps = { uploaded: 1, planning: 2, planned: 2, applying: 3, applied: 4, discarded: 4, failed: 4 };

/** An import with all that can be done about it now. */
export function ImportView({ details }: { details: Details }) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const { step } = useSearch({ from: '/shell/imports' });
  const { import: one } = details;
  const { status, counts } = one;
  const isMapping = status === 'uploaded' || (status === 'planned' && step === 'columns');
  // The next file: after one that cannot be read, or with the corrected rows.
  const canUpload = (status === 'failed' && !isStopped(one)) || (status === 'applied' && hasRest(one));
  const names = [t`File`, t`Columns`, t`Check`, t`Import`];
  return (
    <Stack gap="lg">
      {status !== 'discarded' && status !== 'failed' && (
        <StepList label={t`Steps`} names={names} step={isMapping ? 1 : steps[status]} />
      )}
      <Head details={details} />
      {isMapping && mayChange && (
        <Columns details={details} discard={status === 'uploaded' && <DiscardButton id={one.id} />} />
      )}
      {isStopped(one) && <Rest details={details} />}
      {!isMapping && status === 'planned' && <Plan details={details} />}
      {!isMapping && counts !== null && status !== 'planning' && status !== 'applying' && <Rows one={one} />}
      {canUpload && mayChange && <Upload company={one.tenant} />}
    </Stack>
  );
}

/** Whether rows were not imported that a user can correct. */
function hasRest({ counts }: Pick<Import, 'counts'>): boolean {
  if (counts === null) return false;
  const { errors, questions, accepted, skipped } = counts;
  return errors + skipped + questions - accepted > 0;
}

function Head({ details: { import: one } }: { details: Details }) {
  const nameOf = useFileName();
  const { status, createdBy, createdAt, appliedBy, endedAt, expiresAt, progress, counts } = one;
  return (
    <Section
      title={<span className={styles.words}>{nameOf(one)}</span>}
      aside={<ImportState status={status} />}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          <Trans>
            Uploaded by {createdBy.name} <When at={createdAt} />
          </Trans>
          {appliedBy && endedAt && (
            <>
              {' · '}
              <Trans>
                Imported by {appliedBy.name} <When at={endedAt} />
              </Trans>
            </>
          )}
          {' · '}
          <Trans>
            Deleted <When at={expiresAt} />
          </Trans>
        </Text>
        {(status === 'planning' || status === 'applying') && <Working one={one} progress={progress} />}
        {one.failure && <FileFailure failure={one.failure} />}
        {counts !== null && status !== 'planning' && <Report one={one} counts={counts} />}
        {status === 'planning' && <DiscardButton id={one.id} />}
      </Stack>
    </Section>
  );
}

function Working({ one: { status }, progress }: { one: Import; progress: Import['progress'] }) {
  const done = number(progress?.done ?? 0);
  const total = progress?.total ?? 0;
  return (
    <JobProgress progress={progress}>
      {progress === null ? (
        <Trans>The work begins in a moment.</Trans>
      ) : status === 'planning' ? (
        <Plural value={total} one={`${done} of # row checked`} other={`${done} of # rows checked`} />
      ) : (
        <Plural value={total} one={`${done} of # row imported`} other={`${done} of # rows imported`} />
      )}
    </JobProgress>
  );
}

/** The result of the file in numbers, and the report to keep. */
function Report({ one: { id, status }, counts }: { one: Import; counts: NonNullable<Import['counts']> }) {
  const { adds, changes: changed, errors, questions, unchanged, applied, skipped } = counts;
  const isDone = status === 'applied' || status === 'failed';
  return (
    <>
      <Text size="sm">
        {isDone ? (
          <>
            <Plural value={applied} one="# row was imported" other="# rows were imported" />
            {skipped > 0 && (
              <>
                {', '}
                <Plural value={skipped} one="# was left out" other="# were left out" />
              </>
            )}
          </>
        ) : (
          <>
            <Plural value={adds} one="# new person" other="# new people" />
            {', '}
            <Plural value={changed} one="# person changes" other="# people change" />
          </>
        )}
        {', '}
        {questions > 0 && (
          <>
            <Plural value={questions} one="# row has a question" other="# rows have questions" />
            {', '}
          </>
        )}
        <Plural value={errors} one="# row has errors" other="# rows have errors" />
        {', '}
        <Plural value={unchanged} one="# row changes nothing" other="# rows change nothing" />
        {'.'}
      </Text>
      {isDone && hasRest({ counts }) && (
        <Text size="sm">
          <Trans>
            Correct the other rows, and upload the file again. It changes nothing of what is imported already.
          </Trans>
        </Text>
      )}
      <DownloadButton save={() => download('GET /employee-imports/{id}/report', { id })}>
        <Trans>Download the report</Trans>
      </DownloadButton>
    </>
  );
}

function Plan({ details }: { details: Details }) {
  const { import: one } = details;
  const { adds, changes: changed, questions, accepted } = one.counts!;
  const hasRows = adds + changed > 0;
  const open = questions - accepted;
  return (
    <Section
      title={
        hasRows ? (
          <Trans>Import these rows</Trans>
        ) : open > 0 ? (
          <Trans>Answer the questions</Trans>
        ) : (
          <Trans>Nothing to import</Trans>
        )
      }
    >
      <Stack gap="md">
        {open > 0 && (
          <Text size="sm" fw={600}>
            <Plural
              value={open}
              one="# row has a question for you. What it asks about is left out until you answer “Import”."
              other="# rows have questions for you. What they ask about is left out until you answer “Import”."
            />
          </Text>
        )}
        {hasRows && (
          <Text size="sm">
            <Trans>
              Rows with errors are left out, and so are people who are changed before the import. People who
              are not in the file stay as they are.
            </Trans>
          </Text>
        )}
        {!hasRows && open === 0 && (
          <Text size="sm">
            <Trans>No row adds or changes a person. Correct the file, or choose other columns.</Trans>
          </Text>
        )}
        <Group>
          {hasRows && <ApplyButton details={details} />}
          <LinkButton variant="default" to="." search={({ import: id }) => ({ import: id, step: 'columns' })}>
            <Trans>Change columns</Trans>
          </LinkButton>
          <DiscardButton id={one.id} />
        </Group>
      </Stack>
    </Section>
  );
}

/** The rest of an import that stopped. */
function Rest({ details }: { details: Details }) {
  const { import: one } = details;
  return (
    <Section title={<Trans>Import the rest</Trans>}>
      <Stack gap="md">
        <Text size="sm">
          <Plural
            value={rowsLeft(one)}
            one="# row is not imported yet."
            other="# rows are not imported yet."
          />
        </Text>
        <div>
          <ApplyButton details={details} />
        </div>
      </Stack>
    </Section>
  );
}

function DiscardButton({ id }: { id: string }) {
  const { t } = useLingui();
  return (
    <div>
      <ConfirmButton
        label={<Trans>Discard</Trans>}
        title={<Trans>Discard this import?</Trans>}
        changes={changes}
        action={() => ask('POST /employee-imports/{id}/discard', { id })}
        done={() => confirmDone(t`The import is discarded.`)}
      >
        <Trans>The file and its check are deleted. No person changes.</Trans>
      </ConfirmButton>
    </div>
  );
}
