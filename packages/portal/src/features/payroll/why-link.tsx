import type { ReactNode } from 'react';
import { TextLink } from '../../kit/navigation/link-button.tsx';

/** Opens the explanation of the amounts of an employee beside the page. */
export function WhyLink({ employee, children }: { employee: string; children: ReactNode }) {
  return (
    <TextLink to="." search={before => ({ ...before, employee })} resetScroll={false}>
      {children}
    </TextLink>
  );
}
