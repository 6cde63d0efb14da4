import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Sql } from '../support/database/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  addEmployees,
  employee,
  id,
  insertTestData,
  removeEmployees,
  replaceEmployees,
  scopeOf,
  tenants,
  watchedCollection,
  planOf,
} from './support.ts';

let test: TestDatabase;
let sql: Sql;
before(async () => {
  test = await testDatabase();
  sql = test.database.sql;
  await insertTestData(sql);
});
after(() => test.drop());

/** A hundred employees; every third has no last name, and the others share four. */
const hundred = Array.from({ length: 100 }, (_, n) =>
  employee({ id: id('e', n * 16), lastName: n % 3 === 0 ? null : `Name ${n % 4}`, tenant: tenants[n % 2]! }),
);
beforeEach(() => replaceEmployees(sql, hundred));

const minutes = (n: number) => n * 60_000;

describe('a walk by page', () => {
  for (const sort of ['id', '-id', 'lastName', '-lastName', 'city', '-blocked'])
    it(`by ${sort} neither skips nor repeats a row when others come and go before it`, async () => {
      const { list } = watchedCollection(sql);
      const seen: string[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const body = await list({ sort, page, pageSize: 10 });
        pages = body.totalPages;
        seen.push(...body.items.map(item => item.id));
        if (page > 6) continue;
        // What was seen leaves, and others arrive in front, more on some pages than leave.
        await removeEmployees(sql, seen.slice(-9));
        const first = seen.at(0)!;
        const near = sort.startsWith('-') ? parseInt(first.slice(1), 16) + page * 7 : page * 2 + 1;
        const lastName = sort === '-lastName' ? 'zzz' : null;
        await addEmployees(sql, [employee({ id: id('e', near), lastName, blocked: sort === '-blocked' })]);
      }
      const original = new Set(hundred.map(({ id: name }) => name));
      assert.deepEqual(seen.filter(name => original.has(name)).toSorted(), [...original].toSorted());
      assert.equal(new Set(seen).size, seen.length);
    });

  it('reports one more page when rows left and others still follow', async () => {
    const { list } = watchedCollection(sql);
    await list({ pageSize: 10 });
    await list({ pageSize: 10, page: 2 });
    await removeEmployees(
      sql,
      hundred.slice(0, 20).map(({ id: name }) => name),
    );
    for (let page = 3; page < 8; page++) assert.equal((await list({ pageSize: 10, page })).totalPages, 8);
    assert.equal((await list({ pageSize: 10, page: 8 })).totalPages, 9);
    assert.equal((await list({ pageSize: 10, page: 9 })).totalPages, 10);
    assert.equal((await list({ pageSize: 10, page: 10 })).totalPages, 10);
    assert.equal((await list({ pageSize: 10, page: 11 })).totalPages, 8);
  });

  it('costs no OFFSET, and one statement a page', async () => {
    const { list, watch } = watchedCollection(sql);
    for (let page = 1; page <= 9; page++) await list({ pageSize: 10, page });
    assert.equal(watch.statements.length, 9);
    for (const { text } of watch.statements) assert.doesNotMatch(text, /OFFSET/);
  });

  it('is cached for two minutes', async () => {
    const { list, watch } = watchedCollection(sql);
    await list({ pageSize: 10 });
    watch.at = minutes(2) - 1;
    await list({ pageSize: 10, page: 2 });
    assert.doesNotMatch(watch.statements.at(-1)!.text, /OFFSET/);
    await list({ pageSize: 10 });
    watch.at += minutes(2);
    await list({ pageSize: 10, page: 2 });
    assert.match(watch.statements.at(-1)!.text, /OFFSET 10/);
  });

  const other: [string, Parameters<ReturnType<typeof watchedCollection>['list']>][] = [
    ['another key', [{ pageSize: 10, page: 2 }, scopeOf([{ tenantId: tenants[0], divisions: 'all' }])]],
    ['another tenant', [{ pageSize: 10, page: 2 }, scopeOf('all'), tenants[0]]],
    ['another filter', [{ pageSize: 10, page: 2, filter: 'blocked = false' }]],
    ['another order', [{ pageSize: 10, page: 2, sort: '-id' }]],
    ['another page size', [{ pageSize: 5, page: 2 }]],
    ['another bound', [{ pageSize: 10, page: 2, createdAtFrom: '2020-01-01T00:00:00Z' }]],
    ['another page', [{ pageSize: 10, page: 3 }]],
  ];
  for (const [name, request] of other)
    it(`is not continued by ${name}`, async () => {
      const { list, watch } = watchedCollection(sql, { maxProbed: 0 });
      await list({ pageSize: 10 });
      await list(...request);
      assert.match(watch.statements.at(-1)!.text, /OFFSET/);
    });
});

describe('a page far behind the end', () => {
  it('is empty with the true totals up to 2^53 - 1, and reads no row', async () => {
    const { list, watch } = watchedCollection(sql);
    for (const filter of [undefined, 'blocked = false'])
      for (const page of [101, 2 ** 31, 2 ** 53 - 1]) {
        const body = await list({ page, pageSize: 1000, ...(filter === undefined ? {} : { filter }) });
        assert.deepEqual(body, { page, pageSize: 1000, totalPages: 1, totalElements: 100, items: [] });
      }
    const plan = await planOf(sql, watch.statements[0]!, 'ANALYZE, COSTS OFF, TIMING OFF');
    assert.match(plan, /employee.*never executed/);
  });
});
