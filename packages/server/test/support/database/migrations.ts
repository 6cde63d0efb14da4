import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { migrationsDirectory } from '../../../src/db/migrate.ts';

/** A folder with the migrations of this version and more, by name; it is removed after the tests of the file. */
export async function copyMigrationsWith(more: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-migrations-'));
  after(() => rm(folder, { recursive: true, force: true }));
  await cp(migrationsDirectory, folder, { recursive: true });
  for (const [name, text] of Object.entries(more)) await writeFile(path.join(folder, `${name}.sql`), text);
  return folder;
}

/** The number of the latest migration in a folder, else of this version. */
export async function findLatestMigration(directory: string = migrationsDirectory): Promise<string> {
  const files = (await readdir(directory)).sort();
  return files.at(-1)!.slice(0, 4);
}
