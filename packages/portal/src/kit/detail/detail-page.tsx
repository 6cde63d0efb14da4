import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Rejection } from '../../api/ask.ts';
import { Answered } from '../answered.tsx';
import { type Change, LatestChange } from '../form/conflict-notice.tsx';
import { type Back, Page, Unavailable } from '../navigation/page.tsx';
import shared from '../shared.module.css';

interface Props<Item> {
  readonly answer: { readonly data: Item | undefined; readonly error: unknown; refetch(): unknown };
  /** The title until the name is loaded. */
  readonly kind: string;
  readonly back: Back;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Its latest change, which forms and actions of the page report ({@link ConflictNotice}). */
  readonly latestChange?: Change | undefined;
  readonly children: (item: Item) => ReactNode;
}

/** The page of one item of a list: loading, failed or shown. */
export function DetailPage<Item extends { readonly name: string }>(props: Props<Item>) {
  const { answer, kind, back, lead, actions, latestChange, children } = props;
  return (
    <LatestChange value={latestChange}>
      <Page title={answer.data?.name ?? kind} lead={lead} back={back} actions={actions}>
        {answer.data === undefined && isUnknown(answer.error) ? (
          <Unavailable error={answer.error} />
        ) : (
          <Answered answer={answer} height={220}>
            {children}
          </Answered>
        )}
      </Page>
    </LatestChange>
  );
}

/** Whether another attempt is no use. An identifier that cannot be one (400) is unknown, too. */
function isUnknown(error: unknown): boolean {
  return error instanceof Rejection && [400, 403, 404].includes(error.status);
}

interface SectionProps {
  readonly title: ReactNode;
  /** The question mark next to the title. */
  readonly help?: ReactNode;
  /** Content at the end of the title's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, under its own title. */
export function Section({ title, help, aside, children }: SectionProps) {
  return (
    <Box className={shared.surface} p={{ base: 'md', xs: 'lg' }} component="section">
      <Group justify="space-between" align="flex-start" mb="md">
        <Group gap={4} wrap="nowrap">
          <Title order={2}>{title}</Title>
          {help}
        </Group>
        {aside}
      </Group>
      {children}
    </Box>
  );
}
