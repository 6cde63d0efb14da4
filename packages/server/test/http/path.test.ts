import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Id, KeyId, Period } from '@kontor/contract';
import Type from 'typebox';
import { compilePath } from '../../src/http/request/parameters.ts';

const check = compilePath(Type.Object({ id: Id('Row'), key: KeyId('Key'), month: Period('Month') }));
const good = { id: '65F0C0FFEE0123456789ABCD', key: '3vQ7kZ9mB2xT', month: '2026-10' };

describe('the parameters of a path', () => {
  test('have types: identifiers of resources in lower case, of keys as they are, months', () => {
    assert.deepEqual(check(good, '/'), { ...good, id: '65f0c0ffee0123456789abcd' });
  });

  for (const [name, value, code, words] of [
    ['id', '3vQ7kZ9mB2xT', 'INVALID_REFERENCE_ID', '24 hexadecimal characters'],
    ['key', '65f0c0ffee0123456789abcd', 'INVALID_REFERENCE_ID', 'the 12 letters and digits that name a key'],
    ['month', '2026-13', 'VALIDATION_ERROR', 'a year and a month, such as 2026-10'],
  ] as const)
    test(`400 ${code}: ${name} is ${value}`, () => {
      const message = `${name} in the path must be ${words}`;
      assert.throws(() => check({ ...good, [name]: value }, '/'), { code, status: 400, message });
    });

  test('one of a type that paths have not is a fault of the declaration', () => {
    assert.throws(() => compilePath(Type.Object({ name: Type.String() })), /the path parameter name needs/);
  });
});
