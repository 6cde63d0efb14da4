import { Group, Radio, Select, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { identityQuery } from '../../api/queries.ts';
import { daysFromNow } from '../../kit/dates.ts';
import { Form, FormPart } from '../../kit/form/form.tsx';
import { useCreation } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { CancelLink } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { type Chosen, grantsOf, isChosen } from './chosen.ts';
import { useLifetimes } from './key-parts.tsx';
import { everything, permissionsOf, type Purpose, PurposeChoice } from './key-purpose.tsx';
import { type Made, MadeKey } from './made-key.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { NumberField, TextField } from '../../kit/form/limited-fields.tsx';

/** Makes a key, which is shown once. */
export function NewKeyPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Page title={t`Create an API key`} back={{ to: '/settings/api-keys', name: t`API keys` }}>
      <KeyForm made={setMade} isMade={made !== null} />
      {made && (
        <MadeKey
          made={made}
          done={() =>
            void navigate({
              to: '/settings/api-keys/$id',
              params: { id: made.id },
              search: { tab: 'connect' },
              replace: true,
              ignoreBlocker: true,
            })
          }
        />
      )}
    </Page>
  );
}

/** The values of the fields. A number that is being typed may be an empty text. */
interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly purpose: Purpose;
  readonly scope: Chosen;
  /** Empty: as the organization suggests. */
  readonly days: string;
  readonly quota: 'common' | 'own';
  readonly requests: number | string;
  readonly seconds: number | string;
}

const initialValues: Values = {
  name: '',
  purpose: everything,
  scope: { whole: false, tenants: new Map() },
  days: '',
  quota: 'common',
  requests: 600,
  seconds: 60,
};

/** The form in the form of the API. */
function bodyOf({ name, purpose, scope, days, quota, requests, seconds }: Values) {
  return {
    name: name.trim(),
    ...(scope.whole ? { wholeOrganization: true } : { grants: grantsOf(scope) }),
    permissions: permissionsOf(purpose),
    quota: quota === 'own' ? { requests: Number(requests), seconds: Number(seconds) } : null,
    expiresAt: days === '0' ? null : daysFromNow(Number(days)),
  };
}

function KeyForm({ made, isMade }: { made: (key: Made) => void; isMade: boolean }) {
  const { t } = useLingui();
  const hasAccessToAll = useHasAccessToAll();
  const lifetimes = useLifetimes();
  const daysIn = ({ days }: Values) => days || lifetimes.suggested;
  const making = useCreation(
    'keys',
    (values: Values) => ask('POST /api-keys', { body: bodyOf({ ...values, days: daysIn(values) }) }),
    made,
  );
  const { form, submit } = useFields({
    initialValues,
    validate: ({ name, purpose, scope, quota, requests, seconds }) => ({
      name: name.trim() === '' && t`Enter a name`,
      purpose: permissionsOf(purpose)?.length === 0 && t`Choose at least one type of data.`,
      scope: !isChosen(scope) && t`Choose what the key can access.`,
      requests: quota === 'own' && Number(requests) < 1 && t`Enter at least 1`,
      seconds: quota === 'own' && Number(seconds) < 1 && t`Enter at least 1`,
    }),
    send: making.run,
    action: making,
  });
  return (
    <Form
      onSubmit={submit}
      action={making}
      isDirty={(form.isDirty() || isChosen(form.values.scope)) && !isMade}
      submit={<Trans>Create key</Trans>}
      aside={<CancelLink to="/settings/api-keys" />}
    >
      <FormPart>
        <TextField
          label={t`Name`}
          description={t`The system that uses this key`}
          placeholder={t`Musterwerk payroll`}
          limit={200}
          required
          {...form.getInputProps('name')}
        />
      </FormPart>
      <FormPart>
        <PurposeChoice
          chosen={form.values.purpose}
          choose={purpose => form.setFieldValue('purpose', purpose)}
          error={form.errors['purpose']}
        />
      </FormPart>
      <FormPart>
        <ScopeChoice
          chosen={form.values.scope}
          choose={scope => form.setFieldValue('scope', scope)}
          permissions={permissionsOf(form.values.purpose)}
          hasAccessToAll={hasAccessToAll}
          error={form.errors['scope']}
        />
      </FormPart>
      <FormPart>
        <Select
          label={t`Expires`}
          description={t`Replace an expiring key in time. The home page reminds you.`}
          allowDeselect={false}
          data={lifetimes.choices}
          maw={320}
          {...form.getInputProps('days')}
          value={daysIn(form.values)}
        />
        <QuotaChoice form={form} />
      </FormPart>
    </Form>
  );
}

function QuotaChoice({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useLingui();
  const number = { min: 1 };
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t`Quota`}
        description={t`The requests that the system may send`}
        {...form.getInputProps('quota')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="common" label={t`Default quota of this installation`} />
          <Radio value="own" label={t`Separate quota`} />
        </Stack>
      </Radio.Group>
      {form.values.quota === 'own' && (
        <Group align="flex-start" gap="sm">
          <NumberField
            label={t`Requests`}
            max={999_999_999}
            w={140}
            {...number}
            {...form.getInputProps('requests')}
          />
          <NumberField
            label={t`Period in seconds`}
            max={86_400}
            w={160}
            {...number}
            {...form.getInputProps('seconds')}
          />
        </Group>
      )}
    </Stack>
  );
}

/** Whether the user sees the whole organization, and may so make a key that does. */
function useHasAccessToAll(): boolean {
  const { data } = useQuery(identityQuery);
  if (!data) return false;
  const { permissions, hrTenants } = data.user;
  return (
    permissions.some(permission => permission === 'IT' || permission === 'COMPANY_ADMIN') ||
    hrTenants === null
  );
}
