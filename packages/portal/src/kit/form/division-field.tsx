import { useLingui } from '@lingui/react/macro';
import { SearchField, type SearchFieldProps } from './search-field.tsx';

/** A division, found by name, cost centre or identifier. */
export function DivisionField(field: SearchFieldProps) {
  const { t } = useLingui();
  return (
    <SearchField
      {...field}
      kinds={['division']}
      placeholder={t`Name, cost centre or ID`}
      noMatch={t`No matching divisions.`}
      clearLabel={t`Remove the division`}
    />
  );
}
