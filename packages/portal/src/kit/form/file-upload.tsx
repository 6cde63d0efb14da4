import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { size } from '../numbers.ts';
import { type Upload, type UploadOptions, useUploads } from './use-uploads.tsx';
import classes from './form.module.css';

interface Props extends UploadOptions {
  /** Words for the accepted files. */
  readonly hint: ReactNode;
  /** How many files more are taken. */
  readonly remaining: number;
}

/** Buttons that choose files or take a photo, and the uploads, each with its preview and its progress. */
export function FileUpload(props: Props) {
  const { accept, hint, remaining, isSingle = false } = props;
  const { t } = useLingui();
  const { files, reduced, isSending, add, retry, cancel } = useUploads(props);
  const choose = {
    accept: accept.join(','),
    disabled: isSingle ? isSending : remaining - files.length <= 0,
  };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      <Group>
        <FileButton {...choose} multiple={!isSingle} onChange={chosen => add([chosen ?? []].flat())}>
          {props => (
            <Button variant={isSingle ? 'filled' : 'default'} {...props}>
              {isSingle ? <Trans>Choose a file</Trans> : <Trans>Add files</Trans>}
            </Button>
          )}
        </FileButton>
        {!isSingle && (
          <FileButton
            {...choose}
            accept="image/*"
            capture="environment"
            onChange={chosen => add(chosen ? [chosen] : [])}
          >
            {props => (
              <Button variant="default" className={classes.camera} {...props}>
                <Trans>Take a photo</Trans>
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <div role="status">
        {reduced.map(({ key, file, sizeBefore }) => (
          <Text key={key} size="sm" className={classes.name}>
            <Trans>
              {file.name} was reduced from {size(sizeBefore!)} to {size(file.size)}.
            </Trans>
          </Text>
        ))}
      </div>
      {files.length > 0 && (
        <ul className={classes.list} aria-label={t`Uploads`}>
          {files.map(one => (
            <UploadRow key={one.key} upload={one} retry={() => retry(one)} cancel={() => cancel(one)} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

interface RowProps {
  readonly upload: Upload;
  readonly retry: () => void;
  readonly cancel: () => void;
}

function UploadRow({ upload: { file, preview, sent, problem, isRetryable }, retry, cancel }: RowProps) {
  const { t } = useLingui();
  const percent = Math.round(sent * 100);
  return (
    <li className={classes.file}>
      <span className={classes.preview}>
        {preview ? <img src={preview} alt={t`Preview of ${file.name}`} /> : extension(file.name)}
      </span>
      <div>
        <Text size="sm" className={classes.name}>
          {file.name}{' '}
          <Text span c="dimmed">
            {size(file.size)}
          </Text>
        </Text>
        {problem === null ? (
          <Progress.Root size="lg">
            <Progress.Section value={percent} aria-label={t`Upload of ${file.name}`} />
          </Progress.Root>
        ) : (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {isRetryable && problem !== null && (
          <Button size="xs" variant="default" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={cancel}
          aria-label={problem === null ? t`Cancel ${file.name}` : t`Remove ${file.name}`}
        >
          {problem === null ? <Trans>Cancel</Trans> : <Trans>Remove</Trans>}
        </Button>
      </Group>
    </li>
  );
}

/** The end of a file name, such as PDF. */
export function extension(name: string): string {
  return name.split('.').at(-1)!.slice(0, 4).toUpperCase();
}
