import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divisionRow } from '../../../src/features/divisions/mapping.ts';

test('the row of a changed division has nothing of the division before but its timestamps', () => {
  const [createdAt, updatedAt] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
  const data = { tenant: 'a'.repeat(24), name: 'Straße', parentId: null, order: 1, costCenter: null };
  const before = { ...data, id: 'b'.repeat(24), name: 'Weg', order: 2, createdAt, updatedAt };
  const row = divisionRow(before.id, data, before);
  assert.deepEqual(row, divisionRow(before.id, data, { createdAt, updatedAt }));
  assert.equal(row.folded_name, 'strasse');
});
