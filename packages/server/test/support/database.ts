import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { connect, type Database, type DatabaseTarget } from '../../src/database/connect.ts';
import { migrate, migrationsDirectory } from '../../src/database/migrate.ts';
import { withDatabase, targetUrl } from '../../src/database/target.ts';
import { checkBound } from './bound-statements.ts';
import { startClusterProcess } from './cluster.ts';
import { takeSent } from './sent-statements.ts';
import { type Sql, testSql } from './sql.ts';
import { checkDocuments } from './stored-documents.ts';

/** A database for one test file or test, and a URL for processes of its own. */
export interface TestDatabase {
  readonly database: Database & { readonly sql: Sql };
  readonly url: string;
  /** Removes it, and then fails when something in it, or sent to it, is not as it must be everywhere: see {@link checkLife}. */
  drop(): Promise<void>;
}

/** Advisory lock of whoever makes the template; the number has no meaning. */
const templateLock = 2_901_664_518;

let server: Promise<string> | undefined;
let template: Promise<string> | undefined;

/** The server to test on: that of `npm test`, or for a file that is run by itself one that ends with this process. */
function testServerUrl(): Promise<string> {
  const given = process.env.KONTOR_TEST_DATABASE_URL;
  server ??= given === undefined ? startClusterProcess() : Promise.resolve(given);
  return server;
}

/** A fresh migrated database, cloned from a template. */
export async function testDatabase(): Promise<TestDatabase> {
  const source = await migratedTemplate();
  return createDatabase(`TEMPLATE "${source}"`);
}

/** A fresh database without any table. `options` are those of CREATE DATABASE. */
export async function emptyDatabase(options = "ENCODING 'UTF8'"): Promise<TestDatabase> {
  return createDatabase(`TEMPLATE template0 ${options}`);
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const server = { url: await testServerUrl() };
  const name = `kontor_test_${randomBytes(8).toString('hex')}`;
  await administer(sql => sql.unsafe(`CREATE DATABASE "${name}" ${options}`));
  const target = withDatabase(server, name);
  const database = connect(target);
  return {
    database: { ...database, sql: testSql(database) },
    url: targetUrl(target),
    async drop() {
      await database.close();
      try {
        await checkLife(target, name);
      } finally {
        await administer(sql => sql.unsafe(`DROP DATABASE "${name}" WITH (FORCE)`));
      }
    },
  };
}

/** What holds of every database in the end: its documents are those of the contract, and statements were bound to an organization. */
async function checkLife(target: DatabaseTarget, name: string): Promise<void> {
  await checkBound(target, takeSent(name));
  const database = connect(target, { poolSize: 1 });
  try {
    await checkDocuments(testSql(database));
  } finally {
    await database.close();
  }
}

/** Runs one statement or more in a session on the server's own database. */
async function administer<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = connect({ url: await testServerUrl() }, { poolSize: 1 });
  try {
    return await work(testSql(database));
  } finally {
    await database.close();
  }
}

/** The name of a database with the present migrations, which nobody can connect to. */
function migratedTemplate(): Promise<string> {
  template ??= administer(makeTemplate);
  return template;
}

async function makeTemplate(sql: Sql): Promise<string> {
  const name = `kontor_template_${await migrationsChecksum()}`;
  await sql`SET lock_timeout = '60s'`;
  await sql`SELECT pg_advisory_lock(${templateLock}::bigint)`;
  const found = await sql`SELECT FROM pg_database WHERE datname = ${name}`;
  if (found.length > 0) return name;
  const draft = `${name}_draft`;
  await sql.unsafe(`DROP DATABASE IF EXISTS "${draft}" WITH (FORCE)`);
  await sql.unsafe(`CREATE DATABASE "${draft}" TEMPLATE template0 ENCODING 'UTF8'`);
  const database = connect(withDatabase({ url: await testServerUrl() }, draft), { poolSize: 1 });
  await migrate(database);
  await database.close();
  await sql.unsafe(`ALTER DATABASE "${draft}" ALLOW_CONNECTIONS false`);
  await renameWhenUnused(sql, draft, name);
  return name;
}

/** The session that migrated may still be on its way out. */
async function renameWhenUnused(sql: Sql, from: string, to: string): Promise<void> {
  await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ${from}`;
  await sql.unsafe(`ALTER DATABASE "${from}" RENAME TO "${to}"`);
}

async function migrationsChecksum(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await readdir(migrationsDirectory)).sort())
    hash.update(await readFile(path.join(migrationsDirectory, file)));
  return hash.digest('hex').slice(0, 16);
}
