import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Database } from './connect.ts';
import { copyFrom, copyTo } from './copy.ts';
import { inLongTransaction, longDeadline } from './long-transaction.ts';
import { migrate, migrationsDirectory } from './migrate.ts';
import { recordedMigrations } from './migration/record.ts';
import { OperatorError } from './operator-error.ts';
import { raw, sql } from './sql.ts';
import { inTransaction, type Session } from './transaction.ts';

/** The rows of a table in a file of their own, compressed, in the text format of COPY. */
export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the file. */
  readonly sha256: string;
}

/** All rows of a database, of one instant, and the migrations that made its schema. */
export interface Dump {
  readonly migrations: readonly string[];
  readonly tables: readonly DumpedTable[];
}

const fileOf = (folder: string, table: string) => path.join(folder, `${table}.copy.gz`);

/** What says how the schema was made, and is not part of it. */
const ownTable = 'migration';

/** Writes all tables into a folder, as they are at one instant; others read and write on meanwhile. */
export function dump(database: Database, folder: string): Promise<Dump> {
  return inTransaction(
    database.writes,
    async session => {
      await session.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
      await session.run(sql`SELECT set_config('statement_timeout', '0', true)`);
      const recorded = await recordedMigrations(session);
      const tables: DumpedTable[] = [];
      for (const { name, columns } of await tablesOf(session))
        tables.push(await dumpTable(session, folder, name, columns));
      const applied = recorded.filter(({ applied_at }) => applied_at !== null);
      return { migrations: applied.map(({ name }) => name), tables };
    },
    { deadline: longDeadline, prepare: false },
  );
}

async function tablesOf(session: Session): Promise<{ name: string; columns: string[] }[]> {
  return session.rows<{ name: string; columns: string[] }>(sql`
    SELECT c.table_name AS name, array_agg(c.column_name::text ORDER BY c.ordinal_position) AS columns
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      AND c.table_name <> ${ownTable}
    GROUP BY c.table_name ORDER BY c.table_name`);
}

async function dumpTable(
  session: Session,
  folder: string,
  name: string,
  columns: readonly string[],
): Promise<DumpedTable> {
  const file = fileOf(folder, name);
  await copyTo(session, raw(`COPY ${name} (${columns.join(', ')}) TO STDOUT`), pieces =>
    pipeline(pieces, createGzip(), createWriteStream(file, { flush: true, mode: 0o600 })),
  );
  return { name, columns, rows: await rowsOf(session, name), sha256: await digestOf(file) };
}

async function rowsOf(session: Session, table: string): Promise<number> {
  const [counted] = await session.rows<{ n: string }>(sql`SELECT count(*) AS n FROM ${raw(table)}`);
  return Number(counted!.n);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Brings the rows of a folder into an empty database, whose schema is made as it was then; the migrations of this version that
 * are newer are left to whoever uses the database next. All rows go in together, or none.
 * @throws OperatorError for a file that is damaged, a dump of a newer version, and a database with organizations.
 */
export async function load(
  database: Database,
  folder: string,
  { migrations, tables }: Dump,
  signal: AbortSignal,
): Promise<void> {
  for (const { name, sha256 } of tables)
    if ((await digestOf(fileOf(folder, name)).catch(() => null)) !== sha256)
      throw new OperatorError(`${fileOf(folder, name)} is damaged or missing: take another backup`);
  await makeSchema(database, migrations);
  await inLongTransaction(database.writes, async session => {
    const names = tables.map(({ name }) => name).join(', ');
    const [found] = await session.rows(sql`SELECT FROM organization LIMIT 1`);
    if (found) throw new OperatorError('there are organizations already: restore into a new data folder');
    // The rows were consistent, and triggers have done their part when they were written.
    await session.run(sql`SET LOCAL session_replication_role = replica`);
    await session.run(raw(`TRUNCATE ${names}`));
    for (const table of tables) await loadTable(session, folder, table, signal);
  });
  await database.writes.run(sql`ANALYZE`);
}

async function loadTable(
  session: Session,
  folder: string,
  { name, columns, rows }: DumpedTable,
  signal: AbortSignal,
): Promise<void> {
  const pieces = createReadStream(fileOf(folder, name)).pipe(createGunzip());
  await copyFrom(session, raw(`COPY ${name} (${columns.join(', ')}) FROM STDIN`), pieces, signal);
  const loaded = await rowsOf(session, name);
  if (loaded !== rows)
    throw new OperatorError(`${name} has ${loaded} rows and not ${rows}: take another backup`);
}

/** The schema as these migrations make it, and no later ones. */
async function makeSchema(database: Database, migrations: readonly string[]): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kontor-restore-'));
  try {
    for (const name of migrations)
      await copyFile(
        path.join(migrationsDirectory, `${name}.sql`),
        path.join(directory, `${name}.sql`),
      ).catch(() => {
        throw new OperatorError(
          `The backup is of a newer version of Kontor: this one has no migration ${name}; update Kontor`,
        );
      });
    await migrate(database, { directory });
  } finally {
    await rm(directory, { recursive: true });
  }
}
