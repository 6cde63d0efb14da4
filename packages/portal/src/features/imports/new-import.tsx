import { Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { recode } from '../../api/ask.ts';
import { queryClient } from '../../api/queries.ts';
import { maxSize, upload } from '../../api/upload.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { FileUpload } from '../../kit/form/file-upload.tsx';
import { openRow } from '../../kit/list/data-table.tsx';
import { LinkButton, TextLink } from '../../kit/navigation/link-button.tsx';
import { Empty } from '../../kit/navigation/page.tsx';
import { size } from '../../kit/numbers.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ImportState } from '../../kit/hr-words.tsx';
import { When } from '../../kit/when.tsx';
import { type Import, useFileName } from './words.tsx';
import styles from './imports.module.css';

interface Props {
  readonly company: string;
  readonly open: Import | undefined;
  readonly items: readonly Import[];
}

/** The upload, or the way to the open import, above the earlier ones. */
export function NewImport({ company, open, items }: Props) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  return (
    <Stack gap="lg">
      {open !== undefined ? <Open open={open} /> : mayChange && <Upload company={company} />}
      {!mayChange && items.length === 0 && (
        <Empty icon="upload" title={t`No imports yet`}>
          <Trans>Imports of HR appear here.</Trans>
        </Empty>
      )}
      <History items={items.filter(({ id }) => id !== open?.id)} />
    </Stack>
  );
}

function Open({ open: { id, fileName, createdBy, createdAt } }: { open: Import }) {
  const mayChange = useMayChange();
  return (
    <Section title={<Trans>An import is open</Trans>}>
      <Stack gap="md" align="flex-start">
        <Text size="sm" className={styles.words}>
          <Trans>
            {createdBy.name} has uploaded {fileName} <When at={createdAt} />.
          </Trans>{' '}
          {mayChange && <Trans>A company has one open import. Finish or discard it first.</Trans>}
        </Text>
        <LinkButton to="." search={before => ({ ...before, import: id })}>
          {mayChange ? <Trans>Continue this import</Trans> : <Trans>Show this import</Trans>}
        </LinkButton>
      </Stack>
    </Section>
  );
}

/** Spreadsheets and lists in other formats as well: the service recognizes them, and the page says how to save them as CSV. */
const accept = [
  '.csv',
  '.txt',
  '.tsv',
  '.tab',
  '.xlsx',
  '.xlsm',
  '.xls',
  '.ods',
  '.numbers',
  '.html',
  '.xml',
  '.pdf',
  'text/csv',
];

const rejected = recode({ DUPLICATE_RESOURCE: 'OPEN_IMPORT' });

/** Uploads a file, and goes on to its columns. */
export function Upload({ company }: { company: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const send = async (file: File, progress: (sent: number) => void, signal: AbortSignal) => {
    try {
      const route = 'POST /tenants/{id}/employee-imports';
      const { id } = await upload(route, { id: company, file, progress, signal });
      void queryClient.invalidateQueries({ queryKey: ['imports'] });
      void navigate({ to: '.', search: { import: id, step: 'columns' }, ignoreBlocker: true });
    } catch (error) {
      rejected(error);
    }
  };
  return (
    <Section title={<Trans>Upload a file</Trans>}>
      <Stack gap="md">
        <Text size="sm" component="div">
          <Trans>
            One row of the file should have the names of the columns. People are found by their employee
            number or work email. People who are not in the file stay as they are.
          </Trans>
        </Text>
        <FileUpload
          accept={accept}
          hint={
            <Trans>
              CSV with any separator, in UTF-8, UTF-16 or Windows-1252, at most {size(maxSize)} and 100,000
              rows.
            </Trans>
          }
          wrongType={t`Only CSV files can be imported. In Excel, choose “Save As” and the file type “CSV UTF-8”.`}
          maxSize={maxSize}
          remaining={1}
          isSingle
          upload={send}
        />
      </Stack>
    </Section>
  );
}

function History({ items }: { items: readonly Import[] }) {
  const nameOf = useFileName();
  if (items.length === 0) return null;
  return (
    <Section title={<Trans>Earlier imports</Trans>}>
      <ul className={styles.history}>
        {items.map(({ id, fileName, status, createdBy, createdAt, counts }) => (
          // The keyboard has the link.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
          <li key={id} onClick={openRow}>
            <div data-opens-row>
              <TextLink to="." search={before => ({ ...before, import: id })} className={styles.words}>
                {nameOf({ fileName })}
              </TextLink>
              <Text size="sm" c="dimmed">
                {createdBy.name} · <When at={createdAt} />
                {counts !== null && counts.applied > 0 && (
                  <>
                    {' · '}
                    <Plural value={counts.applied} one="# row imported" other="# rows imported" />
                  </>
                )}
              </Text>
            </div>
            <ImportState status={status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
