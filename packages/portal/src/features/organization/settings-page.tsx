import { Checkbox, Stack } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask, Rejection } from '../../api/ask.ts';
import { identityQuery, organizationSettingsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Tabs } from '../../kit/detail/tabs.tsx';
import { FormPart, SettingsForm } from '../../kit/form/form.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { usePermissionWords } from '../../kit/permission-words.tsx';
import { AuditRetention } from './audit-retention.tsx';
import { Mail } from './mail.tsx';
import { NumberField, TextField } from '../../kit/form/limited-fields.tsx';

type Settings = AnswerOf<'GET /organization'>;

/** The settings that administrators change, with a form in each tab. */
export function OrganizationSettingsPage() {
  const { t } = useLingui();
  const { tab = 'rules' } = useSearch({ from: '/shell/settings/organization' });
  return (
    <Page
      title={t`Organization settings`}
      lead={<Trans>These rules apply to all users and API keys of the organization.</Trans>}
    >
      <Tabs
        label={t`Parts of this page`}
        shown={tab}
        tabs={[
          { id: 'rules', name: <Trans>Users and keys</Trans> },
          { id: 'retention', name: <Trans>Retention</Trans> },
          { id: 'mail', name: <Trans>Mail</Trans> },
        ]}
      />
      {tab === 'rules' && <Rules />}
      {tab === 'retention' && <AuditRetention />}
      {tab === 'mail' && <Mail />}
    </Page>
  );
}

/** The values of the fields. An empty number is an empty text. */
interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly defaultKeyDays: number | string;
  readonly maxKeyDays: number | string;
  readonly passkeyPermissions: Settings['passkeyPermissions'];
  readonly minPasswordLength: number | string;
  readonly employeeHistoryDays: number | string;
}

const valuesOf = (settings: Settings): Values => ({
  ...settings,
  defaultKeyDays: settings.defaultKeyDays ?? '',
  maxKeyDays: settings.maxKeyDays ?? '',
});

const daysOf = (value: number | string) => (value === '' ? null : Number(value));

/** The changed values in the form of the API. */
function settingsOf({ name, defaultKeyDays, maxKeyDays, ...changed }: Partial<Values>) {
  const { minPasswordLength, employeeHistoryDays, ...rest } = changed;
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(defaultKeyDays !== undefined && { defaultKeyDays: daysOf(defaultKeyDays) }),
    ...(maxKeyDays !== undefined && { maxKeyDays: daysOf(maxKeyDays) }),
    ...(minPasswordLength !== undefined && { minPasswordLength: Number(minPasswordLength) }),
    ...(employeeHistoryDays !== undefined && { employeeHistoryDays: Number(employeeHistoryDays) }),
  };
}

const whole = { maw: 320 };
const days = { ...whole, min: 1, max: 3650 };

function Rules() {
  return (
    <Answered answer={useAnswer(organizationSettingsQuery)} height={420}>
      {settings => <RulesForm settings={settings} />}
    </Answered>
  );
}

/** Only a passkey can be missing in these settings. */
function passkeyFirst(error: unknown): never {
  throw error instanceof Rejection && error.code === 'INVALID_STATE_TRANSITION'
    ? error.as('PASSKEY_FIRST')
    : error;
}

function RulesForm({ settings }: { settings: Settings }) {
  const { t } = useLingui();
  const permissions = usePermissionWords();
  return (
    <SettingsForm<Values>
      initial={valuesOf(settings)}
      changes={[identityQuery.queryKey, organizationSettingsQuery.queryKey]}
      save={changed => ask('PATCH /organization', { body: settingsOf(changed) }).catch(passkeyFirst)}
      validate={({ name, minPasswordLength, employeeHistoryDays, ...values }) => {
        const [suggested, longest] = [daysOf(values.defaultKeyDays), daysOf(values.maxKeyDays)];
        const exceeds = longest !== null && (suggested === null || suggested > longest);
        return {
          name: name.trim() === '' && t`Enter a name`,
          defaultKeyDays: exceeds && t`Enter at most ${longest} days`,
          minPasswordLength: minPasswordLength === '' && t`Enter a number`,
          employeeHistoryDays: employeeHistoryDays === '' && t`Enter a number`,
        };
      }}
    >
      {form => (
        <>
          <FormPart title={<Trans>Organization</Trans>}>
            <TextField label={t`Name`} required limit={200} {...form.getInputProps('name')} />
          </FormPart>
          <FormPart title={<Trans>API keys</Trans>}>
            <NumberField
              label={t`Default lifetime in days`}
              description={t`Suggested for a new key`}
              {...days}
              {...form.getInputProps('defaultKeyDays')}
            />
            <NumberField
              label={t`Maximum lifetime in days`}
              description={t`Empty: no maximum. Existing keys keep their expiry date`}
              {...days}
              {...form.getInputProps('maxKeyDays')}
            />
          </FormPart>
          <FormPart title={<Trans>Passkeys</Trans>}>
            <Checkbox.Group
              label={t`Require a passkey of users with`}
              description={t`Users with one of these permissions need a passkey for each sign-in with a password. Users of your sign-in provider are its responsibility.`}
              {...form.getInputProps('passkeyPermissions')}
            >
              <Stack gap="xs" mt="xs">
                {Object.entries(permissions).map(([permission, { name }]) => (
                  <Checkbox key={permission} value={permission} label={name} />
                ))}
              </Stack>
            </Checkbox.Group>
          </FormPart>
          <FormPart title={<Trans>Passwords</Trans>}>
            <NumberField
              label={t`Minimum length`}
              description={t`12 to 64 characters. Existing passwords stay valid`}
              required
              {...whole}
              min={12}
              max={64}
              {...form.getInputProps('minPasswordLength')}
            />
          </FormPart>
          <FormPart title={<Trans>Employees</Trans>}>
            <NumberField
              label={t`History of changes in days`}
              description={t`Old and new values are deleted after this time`}
              required
              {...days}
              {...form.getInputProps('employeeHistoryDays')}
            />
          </FormPart>
        </>
      )}
    </SettingsForm>
  );
}
