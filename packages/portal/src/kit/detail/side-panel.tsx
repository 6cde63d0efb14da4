import { ActionIcon, Drawer, Group } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Overlaid, overlayParts } from '../form/dialog.tsx';
import { useHolding } from '../form/hold.ts';
import { Icon } from '../icon.tsx';

interface Props {
  readonly title: string;
  readonly close: () => void;
  /** Opens the item before or behind this one; undefined: there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly children: ReactNode;
}

/** One item beside its list, which stays as it is. While a request is in flight, the panel stays. */
export function SidePanel({ title, close, previous, next, children }: Props) {
  const { t } = useLingui();
  const holding = useHolding();
  const leave = (then: (() => void) | undefined) => then && holding.leave(then);
  const step = (label: string, to: (() => void) | undefined, icon: 'up' | 'down') => (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      disabled={to === undefined || holding.held}
      onClick={() => leave(to)}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
  return (
    <Drawer.Root
      opened
      onClose={() => leave(close)}
      position="right"
      size="lg"
      zIndex={250}
      classNames={overlayParts}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header role="presentation">
          <Drawer.Title fw={650} fz="lg">
            {title}
          </Drawer.Title>
          <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
            {step(t`Previous`, previous, 'up')}
            {step(t`Next`, next, 'down')}
            <Drawer.CloseButton aria-label={t`Close`} disabled={holding.held} />
          </Group>
        </Drawer.Header>
        <Drawer.Body>
          <Overlaid holding={holding}>{children}</Overlaid>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
