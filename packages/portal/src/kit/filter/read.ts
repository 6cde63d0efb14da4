import { ApiError, type Filter, parseFilter } from '@kontor/contract/filter';

/** The parsed filter, or its syntax error. */
export type Read = { readonly filter: Filter } | { readonly problem: FilterProblem };

/** Why a filter cannot be used: the code and the words of the service, and where it is wrong, from 1. */
export interface FilterProblem {
  readonly code: string;
  readonly message: string;
  readonly position: number | null;
}

/** Codes with which the service rejects a filter. */
const codes: ReadonlySet<string> = new Set([
  'INVALID_FILTER_SYNTAX',
  'UNSUPPORTED_FILTER_FIELD',
  'UNSUPPORTED_FILTER_OPERATOR',
  'VALIDATION_ERROR',
]);

/** Reads a text as the service does, with the parser of the contract. */
export function readFilter(text: string): Read {
  try {
    return { filter: parseFilter(text) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, rejectedField } = error;
    return { problem: { code, message, position: rejectedField?.position ?? null } };
  }
}

/** Whether a text of the filter language has a condition on a field. */
export function isAbout(text: string, field: string): boolean {
  const read = readFilter(text);
  const names = (filter: Filter): boolean =>
    'terms' in filter ? filter.terms.some(names) : filter.field === field;
  return 'filter' in read && names(read.filter);
}

/** The filter error of a rejected list request; null if it was rejected for another reason. */
export function problemOf(error: unknown): FilterProblem | null {
  return error instanceof Error && 'code' in error && codes.has(String(error.code))
    ? { code: String(error.code), message: error.message, position: null }
    : null;
}

/** An instant of the filter language as a field for day and time shows it, in the zone of the browser; null: it cannot show it. */
export function localOf(instant: string): string | null {
  if (instant === '') return '';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.000)?Z$/.test(instant)) return null;
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return null;
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join(
    '-',
  );
  return `${day}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

/** Day and time of a field as the instant that the filter language takes; empty while it is not filled in. */
export function zonedOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().replace('.000Z', 'Z');
}
