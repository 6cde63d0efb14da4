import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
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

/** Told how far it is, in bytes. */
interface Watched {
  begin(step: string, total: number): void;
  advance(bytes: number): void;
  step(name: string): void;
}

const fileOf = (folder: string, table: string) => path.join(folder, `${table}.copy.gz`);

/** What says how the schema was made, and is not part of it. */
const ownTable = 'migration';

/** Writes all tables into a folder, as they are at one instant; others read and write on meanwhile. */
export function dump(database: Database, folder: string, progress: Watched): Promise<Dump> {
  return inTransaction(
    database.writes,
    async session => {
      await session.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
      await session.run(sql`SELECT set_config('statement_timeout', '0', true)`);
      const recorded = await recordedMigrations(session);
      const found = await tablesOf(session);
      progress.begin(
        'Backing up',
        found.reduce((sum, { size }) => sum + size, 0),
      );
      const tables: DumpedTable[] = [];
      for (const table of found) tables.push(await dumpTable(session, folder, table, progress));
      const applied = recorded.filter(({ applied_at }) => applied_at !== null);
      return { migrations: applied.map(({ name }) => name), tables };
    },
    { deadline: longDeadline, prepare: false },
  );
}

interface FoundTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Bytes that it takes in the database, without its indexes. */
  readonly size: number;
}

function tablesOf(session: Session): Promise<FoundTable[]> {
  return session.rows<FoundTable>(sql`
    SELECT c.table_name AS name, array_agg(c.column_name::text ORDER BY c.ordinal_position) AS columns,
      pg_table_size(c.table_name::regclass)::float8 AS size
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      AND c.table_name <> ${ownTable}
    GROUP BY c.table_name ORDER BY c.table_name`);
}

async function dumpTable(
  session: Session,
  folder: string,
  { name, columns, size }: FoundTable,
  progress: Watched,
): Promise<DumpedTable> {
  const file = fileOf(folder, name);
  const rows = await rowsOf(session, name);
  const written = () => createWriteStream(file, { flush: true, mode: 0o600 });
  await copyTo(session, raw(`COPY ${name} (${columns.join(', ')}) TO STDOUT`), pieces =>
    pipeline(
      watched(pieces, piece => progress.advance((size * linesIn(piece)) / rows)),
      createGzip(),
      written(),
    ),
  );
  if (rows === 0) progress.advance(size);
  return { name, columns, rows, sha256: await digestOf(file) };
}

/** The pieces of a stream, each of which is seen on its way. */
async function* watched(pieces: Readable, see: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    see(piece);
    yield piece;
  }
}

/** Ends of lines: in the text format of COPY each row has one, and no value has. */
function linesIn(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++;
  return lines;
}

async function rowsOf(session: Session, table: string): Promise<number> {
  const [counted] = await session.rows<{ n: string }>(sql`SELECT count(*) AS n FROM ${raw(table)}`);
  return Number(counted!.n);
}

async function digestOf(file: string, progress?: Watched): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece);
    progress?.advance(piece.length);
  }
  return hash.digest('hex');
}

/** Bytes of the files that are there. */
async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(file =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
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
  { signal, progress }: { signal: AbortSignal; progress: Watched },
): Promise<void> {
  const total = await sizeOf(tables.map(({ name }) => fileOf(folder, name)));
  progress.begin('Checking', total);
  for (const { name, sha256 } of tables)
    if ((await digestOf(fileOf(folder, name), progress).catch(() => null)) !== sha256)
      throw new OperatorError(`${fileOf(folder, name)} is damaged or missing: take another backup`);
  await makeSchema(database, migrations);
  progress.begin('Restoring', total);
  await inLongTransaction(database.writes, async session => {
    const names = tables.map(({ name }) => name).join(', ');
    const [found] = await session.rows(sql`SELECT FROM organization LIMIT 1`);
    if (found) throw new OperatorError('there are organizations already: restore into a new data folder');
    // The rows were consistent, and triggers have done their part when they were written.
    await session.run(sql`SET LOCAL session_replication_role = replica`);
    await session.run(raw(`TRUNCATE ${names}`));
    for (const table of tables) await loadTable(session, folder, table, { signal, progress });
  });
  progress.step('Sorting');
  await database.writes.run(sql`ANALYZE`);
}

async function loadTable(
  session: Session,
  folder: string,
  { name, columns, rows }: DumpedTable,
  { signal, progress }: { signal: AbortSignal; progress: Watched },
): Promise<void> {
  const file = createReadStream(fileOf(folder, name));
  file.on('data', piece => progress.advance(piece.length));
  const pieces = file.pipe(createGunzip());
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
