import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '../../db/connect.ts';
import { copyTo } from '../../db/copy.ts';
import { inLongSnapshot, type Session } from '../../db/transaction.ts';
import { openDraft } from '../../lib/draft-file.ts';
import { readRecordedMigrations } from '../../db/migrate.ts';
import { type Fragment, identifier, join, sql } from '../../db/sql.ts';
import type { Progress } from '../program/progress.ts';

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
export type Watched = Omit<Progress, typeof Symbol.dispose>;

/** The file of a table in the folder of a dump. */
export const fileOf = (folder: string, table: string) => path.join(folder, `${table}.copy.gz`);

/** What says how the schema was made, and is not part of it. */
const ownTable = 'migration';

/** Writes all tables into a folder, as they are at one instant. */
export function dump(database: Database, folder: string, progress: Watched): Promise<Dump> {
  return inLongSnapshot(database.writes, async session => {
    const recorded = await readRecordedMigrations(session);
    const found = await listTables(session);
    progress.begin(
      'Backing up',
      found.reduce((sum, { size }) => sum + size, 0),
    );
    const tables: DumpedTable[] = [];
    for (const table of found) tables.push(await dumpTable(session, folder, table, progress));
    const applied = recorded.filter(({ applied_at }) => applied_at !== null);
    return { migrations: applied.map(({ name }) => name), tables };
  });
}

/** A table of the schema. Only its names may become SQL, quoted, and never those in a file. */
export interface SchemaTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Bytes that it takes in the database, without its indexes. */
  readonly size: number;
}

/** Lists the tables with rows to back up. */
export function listTables(session: Session): Promise<SchemaTable[]> {
  return session.rows<SchemaTable>(sql`
    SELECT c.table_name AS name, array_agg(c.column_name::text ORDER BY c.ordinal_position) AS columns,
      pg_table_size(quote_ident(c.table_name)::regclass)::float8 AS size
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      AND c.table_name <> ${ownTable}
    GROUP BY c.table_name ORDER BY c.table_name`);
}

async function dumpTable(
  session: Session,
  folder: string,
  table: SchemaTable,
  progress: Watched,
): Promise<DumpedTable> {
  const { name, columns, size } = table;
  const rows = await rowsOf(session, table);
  const sha256 = await copyToFile(session, sql`COPY ${copied(table)} TO STDOUT`, fileOf(folder, name));
  progress.advance(size);
  return { name, columns, rows, sha256 };
}

/** Writes the output of a `COPY … TO STDOUT` statement into a file, compressed, and returns the SHA-256 of the file. */
export async function copyToFile(session: Session, statement: Fragment, file: string): Promise<string> {
  const draft = await openDraft(file);
  await copyTo(session, statement, chunks => pipeline(chunks, createGzip(), draft.stream));
  await draft.publish();
  return computeDigest(file);
}

/** The table and the columns that COPY reads or writes. */
export const copied = ({ name, columns }: Pick<SchemaTable, 'name' | 'columns'>): Fragment =>
  sql`${identifier(name)} (${join(columns.map(identifier))})`;

/** How many rows a table has. */
export async function rowsOf(session: Session, { name }: Pick<SchemaTable, 'name'>): Promise<number> {
  const [counted] = await session.rows<{ n: string }>(sql`SELECT count(*) AS n FROM ${identifier(name)}`);
  return Number(counted!.n);
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function computeDigest(file: string, progress?: Watched): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    progress?.advance(chunk.length);
  }
  return hash.digest('hex');
}
