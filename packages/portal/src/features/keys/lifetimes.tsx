import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { organizationSettingsQuery } from '../../api/queries.ts';

/** Days after which a key expires. */
const presets = [30, 90, 365];

/** The lifetimes of a new key in days that the organization allows; `0`: it does not expire. */
export function useLifetimes() {
  const { t } = useLingui();
  const { data } = useQuery(organizationSettingsQuery);
  const max = data?.maxKeyDays ?? null;
  const suggested = data?.defaultKeyDays ?? 365;
  const days = [...new Set([...presets, suggested, ...(max === null ? [] : [max])])]
    .filter(count => max === null || count <= max)
    .sort((a, b) => a - b);
  const choices = days.map(count => ({
    value: String(count),
    label: count === 365 ? t`In a year` : t`${plural(count, { one: 'In # day', other: 'In # days' })}`,
  }));
  return {
    choices: max === null ? [...choices, { value: '0', label: t`Never` }] : choices,
    suggested: String(suggested),
    max,
  };
}
