import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { summaryQuery } from '../../api/queries.ts';
import { Failure } from '../failure.tsx';
import { useAction } from '../form/use-action.ts';
import { Icon } from '../icon.tsx';
import { useCompany } from '../navigation/company.tsx';
import { LinkButton } from '../navigation/link-button.tsx';
import { Popover } from '../overlay/popover.tsx';
import { NotificationLink } from './notification-link.tsx';
import shared from '../shared.module.css';
import styles from './bell.module.css';

type Notifications = AnswerOf<'GET /summary'>['notifications'];

/** The news for the user in all their companies. The summary of the page, which the menu requests anyway, has it. */
export function Bell() {
  const { t } = useLingui();
  const { data: summary } = useQuery(summaryQuery(useCompany()));
  const unread = summary?.notifications.unread ?? 0;
  return (
    <Popover
      className={styles.bell}
      buttonClass={styles.opener}
      button={
        <>
          <Icon name="bell" />
          {unread > 0 && <span className={styles.count}>{unread}</span>}
        </>
      }
      label={
        unread === 0
          ? t`Notifications`
          : t`Notifications: ${plural(unread, { one: '# unread', other: '# unread' })}`
      }
      title={t`Notifications`}
      panelClass={styles.panel}
    >
      {close => summary && <Panel {...summary.notifications} close={close} />}
    </Popover>
  );
}

function Panel({ items, unread, until, close }: Notifications & { close: () => void }) {
  const reading = useAction([], () => ask('POST /notifications/reading', { body: { until } }));
  return (
    <>
      <Text fw={600} px="sm" py="xs">
        <Trans>Notifications</Trans>
      </Text>
      {items.length === 0 && (
        <Text c="dimmed" size="sm" px="sm" pb="xs">
          <Trans>Nothing is new.</Trans>
        </Text>
      )}
      <ul className={shared.list}>
        {items.map(item => (
          <li key={`${item.kind} ${item.id ?? item.tenant ?? ''}`}>
            <NotificationLink {...item} close={close} />
          </li>
        ))}
      </ul>
      <Group justify="space-between" gap="xs" px="xs" py="xs">
        {/* It stays when all is read, so that it keeps the focus. */}
        <Button
          variant="default"
          size="xs"
          loading={reading.busy}
          {...(unread === 0 && { 'data-disabled': true, 'aria-disabled': true })}
          onClick={() => {
            if (unread > 0) void reading.run();
          }}
        >
          <Trans>Mark all as read</Trans>
        </Button>
        <LinkButton to="/account/notifications" variant="subtle" size="xs" onClick={close}>
          <Trans>Settings</Trans>
        </LinkButton>
      </Group>
      {reading.error !== null && <Failure error={reading.error} />}
      <VisuallyHidden role="status">
        <Plural value={unread} _0="Nothing is unread" one="# unread" other="# unread" />
      </VisuallyHidden>
    </>
  );
}
