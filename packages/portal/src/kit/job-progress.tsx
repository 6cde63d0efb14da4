import { Progress, Text } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

interface Props {
  /** Null before the job has reported. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** The progress in words. */
  readonly children: ReactNode;
}

/** The progress of a background job. Its query reads it each second (`whileBusy`). */
export function JobProgress({ progress, children }: Props) {
  const { t } = useLingui();
  const share = progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <div role="status">
      <Text size="sm" mb={4}>
        {children}
      </Text>
      <Progress value={100 * share} aria-label={t`Progress`} />
    </div>
  );
}
