import type { Filter } from '@kontor/contract/filter';
import type { ListField, ListRoute } from '../../api/lists.ts';

/** The conditions that a list is narrowed by most: some states, and a period. */
export interface Simple {
  readonly states: readonly string[];
  /** Days such as `2026-11-28`; empty: open. */
  readonly from: string;
  readonly to: string;
}

const nothingSimple: Simple = { states: [], from: '', to: '' };

/** The fields of {@link Simple}. A list with its states above it, or without states, has a period alone. */
const simpleFields: Readonly<Record<string, { readonly state?: string; readonly period: string }>> = {
  'POST /orders/search': { state: 'status', period: 'submittedAt' },
  'POST /incidents/search': { state: 'status', period: 'occurredOn' },
  'POST /users/search': { state: 'status', period: 'createdAt' },
  'POST /audit-entries/search': { state: 'outcome', period: 'createdAt' },
};

export function simpleFieldsOf(route: ListRoute, fields: readonly ListField[]) {
  const { state, period } = simpleFields[route] ?? { period: 'createdAt' };
  return {
    state: fields.find(({ name }) => name === state),
    period: fields.find(({ name }) => name === period)!,
  };
}

type Fields = ReturnType<typeof simpleFieldsOf>;

/** Divides a filter into what the simple form shows and the rest. */
export function divideFilter(filter: Filter | null, { state, period }: Fields) {
  const terms = filter === null ? [] : filter.kind === 'and' ? filter.terms : [filter];
  let simple = nothingSimple;
  const rest: Filter[] = [];
  for (const term of terms) {
    const values = term.kind === 'in' ? term.values : term.kind === 'comparison' ? [term.value] : [];
    const isSet = term.kind === 'in' || (term.kind === 'comparison' && term.operator === '=');
    const bound = term.kind === 'comparison' && term.field === period.name ? boundOf(term, period) : null;
    if (isSet && term.field === state?.name && simple.states.length === 0)
      simple = { ...simple, states: values };
    else if (bound !== null && simple[bound.side] === '') simple = { ...simple, [bound.side]: bound.day };
    else rest.push(term);
  }
  const [first, ...others] = rest;
  const left: Filter | null =
    first === undefined ? null : others.length === 0 ? first : { kind: 'and', terms: [first, ...others] };
  return { simple, rest: left };
}

/** Joins the simple conditions with the rest. A day that is not complete is left out. */
export function joinFilter({ states, from, to }: Simple, rest: Filter | null, { state, period }: Fields) {
  const bound = (operator: '>=' | '<' | '<=', value: string): Filter => ({
    kind: 'comparison',
    field: period.name,
    operator,
    value,
  });
  const isInstant = period.type === 'date-time';
  const terms: Filter[] = [];
  if (state !== undefined && states.length > 0)
    terms.push(
      states.length === 1
        ? { kind: 'comparison', field: state.name, operator: '=', value: states[0]! }
        : { kind: 'in', field: state.name, values: states },
    );
  if (isDay(from)) terms.push(bound('>=', isInstant ? startOf(from) : from));
  if (isDay(to)) terms.push(isInstant ? bound('<', startOf(to, 1)) : bound('<=', to));
  const all = [...terms, ...(rest === null ? [] : rest.kind === 'and' ? rest.terms : [rest])];
  const [first, ...others] = all;
  if (first === undefined) return null;
  return others.length === 0 ? first : ({ kind: 'and', terms: [first, ...others] } as const);
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

/** The instant at which a day begins in the zone of the browser, or one that is `later` days after it. */
function startOf(day: string, later = 0): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date + later).toISOString().replace('.000Z', 'Z');
}

interface Comparison {
  readonly operator: string;
  readonly value: string;
}

/** The day that a bound of the period is; null: it is not one of a whole day. */
function boundOf(
  { operator, value }: Comparison,
  { type }: ListField,
): { side: 'from' | 'to'; day: string } | null {
  const side = operator === '>=' ? 'from' : operator === (type === 'date-time' ? '<' : '<=') ? 'to' : null;
  if (side === null) return null;
  if (type !== 'date-time') return isDay(value) ? { side, day: value } : null;
  const at = new Date(value);
  if (Number.isNaN(at.getTime()) || at.getHours() + at.getMinutes() + at.getSeconds() > 0) return null;
  if (side === 'to') at.setDate(at.getDate() - 1);
  const two = (number: number) => String(number).padStart(2, '0');
  return { side, day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}` };
}
