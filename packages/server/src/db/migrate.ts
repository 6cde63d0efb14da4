import { fileURLToPath } from 'node:url';
import type { Database } from './connect.ts';
import { stateOf } from './failure.ts';
import { type Migration, readMigrations } from './migration/file.ts';
import type { Timeout } from './migration/patience.ts';
import { recordedMigrations, recordTable, standing } from './migration/record.ts';
import { runMigration } from './migration/run.ts';
import { how, inMigrationTurn } from './migration/turn.ts';
import { OperatorError } from './operator-error.ts';
import type { Pool } from './pool.ts';
import type { ServerSession } from './session.ts';
import { sql } from './sql.ts';

/** The numbered SQL files of this version. */
export const migrationsDirectory = fileURLToPath(new URL('../../migrations/', import.meta.url));

const oldestServer = 150_000;

export interface MigrateOptions extends Partial<Timeout> {
  /** The folder of the migrations, else that of this version. */
  readonly directory?: string;
}

/**
 * Brings the schema to this version and returns the names that were applied, oldest first. Processes that start at once wait
 * for the one that migrates. A schema that is newer is left as it is when it says that this version can work on it.
 * `log` is told what takes long, and of a newer schema.
 * @throws {@link OperatorError} when the server is too old or goes through a pooler, its encoding is not UTF-8, the schema is for newer
 * versions only, a file was edited after it had been applied, or a migration failed; and the reason of the signal: what was
 * under way is then taken up by whoever migrates next.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { directory = migrationsDirectory, log = () => {} } = options;
  const timeout = { ...options, log };
  const migrations = await readMigrations(directory);
  await checkServer(database.writes);
  const look = async () => standing(migrations, await recordedMigrations(database.writes));
  const { pending, newer } = await look();
  if (newer.length > 0)
    log(`the database is newer than this version, which can work on it all the same: ${newer.join(', ')}`);
  if (pending.length === 0) return [];
  return inMigrationTurn(
    database,
    async session => {
      for (const statement of recordTable) await session.send(statement, how);
      // Another process may have migrated meanwhile, and further than this version can.
      const { pending } = await look();
      for (const migration of pending) await apply(session, migration, timeout);
      return pending.map(({ name }) => name);
    },
    timeout,
  );
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

async function apply(session: ServerSession, migration: Migration, timeout: Timeout): Promise<void> {
  try {
    await runMigration(session, migration, timeout);
  } catch (error) {
    throw explained(migration.name, error);
  }
}

function explained(name: string, error: unknown): unknown {
  const code = stateOf(error);
  // Only what PostgreSQL says about the file; a lost connection stays what it is.
  if (!(error instanceof Error) || !/^(0A|22|23|25|42)/.test(code ?? '')) return error;
  return new OperatorError(`Migration ${name} failed: ${error.message}${advice(code, error.message)}`, {
    cause: error,
  });
}

function advice(code: string | undefined, message: string): string {
  if (code === '42501' && message.includes('extension'))
    return ': an administrator can run CREATE EXTENSION pg_trgm and CREATE EXTENSION btree_gin in this database';
  if (code === '25001') return ': such a statement needs the header "runs: outside of a transaction"';
  return '';
}
