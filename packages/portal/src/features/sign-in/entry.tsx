import { Box, Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../kit/icon.tsx';
import { AppearanceSwitch, LanguageSwitch } from '../../kit/navigation/choices.tsx';
import shared from '../../kit/shared.module.css';
import styles from './entry.module.css';

/** The frame of pages without a session. */
export function Entry({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Kontor`;
  }, [title]);
  return (
    <Box className={styles.entry}>
      <main>
        <Group justify="center" gap="sm" mb="lg">
          <Logo size={40} />
          <Text fz={26} fw={700} lts={-0.4}>
            Kontor
          </Text>
        </Group>
        <Paper className={shared.surface} shadow="md" p={{ base: 'lg', xs: 32 }}>
          <Title order={1} mb={4}>
            {title}
          </Title>
          <Text c="dimmed" mb="lg">
            {lead}
          </Text>
          {children}
        </Paper>
        <Group justify="center" mt="lg" gap="sm">
          <LanguageSwitch />
          <AppearanceSwitch />
        </Group>
      </main>
    </Box>
  );
}
