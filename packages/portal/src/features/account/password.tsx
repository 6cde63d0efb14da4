import { Box, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { identityQuery, organizationSettingsQuery, queryClient, sessionsQuery } from '../../api/queries.ts';
import { Form } from '../../kit/form/form.tsx';
import {
  fewest as fewestAnywhere,
  NewPassword,
  PasswordField,
  useLengthCheck,
  wrongPassword,
} from '../../kit/form/password.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { Icon } from '../../kit/icon.tsx';
import { CancelLink, LinkButton } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import shared from '../../kit/shared.module.css';

/** Sets another password of the user. */
export function PasswordPage() {
  const { t } = useLingui();
  const [done, setDone] = useState(false);
  const fewest = useQuery(organizationSettingsQuery).data?.minPasswordLength ?? fewestAnywhere;
  return (
    <Page
      title={t`Change password`}
      lead={
        <Trans>
          At least {fewest} characters. Several random words are easy to remember. You are signed out
          everywhere else.
        </Trans>
      }
    >
      <Box className={shared.surface} p={{ base: 'md', xs: 'xl' }} maw="var(--kontor-form)">
        {done ? <Done /> : <PasswordForm fewest={fewest} done={() => setDone(true)} />}
      </Box>
    </Page>
  );
}

function Done() {
  return (
    <Stack>
      <Group gap="sm" wrap="nowrap" role="status">
        <Icon name="check" />
        <Text>
          <Trans>Your password is changed. All your other sessions have ended.</Trans>
        </Text>
      </Group>
      <Group>
        <LinkButton to="/account" variant="default">
          <Trans>Go to my account</Trans>
        </LinkButton>
      </Group>
    </Stack>
  );
}

function PasswordForm({ fewest, done }: { fewest: number; done: () => void }) {
  const { t } = useLingui();
  const identity = queryClient.getQueryData(identityQuery.queryKey);
  const email = identity?.user.email ?? '';
  const hasPassword = identity?.confirmsWith.includes('password') ?? false;
  const check = useLengthCheck(fewest);
  const action = useAction(
    [],
    (password: string, currentPassword: string) =>
      ask('POST /password', { body: { password, ...(hasPassword && { currentPassword }) } }).catch(
        wrongPassword,
      ),
    identity => {
      queryClient.setQueryData(identityQuery.queryKey, identity);
      void queryClient.invalidateQueries(sessionsQuery);
      done();
    },
  );
  const { form, submit } = useFields({
    initialValues: { currentPassword: '', password: '' },
    validate: ({ currentPassword, password }) => ({
      currentPassword: hasPassword && currentPassword === '' && t`Enter your current password.`,
      password: check(password),
    }),
    send: ({ password, currentPassword }) => action.run(password, currentPassword),
    action,
  });
  return (
    <Form
      onSubmit={submit}
      action={{ busy: action.busy, error: null }}
      isDirty={form.isDirty()}
      submit={<Trans>Set password</Trans>}
      aside={<CancelLink to="/account" />}
    >
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <PasswordField label={t`Current password`} {...form.getInputProps('currentPassword')} />
      )}
      <NewPassword {...form.getInputProps('password')} rejection={action.error} />
    </Form>
  );
}
