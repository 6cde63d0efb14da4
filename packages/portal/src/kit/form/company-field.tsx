import { Select } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { tenantsQuery } from '../../api/queries.ts';
import type { FieldProps } from './searched-select.tsx';

interface Props extends FieldProps {
  /** Identifier of the company. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** One of the companies that the user sees, found by name. */
export function CompanyField({ value, ...field }: Props) {
  const { t } = useLingui();
  const companies = useQuery(tenantsQuery).data?.items ?? [];
  const isKnown = value === null || companies.some(({ id }) => id === value);
  return (
    <Select
      {...field}
      searchable
      clearable
      limit={50}
      value={value}
      data={[
        ...(isKnown ? [] : [{ value, label: value }]),
        ...companies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      placeholder={t`Search for a company`}
      nothingFoundMessage={t`No matching companies`}
      clearButtonProps={{ 'aria-label': t`Remove the company` }}
    />
  );
}
