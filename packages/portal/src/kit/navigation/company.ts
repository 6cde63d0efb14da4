import { useSearch } from '@tanstack/react-router';

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
