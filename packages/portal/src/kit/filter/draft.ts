import type { Filter, Operator } from '@kontor/contract/filter';
import type { ListField } from '../../api/lists.ts';

/** A condition as it is being written: what is missing is empty. */
export interface Condition {
  readonly kind: 'condition';
  readonly id: number;
  readonly field: string;
  readonly operator: Operator;
  /** One for most operators, any number for IN, none for IS NULL. */
  readonly values: readonly string[];
}

/** Conditions and groups of them, of which all must hold or one. */
export interface Group {
  readonly kind: 'group';
  readonly id: number;
  readonly joins: 'and' | 'or';
  readonly parts: readonly Part[];
}

export type Part = Condition | Group;

let ids = 0;

/** The field that a new condition begins with: the name, or what is first but the identifier. */
export function firstOf(fields: readonly ListField[]): ListField {
  return fields.find(({ name }) => name === 'name') ?? fields.find(({ name }) => name !== 'id')!;
}

/** A condition on a field, to be filled in. */
export function newCondition({ name, operators }: ListField): Condition {
  const operator = operators.includes('CONTAINS') ? 'CONTAINS' : operators[0]!;
  return {
    kind: 'condition',
    id: ids++,
    field: name,
    operator: operator === '>' ? '>=' : operator,
    values: [],
  };
}

export function newGroup(joins: Group['joins'], parts: readonly Part[]): Group {
  return { kind: 'group', id: ids++, joins, parts };
}

/** A filter as a form shows it. */
export function draftOf(filter: Filter): Group {
  const part = partOf(filter);
  return part.kind === 'group' ? part : newGroup('and', [part]);
}

function partOf(filter: Filter): Part {
  const condition = (operator: Operator, values: readonly string[], field: string): Condition => ({
    kind: 'condition',
    id: ids++,
    field,
    operator,
    values,
  });
  switch (filter.kind) {
    case 'and':
    case 'or':
      return newGroup(filter.kind, filter.terms.map(partOf));
    case 'in':
      return condition('IN', filter.values, filter.field);
    case 'null':
      return condition(filter.negated ? 'IS NOT NULL' : 'IS NULL', [], filter.field);
    case 'comparison':
      return condition(filter.operator, [filter.value], filter.field);
  }
}

/** The filter of a form; null: there is none. What is not filled in yet is left out. */
export function filterOfDraft(part: Part): Filter | null {
  if (part.kind === 'condition') return comparisonOf(part);
  const terms = part.parts.map(filterOfDraft).filter(term => term !== null);
  if (terms.length < 2) return terms[0] ?? null;
  return { kind: part.joins, terms };
}

function comparisonOf({ field, operator, values }: Condition): Filter | null {
  if (operator === 'IS NULL' || operator === 'IS NOT NULL')
    return { kind: 'null', field, negated: operator === 'IS NOT NULL' };
  if (operator === 'IN') {
    const given = values.map(sayable).filter(value => value !== '');
    return given.length === 0 ? null : { kind: 'in', field, values: given };
  }
  const value = sayable(values[0] ?? '');
  return value === '' ? null : { kind: 'comparison', field, operator, value };
}

/** The filter language cannot express a trailing backslash in a text that contains a double quote; it is dropped. */
function sayable(value: string): string {
  return value.endsWith('\\') && value.includes('"') ? value.replace(/\\+$/, '') : value;
}

/** The group with one of its parts, however deep, in the place of what it was; null takes it away. */
export function replaced(group: Group, id: number, part: Part | null): Group {
  const parts = group.parts.flatMap((present): readonly Part[] => {
    if (present.id === id) return part === null ? [] : [part];
    return [present.kind === 'group' ? replaced(present, id, part) : present];
  });
  return { ...group, parts };
}

/** How many conditions a filter has. */
export function conditionsIn(filter: Filter): number {
  return 'terms' in filter ? filter.terms.reduce((sum, term) => sum + conditionsIn(term), 0) : 1;
}
