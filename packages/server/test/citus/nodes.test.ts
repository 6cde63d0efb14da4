import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { distribute, migrate } from '../../src/db/migrate.ts';
import { emptyClusterDatabase, type TestDatabase, testNodes } from '../support/database/database.ts';
import type { Node } from '../support/database/nodes.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';
import { moveOrganization, placeOf, shardsAt } from './shards.ts';
import { underLoad } from './under-load.ts';

const nodes = await testNodes();
const skip = nodes === null && 'needs a Citus cluster: npm run test:citus';
const timeout = 180_000;

// The steps of docs/scaling.md for an operator, in that order, each while four clients write and one polls. All in one file, since Citus
// names roles of a server by the number of the move, which two databases would both take.
describe('while the service serves', { skip }, () => {
  let testing: TestDatabase;
  let testData: TestData;
  let service: TestService;
  let first: Node;
  let second: Node;
  before(async () => {
    [, first, second] = nodes as [Node, Node, Node];
    testing = await emptyClusterDatabase([first]);
    await migrate(testing.database);
    await distribute(testing.database);
    testData = await insertTestData(testing.database.sql);
    service = await startService(testing.database.sql);
  });
  after(async () => {
    await service.stop();
    await testing.drop();
  });
  const load = (work: () => Promise<void>) =>
    underLoad({ sql: testing.database.sql, testData, url: service.url }, work);

  test('a node is added and takes its part of the shards', { timeout }, async () => {
    const { sql } = testing.database;
    assert.equal(await shardsAt(sql, second), 0);
    const all = await shardsAt(sql, first);
    await load(async () => {
      await sql`SELECT citus_add_node(${second.host}, ${second.port}::int)`;
      await sql`SELECT citus_rebalance_start()`;
      await sql`SELECT citus_rebalance_wait()`;
    });
    assert.deepEqual([await shardsAt(sql, first), await shardsAt(sql, second)], [all / 2, all / 2]);
  });

  test('an organization moves to another node and back', { timeout }, async () => {
    const { sql } = testing.database;
    await load(async () => {
      for (let n = 0; n < 3; n++) await moveOrganization(sql, testData.organization);
    });
  });

  test('a node is emptied, the organization included', { timeout }, async () => {
    const { sql } = testing.database;
    if ((await placeOf(sql, testData.organization)).port !== first.port)
      await moveOrganization(sql, testData.organization);
    await load(async () => {
      await sql`SELECT citus_drain_node(${first.host}, ${first.port}::int)`;
    });
    assert.equal(await shardsAt(sql, first), 0);
    assert.equal((await placeOf(sql, testData.organization)).port, second.port);
    await sql`SELECT citus_set_node_property(${first.host}, ${first.port}::int, 'shouldhaveshards', true)`;
  });

  // Writes wait for the split: without that it does not end while rows change (Citus, issue 6790).
  test('an organization gets a shard of its own, and moves to another node', { timeout }, async () => {
    const { sql } = testing.database;
    const { shard } = await placeOf(sql, testData.organization);
    await load(async () => {
      await sql`SELECT isolate_tenant_to_new_shard('organization', ${testData.organization}::text, 'CASCADE', 'block_writes')`;
      await moveOrganization(sql, testData.organization);
    });
    const place = await placeOf(sql, testData.organization);
    assert.notEqual(place.shard, shard);
    assert.equal(place.port, first.port);
    const [range] = await sql`
      SELECT shardminvalue = shardmaxvalue AS single FROM pg_dist_shard WHERE shardid = ${place.shard}::bigint`;
    assert.equal(range!.single, true);
  });

  test('a restore point is made on every node', { timeout }, async () => {
    const { sql } = testing.database;
    await load(async () => {
      for (let n = 0; n < 20; n++) await sql`SELECT citus_create_restore_point(${`point ${n}`})`;
    });
  });
});
