import type { Fault } from './fault.ts';

/** The filter language, orders, pages and totals. */
export const listFaults: readonly Fault[] = [
  {
    name: 'filter-not-equal-null',
    breaks: '!= is true where the field is null',
    before: "if (operator === '!=') return 'IS DISTINCT FROM';",
    after: "if (operator === '!=') return '<>';",
    caughtBy: ['query/compile'],
  },
  {
    name: 'filter-like-characters',
    breaks: '% and _ stand for themselves in a search',
    before: 'return text.replace(/[\\\\%_]/g, String.raw`\\$&`);',
    after: 'return text;',
    caughtBy: ['query/compile'],
  },
  {
    name: 'filter-polling-position',
    breaks: 'a poll continues behind the last row, not with it',
    before: 'const columns = raw(`(${resolved.column.name}, ${id.column.name}) ${keyset.operator}`);',
    after: 'const columns = raw(`(${resolved.column.name}, ${id.column.name}) ${keyset.operator}=`);',
    caughtBy: ['query/compile'],
  },
  {
    name: 'filter-polling-bound',
    breaks: 'both terms of a polling position name the same instant',
    before: 'filter.value === keyset.value',
    after: 'filter.value !== keyset.id',
    caughtBy: ['query/compile'],
  },
  {
    name: 'filter-nesting',
    breaks: 'a filter has 20 open parentheses at most',
    before: 'values: 500, nesting: 20 }',
    after: 'values: 500, nesting: 21 }',
    caughtBy: ['filter-parse'],
  },
  {
    name: 'filter-apostrophe',
    breaks: "in quotes \\' is an apostrophe",
    before: "if (text[i] === '\\\\' && text[i + 1] === \"'\") {",
    after: "if (text[i] === '\\\\' && text[i + 1] === quote) {",
    caughtBy: ['filter-parse'],
  },
  {
    name: 'filter-sigma',
    breaks: 'final and other sigma are one',
    before: ".replaceAll('ς', 'σ')",
    after: ".replaceAll('σ', 'σ')",
    caughtBy: ['contract/test/fold'],
  },
  {
    name: 'order-of-nulls',
    breaks: 'nulls come first ascending and last descending',
    before: "sort.descending ? ' NULLS LAST' : ' NULLS FIRST'",
    after: "sort.descending ? ' NULLS FIRST' : ' NULLS LAST'",
    caughtBy: ['features/incidents/list-incidents'],
  },
  {
    name: 'order-page-of-nulls',
    breaks: 'pages of a descending order go on with the nulls',
    before: 'return sort.descending && field.nullable ? [laterRow, sql`${name} IS NULL`] : [laterRow];',
    after: 'return [laterRow];',
    caughtBy: ['query/page-positions'],
  },
  {
    name: 'order-ties',
    breaks: 'ties are broken by identifier in the direction of the sort',
    before: 'clause: raw(`${column.name}${direction}${nulls}, ${id}${direction}`),',
    after: 'clause: raw(`${column.name}${direction}${nulls}, ${id}`),',
    caughtBy: ['query/page-positions'],
  },
];
