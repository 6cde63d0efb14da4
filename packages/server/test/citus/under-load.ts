import assert from 'node:assert/strict';
import { assertOrdered, newWorkload, poll, Writer } from '../features/employees/polling-workload.ts';
import { apiClient } from '../support/contract/client.ts';
import { countersOf, storeEmployees } from '../support/data/employees.ts';
import type { Sql } from '../support/database/sql.ts';
import type { TestData } from '../support/data/test-data.ts';

/** The fewest changes that are made meanwhile. */
const fewest = 300;

/** So that no two writers of a process create employees of the same email. */
let writers = 0;

/** Where the load goes. */
export interface Loaded {
  readonly sql: Sql;
  readonly testData: TestData;
  /** The address of the service. */
  readonly url: string;
}

/**
 * Does the work while four clients write to the organization of the fixture and one polls, who all go on until it is done. Then asserts
 * that the poller has the last version of every employee and no row twice, that no acknowledged write is lost or out of order,
 * and that the counters are exact. Returns how many writes were answered 503.
 */
export async function underLoad({ sql, testData, url }: Loaded, work: () => Promise<void>): Promise<number> {
  const staff = Array.from({ length: 4 }, () => ({ tenant: testData.tenantA, divisionId: testData.sales }));
  const shared = await storeEmployees(sql, testData.organization, staff);
  const clients = [1, 2, 3, 4].map(() => apiClient(url, { key: testData.keys.all }));
  const workload = newWorkload();
  let [working, writing] = [true, true];
  const running = clients.map(client =>
    new Writer(client, { number: writers++, workload, tenant: testData.tenantA }).run(
      shared,
      () => workload.changes >= fewest && !working,
    ),
  );
  const polling = poll([clients[0]!], { pageSize: 20, finished: () => !writing });
  const worked = work().finally(() => {
    working = false;
  });
  const ended = await Promise.allSettled([worked, ...running]);
  writing = false;
  const { versions } = await polling;
  clients.forEach(client => client.close());
  for (const each of ended) if (each.status === 'rejected') throw each.reason;

  const rows = await sql<{ id: string; doc: string }[]>`
    SELECT id, doc FROM employee WHERE organization_id = ${testData.organization}`;
  assert.deepEqual(versions, new Map(rows.map(row => [row.id, row.doc])));
  assertOrdered(workload.acknowledged);
  const { kept, real } = await countersOf(sql, testData.organization);
  assert.deepEqual(kept, real);
  for (const { id, field, value } of workload.shared.values())
    assert.equal(JSON.parse(versions.get(id)!)[field], value);
  return workload.rejected;
}
