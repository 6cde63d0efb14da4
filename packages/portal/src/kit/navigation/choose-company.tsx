import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { tenantsQuery } from '../../api/queries.ts';
import shared from '../shared.module.css';
import { useCompany } from './company.ts';
import { TextLink } from './link-button.tsx';
import { Empty } from './page.tsx';

/** The company of a page that is about one: the chosen one, or the only one; undefined: the user must choose. */
export function useOneCompany(): string | undefined {
  const [only, ...others] = useQuery(tenantsQuery).data?.items ?? [];
  return useCompany() ?? (others.length === 0 ? only?.id : undefined);
}

/** Stands on a page that is about one company while several can be meant. */
export function ChooseCompany({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const companies = useQuery(tenantsQuery).data?.items ?? [];
  return (
    <Empty icon="building" title={t`Choose a company`}>
      {children}
      <ul className={shared.list}>
        {companies.map(({ id, name }) => (
          <li key={id}>
            <TextLink to="." search={before => ({ ...before, company: id })}>
              {name}
            </TextLink>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
