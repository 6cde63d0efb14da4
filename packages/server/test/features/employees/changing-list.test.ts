import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import type { Sql } from '../../support/database/sql.ts';
import type { ApiClient } from '../../support/contract/client.ts';
import { useFixture } from '../../support/service/fixture.ts';
import { removeEmployee, storeEmployees } from '../../support/data/employees.ts';
import type { TestData } from '../../support/data/test-data.ts';

let sql: Sql;
let testData: TestData;
let client: ApiClient;

useFixture(async fixture => {
  ({ sql, testData, client } = fixture);
});

/** Sixty people with many equal last names, a third of them none. */
function crowd(city: string): Promise<Employee[]> {
  const staff = Array.from({ length: 60 }, (_, n) => ({
    firstName: `N${n}`,
    lastName: n % 3 === 0 ? null : `L${n % 7}`,
    city,
    tenant: testData.tenantA,
  }));
  return storeEmployees(sql, testData.organization, staff);
}

const smallId = (n: number) => n.toString(16).padStart(24, '0');

/** What goes in front of everything in the order of the sort. */
function newcomer(sort: string, n: number) {
  const lastName = sort === '-lastName' ? 'zzz' : null;
  const id = sort.startsWith('-') ? smallId(n).replace(/^0/, 'f') : smallId(n);
  return { id, lastName };
}

/** Asks page after page, up to the last one that the answers speak of, and answers the identifiers on them. */
async function readPages(
  sort: string,
  city: string,
  meanwhile: (page: number, ids: string[]) => Promise<void>,
) {
  const visited: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = { sort, page, pageSize: 7, filter: `city = '${city}'` };
    const { body } = await client.get('/employees', { query });
    pages = body.totalPages;
    const ids = body.items.map((item: Employee) => item.id);
    visited.push(...ids);
    await meanwhile(page, ids);
  }
  assert.equal(new Set(visited).size, visited.length, 'a row came twice');
  return visited;
}

describe('a walk by page while the list changes', () => {
  for (const [index, sort] of ['id', '-id', 'lastName', '-lastName', 'createdAt'].entries()) {
    test(`in the order of ${sort} repeats and skips no row when others arrive in front of it`, async () => {
      const city = `Arrivals ${sort}`;
      const here = (await crowd(city)).map(employee => employee.id);
      const visited = await readPages(sort, city, async page => {
        if (page > 10) return;
        const arrivals = [0, 1, 2].map(n => newcomer(sort, index * 1000 + page * 10 + n));
        const staff = arrivals.map(arrival => ({ ...arrival, city, tenant: testData.tenantA }));
        await storeEmployees(sql, testData.organization, staff);
      });
      assert.deepEqual(
        here.filter(id => !visited.includes(id)),
        [],
      );
    });

    test(`in the order of ${sort} skips no row when those before it leave`, async () => {
      const city = `Departures ${sort}`;
      const here = (await crowd(city)).map(employee => employee.id);
      const visited = await readPages(sort, city, async (_, ids) => {
        for (const id of ids) await removeEmployee(sql, testData.organization, id);
      });
      assert.deepEqual(visited.toSorted(), here.toSorted());
    });
  }
});

describe('totals while the list changes', () => {
  const person = () => ({
    email: `${crypto.randomUUID()}@example.com`,
    firstName: 'A',
    lastName: 'B',
    city: 'Total',
  });

  async function totals(): Promise<number[]> {
    const queries = [{}, { filter: 'city = Total' }, { filter: 'blocked = true AND city = Total' }];
    const keys = [testData.keys.all, testData.keys.tenantA, testData.keys.sales];
    const asked = keys.flatMap(key => queries.map(query => client.get('/employees', { key, query })));
    return (await Promise.all(asked)).map(answer => answer.body.totalElements);
  }

  test('are exact at once after a create, an update and a move', async () => {
    const start = await totals();
    const grown = async (by: number[]) =>
      assert.deepEqual(
        await totals(),
        start.map((n, i) => n + by[i]!),
      );
    const { body } = await client.post('/employees', person(), { tenant: testData.tenantA });
    await grown([1, 1, 0, 1, 1, 0, 0, 0, 0]);
    await client.patch(`/employees/${body.id}`, { blocked: true, divisionId: testData.north });
    await grown([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    await client.patch(`/employees/${body.id}`, { divisionId: testData.support });
    await grown([1, 1, 1, 1, 1, 1, 0, 0, 0]);
    await client.patch(`/employees/${body.id}`, { city: 'Elsewhere', divisionId: testData.sales });
    await grown([1, 0, 0, 1, 0, 0, 1, 0, 0]);
  });

  test('are the same after a dry run', async () => {
    const start = await totals();
    const query = { dryRun: true };
    await client.post('/employees', person(), { tenant: testData.tenantA, query });
    assert.deepEqual(await totals(), start);
  });
});
