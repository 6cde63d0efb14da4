import type { FieldType } from '../fields.ts';
import type { Operator } from './ast.ts';

const equality: readonly Operator[] = ['=', '!=', 'IN', 'IS NULL', 'IS NOT NULL'];
const ordering: readonly Operator[] = ['>', '>=', '<', '<=', ...equality];
const text: readonly Operator[] = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH', ...ordering];

/** The operators of each type (specification.md 3.5). */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  string: text,
  boolean: equality,
  enum: equality,
  date: ordering,
  'date-time': ordering,
  number: ordering,
  decimal: ordering,
};
