import { Button, Group, Modal } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useContext, useEffect } from 'react';
import { rescueFocus } from './focus.ts';
import { Hold, useHolding } from './hold.ts';

interface Props {
  readonly opened: boolean;
  readonly title: ReactNode;
  /** Absent: only what is in the dialog closes it. */
  readonly close?: () => void;
  readonly size?: string;
  readonly zIndex?: number;
  readonly children: ReactNode;
}

/** A dialog. Its head is no `header`, which would be a second one of the page for who listens. */
export function Dialog({ opened, title, close, size = 'md', zIndex = 300, children }: Props) {
  const { t } = useLingui();
  const holding = useHolding();
  const leaving = close !== undefined;
  return (
    <Modal.Root
      opened={opened}
      onClose={() => close && holding.leave(close)}
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
          {close && <Modal.CloseButton aria-label={t`Close`} disabled={holding.held} />}
        </Modal.Header>
        <Modal.Body>
          <Hold value={holding}>{children}</Hold>
          <End />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The focus goes back to what has opened the dialog, which may be gone by what was done in it. */
function End() {
  useEffect(() => rescueFocus, []);
  return null;
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
  const { held, leave } = useContext(Hold);
  return (
    <Group justify="flex-end">
      <Button
        variant="default"
        onClick={() => leave(close)}
        disabled={held}
        data-autofocus={careful || undefined}
      >
        <Trans>Cancel</Trans>
      </Button>
      {children}
    </Group>
  );
}
