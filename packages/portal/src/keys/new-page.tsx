import { Button, Group, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ask } from '../api/ask.ts';
import { identityQuery } from '../api/queries.ts';
import { daysFromNow } from '../parts/dates.ts';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { useDraft } from '../parts/stay.ts';
import { useMaking } from '../session/use-making.ts';
import { type Chosen, grantsOf } from './chosen.ts';
import { type Made, MadeKey } from './made-key.tsx';
import { ScopeChoice } from './scope-choice.tsx';

/** Makes a key, which is shown once. */
export function NewKeyPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Page
      title={t`Create an API key`}
      above={
        <TextLink to="/settings/api-keys" size="sm">
          <Trans>API keys</Trans>
        </TextLink>
      }
    >
      <KeyForm made={setMade} />
      {made && (
        <MadeKey
          made={made}
          done={() => void navigate({ to: '/settings/api-keys/$id', params: { id: made.id } })}
        />
      )}
    </Page>
  );
}

/** Days after which a key ends; 0: it does not by itself. */
const presets = [30, 90, 365, 0] as const;

function KeyForm({ made }: { made: (key: Made) => void }) {
  const { t } = useLingui();
  const hasAccessToAll = useHasAccessToAll();
  const [chosen, setChosen] = useState<Chosen>(() => ({ whole: false, tenants: new Map() }));
  const [days, setDays] = useState('365');
  const [quota, setQuota] = useState<Quota | null>(null);
  useDraft();
  const { make, busy, error, forget } = useMaking('keys', made);
  const [missing, setMissing] = useState<Missing>({});

  const create = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = (new FormData(form).get('name') as string).trim();
    const grants = grantsOf(chosen);
    const lacks = {
      ...(!name && { name: t`Give the key a name.` }),
      ...(!chosen.whole && grants.length === 0 && { scope: t`Choose what the key sees.` }),
      ...(quota && !isCount(quota.requests) && { requests: t`How many?` }),
      ...(quota && !isCount(quota.seconds) && { seconds: t`How many?` }),
    };
    setMissing(lacks);
    forget();
    const [first] = Object.keys(lacks);
    if (first) return form.querySelector<HTMLInputElement>(`[name=${first}]`)!.focus();
    const scope = chosen.whole ? { wholeOrganization: true } : { grants };
    const expiresAt = days === '0' ? null : daysFromNow(Number(days));
    await make(() =>
      ask('POST /api-keys', { body: { name, ...scope, quota: quota && quotaOf(quota), expiresAt } }),
    );
  };

  return (
    <form onSubmit={event => void create(event)} noValidate>
      <Stack gap="lg" maw={760}>
        <Section>
          <TextInput
            name="name"
            label={t`Name`}
            description={t`Which system uses it, so that others know later`}
            placeholder={t`Payroll of Musterwerk`}
            maxLength={200}
            required
            error={missing.name}
          />
        </Section>
        <Section>
          <ScopeChoice
            chosen={chosen}
            choose={setChosen}
            hasAccessToAll={hasAccessToAll}
            error={missing.scope}
          />
        </Section>
        <Section>
          <Select
            label={t`Ends`}
            description={t`A key with an end has to be replaced in time: the home page says when`}
            value={days}
            onChange={value => setDays(value!)}
            allowDeselect={false}
            data={presets.map(preset => ({
              value: String(preset),
              label: preset === 0 ? t`Never` : preset === 365 ? t`In a year` : t`In ${preset} days`,
            }))}
            maw={320}
          />
          <QuotaChoice quota={quota} choose={setQuota} missing={missing} />
        </Section>
        {error !== null && <Failure error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            <Trans>Create the key</Trans>
          </Button>
          <TextLink to="/settings/api-keys">
            <Trans>Cancel</Trans>
          </TextLink>
        </Group>
      </Stack>
    </form>
  );
}

function Section({ children }: { children: ReactNode }) {
  return (
    <Stack className="surface" p={{ base: 'md', xs: 'lg' }} gap="lg">
      {children}
    </Stack>
  );
}

/** As it is being written: what is missing is an empty text. */
type Quota = { readonly requests: number | string; readonly seconds: number | string };

const isCount = (written: number | string) => Number(written) >= 1;

const quotaOf = ({ requests, seconds }: Quota) => ({ requests: Number(requests), seconds: Number(seconds) });

/** Messages for empty required fields, by field name. */
type Missing = Partial<Record<'name' | 'scope' | 'requests' | 'seconds', string>>;

interface QuotaProps {
  readonly quota: Quota | null;
  readonly choose: (quota: Quota | null) => void;
  readonly missing: Missing;
}

function QuotaChoice({ quota, choose, missing }: QuotaProps) {
  const { t } = useLingui();
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t`Quota`}
        description={t`How many requests the system may send`}
        value={quota ? 'own' : 'common'}
        onChange={value => choose(value === 'own' ? { requests: 600, seconds: 60 } : null)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="common" label={t`As all keys of this installation`} />
          <Radio value="own" label={t`A quota of its own`} />
        </Stack>
      </Radio.Group>
      {quota && (
        <Group align="flex-start" gap="sm">
          <NumberInput
            name="requests"
            label={t`Requests`}
            error={missing.requests}
            min={1}
            max={999_999_999}
            allowDecimal={false}
            hideControls
            value={quota.requests}
            onChange={value => choose({ ...quota, requests: value })}
            w={140}
          />
          <NumberInput
            name="seconds"
            label={t`in so many seconds`}
            error={missing.seconds}
            min={1}
            max={86_400}
            allowDecimal={false}
            hideControls
            value={quota.seconds}
            onChange={value => choose({ ...quota, seconds: value })}
            w={160}
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
  return permissions.some(permission => permission !== 'HR') || hrTenants === null;
}
