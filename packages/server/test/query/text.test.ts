import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Employee } from '@kontor/contract';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { writtenAs } from '../support/database/stored-documents.ts';
import { employee, id, insertTestData, replaceEmployees, watchedCollection } from './support.ts';

const names = [
  'Äpfel',
  'Böhm',
  'Çelik',
  'Łukasiewicz',
  'Ω',
  '王伟',
  '😀😀',
  '👩🏽‍🚀 Straße',
  'e\u0301',
  '\u{10ffff}',
];
const staff = names.map((lastName, n) => employee({ id: id('e', n), lastName, city: lastName }));

describe('a page of text beyond ASCII', () => {
  let test: TestDatabase;
  before(async () => {
    test = await testDatabase();
    await insertTestData(test.database.sql);
    await replaceEmployees(test.database.sql, staff);
  });
  after(() => test.drop());

  it('has the text of the documents as they are stored', async () => {
    const { page } = watchedCollection(test.database.sql);
    const body = await page({ sort: 'lastName' });
    for (const person of staff) assert.ok(body.includes(writtenAs(Employee, person)));
  });

  for (const sort of ['lastName', '-lastName', 'city'])
    it(`goes on behind a value of ${sort} as it is stored`, async () => {
      const { list, watch } = watchedCollection(test.database.sql);
      const seen: (string | null)[] = [];
      for (let page = 1; page <= names.length; page++)
        seen.push(...(await list({ sort, page, pageSize: 1 })).items.map(item => item.lastName ?? null));
      assert.equal(new Set(seen).size, names.length);
      const all = await list({ sort, pageSize: 100 });
      assert.deepEqual(
        seen,
        all.items.map(item => item.lastName),
      );
      for (const { text } of watch.statements) assert.doesNotMatch(text, /OFFSET/);
    });

  it('is a megabyte a document, if need be', async () => {
    const large = ['ä'.repeat(500_000), '😀'.repeat(250_000)].map((additionalInfo, n) =>
      employee({ id: id('f', n), additionalInfo }),
    );
    await replaceEmployees(test.database.sql, large);
    const { list } = watchedCollection(test.database.sql);
    assert.deepEqual((await list({})).items, large);
  });
});
