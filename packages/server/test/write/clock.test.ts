import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOrganization } from '../../src/features/organizations/store.ts';
import { takeClock } from '../../src/write/clock.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';

let testing: TestDatabase;

before(async () => (testing = await testDatabase()));
after(() => testing.drop());

test('an instant is a millisecond later than the one before where the clock is ahead of the database', async () => {
  const { sql, writes } = testing.database;
  const organization = await createOrganization(writes, 'Ahead');
  await sql`UPDATE organization SET clock = '2200-01-01T00:00:00Z' WHERE id = ${organization}`;
  const instants = [await takeClock(writes, organization), await takeClock(writes, organization)];
  assert.deepEqual(
    instants.map(instant => instant.toISOString()),
    ['2200-01-01T00:00:00.001Z', '2200-01-01T00:00:00.002Z'],
  );
});
