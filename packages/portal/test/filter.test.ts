import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFilter } from '@kontor/contract';
import fc from 'fast-check';
import { shows } from '../src/api/key-sets.ts';
import { filterOf, parseKeysSearch } from '../src/features/keys/search.ts';
import { quoted } from '../src/kit/list/search.ts';

describe('the filter of the list of keys', () => {
  test('writes any text so that the service reads the same', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: fc.constantFrom('a', "'", '"', '\\', ' ', 'ß', '%') }),
        text => {
          const read = parseFilter(`name CONTAINS ${quoted(text)}`);
          const expected = text.endsWith('\\') && text.includes('"') ? text.replace(/\\+$/, '') : text;
          assert.deepEqual(read, {
            kind: 'comparison',
            field: 'name',
            operator: 'CONTAINS',
            value: expected,
          });
        },
      ),
    );
  });

  test('is one that the service takes, for every choice', () => {
    for (const show of [undefined, ...shows])
      for (const text of [undefined, "O'Neill"])
        assert.doesNotThrow(() => parseFilter(filterOf({ ...(show && { show }), ...(text && { text }) })));
  });

  test('is built from the valid parts of the address, which has no text', () => {
    assert.deepEqual(parseKeysSearch({ page: 3, sort: '-name', text: 12, show: 'ending' }), {
      page: 3,
      sort: '-name',
      show: 'ending',
      filter: undefined,
    });
    assert.deepEqual(parseKeysSearch({ page: -1, sort: 'x;y', text: '', show: 'all', other: 1 }), {
      page: undefined,
      sort: undefined,
      show: undefined,
      filter: undefined,
    });
  });
});
