import { ActionIcon, Drawer, Group, Title } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../icon.tsx';
import { Overlaid, overlayParts } from './dialog.tsx';
import { isSecondClick, useEscape, useHolding } from './overlay.ts';

interface Props {
  /** Identifies the item. */
  readonly item: string;
  readonly title: string;
  readonly close: () => void;
  /** Opens the item before or behind this one; undefined: there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly children: ReactNode;
}

/** One item beside its list, which stays as it is. While a request is in flight, the panel stays. */
export function SidePanel({ item, title, close, previous, next, children }: Props) {
  const { t } = useLingui();
  const holding = useHolding();
  const content = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // The next item begins at its top, and its title has the focus where that was in the item before.
  const shown = `${item} ${title}`;
  const last = useRef(shown);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    content.current?.scrollTo(0, 0);
    if (!content.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
  });
  const leave = (then: (() => void) | undefined) => then && holding.leave(then);
  useEscape(true, () => leave(close));
  const hasSteps = previous !== undefined || next !== undefined;
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
      closeOnClickOutside={false}
      closeOnEscape={false}
      position="right"
      size="lg"
      zIndex={250}
      classNames={overlayParts}
    >
      <Drawer.Overlay
        onClick={event => {
          if (!isSecondClick(event)) leave(close);
        }}
      />
      <Drawer.Content ref={content}>
        <Drawer.Header role="presentation">
          <Drawer.Title fw={650} fz="lg" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
            {title}
          </Drawer.Title>
          <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
            {hasSteps && step(t`Previous`, previous, 'up')}
            {hasSteps && step(t`Next`, next, 'down')}
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

/** A part of the item, under its own title. */
export function PanelSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
