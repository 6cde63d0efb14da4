/** The state of the payroll page that the address holds. It has identifiers and a month, but no name of a person. */
export interface PayrollSearch {
  /** Such as `2026-11`; absent: the present month. */
  readonly month?: string | undefined;
  /** The employee with explained amounts beside the page. */
  readonly employee?: string | undefined;
}

export function parsePayrollSearch({ month, employee }: Record<string, unknown>): PayrollSearch {
  return {
    month: typeof month === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    employee: typeof employee === 'string' && /^[0-9a-f]{24}$/.test(employee) ? employee : undefined,
  };
}

/** The month so many months away: `2026-12` and 1 are `2027-01`. */
export function monthAway(month: string, count: number): string {
  const [year, ofYear] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, ofYear - 1 + count)).toISOString().slice(0, 7);
}

/** The present month of the calendar. */
export function presentMonth(): string {
  return new Date().toISOString().slice(0, 7);
}
