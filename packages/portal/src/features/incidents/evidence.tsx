import { Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { ask } from '../../api/ask.ts';
import { queryClient } from '../../api/queries.ts';
import { maxSize, mediaTypes, upload } from '../../api/upload.ts';
import { FilePreview } from '../../kit/form/file-preview.tsx';
import { FileUpload } from '../../kit/form/file-upload.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { size } from '../../kit/numbers.ts';
import type { Incident } from './words.tsx';

const maxFiles = 20;

/** The files of an incident, with the upload of further ones while the report is editable. */
export function Evidence({ incident: { id, attachments, ...incident } }: { incident: Incident }) {
  const mayChange = useMayChange();
  const editable = incident.editable && mayChange;
  const { t } = useLingui();
  const remaining = maxFiles - attachments.length;
  return (
    <Stack gap="md">
      {attachments.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>There is no evidence yet.</Trans>
        </Text>
      )}
      {attachments.map(file => (
        <FilePreview key={file.id} file={file} address={`/portal/api/incidents/${id}/attachments/${file.id}`}>
          {editable && (
            <ConfirmButton
              size="xs"
              label={<Trans>Remove</Trans>}
              aria-label={t`Remove ${file.fileName}`}
              title={<Trans>Remove {file.fileName}</Trans>}
              isDangerous
              changes={[['incidents']]}
              action={() =>
                ask('DELETE /incidents/{id}/attachments/{attachmentId}', { id, attachmentId: file.id })
              }
              done={() => confirmDone(t`The file is removed.`)}
            >
              <Trans>The file is deleted permanently. The history keeps that it was removed.</Trans>
            </ConfirmButton>
          )}
        </FilePreview>
      ))}
      {editable && remaining === 0 && (
        <Text size="sm">
          <Trans>An incident can have at most {maxFiles} files.</Trans>
        </Text>
      )}
      {editable && remaining > 0 && (
        <FileUpload
          accept={mediaTypes}
          hint={
            <Trans>PNG, JPEG, WebP or PDF, at most {size(maxSize)} each. Larger photos are reduced.</Trans>
          }
          wrongType={t`Only PNG, JPEG, WebP and PDF files can be uploaded. Save the file in one of these formats.`}
          maxSize={maxSize}
          remaining={remaining}
          upload={async (file, progress, signal) => {
            await upload('POST /incidents/{id}/attachments', { id, file, progress, signal });
            await queryClient.invalidateQueries({ queryKey: ['incidents'] });
          }}
        />
      )}
    </Stack>
  );
}
