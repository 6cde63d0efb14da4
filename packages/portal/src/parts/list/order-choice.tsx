import { NativeSelect } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { Sorting } from './sort-header.tsx';

interface Props extends Sorting {
  /** Sort fields with their labels. */
  readonly fields: readonly { readonly field: string; readonly label: string }[];
}

/** The order of a list where it has no heads of columns. */
export function OrderChoice({ fields, sort, sortBy }: Props) {
  const { t } = useLingui();
  return (
    <NativeSelect
      size="sm"
      aria-label={t`Order`}
      value={sort}
      data={fields.flatMap(({ field, label }) => [
        { value: field, label: t`${label}, ascending` },
        { value: `-${field}`, label: t`${label}, descending` },
      ])}
      onChange={({ currentTarget }) => sortBy(currentTarget.value)}
    />
  );
}
