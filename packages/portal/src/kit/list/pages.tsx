import { Pagination } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';

interface Props {
  readonly total: number;
  readonly page: number;
  readonly change: (page: number) => void;
}

/** The links to the pages of a list; none for a single page. */
export function Pages({ total, page, change }: Props) {
  const { t } = useLingui();
  if (total <= 1) return null;
  return (
    <Pagination
      size="sm"
      total={total}
      value={page}
      onChange={change}
      getControlProps={control => ({ 'aria-label': control === 'next' ? t`Next page` : t`Previous page` })}
      getItemProps={page => ({ 'aria-label': t`Page ${page}` })}
    />
  );
}
