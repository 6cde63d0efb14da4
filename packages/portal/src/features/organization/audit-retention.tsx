import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { retentionQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { FormPart, SettingsForm } from '../../kit/form/form.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { NumberField } from '../../kit/form/limited-fields.tsx';

type Retention = AnswerOf<'GET /retention'>;

interface Values extends Record<string, unknown> {
  /** Empty: for ever. */
  readonly auditDays: number | string;
}

/** For how long the audit log of the organization is kept. */
export function AuditRetention() {
  return (
    <Answered answer={useAnswer(retentionQuery)} height={220}>
      {retention => <AuditDays retention={retention} />}
    </Answered>
  );
}

function AuditDays({ retention: { auditDays, auditDaysMinimum, removesAudit } }: { retention: Retention }) {
  const { t } = useLingui();
  return (
    <SettingsForm<Values>
      initial={{ auditDays: auditDays ?? '' }}
      changes={[retentionQuery.queryKey]}
      save={({ auditDays: days = '' }) =>
        ask('PATCH /retention', { body: { auditDays: days === '' ? null : Number(days) } })
      }
      validate={({ auditDays: days }) => ({
        auditDays:
          days !== '' && Number(days) < auditDaysMinimum && t`Enter at least ${auditDaysMinimum} days`,
      })}
    >
      {({ values, getInputProps }, stored) => (
        <FormPart title={<Trans>Retention</Trans>}>
          <NumberField
            label={t`Keep the audit log (days)`}
            description={t`At least ${auditDaysMinimum}. Empty: without limit`}
            max={36_500}
            maw={320}
            {...getInputProps('auditDays')}
          />
          {values.auditDays !== '' && isShorter(values, stored) && (
            <Text size="sm" role="status">
              {removesAudit ? (
                <Trans>
                  Entries older than {values.auditDays} days are deleted permanently within a day.
                </Trans>
              ) : (
                <Trans>The operator deletes entries older than {values.auditDays} days permanently.</Trans>
              )}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            <Trans>
              The retention of payroll vouchers, orders and incidents belongs to each{' '}
              <TextLink to="/companies" underline="always">
                company
              </TextLink>
              .
            </Trans>
          </Text>
          <Text size="sm" c="dimmed">
            <Trans>
              All periods, and who can read what, are on the{' '}
              <TextLink to="/settings/organization/works-council" underline="always">
                sheet for the works council
              </TextLink>
              .
            </Trans>
          </Text>
        </FormPart>
      )}
    </SettingsForm>
  );
}

/** Whether entries are deleted that were kept. */
function isShorter({ auditDays }: Values, stored: Values): boolean {
  return stored.auditDays === '' || Number(auditDays) < Number(stored.auditDays);
}
