import { Anchor, Button, Group, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import { size } from '../numbers.ts';
import { extension } from './file-upload.tsx';
import classes from './form.module.css';

interface Props {
  readonly file: { readonly fileName: string; readonly mediaType: string; readonly size: number };
  /** Its address, where the browser shows images and PDF files. */
  readonly address: string;
  /** Its kind, in words. */
  readonly kind?: ReactNode;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** A stored file: images and, where the browser can, PDF files are shown in place. Any file opens in another tab. */
export function FilePreview({ file: { fileName, mediaType, size: bytes }, address, kind, children }: Props) {
  const { t } = useLingui();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isImage = mediaType.startsWith('image/');
  const canShow = isImage || (mediaType === 'application/pdf' && navigator.pdfViewerEnabled);
  return (
    <div>
      <div className={classes.file}>
        <span className={classes.preview}>
          {isImage ? (
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
            {kind && <>{kind}, </>}
            {size(bytes)}
          </Text>
        </div>
        <Group gap="xs">
          {canShow && (
            <Button
              size="xs"
              variant="default"
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={isOpen ? t`Hide ${fileName}` : t`Show ${fileName}`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? <Trans>Hide</Trans> : <Trans>Show</Trans>}
            </Button>
          )}
          {children}
        </Group>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && isImage && <img src={address} alt={fileName} className={classes.whole} />}
        {/* Browsers show no PDF file in a frame with a sandbox. Their viewer runs none of its scripts in the page. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        {isOpen && !isImage && <iframe src={address} title={fileName} className={classes.page} />}
      </div>
    </div>
  );
}
