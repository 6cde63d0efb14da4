import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { connect, type Database } from '../../src/db/connect.ts';
import { UnconfirmedCommit, isUnavailable, isUncertain } from '../../src/db/failure.ts';
import { sql } from '../../src/db/sql.ts';
import { inTransaction, RollBack, type Session } from '../../src/db/transaction.ts';
import { failure as reply, fakeServer, stored as storedReply } from './fake-server.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { ofTest } from '../support/database/sent-statements.ts';

let testing: TestDatabase;
/** A pool of one connection, so that the next caller gets the one that took the place of a lost one. */
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

/** A transaction that has done its first statement and then waits for something that is not the database. */
function waitingTransaction<T>(rest: (session: Session) => Promise<T>) {
  const began = Promise.withResolvers<number>();
  const outside = Promise.withResolvers<void>();
  const transaction = inTransaction(single.writes, async session => {
    const [row] = await session.rows<{ pid: number }>(sql`
      WITH noted AS (INSERT INTO note VALUES ('first')) SELECT pg_backend_pid() AS pid`);
    began.resolve(row!.pid);
    await outside.promise;
    return rest(session);
  });
  const lost = assert.rejects(transaction, isUnavailable);
  return { pid: began.promise, goOn: outside.resolve, lost };
}

/** The pool has a session that works, at once. */
async function poolGoesOn(): Promise<void> {
  assert.deepEqual(await single.writes.rows(sql`SELECT 1 AS one`), [{ one: 1 }]);
}

/** Ends the server process of the session, as an operator or a restart does. */
const terminate = (pid: number) => testing.database.sql`SELECT pg_terminate_backend(${pid}::int, 5000)`;

const record = (text: string) => sql`INSERT INTO note VALUES (${text})`;

describe('a transaction', () => {
  test('commits and returns the result of its work', async () => {
    const result = await inTransaction(single.writes, async session => {
      await session.run(record('kept'));
      return 42;
    });
    assert.deepEqual([result, await stored()], [42, ['kept']]);
  });

  test('is rolled back by an error of its work, which it fails with', async () => {
    const rejection = new Error('rejected');
    const transaction = inTransaction(single.writes, async session => {
      await session.run(record('gone'));
      throw rejection;
    });
    await assert.rejects(transaction, error => error === rejection);
    assert.deepEqual(await stored(), []);
  });

  test('fails with the statement that failed, also where the error of one behind it is thrown', async () => {
    const transaction = inTransaction(single.writes, async session => {
      const failing = session.run(sql`SELECT 1 / ${0}::int`);
      failing.catch(() => {});
      await session.run(record('gone'));
    });
    // division_by_zero, and not in_failed_sql_transaction
    await assert.rejects(transaction, { code: '22012' });
    assert.deepEqual(await stored(), []);
  });

  test('that is rolled back on purpose has a result all the same', async () => {
    const result = await inTransaction(single.writes, async session => {
      await session.run(record('gone'));
      throw new RollBack('result');
    });
    assert.deepEqual([result, await stored()], ['result', []]);
  });

  test('of which a statement failed unnoticed is an error, not a success that stored nothing', async () => {
    const transaction = inTransaction(single.writes, async session => {
      await session.run(record('gone'));
      await session.run(ofTest(sql`SELECT 1 / 0`)).catch(() => {});
    });
    await assert.rejects(transaction, /rolled the transaction back/);
    assert.deepEqual(await stored(), []);
    await poolGoesOn();
  });

  test('that is over sends nothing more', async () => {
    const session = await inTransaction(single.writes, async session => session);
    await assert.rejects(session.run(record('late')), /is over/);
    assert.deepEqual(await stored(), []);
  });

  test('whose BEGIN fails sends nothing else', async () => {
    const sent: string[] = [];
    const { url, stop } = await fakeServer({
      onStatement(socket, bytes) {
        sent.push(bytes.toString('latin1'));
        socket.write(Buffer.concat([reply('E', 'ERROR', '57014'), Buffer.from('Z\0\0\0\x05I')]));
      },
    });
    const { writes, close } = connect({ url }, { poolSize: 1 });
    await assert.rejects(
      inTransaction(writes, session => session.run(record('alone'))),
      isUnavailable,
    );
    assert.equal(sent.length, 1);
    assert.match(sent[0]!, /BEGIN/);
    await close();
    await stop();
  });
});

describe('a commit that no standby has confirmed', () => {
  const warned = (reply_: Buffer, routine = 'SyncRepWaitForLSN') =>
    Buffer.concat([reply('N', 'WARNING', '01000', routine), reply_]);

  /** What becomes of a statement that the server replies to with this warning. */
  async function outcome(warning: Buffer): Promise<'stored' | 'uncertain'> {
    const { url, stop } = await fakeServer({
      onStatement: socket => socket.write(Buffer.concat([warning, storedReply])),
    });
    const { writes, close } = connect({ url });
    const written = await writes.run(record('kept?')).then(
      () => 'stored' as const,
      (error: unknown) => (isUncertain(error) ? ('uncertain' as const) : Promise.reject(error as Error)),
    );
    await close();
    await stop();
    return written;
  }

  test('is distinguished from other warnings by the function of the server that sends it', async () => {
    const of = (state: string, routine?: string) => outcome(reply('N', 'WARNING', state, routine));
    assert.equal(await of('01000', 'FinishRemoteTransactionCommit'), 'uncertain');
    assert.equal(await of('01000', 'ReportResultError'), 'uncertain');
    assert.equal(await of('57P01', 'SyncRepWaitForLSN'), 'uncertain');
    assert.equal(await of('01000'), 'uncertain');
    assert.equal(await of('01000', 'InitializeMaintenanceDaemonBackend'), 'stored');
    assert.equal(await of('25P01', 'WarnNoTransactionBlock'), 'stored');
  });

  test('is an uncertain outcome, for a statement by itself', async () => {
    const { url, stop } = await fakeServer({ onStatement: socket => socket.write(warned(storedReply)) });
    const { writes, close } = connect({ url });
    await assert.rejects(
      writes.run(record('kept?')),
      error => error instanceof UnconfirmedCommit && isUnavailable(error) && isUncertain(error),
    );
    await close();
    await stop();
  });

  test('is an uncertain outcome, for a transaction, which a warning before its commit is not', async () => {
    const done = (command: string, status: string) =>
      Buffer.from(`C\0\0\0${String.fromCharCode(command.length + 5)}${command}\0Z\0\0\0\x05${status}`);
    let commit = done('COMMIT', 'I');
    const { url, stop } = await fakeServer({
      onStatement(socket, bytes) {
        const text = bytes.toString('latin1');
        if (text.includes('BEGIN')) socket.write(done('BEGIN', 'T'));
        else socket.write(text.includes('COMMIT') ? commit : warned(storedReply));
      },
    });
    const { writes, close } = connect({ url }, { poolSize: 1 });
    const transaction = () => inTransaction(writes, session => session.run(record('kept?')));
    assert.equal(await transaction(), 1);
    commit = warned(commit);
    await assert.rejects(transaction(), UnconfirmedCommit);
    await close();
    await stop();
  });
});

describe('a transaction whose connection is lost between two statements', () => {
  test('fails as unavailable with its next statement, of which nothing is stored, and the pool goes on', async () => {
    const { pid, goOn, lost } = waitingTransaction(session => session.run(record('second')));
    await terminate(await pid);
    goOn();
    await lost;
    await poolGoesOn();
    assert.deepEqual(await stored(), []);
  });

  test('does not roll back on it when its work fails for another reason', async () => {
    const rejection = new Error('rejected');
    const { pid, goOn, lost } = waitingTransaction(() => Promise.reject(rejection));
    await terminate(await pid);
    goOn();
    await assert.rejects(lost);
    await poolGoesOn();
  });
});

describe('a transaction whose connection is lost during a statement', () => {
  test('fails as unavailable, also what was sent behind it, and the pool goes on', async () => {
    const pid = Promise.withResolvers<number>();
    const transaction = inTransaction(single.writes, async session => {
      const [row] = await session.rows<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      const sent = [sql`SELECT pg_sleep(${60})`, sql`SELECT 2`, sql`SELECT 3`].map(one => session.run(one));
      const settled = Promise.allSettled(sent);
      pid.resolve(row!.pid);
      for (const result of await settled)
        assert.ok(result.status === 'rejected' && isUnavailable(result.reason));
      await sent[0];
    });
    const lost = assert.rejects(transaction, isUnavailable);
    await terminate(await pid.promise);
    await lost;
    await poolGoesOn();
  });
});

test('errors of the server are counted by SQLSTATE class, without those of statements behind a failed one', async () => {
  const { writes } = single;
  const before = new Map(writes.state.errors);
  const more = (name: string) => (writes.state.errors.get(name) ?? 0) - (before.get(name) ?? 0);
  await assert.rejects(
    inTransaction(writes, async session => {
      session.post(sql`INSERT INTO note VALUES ('twice'), ('twice')`);
      session.post(sql`INSERT INTO note VALUES ('behind')`);
    }),
    { code: '23505' },
  );
  await assert.rejects(
    inTransaction(writes, async session => {
      session.post(sql`SET TRANSACTION READ ONLY`);
      await session.run(sql`INSERT INTO note VALUES ('first')`);
    }),
    { code: '25006' },
  );
  assert.deepEqual([more('23'), more('25'), more('53')], [1, 1, 0]);
});
