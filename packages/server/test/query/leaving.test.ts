import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { checkList, type ListParameters } from '../../src/query/check.ts';
import { Collection, type Listing } from '../../src/query/page.ts';

import type { Sql } from '../support/database/sql.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  addEmployees,
  employee,
  id,
  insertTestData,
  replaceEmployees,
  scopeOf,
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
const person = (n: number) => employee({ id: id('e', n), city: 'Bonn' });
beforeEach(() => replaceEmployees(sql, [person(1), person(2)]));

const gone = new Error('the client has gone');
const write = () => new Promise(resolve => setImmediate(resolve));
const query: ListParameters = { filter: 'city = Bonn' };

/** A collection with counting statements that end when they are released or aborted. */
function slowlyCounting() {
  const { watch, list } = watchedCollection(sql, { choosePath: () => 'ordered' });
  const counts: { signal: AbortSignal | undefined; go: () => void }[] = [];
  watch.after = ({ text }, { signal }: Listing) => {
    if (!text.includes('count(*) FROM employee')) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    counts.push({ signal, go: resolve });
    return promise;
  };
  const ask = (parameters = query) => {
    const leaving = new AbortController();
    const result = list(parameters, scopeOf('all'), null, leaving.signal);
    result.catch(() => {});
    return { result, leave: () => leaving.abort(gone) };
  };
  const counting = async (number: number) => {
    while (counts.length < number) await write();
    return counts[number - 1]!;
  };
  /** Waits until all who asked wait for counts: no other statement is in progress, for a while. */
  const settle = async () => {
    for (let still = 0; still < 20; still++) {
      await write();
      if (watch.statements.length - watch.ended > counts.length) still = 0;
    }
  };
  return { watch, list, ask, counts, counting, settle };
}

describe('a request of a client that leaves', () => {
  it('is rejected with the reason, and its statement is aborted', async () => {
    const { watch, list } = watchedCollection(sql);
    const leaving = new AbortController();
    watch.before = (_, { signal }) => {
      assert.equal(signal, leaving.signal);
      leaving.abort(gone);
      return Promise.reject(leaving.signal.reason as Error);
    };
    await assert.rejects(list({}, scopeOf('all'), null, leaving.signal), gone);
  });

  it('sends no statement when it has left before', async () => {
    const { watch, list } = watchedCollection(sql);
    await assert.rejects(list(query, scopeOf('all'), null, AbortSignal.abort(gone)), gone);
    assert.equal(watch.statements.length, 0);
  });

  it('sends no further statement, though the one under way ends as if nothing had happened', async () => {
    const leaving = new AbortController();
    let statements = 0;
    const execute = () => {
      statements++;
      leaving.abort(gone);
      return Promise.resolve([['2026-01-01', '5', '5', '0']]);
    };
    const collection = new Collection(employeeResource, execute, {
      now: () => 0,
    });
    const list = checkList(query, employeeResource.fields);
    const { signal } = leaving;
    await assert.rejects(collection.page({ scope: scopeOf('all'), tenant: null, list, signal }), gone);
    await write();
    assert.equal(statements, 1);
  });

  it('leaves a count to those who wait for it, too', async () => {
    const { ask, counts, counting, settle } = slowlyCounting();
    const requests = [ask(), ask(), ask()];
    const count = await counting(1);
    await settle();
    requests[0]!.leave();
    await assert.rejects(requests[0]!.result, gone);
    requests[2]!.leave();
    await assert.rejects(requests[2]!.result, gone);
    assert.equal(count.signal!.aborted, false);
    count.go();
    assert.equal((await requests[1]!.result).totalElements, 2);
    assert.equal(counts.length, 1);
  });

  for (const [when, prepare] of [
    ['first', () => Promise.resolve()],
    ['again', recounting],
  ] as const) {
    it(`aborts a count when the last one leaves, and the next counts again, when it is made ${when}`, async () => {
      const { ask, counts, counting, settle, list, watch } = slowlyCounting();
      await prepare(list, watch);
      const requests = [ask(), ask()];
      const count = await counting(1);
      await settle();
      for (const { leave } of requests) leave();
      for (const { result } of requests) await assert.rejects(result, gone);
      assert.equal(count.signal!.reason, gone);
      const next = ask();
      (await counting(2)).go();
      assert.equal((await next.result).totalElements, when === 'first' ? 2 : 3);
      assert.equal(counts.length, 2);
    });
  }

  it('leaves a count that it was to begin with others to them', async () => {
    const { ask, counts, counting, settle, list, watch } = slowlyCounting();
    await recounting(list, watch);
    const first = ask();
    await counting(1);
    await addEmployees(sql, [person(4)]);
    const later = [ask(), ask()];
    await settle();
    counts[0]!.go();
    assert.equal((await first.result).totalElements, 3);
    const count = await counting(2);
    await settle();
    later[0]!.leave();
    await assert.rejects(later[0]!.result, gone);
    assert.equal(count.signal!.aborted, false);
    count.go();
    assert.equal((await later[1]!.result).totalElements, 4);
    assert.equal(counts.length, 2);
  });
});

/** Has the total cached, and then something written. */
async function recounting(
  list: ReturnType<typeof slowlyCounting>['list'],
  watch: ReturnType<typeof slowlyCounting>['watch'],
): Promise<void> {
  const { after: slowly } = watch;
  watch.after = () => Promise.resolve();
  assert.equal((await list(query)).totalElements, 2);
  await addEmployees(sql, [person(3)]);
  watch.after = slowly;
}
