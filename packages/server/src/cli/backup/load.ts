import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Database } from '../../db/connect.ts';
import { copyFrom } from '../../db/copy.ts';
import {
  computeDigest,
  copied,
  type Dump,
  type DumpedTable,
  fileOf,
  listTables,
  rowsOf,
  type SchemaTable,
  type Watched,
} from './dump.ts';
import { inLongTransaction, type Session } from '../../db/transaction.ts';
import { migrate, migrationsDirectory, readMigrations } from '../../db/migrate.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { identifier, join, sql } from '../../db/sql.ts';

/** Looks at the files of a dump before anything is made of them. @throws OperatorError for one that is damaged or missing. */
export async function checkFiles(folder: string, { tables }: Dump, progress: Watched): Promise<void> {
  progress.begin('Checking', await computeSize(folder, tables));
  for (const { name, sha256 } of tables)
    if ((await computeDigest(fileOf(folder, name), progress).catch(() => null)) !== sha256)
      throw new OperatorError(`${fileOf(folder, name)} is damaged or missing: use another backup`);
}

/**
 * Brings the rows of a folder into an empty database, whose schema is made as it was then; the migrations of this version that
 * are newer are left to whoever uses the database next. All rows go in together, or none.
 * @throws OperatorError for a dump of a newer version, one whose rows are not all there, and a database with organizations.
 */
export async function load(
  database: Database,
  folder: string,
  { migrations, tables }: Dump,
  { signal, progress }: { signal: AbortSignal; progress: Watched },
): Promise<void> {
  await makeSchema(database, migrations);
  progress.begin('Restoring', await computeSize(folder, tables));
  await inLongTransaction(database.writes, async session => {
    const schema = await listTables(session);
    const dumped = tables.map(table => ({ ...table, ...findInSchema(schema, table) }));
    const [found] = await session.rows(sql`SELECT FROM organization LIMIT 1`);
    if (found) throw new OperatorError('there are organizations already: restore into a new data folder');
    // The rows were consistent when they were written.
    await session.run(sql`SET LOCAL session_replication_role = replica`);
    await session.run(sql`TRUNCATE ${join(dumped.map(({ name }) => identifier(name)))}`);
    for (const table of dumped) await loadTable(session, folder, table, { signal, progress });
  });
  progress.step('Sorting');
  await database.writes.run(sql`ANALYZE`);
}

/** Takes the names of a table and its columns from the schema. @throws OperatorError when they are not there. */
function findInSchema(
  schema: readonly SchemaTable[],
  { name, columns }: DumpedTable,
): Pick<DumpedTable, 'name' | 'columns'> {
  const table = schema.find(known => known.name === name);
  const unknown = columns.find(column => table?.columns.includes(column) !== true);
  if (table === undefined || unknown !== undefined)
    throw new OperatorError(
      `backup.json is damaged: Kontor has no column ${JSON.stringify(unknown)} in a table ${JSON.stringify(name)}`,
    );
  return { name: table.name, columns: columns.map(column => table.columns.find(known => known === column)!) };
}

async function loadTable(
  session: Session,
  folder: string,
  table: DumpedTable,
  { signal, progress }: { signal: AbortSignal; progress: Watched },
): Promise<void> {
  const { name, rows } = table;
  const file = createReadStream(fileOf(folder, name));
  file.on('data', chunk => progress.advance(chunk.length));
  const chunks = file.pipe(createGunzip());
  await copyFrom(session, sql`COPY ${copied(table)} FROM STDIN`, chunks, signal);
  const loaded = await rowsOf(session, table);
  if (loaded !== rows)
    throw new OperatorError(`${name} has ${loaded} rows and not ${rows}: take another backup`);
}

/** The schema as these migrations make it, and no later ones. Their files are those of this version. */
async function makeSchema(database: Database, migrations: readonly string[]): Promise<void> {
  const known = (await readMigrations(migrationsDirectory)).map(({ name }) => `${name}.sql`);
  const unknown = migrations.find(name => !known.includes(`${name}.sql`));
  if (unknown !== undefined)
    throw new OperatorError(
      `The backup is of a newer version of Kontor: this one has no migration ${JSON.stringify(unknown)}; update Kontor`,
    );
  const directory = await mkdtemp(path.join(tmpdir(), 'kontor-restore-'));
  try {
    for (const file of known)
      if (migrations.includes(path.parse(file).name))
        await copyFile(path.join(migrationsDirectory, file), path.join(directory, file));
    await migrate(database, { directory });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Bytes of the files of these tables, as far as they are there. */
async function computeSize(folder: string, tables: readonly DumpedTable[]): Promise<number> {
  const sizes = await Promise.all(
    tables.map(({ name }) =>
      stat(fileOf(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
