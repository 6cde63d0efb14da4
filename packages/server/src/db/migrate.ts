import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  checkCluster,
  distributeTables,
  isDistributed,
  onEveryNode,
  findTablesWithRemains,
} from './citus.ts';
import { checkServer, type Database } from './connect.ts';
import { stateOf } from './failure.ts';
import {
  inShortLocks,
  type MigrationLock,
  type MigrationOptions,
  withMigrationLock,
  withoutLimits,
} from './migration-lock.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { Queryable } from './session.ts';
import { type Fragment, raw, sql, statementsOf } from './sql.ts';
import type { Session } from './transaction.ts';

export const migrationsDirectory = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** Milliseconds between progress lines. */
const progressInterval = 5_000;

export interface Migration {
  /** The file name without its extension: `0004_shade`. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Number of the oldest migration that a process must include to work on the schema from this one on. */
  readonly compatibleWith: string;
  readonly mode: string;
}

/** Matches up to the first line that is not a comment. An empty line separates the header from comments on the migration. */
const header =
  /^-- compatible with: (\d{4})(?:\n-- runs: (in one transaction|outside of a transaction|in batches))?(?:\n(?!--)|$)/;

/** @throws {@link OperatorError} when the name or the header of the file is wrong */
export function parseMigration(file: string, content: string): Migration {
  const [, name] = /^(\d{4}_\w+)\.sql$/.exec(file) ?? [];
  const text = content.replaceAll('\r\n', '\n');
  const [, compatibleWith, mode = 'in one transaction'] = header.exec(text) ?? [];
  if (name === undefined || compatibleWith === undefined)
    throw new OperatorError(
      `${file} is not a migration: it needs a name such as 0004_shade.sql, and begins with "-- compatible with: NNNN", at most "-- runs: in batches" or "-- runs: outside of a transaction", and an empty line`,
    );
  return { name, text, checksum: createHash('sha256').update(text).digest('hex'), compatibleWith, mode };
}

export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter(file => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async file => parseMigration(file, await readFile(`${directory}/${file}`, 'utf8'))),
  );
}

/**
 * Migrates the schema to this version. Returns the applied names, oldest first. Concurrent processes wait for the one that migrates.
 * A newer schema stays unchanged when it is compatible with this version. The next run resumes an interrupted migration.
 * @throws {@link OperatorError} when the server is too old, behind a pooler or not in UTF-8.
 * @throws {@link OperatorError} when the schema requires a newer version, an applied file was edited, or a migration failed.
 * @throws the reason of the signal
 */
export async function migrate(
  database: Database,
  { directory = migrationsDirectory, ...options }: MigrationOptions & { readonly directory?: string } = {},
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  await checkServer(database);
  const inspect = async () => compare(migrations, await readRecordedMigrations(database.writes));
  const { pending, newer } = await inspect();
  if (newer.length > 0)
    options.log?.(
      `the database is newer than this version, which can work on it all the same: ${newer.join(', ')}`,
    );
  if (pending.length === 0) return [];
  return withMigrationLock(database, options, async lock => {
    await lock.session.send(recordTable, withoutLimits);
    // Another process may have migrated meanwhile, possibly to a schema that is too new for this version.
    const { pending } = await inspect();
    // On an empty database no migration takes long.
    const quiet = pending.length === migrations.length && { log() {} };
    for (const migration of pending) await apply({ ...lock, ...quiet }, migration);
    return pending.map(({ name }) => name);
  });
}

/** The names of migrations that {@link migrate} would apply, in their order. @throws as migrate does */
export async function findPendingMigrations(database: Database): Promise<string[]> {
  const migrations = await readMigrations(migrationsDirectory);
  await checkServer(database);
  const { pending } = compare(migrations, await readRecordedMigrations(database.writes));
  return pending.map(({ name }) => name);
}

/** The last migration of 0.2.0, the first release. Earlier schemas have other migrations. */
const firstRelease = '0015_passkey_policy';

const recordTable: Fragment = raw(`CREATE TABLE IF NOT EXISTS migration (
  name text PRIMARY KEY, applied_at timestamptz, checksum text NOT NULL, compatible_with text NOT NULL)`);

export interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  /** Null while the migration runs or after it was interrupted. */
  readonly applied_at: Date | null;
  readonly compatible_with: string;
}

/** All recorded migrations; none when the table does not exist. */
export async function readRecordedMigrations(db: Queryable): Promise<RecordedMigration[]> {
  if ((await db.run(sql`SELECT WHERE to_regclass('migration') IS NOT NULL`)) === 0) return [];
  return db.rows(sql`SELECT name, checksum, applied_at, compatible_with FROM migration ORDER BY name`);
}

/**
 * Returns the migrations to apply, and the names that a newer version applied.
 * @throws {@link OperatorError}, see {@link migrate}
 */
function compare(migrations: readonly Migration[], recorded: readonly RecordedMigration[]) {
  const applied = new Map(recorded.flatMap(row => (row.applied_at ? [[row.name, row.checksum]] : [])));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const newer = recorded.filter(({ name }) => !migrations.some(known => known.name === name));
  const edited = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  const isOlder = pending.some(({ name }) => name === firstRelease);
  if (isOlder && (edited !== undefined || newer.length > 0))
    throw new OperatorError(
      'The database has a schema from before Kontor 0.2.0, the first release, and cannot be upgraded: create a new database, and import the data',
    );
  if (edited !== undefined)
    throw new OperatorError(
      `Migration ${edited.name} was edited after the database had applied it: restore the file and put the change in a new one`,
    );
  for (const { name, compatible_with: needed } of newer)
    if (!migrations.some(known => known.name.startsWith(`${needed}_`)))
      throw new OperatorError(
        `The database is newer than this version of Kontor: its migration ${name} is for versions that know ${needed}, and this one knows migrations up to ${migrations.at(-1)?.name.slice(0, 4)}: update Kontor`,
      );
  if (newer.length > 0 && pending.length > 0)
    throw new OperatorError(
      `The database has migration ${newer[0]!.name} of another version of Kontor, but not ${pending[0]!.name} of this one: update Kontor`,
    );
  return { pending, newer: newer.map(({ name }) => name) };
}

function explain(name: string, error: unknown): unknown {
  const state = stateOf(error) ?? '';
  // Explains only PostgreSQL's errors about the file. A lost connection is returned unchanged.
  if (!(error instanceof Error) || !/^(0A|22|23|25|42)/.test(state)) return error;
  const advice =
    state === '42501' && error.message.includes('extension')
      ? ': an administrator can run CREATE EXTENSION pg_trgm and CREATE EXTENSION btree_gin in this database'
      : '';
  return new OperatorError(`Migration ${name} failed: ${error.message}${advice}`, { cause: error });
}

function record({ name, checksum, compatibleWith }: Migration, appliedAt: Fragment): Fragment {
  return sql`
    INSERT INTO migration (name, checksum, compatible_with, applied_at)
    VALUES (${name}, ${checksum}, ${compatibleWith}, ${appliedAt})
    ON CONFLICT (name) DO UPDATE SET
      checksum = excluded.checksum, compatible_with = excluded.compatible_with, applied_at = excluded.applied_at`;
}

async function apply(lock: MigrationLock, migration: Migration): Promise<void> {
  const { name, mode } = migration;
  const send = (statement: Fragment) => lock.session.send(statement, withoutLimits);
  try {
    if (mode === 'in one transaction')
      return await inShortLocks(lock, name, transaction => applyAtOnce(transaction, migration));
    await send(record(migration, sql`NULL`));
    if (mode === 'in batches') await applyInBatches(lock, migration);
    else await changeIndex(lock, migration);
    await send(record(migration, sql`now()`));
  } catch (error) {
    throw explain(name, error);
  }
}

async function applyAtOnce(transaction: Session, migration: Migration): Promise<void> {
  const distributed = await isDistributed(transaction);
  if (distributed) await transaction.run(onEveryNode);
  for (const statement of statementsOf(migration.text)) await transaction.run(raw(statement));
  if (distributed) await distributeTables(transaction);
  await transaction.run(record(migration, sql`now()`));
}

/** Repeats the statement, each time in its own transaction, until it changes no rows. */
async function applyInBatches(lock: MigrationLock, { name, text }: Migration): Promise<void> {
  let [total, reported] = [0, -Infinity];
  for (;;) {
    const began = performance.now();
    const changed = await inShortLocks(lock, name, transaction => transaction.run(raw(text)));
    if (changed === 0) return;
    total += changed;
    const now = performance.now();
    if (now - reported > progressInterval) {
      lock.log?.(`${name} has changed ${total} rows so far`);
      reported = now;
    }
    // Pauses as long as the batch took, to leave half of the time to the service.
    await delay(now - began, undefined, { signal: lock.signal });
  }
}

/**
 * Builds or drops an index concurrently. It waits for locks without limit, because no other statement queues behind it.
 * An incomplete index of an interrupted run is dropped first.
 */
async function changeIndex({ session, log }: MigrationLock, { name, text }: Migration): Promise<void> {
  const index = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/im.exec(text)?.[1];
  const drop = async () => {
    if (index !== undefined && !session.isLost)
      await session.send(raw(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`), withoutLimits);
  };
  log?.(`${name} has begun`);
  await drop();
  try {
    await session.send(raw(text), withoutLimits);
  } catch (error) {
    // PostgreSQL keeps a failed unique index up to date and rejects rows that violate it.
    await drop();
    throw error;
  }
}

/**
 * Distributes the tables of a migrated database over its Citus cluster in one transaction. Returns their names, or none when it is done already.
 * Until the commit all tables can be read but not written.
 * @throws {@link OperatorError} when there is no cluster, or a table is in use for too long
 * @throws the reason of the signal
 */
export function distribute(database: Database, options: MigrationOptions = {}): Promise<string[]> {
  return withMigrationLock(database, options, async lock => {
    const names = await inShortLocks(lock, 'distribution', distributeOnce);
    await removeRemains(lock);
    return names;
  });
}

async function distributeOnce(transaction: Session): Promise<string[]> {
  await checkCluster(transaction);
  if (await isDistributed(transaction)) return [];
  await transaction.run(onEveryNode);
  return distributeTables(transaction);
}

/** Truncates the coordinator's local copies of distributed tables, with a short lock for each. */
async function removeRemains(lock: MigrationLock): Promise<void> {
  for (;;) {
    const [name] = await inShortLocks(lock, 'distribution', findTablesWithRemains);
    if (name === undefined) return;
    await inShortLocks(lock, 'distribution', transaction =>
      transaction.run(sql`SELECT truncate_local_data_after_distributing_table(${name})`),
    );
  }
}
