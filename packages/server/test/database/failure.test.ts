import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import postgres from 'postgres';
import { connect } from '../../src/database/connect.ts';
import { errorCode, isUnavailable } from '../../src/database/failure.ts';
import { driverTarget } from '../../src/database/target.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let fresh: TestDatabase;

before(async () => {
  fresh = await testDatabase();
});

after(() => fresh.drop());

/** The error that the work ends with. */
async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  );
}

async function assertUnavailable(work: PromiseLike<unknown>, code: string): Promise<void> {
  const error = await failure(work);
  assert.equal(errorCode(error), code);
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
  const { sql, close } = connect({ url: fresh.url }, { poolSize: 1 });
  // The driver reports what the server said, or that the connection is closed, whichever it sees first.
  assert.equal(isUnavailable(await failure(sql`SELECT pg_terminate_backend(pg_backend_pid())`)), true);
  await close();
});

test('a role or server that has no connection left', async () => {
  const { sql } = fresh.database;
  const role = `kontor_test_${process.pid}`;
  await sql.unsafe(`CREATE ROLE "${role}" LOGIN PASSWORD 'x' CONNECTION LIMIT 0`);
  const url = new URL(fresh.url);
  url.username = role;
  url.password = 'x';
  const crowded = connect({ url: url.href });
  await assertUnavailable(crowded.sql`SELECT 1`, '53300');
  await crowded.close();
  await sql.unsafe(`DROP ROLE "${role}"`);
});

test('a server that does not run', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  const network = connect({ url: `postgres://127.0.0.1:${port}/kontor` });
  await assertUnavailable(network.sql`SELECT 1`, 'ECONNREFUSED');
  const socket = connect({ socketDirectory: '/nonexistent', user: 'kontor', database: 'kontor' });
  await assertUnavailable(socket.sql`SELECT 1`, 'ENOENT');
  await Promise.all([network.close(), socket.close()]);
});

test('a server that does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const sql = postgres(`postgres://127.0.0.1:${port}/kontor`, { connect_timeout: 0.05 });
  await assertUnavailable(sql`SELECT 1`, 'CONNECT_TIMEOUT');
  await sql.end({ timeout: 0 });
  silent.close();
});

test('a server that ends a session as soon as it has begun', async () => {
  const server = createServer(socket => {
    const [authenticated, ready] = [Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')];
    const fields = Buffer.from('SFATAL\0C57P01\0Mgoing down\0\0');
    const head = Buffer.from('E\0\0\0\0');
    head.writeInt32BE(fields.length + 4, 1);
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticated, ready]));
      socket.once('data', () => socket.end(Buffer.concat([head, fields])));
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const database = connect({ url: `postgres://127.0.0.1:${port}/kontor` });
  assert.equal(isUnavailable(await failure(database.sql`SELECT 1`)), true);
  await database.close();
  server.close();
});

test('a pool that is closed', async () => {
  const { sql, close } = connect({ url: fresh.url });
  const running = failure(sql`SELECT pg_sleep(60)`);
  await close();
  assert.equal(isUnavailable(await running), true);
  await assertUnavailable(sql`SELECT 1`, 'CONNECTION_ENDED');
});

test('what is wrong in itself is not a matter of availability', async () => {
  const { sql } = fresh.database;
  const errors = [
    await failure(sql`SELECT 1 / 0`),
    await failure(sql`SELECT * FROM missing`),
    await failure(sql`INSERT INTO setting (name, value) VALUES ('x', NULL)`),
    await failure(readFile('/nonexistent')),
    new TypeError('x is not a function'),
    'ECONNREFUSED',
    null,
  ];
  assert.deepEqual(
    errors.map(error => isUnavailable(error)),
    errors.map(() => false),
  );
});

test('a URL may name the folder of a socket', () => {
  const { url, options } = driverTarget({
    url: 'postgres://me@localhost:6543/db?host=%2Frun%2Fpg&sslmode=disable',
  });
  assert.equal(url, 'postgres://me@localhost:6543/db?sslmode=disable');
  assert.equal(options.path, '/run/pg/.s.PGSQL.6543');
});
