import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Merge, mergeField } from '../src/merge.ts';

const [old, next, other] = ['old', 'next', 'other'];
const agreed = { source: old, server: old };

/** The last values, the file, Kontor, and the result. */
const cases: readonly [string, Parameters<typeof mergeField>[2], string | null, string | null, Merge][] = [
  ['neither has changed it', agreed, old, old, 'equal'],
  ['only the file has changed it', agreed, next, old, 'write'],
  ['only the file has cleared it', agreed, null, old, 'write'],
  ['only a person has changed it', agreed, old, next, 'kept'],
  ['only a person has cleared it', agreed, old, null, 'kept'],
  ['both have made the same change', agreed, next, next, 'equal'],
  ['both have changed it', agreed, next, other, 'conflict'],
  ['the first values are equal', undefined, old, old, 'equal'],
  ['the first values differ', undefined, old, next, 'first_contact'],
  ['Kontor has no first value', undefined, old, null, 'first_contact'],
  ['the service stores it in another form', { source: old, server: 'OLD' }, old, 'OLD', 'accepted'],
  ['the file has changed it after that', { source: old, server: 'OLD' }, next, 'OLD', 'write'],
  ['a person has changed it after that', { source: old, server: 'OLD' }, old, other, 'kept'],
  ['the file was chosen', { server: next }, old, next, 'write'],
  ['the file was chosen, and a person has changed it again', { server: next }, old, other, 'conflict'],
  ['Kontor was chosen', { source: old, server: next }, old, next, 'accepted'],
  [
    'Kontor was chosen, and the file has changed it again',
    { source: old, server: next },
    other,
    next,
    'write',
  ],
];

for (const [name, base, source, server, merge] of cases)
  test(`a field is ${merge} when ${name}`, () => {
    assert.equal(mergeField(source, server, base), merge);
  });

test('a field is written only when Kontor has what was known last', () => {
  const values = [null, old, next, other];
  for (const source of values)
    for (const server of values)
      for (const base of [
        undefined,
        ...values.flatMap(a => [{ server: a }, ...values.map(b => ({ source: b, server: a }))]),
      ])
        if (mergeField(source, server, base) === 'write') assert.equal(server, base?.server);
});
