import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Sql } from '../support/database/sql.ts';
import type { Fragment } from '../../src/db/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  addEmployees,
  divisions,
  employee,
  id,
  insertTestData,
  replaceEmployees,
  scopeOf,
  tenants,
  watchedCollection,
} from './support.ts';

let test: TestDatabase;
let sql: Sql;
before(async () => {
  test = await testDatabase();
  sql = test.database.sql;
  await insertTestData(sql);
});
after(() => test.drop());

const division = divisions[0];
const member = (number: number) =>
  employee({
    id: id('e', number),
    city: 'Bonn',
    tenant: division.tenant,
    divisionId: division.id,
    updatedAt: `2026-01-01T00:00:00.${String(number % 1000).padStart(3, '0')}Z`,
  });
const fifty = Array.from({ length: 50 }, (_, n) => member(n));
beforeEach(() => replaceEmployees(sql, fifty));

const byDivision = scopeOf([{ tenantId: division.tenant, divisions: [division.id] }]);
const counts = ({ text }: Fragment) => text.includes('count(*) FROM employee') || text.includes('sum(c.n)');

const lists = {
  'the organization': [{ pageSize: 1000 }, scopeOf('all')],
  'a tenant': [{ pageSize: 1000 }, scopeOf('all'), tenants[0]],
  'a filter': [{ pageSize: 1000, filter: 'city = Bonn' }, scopeOf('all')],
  'the bounds of the creation time': [
    { pageSize: 1000, createdAtFrom: '2020-01-01T00:00:00Z' },
    scopeOf('all'),
  ],
  'a key of divisions': [{ pageSize: 1000 }, byDivision],
  'a key of divisions with a filter': [{ pageSize: 1000, filter: "city CONTAINS 'onn'" }, byDivision],
} as const;

describe('the total of a list', () => {
  for (const [name, request] of Object.entries(lists)) {
    const [query, scope, tenant] = request;

    it(`of ${name} is that of the snapshot of its items, whatever is written between the statements`, async () => {
      const { list, watch } = watchedCollection(sql);
      let next = 1000;
      watch.before = () => addEmployees(sql, [member(next++)]);
      for (let round = 0; round < 5; round++) {
        const before = watch.statements.length;
        const body = await list(query, scope, tenant ?? null);
        assert.equal(body.totalElements, body.items.length);
        assert.ok(body.items.length > 50);
        assert.ok(watch.statements.length - before <= 5, 'steady writes must not keep a list going');
      }
    });

    it(`of ${name} is that of its items under concurrent writes and reads`, async () => {
      const { list } = watchedCollection(sql);
      let next = 2000;
      const write = async () => {
        for (let n = 0; n < 10; n++) await addEmployees(sql, [member(next++)]);
      };
      const read = async () => {
        for (let n = 0; n < 10; n++) {
          const body = await list(query, scope, tenant ?? null);
          assert.equal(body.totalElements, body.items.length);
        }
      };
      await Promise.all([write(), read(), read(), read()]);
      assert.equal((await list(query, scope, tenant ?? null)).totalElements, 60);
    });

    it(`of ${name} costs one statement a page while nothing is written`, async () => {
      const { list, watch } = watchedCollection(sql);
      await list(query, scope, tenant ?? null);
      const first = watch.statements.length;
      for (let n = 0; n < 3; n++) await list(query, scope, tenant ?? null);
      assert.equal(watch.statements.length, first + 3);
      if ('filter' in query || scope === byDivision) assert.ok(!watch.statements.slice(first).some(counts));
    });
  }

  it('is counted once for many who wait', async () => {
    const { list, watch } = watchedCollection(sql);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => list({ filter: 'city = Bonn' })));
    assert.ok(bodies.every(body => body.totalElements === 50));
    assert.equal(watch.statements.filter(counts).length, 1);
  });

  it('is counted once more for many who wait after a write', async () => {
    const { list, watch } = watchedCollection(sql);
    await list({ filter: 'city = Bonn' });
    await addEmployees(sql, [member(3000)]);
    watch.statements.length = 0;
    // All pages are read before the first count is done.
    let reads = 0;
    let release: () => void;
    const all = new Promise<void>(resolve => (release = resolve));
    watch.before = statement => {
      if (counts(statement)) return all;
      if (++reads === 20) release();
      return Promise.resolve();
    };
    const bodies = await Promise.all(Array.from({ length: 20 }, () => list({ filter: 'city = Bonn' })));
    assert.ok(bodies.every(body => body.totalElements === 51));
    assert.equal(watch.statements.filter(counts).length, 1);
  });

  it('is counted again by the next when a count failed', async () => {
    const { list, watch } = watchedCollection(sql);
    watch.before = statement => (counts(statement) ? Promise.reject(new Error('gone')) : Promise.resolve());
    await assert.rejects(list({ filter: 'city = Bonn' }), /gone/);
    watch.before = async () => {};
    assert.equal((await list({ filter: 'city = Bonn' })).totalElements, 50);
  });

  it('is not shared between keys, tenants or filters', async () => {
    const { list } = watchedCollection(sql);
    const anonymous = scopeOf([{ tenantId: tenants[1], divisions: 'all' }]);
    const total = async (...request: Parameters<typeof list>) => (await list(...request)).totalElements;
    assert.equal(await total({ filter: 'city = Bonn' }), 50);
    assert.equal(await total({ filter: 'city = Bonn' }, anonymous), 0);
    assert.equal(await total({ filter: 'city = Bonn' }, scopeOf('all'), tenants[1]), 0);
    assert.equal(await total({ filter: 'city != Bonn' }), 0);
    assert.equal(await total({ filter: 'city = Bonn', createdAtTo: '2020-01-01T00:00:00Z' }), 0);
  });

  it('of a poller that catches up is counted once', async () => {
    const { list, watch } = watchedCollection(sql, { maxProbed: 10 });
    const query = (filter?: string) => ({
      sort: 'updatedAt',
      pageSize: 7,
      ...(filter === undefined ? {} : { filter }),
    });
    let body = await list(query('updatedAt >= 2000-01-01T00:00:00Z'));
    let rest = 50;
    while (body.items.length > 0) {
      assert.equal(body.totalElements, rest);
      rest -= body.items.length;
      const { updatedAt, id: last } = body.items.at(-1)!;
      body = await list(query(`updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${last})`));
    }
    assert.equal(rest, 0);
    assert.equal(watch.statements.filter(counts).length, 1);
  });
});
