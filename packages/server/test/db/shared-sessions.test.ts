import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { connect, type Database } from '../../src/db/connect.ts';
import { isUnavailable, stateOf } from '../../src/db/failure.ts';
import { sql } from '../../src/db/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { reserveSession } from '../support/database/sql.ts';
import { fakeServer } from './fake-server.ts';

let testing: TestDatabase;
let database: Database;

before(async () => {
  testing = await testDatabase();
  database = connect({ url: testing.url }, { applicationName: 'shared' });
});
after(async () => {
  await database.close();
  await testing.drop();
});

test('of statements that are sent together each gets its own rows or its own error', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer(), fc.constant('fails' as const)), { maxLength: 200 }),
      async asked => {
        const outcomes = await Promise.all(
          asked.map(one =>
            one === 'fails'
              ? database.reads.run(sql`SELECT 1 / ${0}::int`).catch(stateOf)
              : database.reads.rows<{ n: string }>(sql`SELECT ${one}::text AS n`).then(rows => rows[0]!.n),
          ),
        );
        assert.deepEqual(
          outcomes,
          asked.map(one => (one === 'fails' ? '22012' : String(one))),
        );
      },
    ),
    { numRuns: 30 },
  ));

test('however many wait, four sessions serve them, and one that is slow holds up its own session only', async () => {
  const holder = await reserveSession(testing.database.sql);
  await holder`SELECT pg_advisory_lock(1)`;
  const slow = database.reads.run(sql`SELECT pg_advisory_lock_shared(${1}::bigint)`);
  await waitForLocks(testing.database.sql, [slow]);
  await Promise.all(Array.from({ length: 500 }, (_, n) => database.reads.run(sql`SELECT ${n}::int`)));
  const sessions = await database.reads.run(
    sql`SELECT FROM pg_stat_activity WHERE application_name = 'shared'`,
  );
  assert.ok(sessions <= 2);
  await holder`SELECT pg_advisory_unlock(1)`;
  await slow;
  holder.release();
});

test('those on a session that is lost fail as unavailable, those that come later do not', async () => {
  let unresponsive = true;
  const { url, stop } = await fakeServer({
    onStatement(socket) {
      if (!unresponsive) socket.write(Buffer.from('I\0\0\0\x04Z\0\0\0\x05I', 'latin1'));
    },
  });
  const { reads, close } = connect({ url }, { deadline: 500 });
  const lost = await Promise.allSettled(Array.from({ length: 10 }, () => reads.run(sql`SELECT`)));
  assert.ok(lost.every(result => result.status === 'rejected' && isUnavailable(result.reason)));
  unresponsive = false;
  assert.equal(await reads.run(sql`SELECT`), 0);
  await close();
  await stop();
});

test('when no session can be opened, all waiting callers get the error', async () => {
  const away = connect({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => away.reads.run(sql`SELECT 1`)));
  assert.ok(results.every(result => result.status === 'rejected' && isUnavailable(result.reason)));
  await away.close();
});
