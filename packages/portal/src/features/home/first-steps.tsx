import { Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { tenantsQuery, usePermission } from '../../api/queries.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';

/** Steps that an organization needs before there is work, as far as the user can take them. */
export function FirstSteps({ hr, keys }: AnswerOf<'GET /tasks'>) {
  const { t } = useLingui();
  const { data: companies } = useQuery(tenantsQuery);
  const isAdmin = usePermission('COMPANY_ADMIN');
  const mayChange = useMayChange();
  const steps: ReactNode[] = [];
  if (companies?.items.length === 0)
    steps.push(<Trans>There is no company yet. The operator of this installation creates companies.</Trans>);
  else if (mayChange) {
    if (hr && !hr.hasEmployees)
      steps.push(
        <Trans>
          <TextLink to="/imports" fw={600}>
            Import your employees
          </TextLink>{' '}
          from a CSV file, or{' '}
          <TextLink to="/employees/new" underline="always">
            create the first one
          </TextLink>
          .
        </Trans>,
      );
    if (hr?.payroll.companies === 0 && isAdmin)
      steps.push(
        <Trans>
          <TextLink to="/companies" fw={600}>
            Set up payroll
          </TextLink>{' '}
          of a company: its numbers, wage types and cut-off day.
        </Trans>,
      );
    if (keys?.length === 0)
      steps.push(
        <Trans>
          <TextLink to="/settings/api-keys/new" fw={600}>
            Connect your first system
          </TextLink>{' '}
          with an API key, which defines its access.
        </Trans>,
      );
  }
  if (steps.length === 0) return null;
  return (
    <Section title={t`First steps`}>
      <Stack component="ol" gap="xs" m={0} pl="lg">
        {steps.map((step, index) => (
          <Text key={index} component="li">
            {step}
          </Text>
        ))}
      </Stack>
    </Section>
  );
}
