import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantRows, statusAfter } from '../../../src/features/keys/rules.ts';

test('a key can be deactivated, reactivated and deleted; a deleted key stays deleted', () => {
  assert.equal(statusAfter('active', 'deactivate'), 'inactive');
  assert.equal(statusAfter('inactive', 'deactivate'), 'inactive');
  assert.equal(statusAfter('inactive', 'reactivate'), 'active');
  assert.equal(statusAfter('active', 'delete'), 'deleted');
  assert.equal(statusAfter('deleted', 'delete'), 'deleted');
  assert.equal(statusAfter('deleted', 'reactivate'), null);
  assert.equal(statusAfter('deleted', 'deactivate'), null);
});

test('a tenant with chosen divisions is granted with these only, one without them as a whole', () => {
  const divisions = new Map([
    ['d1', 'a'],
    ['d2', 'a'],
  ]);
  const rows = [
    { tenantId: 'b', divisionId: null },
    { tenantId: 'a', divisionId: 'd1' },
    { tenantId: 'a', divisionId: 'd2' },
  ];
  assert.deepEqual(grantRows(['a', 'b', 'b'], divisions), { rows });
  assert.deepEqual(grantRows([], divisions), { rows: rows.slice(1) });
});

test('a division whose tenant is not among the chosen ones is reported', () => {
  assert.deepEqual(grantRows(['b'], new Map([['d1', 'a']])), { stray: 'd1' });
});
