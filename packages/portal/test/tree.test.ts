import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Division } from '@kontor/contract';
import {
  ancestorsOf,
  chosenAbove,
  findNodes,
  parentsOfChosen,
  rowsOf,
  stepOf,
  toggled,
  treeOf,
  typedTo,
} from '../src/kit/tree/tree.ts';

const instant = '2026-01-01T00:00:00.000Z';
const division = (
  id: string,
  parentId: string | null,
  order = 0,
  costCenter: string | null = null,
): Division => ({
  id,
  tenant: 't',
  name: id,
  parentId,
  order,
  costCenter,
  createdAt: instant,
  updatedAt: instant,
});

/** Sales (North, South (Inner)), Support, and one with an invisible parent. */
const tree = treeOf([
  division('Support', null, 2),
  division('Inner', 'South', 1, '4711'),
  division('Sales', null, 1),
  division('South', 'Sales', 2),
  division('North', 'Sales', 1),
  division('Stray', 'unseen', 3),
]);
const names = (opened: string[], shown: ReadonlySet<string> | null = null) =>
  rowsOf(tree, id => opened.includes(id), shown).map(({ division, level }) => `${level} ${division.name}`);

describe('the tree of divisions', () => {
  test('shows what is opened, in the order of the siblings', () => {
    assert.deepEqual(names([]), ['1 Sales', '1 Support', '1 Stray']);
    assert.deepEqual(names(['Sales', 'South']), [
      '1 Sales',
      '2 North',
      '2 South',
      '3 Inner',
      '1 Support',
      '1 Stray',
    ]);
    const [sales, north] = rowsOf(tree, id => id === 'Sales', null);
    assert.deepEqual([sales!.isOpen, sales!.position, sales!.siblings], [true, 1, 3]);
    assert.deepEqual([north!.isOpen, north!.position, north!.siblings], [null, 1, 2]);
  });

  test('shows of a search what was found, with all that it is below', () => {
    const inner = findNodes(tree, 'INN');
    assert.equal(inner.matches, 1);
    assert.deepEqual(names(['Sales', 'South', 'Inner'], inner.shown), ['1 Sales', '2 South', '3 Inner']);
    assert.deepEqual(names(['Sales'], inner.shown), ['1 Sales', '2 South']);
    assert.equal(findNodes(tree, '4711').matches, 1);
    assert.equal(findNodes(tree, 'nowhere').matches, 0);
  });

  test('goes up, down, in and out as the guide to WAI-ARIA requires', () => {
    const rows = rowsOf(tree, id => id === 'Sales', null);
    assert.deepEqual(stepOf(rows, 0, 'ArrowDown'), { to: 1 });
    assert.deepEqual(stepOf(rows, 0, 'ArrowUp'), { to: 0 });
    assert.deepEqual(stepOf(rows, 0, 'ArrowRight'), { to: 1 });
    assert.deepEqual(stepOf(rows, 2, 'ArrowRight'), { open: 'South' });
    assert.deepEqual(stepOf(rows, 2, 'ArrowLeft'), { to: 0 });
    assert.deepEqual(stepOf(rows, 0, 'ArrowLeft'), { close: 'Sales' });
    assert.deepEqual(stepOf(rows, 1, 'ArrowRight'), { to: 1 });
    assert.deepEqual(stepOf(rows, 1, 'End'), { to: 4 });
    assert.deepEqual(stepOf(rows, 3, 'Home'), { to: 0 });
    assert.equal(stepOf(rows, 0, 'x'), null);
    assert.equal(stepOf([], 0, 'ArrowDown'), null);
  });

  test('goes to the next line that begins with what is typed, round from the end', () => {
    const rows = rowsOf(tree, id => id === 'Sales', null);
    assert.equal(rows[typedTo(tree, rows, 0, 's')]!.division.name, 'South');
    assert.equal(rows[typedTo(tree, rows, 2, 'su')]!.division.name, 'Support');
    assert.equal(rows[typedTo(tree, rows, 4, 's')]!.division.name, 'Sales');
    assert.equal(typedTo(tree, rows, 1, 'z'), 1);
  });

  test('names the parents of a chosen division, and what one comes with', () => {
    const inner = tree.byId.get('Inner')!;
    assert.deepEqual([...parentsOfChosen(tree, new Set(['Inner', 'Stray', 'gone']))].sort(), [
      'Sales',
      'South',
      'unseen',
    ]);
    assert.equal(chosenAbove(tree, new Set(['Sales', 'North']), inner)?.name, 'Sales');
    assert.equal(chosenAbove(tree, new Set(['Inner', 'North']), inner), undefined);
  });

  test('a chosen division takes those below it along', () => {
    const sales = tree.byId.get('Sales')!;
    const inner = tree.byId.get('Inner')!;
    const both = toggled(tree, toggled(tree, new Set(), inner), tree.byId.get('Support')!);
    assert.deepEqual([...toggled(tree, both, sales)].sort(), ['Sales', 'Support']);
    assert.deepEqual([...toggled(tree, new Set(['Sales']), sales)], []);
    assert.deepEqual(
      ancestorsOf(tree, inner).map(({ id }) => id),
      ['Sales', 'South'],
    );
  });
});
