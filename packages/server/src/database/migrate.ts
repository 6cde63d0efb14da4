import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from './connect.ts';
import { stateOf } from './failure.ts';
import { inLongTransaction } from './long-transaction.ts';
import { OperatorError } from './operator-error.ts';
import { raw, sql } from './sql.ts';

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The numbered SQL files of this version. */
export const migrationsDirectory = fileURLToPath(new URL('../../migrations/', import.meta.url));

const oldestServer = 150_000;

/** Advisory lock of whoever migrates; the number has no meaning. */
const migrationLock = 4_916_203_117;

/**
 * Brings the schema to this version and answers the names that were applied, oldest first. Each file is one
 * transaction, under an advisory lock: processes that start at once wait for each other. Throws an error with a message
 * for the operator when the server is too old, its encoding is not UTF-8, the database is newer than this version, or a
 * file was edited after it had been applied.
 */
export async function migrate(db: Pool, directory: string = migrationsDirectory): Promise<string[]> {
  await checkServer(db);
  const migrations = await readMigrations(directory);
  const pending = await pendingMigrations(db, migrations);
  const applied: string[] = [];
  for (const migration of pending) if (await apply(db, migration)) applied.push(migration.name);
  // Another process may have applied meanwhile what this version does not know.
  if (pending.length > 0) await pendingMigrations(db, migrations);
  return applied;
}

async function checkServer(db: Pool): Promise<void> {
  const [server] = await db.rows<{ version: string; number: number; encoding: string }>(sql`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding`);
  if (server!.number < oldestServer)
    throw new OperatorError(`Kontor needs PostgreSQL 15 or newer, this server is ${server!.version}`);
  if (server!.encoding !== 'UTF8')
    throw new OperatorError(
      `Kontor needs a database with the encoding UTF8, this one has ${server!.encoding}: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter(file => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async file => {
      const text = await readFile(`${directory}/${file}`, 'utf8');
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { name: file.slice(0, -'.sql'.length), text, checksum };
    }),
  );
}

async function pendingMigrations(db: Pool, migrations: Migration[]): Promise<Migration[]> {
  const [found] = await db.rows<{ exists: boolean }>(
    sql`SELECT to_regclass('migration') IS NOT NULL AS exists`,
  );
  if (!found!.exists) return migrations;
  const rows = await db.rows<{ name: string; checksum: string }>(
    sql`SELECT name, checksum FROM migration ORDER BY name`,
  );
  const applied = new Map(rows.map(row => [row.name, row.checksum]));
  const unknown = rows.map(row => row.name).filter(name => !migrations.some(known => known.name === name));
  if (unknown.length > 0)
    throw new OperatorError(
      `The database is newer than this version of Kontor, which does not know its migration ${unknown.join(', ')}: update Kontor`,
    );
  const edited = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  if (edited !== undefined)
    throw new OperatorError(
      `Migration ${edited.name} was edited after the database had applied it: restore the file and put the change in a new one`,
    );
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Applies one file unless another process did so while this one waited for its turn. */
async function apply(db: Pool, { name, text, checksum }: Migration): Promise<boolean> {
  try {
    return await inLongTransaction(db, async session => {
      // Waiting for another process that migrates may take as long as it takes; a lock on a table in use may not.
      await session.run(sql`SELECT pg_advisory_xact_lock(${migrationLock}::bigint)`);
      await session.run(sql`SET LOCAL lock_timeout = '5s'`);
      await session.run(sql`
        CREATE TABLE IF NOT EXISTS migration (
          name text PRIMARY KEY,
          applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
          checksum text NOT NULL
        )`);
      if ((await session.run(sql`SELECT FROM migration WHERE name = ${name}`)) > 0) return false;
      await session.run(raw(text));
      await session.run(sql`INSERT INTO migration (name, checksum) VALUES (${name}, ${checksum})`);
      return true;
    });
  } catch (error) {
    throw explained(name, error);
  }
}

function explained(name: string, error: unknown): unknown {
  const code = stateOf(error);
  // Only what PostgreSQL says about the file; a lost connection stays what it is.
  if (!(error instanceof Error) || !/^(0A|22|23|42)/.test(code ?? '')) return error;
  const advice =
    code === '42501' && error.message.includes('extension')
      ? ': an administrator can run CREATE EXTENSION pg_trgm and CREATE EXTENSION btree_gin in this database'
      : '';
  return new OperatorError(`Migration ${name} failed: ${error.message}${advice}`, { cause: error });
}
