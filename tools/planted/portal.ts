import type { Fault } from './fault.ts';

/** The pages of the portal, as far as no browser is needed. */
export const portalFaults: readonly Fault[] = [
  {
    name: 'portal-quoted-words',
    breaks: 'any words can be searched for, also with an apostrophe',
    before: 'words.replaceAll("\'", String.raw`\\\'`);',
    after: 'words;',
    caughtBy: ['portal/test/filter'],
  },
  {
    name: 'portal-distance',
    breaks: '47 hours ago are not two days ago',
    before: 'away > 0 ? Math.round(count) : Math.trunc(count)',
    after: 'Math.round(count)',
    caughtBy: ['test/dates'],
  },
  {
    name: 'portal-null-test',
    breaks: 'a form says the filter that it shows',
    before: "negated: operator === 'IS NOT NULL' };",
    after: "negated: operator === 'IS NULL' };",
    caughtBy: ['test/filter-draft'],
  },
  {
    name: 'portal-own-zone',
    breaks: 'a form shows instants in the zone of the browser',
    before: '[at.getHours(), at.getMinutes(), at.getSeconds()]',
    after: '[at.getMinutes(), at.getHours(), at.getSeconds()]',
    caughtBy: ['test/filter-draft'],
  },
  {
    name: 'portal-tree-roots',
    breaks: 'a division whose parent is not visible is shown as a root',
    before: 'byId.has(division.parentId) ? division.parentId : null;',
    after: 'byId.size > 0 ? division.parentId : null;',
    caughtBy: ['test/tree'],
  },
  {
    name: 'portal-tree-choice',
    breaks: 'a chosen division takes those below it out of the choice',
    before: 'if (other && ancestorsOf(tree, other).includes(division)) next.delete(id);',
    after: 'if (other && ancestorsOf(tree, division).includes(other)) next.delete(id);',
    caughtBy: ['test/tree'],
  },
  {
    name: 'portal-tree-order',
    breaks: 'divisions stand in their order',
    before: '(one, other) => one.order - other.order || (one.id < other.id ? -1 : 1),',
    after: '(one, other) => (one.id < other.id ? -1 : 1),',
    caughtBy: ['test/tree'],
  },
  {
    name: 'portal-tree-parent',
    breaks: 'the left arrow key leads to the parent of a division',
    before: 'index < at && level < row.level),',
    after: 'index < at && level <= row.level),',
    caughtBy: ['test/tree'],
  },
  {
    name: 'portal-last-backslash',
    breaks: 'words that end in a backslash can be searched for',
    before: "if (!text.endsWith('\\\\')) return `'${escaped(text)}'`;",
    after: "if (text !== '') return `'${escaped(text)}'`;",
    caughtBy: ['portal/test/filter'],
  },
];
