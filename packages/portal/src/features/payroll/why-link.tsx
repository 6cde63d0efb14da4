import type { ReactNode } from 'react';
import { TextLink } from '../../kit/navigation/link-button.tsx';

interface Props {
  readonly employee: string;
  readonly size?: 'xs';
  readonly children: ReactNode;
}

/** Opens the explanation of the amounts of an employee beside the page. */
export function WhyLink({ employee, size, children }: Props) {
  return (
    <TextLink to="." search={before => ({ ...before, employee })} resetScroll={false} {...(size && { size })}>
      {children}
    </TextLink>
  );
}
