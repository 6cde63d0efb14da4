import { Box, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Rejection } from '../../api/ask.ts';
import { HelpMark } from '../help/help.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { TextLink } from './link-button.tsx';
import shared from '../shared.module.css';
import styles from './page.module.css';

/** The page that stands above another one, such as a list above what is in it. */
export interface Back {
  readonly to:
    | '/companies'
    | '/employees'
    | '/incidents'
    | '/settings/api-keys'
    | '/settings/organization'
    | '/settings/users';
  readonly name: string;
}

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly back?: Back;
  readonly children: ReactNode;
}

/** A page with its heading, which has the focus after a change of pages, and the title of the window. */
export function Page({ title, lead, actions, back, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Kontor`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={styles.page}>
      <div>
        {back && (
          <TextLink to={back.to} size="sm" className={styles.back}>
            <Icon name="back" size={16} /> {back.name}
          </TextLink>
        )}
        <div className={styles.head}>
          <div>
            <div className={styles.title}>
              <Title order={1} ref={heading} tabIndex={-1}>
                {title}
              </Title>
              <HelpMark about={title} />
            </div>
            {lead && <div className={styles.lead}>{lead}</div>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      </div>
      {children}
    </div>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** An empty state: its purpose, and how to begin. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className={shared.surface}>
      <Box c="dimmed">
        <Icon name={icon} size={36} />
      </Box>
      <Title order={2} ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw={520} component="div">
        {children}
      </Text>
      {action && <Box mt="sm">{action}</Box>}
    </Stack>
  );
}

/** Stands in the frame for what does not exist or is forbidden. */
export function Unavailable({ error }: { error: unknown }) {
  const { t } = useLingui();
  if (error instanceof Rejection && error.code === 'PERMISSION_DENIED') return <NoPermission />;
  return (
    <div role="alert">
      <Empty icon="alert" title={t`Not found`}>
        <Trans>It was deleted, the link is wrong, or you do not have access.</Trans>
      </Empty>
    </div>
  );
}

export function NoPermission() {
  const { t } = useLingui();
  return (
    <div role="alert">
      <Empty icon="lock" title={t`No access`}>
        <Trans>You do not have the permission for this page. A company admin can give it to you.</Trans>
      </Empty>
    </div>
  );
}
