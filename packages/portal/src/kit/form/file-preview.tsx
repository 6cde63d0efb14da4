import { Anchor, Text } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { size } from '../size.ts';
import { extension } from './file-upload.tsx';
import classes from './file-upload.module.css';

interface Props {
  readonly file: { readonly fileName: string; readonly mediaType: string; readonly size: number };
  /** Its address, where the browser shows images and PDF files. */
  readonly address: string;
}

/** A stored file: an image is shown, any other file opens in another tab. */
export function FilePreview({ file: { fileName, mediaType, size: bytes }, address }: Props) {
  const { t } = useLingui();
  return (
    <div className={classes.file}>
      <span className={classes.preview}>
        {mediaType.startsWith('image/') ? (
          <img src={address} alt={t`Preview of ${fileName}`} loading="lazy" />
        ) : (
          extension(fileName)
        )}
      </span>
      <div>
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm" className={classes.name}>
          {fileName}
        </Anchor>
        <Text size="xs" c="dimmed">
          {size(bytes)}
        </Text>
      </div>
    </div>
  );
}
