import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantRows, transitions } from '../../../src/features/keys/rules.ts';

test('no action leads out of deleted, and a repeated action changes nothing', () => {
  for (const next of Object.values(transitions.deleted)) assert.ok(next === null || next === 'deleted');
  for (const status of ['active', 'inactive', 'deleted'] as const)
    for (const action of ['deactivate', 'reactivate', 'delete'] as const) {
      const next = transitions[status][action];
      if (next !== null) assert.equal(transitions[next][action], next);
    }
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
