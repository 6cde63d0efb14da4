import { Modal } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

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
  const leaving = close !== undefined;
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
          {leaving && <Modal.CloseButton aria-label={t`Close`} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
