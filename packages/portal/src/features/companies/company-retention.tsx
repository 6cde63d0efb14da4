import { NumberInput, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { companyRetentionQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { FormPart, SettingsForm } from '../../kit/form/settings-form.tsx';

interface Values extends Record<string, unknown> {
  readonly voucherYears: number | string;
  readonly otherDays: number | string;
}

const whole = { allowDecimal: false, allowNegative: false, clampBehavior: 'none', maw: 320 } as const;

/** For how long data of the employees are kept before they can be erased. */
export function CompanyRetention({ id }: { id: string }) {
  return (
    <Answered answer={useAnswer(companyRetentionQuery(id))} height={300}>
      {retention => <Periods retention={retention} />}
    </Answered>
  );
}

function Periods({ retention }: { retention: AnswerOf<'GET /tenants/{id}/retention'> }) {
  const { t } = useLingui();
  const { tenantId, voucherYears, voucherYearsMinimum, otherDays } = retention;
  return (
    <SettingsForm<Values>
      initial={{ voucherYears, otherDays }}
      changes={[companyRetentionQuery(tenantId).queryKey]}
      save={changed => ask('PATCH /tenants/{id}/retention', { id: tenantId, body: retentionOf(changed) })}
      validate={({ voucherYears: years, otherDays: days }) => ({
        voucherYears:
          (years === '' || Number(years) < voucherYearsMinimum) &&
          t`Enter at least ${voucherYearsMinimum} years`,
        otherDays: days === '' && t`Enter a number`,
      })}
    >
      {({ getInputProps }) => (
        <FormPart title={<Trans>Retention</Trans>}>
          <NumberInput
            label={t`Keep payroll vouchers (years)`}
            description={t`After the end of the year. The law requires at least ${voucherYearsMinimum} (§ 41 (1) EStG)`}
            required
            max={100}
            {...whole}
            {...getInputProps('voucherYears')}
          />
          <NumberInput
            label={t`Keep other orders and incidents (days)`}
            description={t`After their last change. 0: they can be erased at once`}
            required
            max={36_500}
            {...whole}
            {...getInputProps('otherDays')}
          />
          <Text size="sm" c="dimmed">
            <Trans>Nothing is erased automatically. Each erasure is a separate decision.</Trans>
          </Text>
        </FormPart>
      )}
    </SettingsForm>
  );
}

/** The changed values in the form of the API. */
function retentionOf({ voucherYears, otherDays }: Partial<Values>) {
  return {
    ...(voucherYears !== undefined && { voucherYears: Number(voucherYears) }),
    ...(otherDays !== undefined && { otherDays: Number(otherDays) }),
  };
}
