import type { NotificationKind } from '@kontor/contract';
import { Checkbox, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { notificationSettingsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { FormPart, SettingsForm } from '../../kit/form/form.tsx';
import { Page } from '../../kit/navigation/page.tsx';

/** The kinds of notifications that the user gets, and whether by mail. */
export function NotificationsPage() {
  const { t } = useLingui();
  return (
    <Page
      title={t`My notifications`}
      lead={<Trans>The bell at the top of each page shows them. You can also get them by mail.</Trans>}
    >
      <Answered answer={useAnswer(notificationSettingsQuery)} height={360}>
        {settings => <SettingsOf settings={settings} />}
      </Answered>
    </Page>
  );
}

type Settings = AnswerOf<'GET /notification-settings'>;

interface Values extends Record<string, unknown> {
  readonly byMail: boolean;
  readonly chosen: Settings['chosen'];
}

/** The words for what users are notified of. */
function useKindWords(): Record<NotificationKind, { name: string; when: string }> {
  const { t } = useLingui();
  return {
    new_orders: { name: t`New orders`, when: t`Orders that wait for a decision` },
    expiring_orders: {
      name: t`Orders that expire soon`,
      when: t`Three days before an order expires without a decision`,
    },
    payroll_due: {
      name: t`Payroll due`,
      when: t`From the day after the cut-off day, until the month is released`,
    },
    finished_import: { name: t`Finished imports`, when: t`Imports that you have started` },
    failing_key: { name: t`Failing API keys`, when: t`At once, when most requests of a system fail` },
  };
}

function SettingsOf({ settings: { mailsAreSent, byMail, offered, chosen } }: { settings: Settings }) {
  const { t } = useLingui();
  const words = useKindWords();
  return (
    <SettingsForm<Values>
      initial={{ byMail, chosen }}
      changes={[notificationSettingsQuery.queryKey]}
      save={body => ask('PATCH /notification-settings', { body })}
      validate={() => ({})}
    >
      {form => (
        <>
          <FormPart title={<Trans>What you are notified of</Trans>}>
            <Checkbox.Group aria-label={t`What you are notified of`} {...form.getInputProps('chosen')}>
              <Stack gap="sm">
                {offered.map((kind: NotificationKind) => (
                  <Checkbox key={kind} value={kind} label={words[kind].name} description={words[kind].when} />
                ))}
              </Stack>
            </Checkbox.Group>
          </FormPart>
          <FormPart title={<Trans>Mail</Trans>}>
            {mailsAreSent ? (
              <Checkbox
                label={t`Also by mail`}
                description={t`At most one summary a day, and only with something new. Failing API keys are mailed at once.`}
                {...form.getInputProps('byMail', { type: 'checkbox' })}
              />
            ) : (
              <Text c="dimmed">
                <Trans>This installation sends no mails.</Trans>
              </Text>
            )}
          </FormPart>
        </>
      )}
    </SettingsForm>
  );
}
