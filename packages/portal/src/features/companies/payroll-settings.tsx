import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { ask, Rejection } from '../../api/ask.ts';
import { payrollSettingsQuery, queryClient } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { optionsOf, usePayrollChoices } from '../../kit/detail/setting-words.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Failure, isUnavailable } from '../../kit/failure.tsx';
import { DecimalField } from '../../kit/form/decimal-field.tsx';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { rules } from '../../kit/help/guides.ts';
import { HelpMark } from '../../kit/help/help.tsx';
import { isDecimal } from '../../kit/numbers.ts';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { type Kinds, type Settings, settingsOf, type Stored } from './payroll-values.ts';
import { KindFields } from './payroll-kinds.tsx';
import { LeaveFields } from './payroll-leaves.tsx';
import { MonthField, type Preview, ReleasedDifferences } from './payroll-month.tsx';
import { TestFile } from './test-file.tsx';
import { LimitedForm, NumberField } from '../../kit/form/limited-fields.tsx';

/** How a company exports to payroll. Before they are set, the form is empty. */
export function PayrollSettings({ company }: { company: string }) {
  const answer = useAnswer(payrollSettingsQuery(company));
  if (answer.data === undefined && isUnavailable(answer.error))
    return <SettingsForm company={company} stored={null} />;
  return (
    <Answered answer={answer} height={420}>
      {stored => <SettingsForm company={company} stored={stored} />}
    </Answered>
  );
}

/** A rejection under a code that has words in the portal. The present settings are fetched. */
function settingsRejected(error: unknown): never {
  if (error instanceof Rejection && error.code === 'INVALID_STATE_TRANSITION') {
    if (error.field === 'firstPeriod') throw error.as('FIRST_PERIOD_FIXED');
    if (error.field === 'expectedVersion') throw error.as('CHANGED_MEANWHILE');
  }
  throw error;
}

function SettingsForm({ company, stored }: { company: string; stored: Stored | null }) {
  const { t } = useLingui();
  // As the user has read them: a change of another user does not replace what is typed.
  const [read, setRead] = useState({ version: stored?.version ?? 0, settings: settingsOf(stored) });
  const [settings, setSettings] = useState(read.settings);
  const change = (part: Partial<Settings>) => setSettings(before => ({ ...before, ...part }));
  const [from, setFrom] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
  const isProposal = stored?.changesBySecondActor === true;
  const save = useAction(
    [],
    async (mayChangeReleased: boolean) => {
      const body = { ...settings, ...(from !== '' && { from }) };
      const found = await ask('POST /tenants/{id}/payroll-settings/preview', { id: company, body });
      if (found.differences.length > 0 && !mayChangeReleased) return found;
      const changed = { ...body, changesReleased: true };
      if (isProposal)
        return await ask('POST /tenants/{id}/payroll-settings/proposals', { id: company, body: changed });
      const expected = { ...changed, expectedVersion: read.version };
      return await ask('POST /tenants/{id}/payroll-settings', { id: company, body: expected }).catch(
        settingsRejected,
      );
    },
    result => {
      setPreview('differences' in result ? result : null);
      if ('differences' in result) return;
      setFrom('');
      void queryClient.invalidateQueries({ queryKey: ['payroll'] });
      if ('proposedBy' in result) {
        setSettings(read.settings);
        confirmDone(t`The changes wait for a second person.`);
        return;
      }
      setRead({ version: result.version, settings });
      confirmDone(t`Changes saved`);
    },
  );
  const isDirty = JSON.stringify(settings) !== JSON.stringify(read.settings);
  const isMissing =
    settings.firstPeriod === '' || !isComplete(settings.kinds) || !isBound(settings.conversionBound);
  return (
    <LimitedForm
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!isMissing) void save.run(false);
      }}
    >
      <UnsavedChanges isDirty={isDirty && !save.busy} />
      <Stack gap="lg">
        {stored === null && read.version === 0 && (
          <Text>
            <Trans>
              Payroll is not set up for this company. Nothing is exported before a month is released.
            </Trans>
          </Text>
        )}
        <General settings={settings} change={change} />
        <Section
          title={<Trans>Kinds of amounts</Trans>}
          help={<HelpMark about={t`Kinds of amounts`} guide={rules.wageTypes} />}
        >
          <KindFields kinds={settings.kinds} change={kinds => change({ kinds })} />
        </Section>
        <Section title={<Trans>Leaves</Trans>}>
          <LeaveFields leaves={settings.leaves} change={leaves => change({ leaves })} />
        </Section>
        {stored !== null && (
          <Section title={<Trans>Month</Trans>}>
            <MonthField stored={stored} from={from} change={setFrom} />
          </Section>
        )}
        {save.error !== null && <Failure error={save.error} />}
        {preview !== null && isDirty && (
          <ReleasedDifferences preview={preview} busy={save.busy} save={() => void save.run(true)} />
        )}
        <Group>
          <Button type="submit" loading={save.busy} disabled={!isDirty || isMissing}>
            {isProposal ? <Trans>Propose</Trans> : <Trans>Save</Trans>}
          </Button>
          {isDirty && (
            <Button
              variant="default"
              onClick={() => {
                setSettings(read.settings);
                setPreview(null);
              }}
            >
              <Trans>Discard</Trans>
            </Button>
          )}
          {isMissing && (
            <Text size="sm" c="dimmed">
              <Trans>Enter the first month, and a wage type for each kind that is exported.</Trans>
            </Text>
          )}
        </Group>
        <TestFile company={company} settings={settings} isComplete={!isMissing} />
      </Stack>
    </LimitedForm>
  );
}

/** Whether each kind that is exported has a wage type. The service checks the rest. */
const isComplete = (kinds: Kinds) =>
  Object.values(kinds).every(kind => !kind?.export || kind.wageType !== null);

const isBound = (bound: string | null) => bound === null || isDecimal(bound);

interface PartProps {
  readonly settings: Settings;
  readonly change: (part: Partial<Settings>) => void;
}

function General({ settings, change }: PartProps) {
  const { t } = useLingui();
  const choices = usePayrollChoices();
  const { firstPeriod, adviserNumber, clientNumber, personnelNumbers, cutOffDay, conversionBound } = settings;
  return (
    <Section title={<Trans>Basics</Trans>}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          type="month"
          label={t`First month`}
          description={t`Earlier months were settled elsewhere. Fixed after the first release`}
          placeholder="2026-10"
          required
          value={firstPeriod}
          onChange={({ currentTarget }) => change({ firstPeriod: currentTarget.value })}
        />
        <NumberField
          label={t`Cut-off day`}
          description={t`Later changes enter the next month. Empty: all changes enter`}
          min={1}
          max={31}
          value={cutOffDay ?? ''}
          // Text that is not a number stays as it is typed, and the form is not sent.
          onChange={day => change({ cutOffDay: day === '' ? null : (day as number) })}
        />
        <TextInput
          label={t`DATEV adviser number`}
          description={t`4 to 7 digits`}
          inputMode="numeric"
          value={adviserNumber ?? ''}
          onChange={({ currentTarget }) => change({ adviserNumber: currentTarget.value.trim() || null })}
        />
        <TextInput
          label={t`DATEV client number`}
          description={t`1 to 5 digits`}
          inputMode="numeric"
          value={clientNumber ?? ''}
          onChange={({ currentTarget }) => change({ clientNumber: currentTarget.value.trim() || null })}
        />
        <NativeSelect
          label={t`Employee numbers`}
          value={personnelNumbers}
          data={optionsOf(choices.personnelNumbers)}
          onChange={({ currentTarget }) =>
            change({ personnelNumbers: currentTarget.value as Settings['personnelNumbers'] })
          }
        />
        <DecimalField
          label={t`Ask above conversions of a person`}
          description={t`All contracts, each month. § 107 GewO limits benefits in kind to the attachable part of the pay; nothing is computed. Empty: never ask`}
          currency="EUR"
          value={conversionBound ?? ''}
          error={isBound(conversionBound) ? undefined : t`Enter an amount such as 250.00`}
          onChange={amount => change({ conversionBound: amount || null })}
        />
        <NativeSelect
          label={t`First and last month of a contract`}
          value={settings.partMonth}
          data={optionsOf(choices.partMonth)}
          onChange={({ currentTarget }) =>
            change({ partMonth: currentTarget.value as Settings['partMonth'] })
          }
        />
        <NativeSelect
          label={t`Corrections in DATEV Lohn und Gehalt`}
          value={settings.lugCorrections}
          data={optionsOf(choices.lugCorrections)}
          onChange={({ currentTarget }) =>
            change({ lugCorrections: currentTarget.value as Settings['lugCorrections'] })
          }
        />
      </SimpleGrid>
      <Stack mt="md">
        <Checkbox
          label={t`Export the taxable benefit of a part month by days`}
          checked={settings.benefitProRata}
          onChange={({ currentTarget }) => change({ benefitProRata: currentTarget.checked })}
        />
        <Checkbox
          label={t`A second person must release a month`}
          checked={settings.releaseBySecondActor}
          onChange={({ currentTarget }) => change({ releaseBySecondActor: currentTarget.checked })}
        />
        <Checkbox
          label={t`A second person must confirm settlements and changes of these settings`}
          description={t`Users who may release payroll confirm them on the payroll page`}
          checked={settings.changesBySecondActor}
          onChange={({ currentTarget }) => change({ changesBySecondActor: currentTarget.checked })}
        />
      </Stack>
      <Text size="xs" c="dimmed" mt="md">
        <Trans>
          Amounts go to the cost centre of the division of a person, or of the nearest one above it.
        </Trans>
      </Text>
    </Section>
  );
}
