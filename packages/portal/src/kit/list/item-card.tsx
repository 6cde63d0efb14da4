import { Badge, Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type IconName, Icon } from '../icon.tsx';
import shared from '../shared.module.css';

interface Props {
  readonly icon: IconName;
  readonly name: string;
  /** A mark that sets this one apart. */
  readonly badge?: ReactNode;
  /** The buttons of its actions. */
  readonly actions: ReactNode;
  /** Its facts, in a line. */
  readonly children: ReactNode;
}

/** One of a few things of the user. */
export function ItemCard({ icon, name, badge, actions, children }: Props) {
  return (
    <Group className={shared.surface} p="md" justify="space-between" gap="sm">
      <Group gap="md" wrap="nowrap" align="flex-start" style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Box c="dimmed" mt={2}>
          <Icon name={icon} size={22} />
        </Box>
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {badge && (
              <Badge variant="default" tt="none">
                {badge}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {children}
          </Text>
        </Box>
      </Group>
      <Group gap="xs">{actions}</Group>
    </Group>
  );
}
