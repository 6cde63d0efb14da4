import type { EmployeeImportView } from '@kontor/contract';

/** The state of the import page that the address holds. It has an identifier, but no name of a person. */
export interface ImportSearch {
  /** The import; absent: the open one of the company, or a new one. */
  readonly import?: string | undefined;
  /** The columns of a checked file; absent: what was found in it. */
  readonly step?: 'columns' | undefined;
  /** The rows that are shown. */
  readonly tab?: EmployeeImportView | undefined;
  readonly page?: number | undefined;
}

const views: readonly EmployeeImportView[] = [
  'add',
  'change',
  'error',
  'question',
  'unchanged',
  'applied',
  'skipped',
];

export function parseImportSearch({ import: id, step, tab, page }: Record<string, unknown>): ImportSearch {
  return {
    import: typeof id === 'string' && /^[0-9a-f]{24}$/.test(id) ? id : undefined,
    step: step === 'columns' ? step : undefined,
    tab: views.find(view => view === tab),
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
  };
}
