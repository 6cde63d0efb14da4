import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedValues } from '../../src/lib/changed-values.ts';

test('values that differ are texts under their paths, and a value that is not set is null', () => {
  const before = { day: 10, on: true, list: ['b', 'a'], deep: { rule: null, same: { x: 1 } } };
  const after = { day: 15, on: false, list: [], deep: { rule: { type: '3010' }, same: { x: 1 } } };
  assert.deepEqual(changedValues(before, after), {
    day: ['10', '15'],
    on: ['true', 'false'],
    list: ['b, a', null],
    'deep.rule.type': [null, '3010'],
  });
  assert.deepEqual(changedValues(null, { day: 10, none: null }), { day: [null, '10'] });
  assert.deepEqual(changedValues(before, before), {});
  assert.deepEqual(changedValues(before, { day: 15 }), { day: ['10', '15'] });
});
