import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearch } from '@tanstack/react-router';
import { tenantsQuery } from '../../api/queries.ts';
import { Icon } from '../icon.tsx';
import { TextLink } from './link-button.tsx';
import { Empty } from './page.tsx';
import shared from '../shared.module.css';
import styles from './company.module.css';

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
      <ul className={`${shared.list} ${styles.companies}`}>
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

/** Says on a page that it is narrowed to the chosen company, and ends that with one click. */
export function ChosenCompany() {
  const company = useCompany();
  const companies = useQuery(tenantsQuery).data?.items;
  if (company === undefined || companies === undefined) return null;
  const name = companies.find(({ id }) => id === company)?.name;
  return (
    <div className={styles.chosen}>
      <Icon name="building" size={16} />
      <span>{name === undefined ? <Trans>Only one company</Trans> : <Trans>Only {name}</Trans>}</span>
      <TextLink to="." size="sm" search={before => ({ ...before, company: undefined, page: undefined })}>
        <Trans>Show all companies</Trans>
      </TextLink>
    </div>
  );
}

/** The part of the address of each page that names the chosen company. */
export interface CompanySearch {
  readonly company?: string | undefined;
}

export function parseCompany({ company }: Record<string, unknown>): CompanySearch {
  return { company: typeof company === 'string' && /^[0-9a-f]{24}$/.test(company) ? company : undefined };
}

/** The company that the lists are narrowed to; undefined: all. */
export function useCompany(): string | undefined {
  return useSearch({ from: '/shell' }).company;
}
