import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import { Icon } from './icon.tsx';

/** Copies a text; `label` says which. */
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

/** The same as a large button, for what has to be copied. */
export function CopyWideButton({ text, children }: { text: string; children: React.ReactNode }) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <Button
      variant="default"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />}
      onClick={() => clipboard.copy(text)}
    >
      <span aria-live="polite">{clipboard.copied ? <Trans>Copied</Trans> : children}</span>
    </Button>
  );
}
