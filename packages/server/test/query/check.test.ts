import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allOperations, ApiError, employeeFields, type Field, type FieldType } from '@kontor/contract';
import { checkList } from '../../src/query/check.ts';

/** The code and status of the rejection of a query, and its message. */
function rejection(query: Parameters<typeof checkList>[0], fields = employeeFields): string {
  try {
    checkList(query, fields);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return `${error.status} ${error.code} ${error.message}`;
  }
  return 'accepted';
}

describe('the sort of a list', () => {
  for (const sort of [
    '',
    ' ',
    '-',
    '--lastName',
    '+lastName',
    'lastName,firstName',
    'last Name',
    ' lastName',
    'lastName\n',
  ])
    it(`${JSON.stringify(sort)} is VALIDATION_ERROR`, () => {
      assert.match(rejection({ sort }), /^400 VALIDATION_ERROR sort must be one field/);
    });

  for (const sort of [
    'salary',
    '-salary',
    'lastname',
    'products.model',
    '__proto__',
    'organization_id',
    'doc',
  ])
    it(`${sort} is UNSUPPORTED_SORT_FIELD`, () => {
      assert.match(rejection({ sort }), /^400 UNSUPPORTED_SORT_FIELD Cannot sort by /);
    });

  it('an unknown field comes with the nearest name and the list', () => {
    const message = rejection({ sort: '-lastname' });
    assert.match(
      message,
      /Cannot sort by "lastname"\. Did you mean lastName\? Sortable fields: id, email, .*, updatedAt$/,
    );
    assert.match(rejection({ sort: 'salary' }), /Cannot sort by "salary"\. Sortable fields: id, email, /);
  });

  for (const name of employeeFields.keys())
    it(`takes ${name} in both directions`, () => {
      assert.equal(checkList({ sort: name }, employeeFields).sort.descending, false);
      assert.equal(checkList({ sort: `-${name}` }, employeeFields).sort.descending, true);
    });

  it('is id ascending when there is none', () => {
    const { sort } = checkList({}, employeeFields);
    assert.deepEqual([sort.field.name, sort.descending], ['id', false]);
  });
});

describe('the fields of a filter', () => {
  for (const field of ['salary', 'LASTNAME', 'products.model', 'constructor', 'search', 'tenant_id'])
    it(`${field} is UNSUPPORTED_FILTER_FIELD`, () => {
      assert.match(rejection({ filter: `${field} = 1` }), /^400 UNSUPPORTED_FILTER_FIELD Cannot filter by /);
    });

  it('an unknown field comes with the nearest name and the list', () => {
    const message = rejection({ filter: 'updated_at > 2026-01-01T00:00:00Z' });
    assert.match(
      message,
      /"updated_at"\. Did you mean updatedAt\? Filterable fields: id, email, .*, updatedAt$/,
    );
  });

  it('a long unknown field is not repeated in full', () => {
    assert.ok(rejection({ filter: `${'x'.repeat(10_000)} = 1` }).length < 600);
  });

  it('the first offence in the text is the one that is reported', () => {
    assert.match(rejection({ filter: 'blocked > true AND salary = 1' }), /UNSUPPORTED_FILTER_OPERATOR/);
    assert.match(rejection({ filter: 'salary = 1 AND blocked > true' }), /UNSUPPORTED_FILTER_FIELD/);
  });

  it('a filter that cannot be parsed is INVALID_FILTER_SYNTAX', () => {
    assert.match(rejection({ filter: 'lastName =' }), /^400 INVALID_FILTER_SYNTAX/);
    assert.match(rejection({ filter: '' }), /^400 INVALID_FILTER_SYNTAX/);
  });

  it('the character NUL and half of a surrogate pair are VALIDATION_ERROR', () => {
    assert.match(
      rejection({ filter: "city = 'a\0b'" }),
      /^400 VALIDATION_ERROR filter must be valid Unicode/,
    );
    assert.match(
      rejection({ filter: "city = '\ud800'" }),
      /^400 VALIDATION_ERROR filter must be valid Unicode/,
    );
  });

  it('a bad literal is not the concern of this check', () => {
    assert.equal(rejection({ filter: 'blocked = maybe' }), 'accepted');
  });
});

describe('the operators of a type', () => {
  const comparisons = { '=': 'x', '!=': 'x', IN: '(x)', 'IS NULL': '', 'IS NOT NULL': '' };
  const orders = { '>': 'x', '>=': 'x', '<': 'x', '<=': 'x' };
  const texts = { CONTAINS: 'x', STARTS_WITH: 'x', ENDS_WITH: 'x' };
  const all = { ...comparisons, ...orders, ...texts };
  const taken: Record<FieldType, object> = {
    string: all,
    boolean: comparisons,
    enum: comparisons,
    date: { ...comparisons, ...orders },
    'date-time': { ...comparisons, ...orders },
    number: { ...comparisons, ...orders },
    decimal: { ...comparisons, ...orders },
  };
  for (const [type, operators] of Object.entries(taken)) {
    const field: Field = { name: 'it', type: type as FieldType, nullable: true, values: ['x'] };
    for (const [operator, value] of Object.entries(all))
      it(`${type} ${operator in operators ? 'accepts' : 'rejects'} ${operator}`, () => {
        const answer = rejection(
          { filter: `it ${operator} ${value}` },
          new Map([...employeeFields, ['it', field]]),
        );
        if (operator in operators) assert.equal(answer, 'accepted');
        else assert.match(answer, /^400 UNSUPPORTED_FILTER_OPERATOR Field it \([\w-]+\) does not support/);
      });
  }
});

describe('the examples of the contract', () => {
  for (const { id, operation } of allOperations) {
    const { fields, query, body = query } = operation;
    if (fields)
      it(`are accepted by ${id}`, () => {
        // An export has no sort: its order is that of what it exports.
        const { filter, sort } = body.properties as Record<string, { examples: string[] } | undefined>;
        for (const example of filter!.examples)
          assert.equal(rejection({ filter: example }, fields), 'accepted');
        for (const example of sort?.examples ?? [])
          assert.equal(rejection({ sort: example }, fields), 'accepted');
      });
  }
});
