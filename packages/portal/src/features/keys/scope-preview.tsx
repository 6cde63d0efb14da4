import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { scopePreviewQuery } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { type Chosen, grantsOf, isChosen } from './chosen.ts';
import styles from './scope-preview.module.css';

/** Milliseconds that a choice stands still before it is counted. */
const still = 250;

/** Counts of what a new key can access, shown before it is created. */
export function ScopePreview({ chosen }: { chosen: Chosen }) {
  const [settled] = useDebouncedValue(chosen, still);
  const canAccess = isChosen(settled);
  const { data, error, isPlaceholderData } = useQuery({
    ...scopePreviewQuery(settled.whole ? { wholeOrganization: true } : { grants: grantsOf(settled) }),
    enabled: canAccess,
  });
  if (error) return <Failure error={error} />;
  const counting = settled !== chosen || isPlaceholderData;
  return (
    <Stack gap={6} className={styles.preview} role="status" aria-live="polite" aria-busy={counting}>
      <Text size="sm" c="dimmed">
        {canAccess ? (
          <Trans>The key currently has access to</Trans>
        ) : (
          <Trans>The key has no access yet.</Trans>
        )}
      </Text>
      {canAccess && data && (
        <div style={{ opacity: counting ? 0.5 : 1 }}>
          <ScopeCounts counts={data} />
        </div>
      )}
    </Stack>
  );
}

export function ScopeCounts({ counts }: { counts: AnswerOf<'POST /api-key-scope-previews'> }) {
  return (
    <Group gap="xs">
      <Count>
        <Plural value={counts.tenants} one="# company" other="# companies" />
      </Count>
      <Count>
        <Plural value={counts.divisions} one="# division" other="# divisions" />
      </Count>
      <Count>
        <Plural value={counts.employees} one="# employee" other="# employees" />
      </Count>
      <Count>
        <Plural value={counts.orders} one="# order" other="# orders" />
      </Count>
    </Group>
  );
}

function Count({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" fw={600} className={styles.count}>
      {children}
    </Text>
  );
}
