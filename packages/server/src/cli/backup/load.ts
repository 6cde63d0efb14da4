import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Database } from '../../db/connect.ts';
import { copyFrom } from '../../db/copy.ts';
import { computeDigest, type Dump, type DumpedTable, fileOf, rowsOf, type Watched } from './dump.ts';
import { inLongTransaction, type Session } from '../../db/transaction.ts';
import { migrate, migrationsDirectory } from '../../db/migrate.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { raw, sql } from '../../db/sql.ts';

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
    const names = tables.map(({ name }) => name).join(', ');
    const [found] = await session.rows(sql`SELECT FROM organization LIMIT 1`);
    if (found) throw new OperatorError('there are organizations already: restore into a new data folder');
    // The rows were consistent when they were written.
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
  file.on('data', chunk => progress.advance(chunk.length));
  const chunks = file.pipe(createGunzip());
  await copyFrom(session, raw(`COPY ${name} (${columns.join(', ')}) FROM STDIN`), chunks, signal);
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
