import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { connect, type Database } from '../../src/database/connect.ts';
import { isUnavailable } from '../../src/database/failure.ts';
import { inTransaction, RollBack, type Session } from '../../src/database/transaction.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let testing: TestDatabase;
/** A pool of one connection, so that whoever comes next gets the one that took the place of a lost one. */
let single: Database;

before(async () => {
  testing = await testDatabase();
  single = connect({ url: testing.url }, { poolSize: 1 });
  await testing.database.sql`CREATE TABLE note (text text PRIMARY KEY)`;
});
beforeEach(() => testing.database.sql`TRUNCATE note`);
after(async () => {
  await single.close();
  await testing.drop();
});

const stored = async () =>
  (await testing.database.sql`SELECT text FROM note ORDER BY text`).map(row => row['text']);

/** A transaction that has done its first statement and then waits for something that is none of the database. */
function waitingTransaction<T>(rest: (session: Session) => Promise<T>) {
  const began = Promise.withResolvers<number>();
  const outside = Promise.withResolvers<void>();
  const rested = Promise.withResolvers<PromiseSettledResult<T>>();
  const transaction = inTransaction(single.sql, async session => {
    const [row] = await session<{ pid: number }[]>`
      WITH noted AS (INSERT INTO note VALUES ('first')) SELECT pg_backend_pid() AS pid`;
    began.resolve(row!.pid);
    await outside.promise;
    const [result] = await Promise.allSettled([(async () => rest(session))()]);
    rested.resolve(result);
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const lost = assert.rejects(transaction, isUnavailable);
  return { pid: began.promise, goOn: outside.resolve, rested: rested.promise, lost };
}

/** The driver tells the first one on the next connection of what the server said when it ended the last one, once. */
async function poolGoesOn(): Promise<void> {
  await single.sql`SELECT 1`.catch((error: unknown) => assert.ok(isUnavailable(error)));
  assert.deepEqual([...(await single.sql`SELECT 1 AS one`)], [{ one: 1 }]);
}

/** Ends the server process of the session, as an operator or a restart does. */
const terminate = (pid: number) => testing.database.sql`SELECT pg_terminate_backend(${pid}, 5000)`;

describe('a transaction', () => {
  test('commits and answers what its work answered', async () => {
    const answer = await inTransaction(single.sql, async session => {
      await session`INSERT INTO note VALUES ('kept')`;
      return 42;
    });
    assert.deepEqual([answer, await stored()], [42, ['kept']]);
  });

  test('is rolled back by an error of its work, which it fails with', async () => {
    const refusal = new Error('refused');
    const transaction = inTransaction(single.sql, async session => {
      await session`INSERT INTO note VALUES ('gone')`;
      throw refusal;
    });
    await assert.rejects(transaction, error => error === refusal);
    assert.deepEqual(await stored(), []);
  });

  test('that is rolled back on purpose answers all the same', async () => {
    const answer = await inTransaction(single.sql, async session => {
      await session`INSERT INTO note VALUES ('gone')`;
      throw new RollBack('answer');
    });
    assert.deepEqual([answer, await stored()], ['answer', []]);
  });
});

describe('a transaction whose connection is lost between two statements', () => {
  test('fails at once as unavailable, whatever its work waits for, and the pool goes on', async () => {
    const { pid, lost } = waitingTransaction(session => session`INSERT INTO note VALUES ('second')`);
    await terminate(await pid);
    await lost;
    await poolGoesOn();
    assert.deepEqual(await stored(), []);
  });

  test('sends nothing more, whether the connection is gone or has been replaced', async () => {
    for (const replaced of [false, true]) {
      const { pid, goOn, rested, lost } = waitingTransaction(
        session => session`INSERT INTO note VALUES ('second')`,
      );
      await terminate(await pid);
      await lost;
      if (replaced) await poolGoesOn();
      goOn();
      const result = await rested;
      assert.equal(result.status, 'rejected');
      assert.ok(isUnavailable(result.reason));
      assert.deepEqual(await stored(), []);
    }
  });

  test('does not roll back on it when its work fails for another reason', async () => {
    const { pid, goOn, rested, lost } = waitingTransaction(() => Promise.reject(new Error('refused')));
    await terminate(await pid);
    await lost;
    goOn();
    await rested;
    await poolGoesOn();
  });
});

describe('a transaction whose connection is lost during a statement', () => {
  test('fails as unavailable, and the pool goes on', async () => {
    const pid = Promise.withResolvers<number>();
    const transaction = inTransaction(single.sql, async session => {
      const [row] = await session<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      const waiting = session`SELECT pg_sleep(60)`.execute();
      pid.resolve(row!.pid);
      await waiting;
    });
    const lost = assert.rejects(transaction, isUnavailable);
    await terminate(await pid.promise);
    await lost;
    await poolGoesOn();
  });

  test('does not wait for statements that were still to be sent', async () => {
    const pid = Promise.withResolvers<number>();
    const transaction = inTransaction(single.sql, async session => {
      const [row] = await session<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      // The first is described before it is run, and the others wait in the driver meanwhile.
      const statements = [session`SELECT pg_sleep(${60})`, session`SELECT 2`, session`SELECT 3`];
      const settled = Promise.allSettled(statements);
      pid.resolve(row!.pid);
      await settled;
    });
    const lost = assert.rejects(transaction, isUnavailable);
    await terminate(await pid.promise);
    await lost;
    await poolGoesOn();
  });
});
