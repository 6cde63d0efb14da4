import { Button, Group, NumberInput, Select, Stack, TextInput, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { identityQuery, organizationSettingsQuery } from '../../api/queries.ts';
import { languages } from '../../i18n.ts';
import { Answered } from '../../kit/answered.tsx';
import { Failure } from '../../kit/failure.tsx';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { Page } from '../../kit/navigation/page.tsx';
import shared from '../../kit/shared.module.css';
import { confirmDone } from '../../kit/toasts.tsx';

type Settings = AnswerOf<'GET /organization'>;

/** The rules of the organization for its users and keys. */
export function OrganizationSettingsPage() {
  const { t } = useLingui();
  const answer = useAnswer(organizationSettingsQuery);
  return (
    <Page
      title={t`Organization settings`}
      lead={<Trans>These rules apply to all users and API keys of the organization.</Trans>}
    >
      <Answered answer={answer} height={420}>
        {settings => <SettingsForm settings={settings} />}
      </Answered>
    </Page>
  );
}

/** The values of the fields. An empty number is an empty text. */
interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly defaultLanguage: Settings['defaultLanguage'];
  readonly defaultKeyDays: number | string;
  readonly maxKeyDays: number | string;
  readonly minPasswordLength: number | string;
  readonly employeeHistoryDays: number | string;
}

const valuesOf = (settings: Settings): Values => ({
  ...settings,
  defaultKeyDays: settings.defaultKeyDays ?? '',
  maxKeyDays: settings.maxKeyDays ?? '',
});

const daysOf = (value: number | string) => (value === '' ? null : Number(value));

const settingsOf = ({ name, defaultLanguage, ...numbers }: Values): Settings => ({
  name: name.trim(),
  defaultLanguage,
  defaultKeyDays: daysOf(numbers.defaultKeyDays),
  maxKeyDays: daysOf(numbers.maxKeyDays),
  minPasswordLength: Number(numbers.minPasswordLength),
  employeeHistoryDays: Number(numbers.employeeHistoryDays),
});

const whole = { allowDecimal: false, allowNegative: false, maw: 320 };
const days = { ...whole, min: 1, max: 3650 };

function SettingsForm({ settings }: { settings: Settings }) {
  const { t } = useLingui();
  const [stored, setStored] = useState(() => valuesOf(settings));
  const save = useAction(
    [identityQuery.queryKey, organizationSettingsQuery.queryKey],
    async (values: Values) => {
      await ask('PATCH /organization', { body: settingsOf(values) });
      return values;
    },
    saved => {
      setStored(saved);
      confirmDone(t`Changes saved`);
    },
  );
  const { form, submit } = useFields<Values>({
    initialValues: stored,
    validate: ({ name, minPasswordLength, employeeHistoryDays, ...values }) => {
      const [suggested, longest] = [daysOf(values.defaultKeyDays), daysOf(values.maxKeyDays)];
      const exceeds = longest !== null && (suggested === null || suggested > longest);
      return {
        name: name.trim() === '' && t`Enter a name`,
        defaultKeyDays: exceeds && t`Enter at most ${longest} days`,
        minPasswordLength: minPasswordLength === '' && t`Enter a number`,
        employeeHistoryDays: employeeHistoryDays === '' && t`Enter a number`,
      };
    },
    send: save.run,
    action: save,
  });
  const isDirty = JSON.stringify(form.values) !== JSON.stringify(stored);
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={isDirty && !save.busy} />
      <Stack gap="lg" maw="var(--kontor-form)">
        <Part title={<Trans>Organization</Trans>}>
          <TextInput label={t`Name`} required maxLength={200} {...form.getInputProps('name')} />
          <Select
            label={t`Language of invitations`}
            description={t`Suggested for a new user; each user has a language of their own`}
            allowDeselect={false}
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            maw={320}
            {...form.getInputProps('defaultLanguage')}
          />
        </Part>
        <Part title={<Trans>API keys</Trans>}>
          <NumberInput
            label={t`Default lifetime in days`}
            description={t`Suggested for a new key`}
            {...days}
            {...form.getInputProps('defaultKeyDays')}
          />
          <NumberInput
            label={t`Maximum lifetime in days`}
            description={t`Empty: no maximum. Present keys keep their expiry`}
            {...days}
            {...form.getInputProps('maxKeyDays')}
          />
        </Part>
        <Part title={<Trans>Passwords</Trans>}>
          <NumberInput
            label={t`Minimum length`}
            description={t`12 to 64 characters. Present passwords stay valid`}
            required
            {...whole}
            min={12}
            max={64}
            {...form.getInputProps('minPasswordLength')}
          />
        </Part>
        <Part title={<Trans>Employees</Trans>}>
          <NumberInput
            label={t`History of changes in days`}
            description={t`Old and new values are deleted after this time`}
            required
            {...days}
            {...form.getInputProps('employeeHistoryDays')}
          />
        </Part>
        {save.error !== null && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.busy} disabled={!isDirty}>
            <Trans>Save</Trans>
          </Button>
          {isDirty && (
            <Button variant="default" onClick={() => form.setValues(stored)}>
              <Trans>Discard</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Stack className={shared.surface} component="section" p={{ base: 'md', xs: 'lg' }} gap="lg">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
