import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { connect, type Database, type DatabaseTarget } from '../../../src/db/connect.ts';
import { distribute, migrate, migrationsDirectory } from '../../../src/db/migrate.ts';
import { checkAppendOnly } from './append-only.ts';
import { checkBound } from './bound-statements.ts';
import { startClusterProcess } from './cluster.ts';
import { clusterOf, joinDatabases, type Node } from './nodes.ts';
import { takeSent } from './sent-statements.ts';
import { type Sql, testSql } from './sql.ts';
import { checkDocuments } from './stored-documents.ts';
import { targetUrl, withDatabase } from './target-url.ts';

/** A database for one test file or test, and a URL for processes of its own. */
export interface TestDatabase {
  readonly database: Database & { readonly sql: Sql };
  readonly url: string;
  /** Removes it, and then fails when something in it, or sent to it, is not as it must be everywhere: see {@link checkLife}. */
  drop(): Promise<void>;
}

/** Advisory lock of the process that makes the template; the number has no meaning. */
const templateLock = 2_901_664_518;

let server: Promise<string> | undefined;
let template: Promise<string> | undefined;
let nodes: Promise<readonly Node[] | null> | undefined;

/** The server to test on: that of `npm test`, or for a file that is run by itself one that ends with this process. */
function testServerUrl(): Promise<string> {
  const given = process.env.KONTOR_TEST_DATABASE_URL;
  server ??= given === undefined ? startClusterProcess() : Promise.resolve(given);
  return server;
}

/** The nodes of the Citus cluster to test on; null where it is a PostgreSQL by itself. */
export function testNodes(): Promise<readonly Node[] | null> {
  nodes ??= testServerUrl().then(url => clusterOf({ url }));
  return nodes;
}

/** A fresh migrated database, cloned from a template; on a Citus cluster its tables are distributed. */
export async function testDatabase(): Promise<TestDatabase> {
  const source = await prepareTemplate();
  // Copying files takes a quarter of the time of writing every page to the log.
  return createDatabase(await listServers(), `TEMPLATE "${source}" STRATEGY FILE_COPY`);
}

/** A fresh database without any table, of the one server also on a Citus cluster. `options` are those of CREATE DATABASE. */
export async function emptyDatabase(options = "ENCODING 'UTF8'"): Promise<TestDatabase> {
  return createDatabase([{ url: await testServerUrl() }], `TEMPLATE template0 ${options}`);
}

/**
 * A fresh database without any table, which all nodes have, with the `workers` joined to a cluster, else all. What others need to be joined
 * later is there.
 */
export async function emptyClusterDatabase(workers?: readonly Node[]): Promise<TestDatabase> {
  const testing = await createDatabase(await listServers(), "TEMPLATE template0 ENCODING 'UTF8'");
  await joinDatabases((await testNodes())!, new URL(testing.url).pathname.slice(1), workers);
  return testing;
}

/** The servers on which a database must be made: all nodes of a cluster. */
async function listServers(): Promise<DatabaseTarget[]> {
  const nodes = await testNodes();
  return nodes === null ? [{ url: await testServerUrl() }] : nodes.map(({ target }) => target);
}

async function createDatabase(servers: readonly DatabaseTarget[], options: string): Promise<TestDatabase> {
  const [server] = servers as [DatabaseTarget];
  const name = `kontor_test_${randomBytes(8).toString('hex')}`;
  const everywhere = (text: string) =>
    Promise.all(servers.map(server => administer(sql => sql.unsafe(text), server)));
  await everywhere(`CREATE DATABASE "${name}" ${options}`);
  const target = withDatabase(server, name);
  const database = connect(target);
  return {
    database: { ...database, sql: testSql(database) },
    url: await targetUrl(target),
    async drop() {
      await database.close();
      try {
        await checkLife(target, name);
      } finally {
        await Promise.all(servers.map(server => administer(sql => dropDatabase(sql, name), server)));
      }
    },
  };
}

/** PostgreSQL ends the sessions of the database and waits five seconds for their end. Citus may have begun another one by then. */
async function dropDatabase(sql: Sql, name: string, attempts = 5): Promise<void> {
  try {
    await sql.unsafe(`DROP DATABASE "${name}" WITH (FORCE)`);
  } catch (error) {
    const isInUse = (error as { code?: string }).code === '55006';
    if (!isInUse || attempts === 1) throw error;
    await dropDatabase(sql, name, attempts - 1);
  }
}

/** What holds of every database in the end: its documents are those of the contract, and statements were bound to an organization. */
async function checkLife(target: DatabaseTarget, name: string): Promise<void> {
  const sent = takeSent(name);
  checkAppendOnly(sent);
  await checkBound(target, sent);
  const database = connect(target, { poolSize: 1 });
  try {
    await checkDocuments(testSql(database));
  } finally {
    await database.close();
  }
}

/** Runs one statement or more in a session on the server's own database. */
async function administer<T>(work: (sql: Sql) => Promise<T>, server: DatabaseTarget): Promise<T> {
  const database = connect(server, { poolSize: 1 });
  try {
    return await work(testSql(database));
  } finally {
    await database.close();
  }
}

/** The name of a database with the present migrations, which accepts no connections. */
function prepareTemplate(): Promise<string> {
  template ??= listServers().then(servers => administer(sql => makeTemplate(sql, servers), servers[0]!));
  return template;
}

async function makeTemplate(sql: Sql, servers: readonly DatabaseTarget[]): Promise<string> {
  const name = `kontor_template_${await computeMigrationsChecksum()}`;
  await sql`SET lock_timeout = '60s'`;
  await sql`SELECT pg_advisory_lock(${templateLock}::bigint)`;
  const found = await sql`SELECT FROM pg_database WHERE datname = ${name}`;
  if (found.length > 0) return name;
  const draft = `${name}_draft`;
  for (const server of servers)
    await administer(async sql => {
      await sql.unsafe(`DROP DATABASE IF EXISTS "${draft}" WITH (FORCE)`);
      await sql.unsafe(`CREATE DATABASE "${draft}" TEMPLATE template0 ENCODING 'UTF8'`);
    }, server);
  await migrateDraft(withDatabase(servers[0]!, draft), draft);
  // The first server goes last: its name shows that all are ready.
  for (const server of [...servers].reverse())
    await administer(async sql => {
      await sql.unsafe(`ALTER DATABASE "${draft}" ALLOW_CONNECTIONS false`);
      await renameWhenUnused(sql, draft, name);
    }, server);
  return name;
}

async function migrateDraft(target: DatabaseTarget, draft: string): Promise<void> {
  const nodes = await testNodes();
  if (nodes !== null) await joinDatabases(nodes, draft);
  const database = connect(target, { poolSize: 1 });
  try {
    await migrate(database);
    if (nodes !== null) await distribute(database);
  } finally {
    await database.close();
  }
}

/** The sessions that migrated may still be on their way out, and Citus has one of its own in each database. */
async function renameWhenUnused(sql: Sql, from: string, to: string): Promise<void> {
  await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ${from}`;
  await sql.unsafe(`ALTER DATABASE "${from}" RENAME TO "${to}"`);
}

async function computeMigrationsChecksum(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await readdir(migrationsDirectory)).sort())
    hash.update(await readFile(path.join(migrationsDirectory, file)));
  return hash.digest('hex').slice(0, 16);
}
