import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { download } from '../../api/ask.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Actor } from '../../kit/detail/timeline.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { rules } from '../../kit/help/guides.ts';
import { HelpMark } from '../../kit/help/help.tsx';
import { Icon } from '../../kit/icon.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { When } from '../../kit/when.tsx';
import { type Run, type RunDetails, useFormatWords } from './words.tsx';
import shared from '../../kit/shared.module.css';
import styles from './payroll.module.css';

type File = RunDetails['files'][number];

/** The files of a release, each with its checksum and who has downloaded it. */
export function Files({ run, files }: { run: Run; files: readonly File[] }) {
  const { t } = useLingui();
  return (
    <Section
      title={<Trans>Files for the payroll system</Trans>}
      help={<HelpMark about={t`Files for the payroll system`} guide={rules.files} />}
    >
      {files.map(file => (
        <FileOf
          key={file.id}
          run={run.id}
          file={file}
          downloads={run.documents.find(({ id }) => id === file.id)?.downloads ?? []}
        />
      ))}
    </Section>
  );
}

type Download = Run['documents'][number]['downloads'][number];

interface FileProps {
  readonly run: string;
  readonly file: File;
  readonly downloads: readonly Download[];
}

function FileOf({ run, file, downloads }: FileProps) {
  const { t } = useLingui();
  const formats = useFormatWords();
  const { id, fileName, sha256, rowCount, skippedCount, period } = file;
  const action = useAction(
    [['payroll', 'run']],
    () => download('GET /payroll-export-documents/{id}/download', { id }, sha256 ?? undefined),
    () => confirmDone(t`${fileName} is saved, and its checksum is right.`),
  );
  const isRepeated = downloads.reduce((sum, { count }) => sum + count, 0) > 1;
  if (fileName === null || sha256 === null)
    return (
      <Text className={styles.file} size="sm">
        {formats[file.format]}: <Trans>nothing was to be exported, so there is no file.</Trans>
      </Text>
    );
  return (
    <Stack gap="xs" className={styles.file}>
      <Group justify="space-between">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {fileName}
          </Text>
          <Text size="sm" c="dimmed">
            {formats[file.format]}, {monthName(period)},{' '}
            <Plural value={rowCount} one="# amount" other="# amounts" />
            {skippedCount > 0 && (
              <>
                {', '}
                <Plural value={skippedCount} one="# order left out" other="# orders left out" />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <RecipeButton run={run} file={file} />
          <Button
            variant={downloads.length > 0 ? 'default' : 'filled'}
            leftSection={<Icon name="download" size={16} />}
            loading={action.busy}
            onClick={() => void action.run()}
            aria-label={t`Download ${fileName}`}
          >
            <Trans>Download</Trans>
          </Button>
        </Group>
      </Group>
      {action.error !== null && <Failure error={action.error} />}
      <Text size="sm" component="div">
        <Trans>Checksum (SHA-256)</Trans>{' '}
        <span className={shared.mono} data-breaks>
          {sha256}
        </span>{' '}
        <CopyButton text={sha256} label={t`Copy the checksum of ${fileName}`} />
      </Text>
      {downloads.map(({ actor, lastAt }) => (
        <Text key={`${actor.type} ${actor.id}`} size="sm" c="dimmed">
          <Trans>
            <Actor {...actor} /> has downloaded this file <When at={lastAt} />.
          </Trans>
        </Text>
      ))}
      {isRepeated && (
        <Alert variant="outline" color="orange" icon={<Icon name="alert" />}>
          <Text size="sm">
            <Trans>
              The file was downloaded several times. Import it once: what is imported twice is deducted twice.
            </Trans>
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

/** A text for the payroll office: the payroll program must have this before the import. */
function RecipeButton({ run, file: { format, fileName } }: Pick<FileProps, 'run' | 'file'>) {
  const { t, i18n } = useLingui();
  const language = i18n.locale === 'de' ? 'de' : 'en';
  const action = useAction([], () =>
    download('GET /payroll-runs/{id}/recipe', { id: run, query: { format, language } }),
  );
  return (
    <div>
      <Button
        variant="default"
        loading={action.busy}
        onClick={() => void action.run()}
        aria-label={t`Import notes for ${fileName}`}
      >
        <Trans>Import notes</Trans>
      </Button>
      {action.error !== null && <Failure error={action.error} />}
    </div>
  );
}
