import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, type Filter, parseFilter, printFilter } from '@kontor/contract';
import fc from 'fast-check';
import {
  conditionsIn,
  draftOf,
  filterOfDraft,
  newCondition,
  newGroup,
  replaced,
} from '../src/kit/filter/draft.ts';
import { localOf, problemOf, readFilter, zonedOf } from '../src/kit/filter/read.ts';
import { listsOfContract } from '../tools/lists.ts';

const name = fc.constantFrom('name', 'status', 'createdAt');
const value = fc.string({ minLength: 1, unit: fc.constantFrom('a', "'", '"', '\\', ' ', 'ß', '2') });
const condition = fc.oneof(
  fc.record({
    kind: fc.constant('comparison' as const),
    field: name,
    operator: fc.constantFrom('=' as const, '!=' as const, '>=' as const, 'CONTAINS' as const),
    value,
  }),
  fc.record({
    kind: fc.constant('in' as const),
    field: name,
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('null' as const), field: name, negated: fc.boolean() }),
);
const { filter: anyFilter } = fc.letrec<{ filter: Filter }>(tie => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    condition,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      terms: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

const sayable = (text: string) =>
  text.endsWith('\\') && text.includes('"') ? text.replace(/\\+$/, '') : text;

/** A filter of the language, with junctions of one kind joined. */
function canonical(filter: Filter): Filter | null {
  switch (filter.kind) {
    case 'comparison':
      return sayable(filter.value) === '' ? null : { ...filter, value: sayable(filter.value) };
    case 'in': {
      const values = filter.values.map(sayable).filter(each => each !== '');
      return values.length === 0 ? null : { ...filter, values };
    }
    case 'null':
      return filter;
    default: {
      const terms = filter.terms.map(canonical).filter(term => term !== null);
      if (terms.length < 2) return terms[0] ?? null;
      return parseFilter(printFilter({ kind: filter.kind, terms }));
    }
  }
}

describe('the form of a filter', () => {
  test('writes every filter of the language so that the service reads the same', () => {
    fc.assert(
      fc.property(anyFilter, filter => {
        const printed = filterOfDraft(draftOf(filter));
        const expected = canonical(filter);
        if (printed === null) return assert.equal(expected, null);
        assert.equal(printFilter(parseFilter(printFilter(printed))), printFilter(expected!));
      }),
    );
  });

  test('leaves out what is not filled in yet', () => {
    const [field] = listsOfContract()['POST /users/search']!;
    const empty = newCondition(field!);
    const filled = { ...empty, id: -1, values: ['x'] };
    assert.equal(filterOfDraft(newGroup('and', [empty, newGroup('or', [])])), null);
    assert.deepEqual(filterOfDraft(newGroup('and', [empty, filled])), {
      kind: 'comparison',
      field: field!.name,
      operator: filled.operator,
      value: 'x',
    });
  });

  test('puts a part in the place of another, however deep, or takes it away', () => {
    const draft = draftOf(parseFilter('a = 1 AND (b = 2 OR c = 3)'));
    const inner = draft.parts[1]!;
    assert.equal(inner.kind, 'group');
    const target = inner.kind === 'group' ? inner.parts[0]! : inner;
    const changed = replaced(draft, target.id, { ...target, values: ['9'] } as typeof target);
    assert.equal(printFilter(filterOfDraft(changed)!), 'a = 1 AND (b = 9 OR c = 3)');
    assert.equal(printFilter(filterOfDraft(replaced(draft, inner.id, null))!), 'a = 1');
    assert.equal(conditionsIn(parseFilter('a = 1 AND (b = 2 OR c IS NULL)')), 3);
  });

  test('has of each list the fields that the contract declares, with the operators of their types', () => {
    const lists = listsOfContract();
    for (const { method, path, fields, success } of Object.values<{
      method: string;
      path: string;
      fields?: ReadonlyMap<string, unknown>;
      success: { body: unknown };
    }>(apis.portal.operations)) {
      // An export has the fields of its list.
      if (success.body === 'file') continue;
      const list = lists[`${method} ${path}`];
      assert.deepEqual(
        list?.map(field => field.name),
        fields && [...fields.keys()],
      );
    }
    const status = lists['POST /api-keys/search']!.find(field => field.name === 'status')!;
    assert.deepEqual(status.values, ['active', 'inactive', 'expired', 'deleted']);
    assert.ok(!status.operators.includes('CONTAINS'));
  });
});

describe('a filter that cannot be used', () => {
  test('names the character', () => {
    const read = readFilter("name = 'a' AND status");
    assert.ok('problem' in read);
    assert.equal(read.problem.code, 'INVALID_FILTER_SYNTAX');
    assert.equal(read.problem.position, 22);
  });

  test('is distinguished from other failures by its code', () => {
    const rejected = (code: string) => Object.assign(new Error('no'), { code });
    assert.deepEqual(problemOf(rejected('UNSUPPORTED_FILTER_FIELD')), {
      code: 'UNSUPPORTED_FILTER_FIELD',
      message: 'no',
      position: null,
    });
    assert.equal(problemOf(rejected('SERVICE_UNAVAILABLE')), null);
    assert.equal(problemOf(new Error('no')), null);
  });
});

test('an instant stands in a field for day and time as itself, in the zone of the browser', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      date => {
        date.setUTCMilliseconds(0);
        const instant = date.toISOString().replace('.000Z', 'Z');
        const local = localOf(instant)!;
        // An hour that a clock shows twice is the first of them.
        const again = zonedOf(local);
        assert.equal(localOf(again), local);
        if (new Date(again).getTimezoneOffset() === date.getTimezoneOffset()) assert.equal(again, instant);
      },
    ),
  );
  assert.equal(localOf('2026-11-22T10:00:00.123Z'), null);
  assert.equal(localOf('yesterday'), null);
  assert.equal(zonedOf(''), '');
});
