import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fold, searchForms } from '@kontor/contract';
import { searchedForms } from '../../src/query/accents.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { addEmployees, employee, id, insertTestData, planOf, scopeOf, watchedCollection } from './support.ts';

const persons = [
  ['Željka', 'Kovačević'],
  ['Uwe', 'Müller'],
  ['Ute', 'Mueller'],
  ['Anna', 'Muller'],
  ['Jürgen', 'Weiß'],
  ['Işıl', 'Çelik'],
  ['Nguyễn', 'Đặng'],
  ['Zoé', 'Łukasz'],
  ['Søren', 'Åkesson'],
  ['Æbba', 'Lü'],
  ['Алёна', 'Королёва'],
] as const;

describe('a search without accents', () => {
  let test: TestDatabase;
  before(async () => {
    test = await testDatabase();
    await insertTestData(test.database.sql);
    const many = Array.from({ length: 3000 }, (_, n) =>
      employee({ id: id('f', n), firstName: 'Max', lastName: `Muster${n}`, email: `max${n}@example.com` }),
    );
    const named = persons.map(([firstName, lastName], n) =>
      employee({ id: id('e', n), firstName, lastName, email: `p${n}@example.com` }),
    );
    await addEmployees(test.database.sql, [...many, ...named]);
    await test.database.sql`ANALYZE`;
  });
  after(() => test.drop());

  /** Last names of those whose last or first name contains the text. */
  async function find(text: string): Promise<(string | null | undefined)[]> {
    const { list } = watchedCollection(test.database.sql, { ignoresAccents: true });
    const filter = `lastName CONTAINS '${text}' OR firstName CONTAINS '${text}'`;
    const { items, totalElements } = await list({ filter, pageSize: 100 });
    assert.equal(totalElements, items.length);
    return items.map(({ lastName }) => lastName);
  }

  for (const [text, ...found] of [
    ['zeljka', 'Kovačević'],
    ['KOVACEVIC', 'Kovačević'],
    ['mueller', 'Müller', 'Mueller'],
    ['Müller', 'Müller', 'Mueller', 'Muller'],
    ['muller', 'Müller', 'Muller'],
    ['ueller', 'Müller', 'Mueller'],
    ['weiss', 'Weiß'],
    ['isil', 'Çelik'],
    ['IŞIL', 'Çelik'],
    ['nguyen', 'Đặng'],
    ['dang', 'Đặng'],
    ['zoe', 'Łukasz'],
    ['lukasz', 'Łukasz'],
    ['soeren', 'Åkesson'],
    ['akesson', 'Åkesson'],
    ['aakesson', 'Åkesson'],
    ['aebba', 'Lü'],
    ['lü', 'Lü'],
    ['королёва', 'Королёва'],
  ] as const)
    it(`finds ${found.join(', ')} by ${text}`, async () => assert.deepEqual(await find(text), found));

  it('finds by one letter, and by one with its accent only as it is', async () => {
    assert.deepEqual(await find('z'), ['Kovačević', 'Łukasz']);
    assert.deepEqual(await find('ž'), ['Kovačević']);
  });

  it('leaves the filters of the public API alone', async () => {
    const { list } = watchedCollection(test.database.sql);
    const { items } = await list({ filter: "lastName CONTAINS 'muller'" });
    assert.deepEqual(
      items.map(({ lastName }) => lastName),
      ['Muller'],
    );
  });

  it('reads along its index', async () => {
    const { list, watch } = watchedCollection(test.database.sql, { ignoresAccents: true });
    await list({ filter: "lastName CONTAINS 'mueller'" }, scopeOf('all'));
    const plans = await Promise.all(watch.statements.map(each => planOf(test.database.sql, each)));
    assert.ok(
      plans.some(plan => plan.includes('employee_without_accents')),
      plans.join('\n'),
    );
  });

  it('compares in SQL as in the pages, for every letter', async () => {
    const letters = Array.from({ length: 0xd800 - 0xa1 }, (_, n) => String.fromCodePoint(n + 0xa1))
      .filter(letter => /\p{L}/u.test(letter))
      .map(letter => fold(`${letter}x`));
    const rows = await test.database.sql<{ letter: string; forms: string }[]>`
      SELECT letter, ${searchedForms('letter')} AS forms FROM unnest(${letters}::text[]) AS letter`;
    for (const { letter, forms } of rows)
      assert.deepEqual([...new Set(forms.split(' '))], searchForms(letter), letter);
    assert.equal(rows.length, letters.length);
  });
});
