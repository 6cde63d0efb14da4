import { Trans as LinguiTrans, type TransProps } from '@lingui/react';
import type { ReactNode } from 'react';

/**
 * `<Trans>` of Lingui, which the macro compiles to. Lingui inserts the values into a message before it looks for the elements of the
 * message. A name such as `<0>A</0>` would become an element, and `<b>A</b>` would lose its brackets. A value that is an element is
 * inserted as it is.
 */
export function Trans({ values, ...props }: TransProps): ReactNode {
  const safe = Object.entries(values ?? {}).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && value.includes('<') ? <>{value}</> : value,
  ]);
  return <LinguiTrans {...props} values={Object.fromEntries(safe) as Record<string, unknown>} />;
}
