import { Button, Group, Modal } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Hold } from './hold.ts';

interface Props {
  readonly opened: boolean;
  readonly title: ReactNode;
  /** Absent: only what is in the dialog closes it. */
  readonly close?: () => void;
  readonly size?: string;
  readonly zIndex?: number;
  readonly children: ReactNode;
}

const stay = () => {};

/** A dialog. Its head is no `header`, which would be a second one of the page for who listens. */
export function Dialog({ opened, title, close, size = 'md', zIndex = 300, children }: Props) {
  const { t } = useLingui();
  const [holders, setHolders] = useState(0);
  const hold = useCallback(() => {
    setHolders(count => count + 1);
    return () => setHolders(count => count - 1);
  }, []);
  const held = holders > 0;
  const holding = useMemo(() => ({ held, hold }), [held, hold]);
  const leaving = close !== undefined && !held;
  return (
    <Modal.Root
      opened={opened}
      onClose={close ?? stay}
      size={size}
      zIndex={zIndex}
      closeOnClickOutside={leaving}
      closeOnEscape={leaving}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title fw={650} fz="lg">
            {title}
          </Modal.Title>
          {close && <Modal.CloseButton aria-label={t`Close`} disabled={held} />}
        </Modal.Header>
        <Modal.Body>
          <Hold value={holding}>{children}</Hold>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface EndProps {
  readonly close: () => void;
  /** Whether to leave is what the focus is on first, as where the other button does harm. */
  readonly careful?: boolean;
  /** The button that does what the dialog is for, if it is not in the dialog itself. */
  readonly children?: ReactNode;
}

/** The last line of a dialog: leaves it, or does what it is for. */
export function DialogEnd({ close, careful = false, children }: EndProps) {
  const { held } = useContext(Hold);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={close} disabled={held} data-autofocus={careful || undefined}>
        <Trans>Cancel</Trans>
      </Button>
      {children}
    </Group>
  );
}
