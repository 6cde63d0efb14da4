import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nearestName } from '../../src/lib/nearest-name.ts';

const names = ['id', 'email', 'firstName', 'lastName', 'city', 'countryCode', 'createdAt', 'updatedAt'];

describe('the nearest name', () => {
  const near: Record<string, string | null> = {
    lastname: 'lastName',
    LASTNAME: 'lastName',
    last_name: 'lastName',
    lastNmae: 'lastName',
    updated: 'updatedAt',
    mail: 'email',
    cty: 'city',
    salary: null,
    x: null,
    '': null,
    products: null,
  };
  for (const [written, expected] of Object.entries(near))
    test(`of ${JSON.stringify(written)} is ${expected}`, () =>
      assert.equal(nearestName(written, names), expected));

  test('of a name beyond all lengths is none, without comparing it', () => {
    assert.equal(nearestName('lastName'.repeat(1_000_000), names), null);
  });
});
