import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { connect as open, type ConnectOptions, type Database } from '../../src/db/connect.ts';
import { isRejected, isUnavailable, isUncertain, stateOf, violatedConstraint } from '../../src/db/failure.ts';
import { sql as statement } from '../../src/db/sql.ts';
import type { DatabaseTarget } from '../../src/db/open-session.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { failure as reply, fakeServer as startServer } from './fake-server.ts';

let fresh: TestDatabase;

before(async () => {
  fresh = await testDatabase();
});

after(() => fresh.drop());

/** What a test has started, also when it fails. */
let started: AsyncDisposableStack;
beforeEach(() => {
  started = new AsyncDisposableStack();
});
afterEach(() => started.disposeAsync());

function connect(target: DatabaseTarget, options?: ConnectOptions): Database {
  const database = open(target, options);
  started.defer(() => database.close());
  return database;
}

async function fakeServer(onStatement: (socket: Socket) => void): Promise<string> {
  const { url, stop } = await startServer({ onStatement });
  started.defer(stop);
  return url;
}

const one = statement`SELECT 1`;

/** The error that the work ends with. */
async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  );
}

async function assertUnavailable(work: PromiseLike<unknown>, what: string | RegExp): Promise<void> {
  const error = await failure(work);
  if (typeof what === 'string') assert.equal(stateOf(error), what);
  else assert.match((error as Error).message, what);
  assert.equal(isUnavailable(error), true);
}

test('a lock that is not granted in time', async () => {
  const { sql } = fresh.database;
  await sql`CREATE TABLE locked ()`;
  await sql.begin(async holder => {
    await holder`LOCK TABLE locked`;
    await assertUnavailable(
      sql.begin(async waiter => {
        await waiter`SET LOCAL lock_timeout = 10`;
        await waiter`SELECT FROM locked`;
      }),
      '55P03',
    );
  });
});

test('a statement that takes too long', async () => {
  await assertUnavailable(
    fresh.database.sql.begin(async transaction => {
      await transaction`SET LOCAL statement_timeout = 10`;
      await transaction`SELECT pg_sleep(60)`;
    }),
    '57014',
  );
});

test('a session that the server ends', async () => {
  const { reads } = connect({ url: fresh.url }, { poolSize: 1 });
  const ended = await failure(reads.run(statement`SELECT pg_terminate_backend(pg_backend_pid())`));
  assert.equal(isUnavailable(ended), true);
  assert.equal(await reads.run(one), 1);
});

test('a role or server that has no connection left', async () => {
  const { sql } = fresh.database;
  const role = `kontor_test_${process.pid}`;
  await sql.unsafe(`CREATE ROLE "${role}" LOGIN PASSWORD 'x' CONNECTION LIMIT 0`);
  const url = new URL(fresh.url);
  url.username = role;
  url.password = 'x';
  const crowded = connect({ url: url.href });
  await assertUnavailable(crowded.reads.run(one), '53300');
  await sql.unsafe(`DROP ROLE "${role}"`);
});

test('a server that does not run', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  const network = connect({ url: `postgres://127.0.0.1:${port}/kontor` });
  await assertUnavailable(network.reads.run(one), /ECONNREFUSED/);
  const socket = connect({
    socketDirectory: '/nonexistent',
    user: 'kontor',
    password: async () => 'secret',
    database: 'kontor',
  });
  await assertUnavailable(socket.reads.run(one), /ENOENT/);
});

test('a server that accepts no session and sends nothing', async () => {
  const unresponsive = createServer().listen(0, '127.0.0.1');
  await once(unresponsive, 'listening');
  const { port } = unresponsive.address() as AddressInfo;
  const { reads } = connect({ url: `postgres://127.0.0.1:${port}/kontor` }, { timeout: 50 });
  await assertUnavailable(reads.run(one), /timeout/);
  unresponsive.close();
});

test('a server that sends nothing on an open session; the session is not used again', async () => {
  let unresponsive = 0;
  const url = await fakeServer(() => void unresponsive++);
  const { reads } = connect({ url }, { deadline: 50, poolSize: 1 });
  await assertUnavailable(reads.run(one), /no reply within 50 ms/);
  assert.equal(reads.state.sessions, 0);
  assert.equal(reads.state.lost, 1);
  await assertUnavailable(reads.run(one), /no reply within 50 ms/);
  assert.equal(unresponsive, 2);
});

test('a server that ends a session as soon as it has begun', async () => {
  const url = await fakeServer(socket => socket.end(reply('E', 'FATAL', '57P01')));
  const database = connect({ url });
  assert.equal(isUnavailable(await failure(database.reads.run(one))), true);
});

for (const [how, severity, state, routine] of [
  ['in English', 'ERROR', '08006', undefined],
  ['in another language', 'FEHLER', '08006', 'ReportConnectionError'],
  ['of a commit', 'ERROR', 'XX000', 'ErrorIfPostCommitFailedShardPlacements'],
] as const)
  test(`a coordinator that reports ${how} that it has lost a node; the session is used again`, async () => {
    const lost = Buffer.concat([reply('E', severity, state, routine), Buffer.from('Z\0\0\0\x05I')]);
    const url = await fakeServer(socket => socket.write(lost));
    const { reads } = connect({ url }, { poolSize: 1 });
    await assertUnavailable(reads.run(one), state);
    assert.equal(isUncertain(await failure(reads.run(one))), true);
    const { sessions, lost: sessionsLost, nodeFailures } = reads.state;
    assert.deepEqual([sessions, sessionsLost, nodeFailures], [1, 0, 2]);
  });

test('a node that rejects rows which a coordinator copies to it: not now, unless the message names a constraint', async () => {
  const rejection = (message: string) =>
    Buffer.concat([reply('E', 'ERROR', 'XX000', 'ReportCopyError', message), Buffer.from('Z\0\0\0\x05I')]);
  let message = 'canceling statement due to lock timeout';
  const url = await fakeServer(socket => socket.write(rejection(message)));
  const { writes } = connect({ url }, { poolSize: 1 });
  const timeout = await failure(writes.run(one));
  assert.deepEqual([isUnavailable(timeout), isRejected(timeout)], [true, true]);
  message = 'duplicate key value violates unique constraint "employee_email_102008"';
  const duplicate = await failure(writes.run(one));
  assert.deepEqual([isUnavailable(duplicate), isRejected(duplicate)], [false, true]);
  assert.equal(violatedConstraint(duplicate), 'employee_email');
});

test('bytes that are no reply of a server', async () => {
  const url = await fakeServer(socket => socket.write('?\0\0\0\x08what'));
  const database = connect({ url }, { deadline: 1_000 });
  assert.equal(isUnavailable(await failure(database.reads.run(one))), true);
  assert.equal(database.reads.state.lost, 1);
});

test('a pool that is closed', async () => {
  const { reads, close } = open({ url: fresh.url });
  const running = failure(reads.run(statement`SELECT pg_sleep(60)`));
  await close();
  assert.equal(isUnavailable(await running), true);
  await assertUnavailable(reads.run(one), /after calling end/);
});

test('what is wrong in itself is not a matter of availability', async () => {
  const { sql } = fresh.database;
  const errors = [
    await failure(sql`SELECT 1 / 0`),
    await failure(sql`SELECT * FROM missing`),
    await failure(sql`INSERT INTO setting (name, value) VALUES ('x', NULL)`),
    await failure(sql`SELECT ${{ toJSON: () => 1n }}::text`),
    await failure(readFile('/nonexistent')),
    new TypeError('x is not a function'),
    'ECONNREFUSED',
    null,
  ];
  assert.deepEqual(
    errors.map(error => isUnavailable(error)),
    errors.map(() => false),
  );
  assert.equal((await sql`SELECT 1 AS one`)[0]!.one, 1);
});
