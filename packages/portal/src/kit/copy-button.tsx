import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './shared.module.css';

/** Copies a text; `label` names it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useLingui();
  const clipboard = useClipboard({ timeout: 2000 });
  const words = clipboard.copied ? t`Copied` : label;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      size={26}
      aria-label={words}
      title={words}
      onClick={() => clipboard.copy(text)}
      style={{ verticalAlign: 'middle' }}
    >
      <Icon name={clipboard.copied ? 'check' : 'copy'} size={15} />
    </ActionIcon>
  );
}

interface CopyTextProps {
  readonly text: string;
  /** The name of the text for screen readers. */
  readonly label?: string;
  readonly testId?: string;
  /** Words for the button that copies it. */
  readonly children: ReactNode;
}

/** A text that has to be copied, with a large button for that. */
export function CopyText({ text, label, testId, children }: CopyTextProps) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <>
      <pre className={styles.secret} aria-label={label} data-testid={testId}>
        {text}
      </pre>
      <Button
        variant="default"
        leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />}
        onClick={() => clipboard.copy(text)}
        style={{ alignSelf: 'flex-start' }}
      >
        <span aria-live="polite">{clipboard.copied ? <Trans>Copied</Trans> : children}</span>
      </Button>
    </>
  );
}
