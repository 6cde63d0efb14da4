import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { incidentCounters, type IncidentTestData, incidentTestData } from '../incidents/support.ts';

/** Orders and incidents follow their employee into another division, by the write that moves the employee. */
let context: IncidentTestData;

before(async () => {
  context = await incidentTestData();
});
after(() => context.close());

/** Where the rows of an employee stand, and how the counters of orders differ from those before the first move. */
async function standing(employeeId: string) {
  const { sql, testData } = context;
  const places = await sql<{ place: string | null }[]>`
    SELECT division_id AS place FROM employee_order WHERE employee_id = ${employeeId}
    UNION ALL SELECT division_id FROM incident WHERE employee_id = ${employeeId}`;
  const counters = await sql<{ scope: string; n: number }[]>`
    SELECT scope, n::int FROM counter
    WHERE organization_id = ${testData.organization} AND resource_type = 'order' AND n <> 0 AND scope <> ''`;
  return {
    places: places.map(({ place }) => place),
    orders: Object.fromEntries(counters.map(({ scope, n }) => [scope, n])),
  };
}

async function assertFollowed(): Promise<void> {
  const { client, sql, testData } = context;
  const { sales, north, support } = testData;
  const { employeeId } = await context.reported({}, { divisionId: sales });
  await context.order(employeeId);
  const { orders: earlier } = await standing(employeeId);
  const there = (more: Record<string, number>) => {
    const all = new Set([...Object.keys(earlier), ...Object.keys(more)]);
    const sums = [...all].map(scope => [scope, (earlier[scope] ?? 0) + (more[scope] ?? 0)] as const);
    return Object.fromEntries(sums.filter(([, n]) => n !== 0));
  };
  const moves: [string | null, Record<string, number>][] = [
    [north, { [sales]: -2, [north]: 2 }],
    [null, { [sales]: -2 }],
    [support, { [sales]: -2, [support]: 2 }],
    [sales, {}],
  ];
  for (const [divisionId, counted] of moves) {
    const moved = await client.patch(`/employees/${employeeId}`, { divisionId });
    assert.equal(moved.status, 200);
    assert.deepEqual(await standing(employeeId), {
      places: [divisionId, divisionId, divisionId],
      orders: there(counted),
    });
    const { kept, real } = await incidentCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
  }
}

describe('what belongs to an employee', () => {
  test('is moved and counted once', assertFollowed);

  test('stays where it is in a dry run', async () => {
    const { client, testData } = context;
    const { employeeId } = await context.reported({}, { divisionId: testData.sales });
    const before = await standing(employeeId);
    const query = { dryRun: true };
    assert.equal(
      (await client.patch(`/employees/${employeeId}`, { divisionId: testData.north }, { query })).status,
      200,
    );
    assert.deepEqual(await standing(employeeId), before);
  });
});
