import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertOrdered, newWorkload, poll, Writer } from '../employees/polling-workload.ts';
import { apiClient } from '../support/client.ts';
import { testDatabase, type TestDatabase, testNodes } from '../support/database.ts';
import { countersOf, storeEmployees } from '../support/employees.ts';
import { startService, type TestService } from '../support/service.ts';
import { createWorld, type World } from '../support/world.ts';
import { moveOrganization } from './shards.ts';

const skip = (await testNodes()) === null && 'needs a Citus cluster: npm run test:citus';
/** How often the organization moves, and the fewest changes that are made meanwhile. */
const moves = 3;
const changes = 300;

let testing: TestDatabase;
let world: World;
let service: TestService;
before(async () => {
  if (skip) return;
  testing = await testDatabase();
  world = await createWorld(testing.database.sql);
  service = await startService(testing.database.sql);
});
after(async () => {
  if (skip) return;
  await service.stop();
  await testing.drop();
});

test(
  'an organization that moves to another node under load loses nothing, doubles nothing, and hides nothing from a poller',
  { skip, timeout: 120_000 },
  async () => {
    const { sql } = testing.database;
    const people = Array.from({ length: 4 }, () => ({ tenant: world.tenantA, divisionId: world.sales }));
    const shared = await storeEmployees(sql, world.organization, people);
    const clients = [1, 2, 3, 4].map(() => apiClient(service.url, { key: world.keys.all }));
    const workload = newWorkload();
    let [moving, writing] = [true, true];
    const writers = clients.map((client, number) =>
      new Writer(client, { number, workload, tenant: world.tenantA }).run(
        shared,
        () => workload.changes >= changes && !moving,
      ),
    );
    const polling = poll([clients[0]!], { pageSize: 20, finished: () => !writing });
    for (let n = 0; n < moves; n++) await moveOrganization(sql, world.organization);
    moving = false;
    await Promise.all(writers);
    writing = false;
    const { versions } = await polling;
    clients.forEach(client => client.close());

    const rows = await sql<{ id: string; doc: string }[]>`
      SELECT id, doc FROM employee WHERE organization_id = ${world.organization}`;
    assert.deepEqual(versions, new Map(rows.map(row => [row.id, row.doc])));
    assertOrdered(workload.acknowledged);
    const { kept, real } = await countersOf(sql, world.organization);
    assert.deepEqual(kept, real);
    for (const { id, field, value } of workload.shared.values())
      assert.equal(JSON.parse(versions.get(id)!)[field], value);
  },
);
