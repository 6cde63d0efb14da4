import { useKindWords } from '../../kit/hr-words.tsx';
import { Button, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { download, type RequestOf } from '../../api/ask.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { DecimalField } from '../../kit/form/decimal-field.tsx';
import { useAttempt } from '../../kit/form/use-action.ts';
import type { Settings } from './payroll-values.ts';

type Input = RequestOf<'POST /tenants/{id}/payroll-test-file'>['body'];
type Kind = Input['amounts'][number]['kind'];

const settingOf = {
  salary_conversion: 'salaryConversion',
  taxable_benefit: 'taxableBenefit',
  employer_subsidy: 'employerSubsidy',
} as const satisfies Record<Kind, keyof Settings['kinds']>;
const kindNames = Object.keys(settingOf) as Kind[];

/** Invented amounts of a usual contract. */
const invented: Readonly<Record<Kind, string>> = {
  salary_conversion: '83.10',
  taxable_benefit: '8.00',
  employer_subsidy: '20.00',
};

interface Props {
  readonly company: string;
  /** As they are typed: they can be tried before they are saved. */
  readonly settings: Settings;
  readonly isComplete: boolean;
}

/** Saves a file with invented or typed amounts, as the payroll system would get it. */
export function TestFile({ company, settings, isComplete }: Props) {
  const { t } = useLingui();
  const [format, setFormat] = useState<Input['format']>('csv');
  const [personnelNumber, setPersonnelNumber] = useState('99999');
  const [costCenter, setCostCenter] = useState('');
  const [amounts, setAmounts] = useState(invented);
  const { attempt, busy, error } = useAttempt();
  const names = useKindWords();
  const exported = kindNames.filter(kind => settings.kinds[settingOf[kind]]?.export);
  const save = () =>
    attempt('send', () =>
      download('POST /tenants/{id}/payroll-test-file', {
        id: company,
        body: {
          settings,
          format,
          period: settings.firstPeriod,
          personnelNumber,
          costCenter: costCenter.trim() || null,
          amounts: exported.map(kind => ({ kind, amount: amounts[kind] })),
        },
      }),
    );
  const describe = () =>
    attempt('send', () => download('GET /tenants/{id}/payroll-import-description', { id: company }));
  return (
    <Section title={<Trans>Test file</Trans>}>
      <Text size="sm" mb="md">
        <Trans>
          Test how your payroll system handles these settings, even before you save them. The file contains
          invented amounts of one person, and its name begins with TEST. Nothing is stored or counts as
          exported. Import it only into a test client.
        </Trans>
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <NativeSelect
          label={t`Format`}
          value={format}
          data={[
            { value: 'csv', label: t`CSV file` },
            { value: 'datev_lodas', label: 'DATEV LODAS' },
            { value: 'datev_lug', label: 'DATEV Lohn und Gehalt' },
          ]}
          onChange={({ currentTarget }) => setFormat(currentTarget.value as Input['format'])}
        />
        <TextInput
          label={t`Employee number`}
          value={personnelNumber}
          onChange={({ currentTarget }) => setPersonnelNumber(currentTarget.value)}
        />
        <TextInput
          label={t`Cost centre`}
          value={costCenter}
          onChange={({ currentTarget }) => setCostCenter(currentTarget.value)}
        />
        {exported.map(kind => (
          <DecimalField
            key={kind}
            label={names[kind]}
            currency="EUR"
            value={amounts[kind]}
            onChange={amount => setAmounts(before => ({ ...before, [kind]: amount }))}
          />
        ))}
      </SimpleGrid>
      {format === 'datev_lug' && (
        <Text size="sm" mt="md">
          <Trans>Lohn und Gehalt needs a description of the fields once, before the first file.</Trans>
        </Text>
      )}
      <Group mt="md">
        <Button
          variant="default"
          loading={busy !== null}
          disabled={!isComplete || exported.length === 0}
          onClick={() => void save()}
        >
          <Trans>Download test file</Trans>
        </Button>
        {format === 'datev_lug' && (
          <Button variant="default" loading={busy !== null} onClick={() => void describe()}>
            <Trans>Download field description</Trans>
          </Button>
        )}
      </Group>
      {error !== null && <Failure error={error} />}
    </Section>
  );
}
