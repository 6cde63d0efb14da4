import { OperatorError } from '../operator-error.ts';
import type { Queryable } from '../session.ts';
import { type Fragment, raw, sql } from '../sql.ts';
import type { Migration } from './file.ts';

/** What the table `migration` says of one. */
export interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  /** Null while it is under way, or was broken off. */
  readonly applied_at: Date | null;
  /** The number of the oldest migration that a process must know. */
  readonly compatible_with: string;
}

export const recordTable: Fragment = raw(`CREATE TABLE IF NOT EXISTS migration (
  name text PRIMARY KEY,
  applied_at timestamptz,
  checksum text NOT NULL,
  compatible_with text NOT NULL
)`);

/** Records that the migration has begun, or that it is done. */
export function record({ name, checksum, compatibleWith }: Migration, state: 'begun' | 'applied'): Fragment {
  return sql`
    INSERT INTO migration (name, checksum, compatible_with, applied_at)
    VALUES (${name}, ${checksum}, ${compatibleWith}, ${state === 'applied' ? sql`now()` : sql`NULL`})
    ON CONFLICT (name) DO UPDATE SET
      checksum = excluded.checksum, compatible_with = excluded.compatible_with, applied_at = excluded.applied_at`;
}

/** Everything that is recorded; nothing when there is no table. */
export async function recordedMigrations(db: Queryable): Promise<RecordedMigration[]> {
  const [found] = await db.rows<{ exists: boolean }>(
    sql`SELECT to_regclass('migration') IS NOT NULL AS exists`,
  );
  if (!found!.exists) return [];
  return db.rows<RecordedMigration>(
    sql`SELECT name, checksum, applied_at, compatible_with FROM migration ORDER BY name`,
  );
}

/** How the schema stands to this version. */
export interface Standing {
  /** What is left to do, in order. */
  readonly pending: readonly Migration[];
  /** The names of what a newer version has done. */
  readonly newer: readonly string[];
}

/**
 * Compares the migrations of this version with what is recorded.
 * @throws {@link OperatorError} when this version cannot work on the schema: a newer one has migrated it and does not say
 * that this one may go on, or a file was edited since.
 */
export function standing(migrations: readonly Migration[], recorded: readonly RecordedMigration[]): Standing {
  const applied = new Map(
    recorded.filter(row => row.applied_at !== null).map(row => [row.name, row.checksum]),
  );
  const edited = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  if (edited !== undefined)
    throw new OperatorError(
      `Migration ${edited.name} was edited after the database had applied it: restore the file and put the change in a new one`,
    );
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const newer = recorded.filter(({ name }) => !migrations.some(known => known.name === name));
  checkNewer(migrations, pending, newer);
  return { pending, newer: newer.map(({ name }) => name) };
}

function checkNewer(
  migrations: readonly Migration[],
  pending: readonly Migration[],
  newer: readonly RecordedMigration[],
): void {
  const latest = migrations.at(-1)?.number ?? 'none';
  for (const { name, compatible_with: needed } of newer)
    if (!migrations.some(({ number }) => number === needed))
      throw new OperatorError(
        `The database is newer than this version of Kontor: its migration ${name} is for versions that know ${needed}, and this one knows migrations up to ${latest}: update Kontor`,
      );
  if (newer.length > 0 && pending.length > 0)
    throw new OperatorError(
      `The database has migration ${newer[0]!.name} of another version of Kontor, but not ${pending[0]!.name} of this one: update Kontor`,
    );
}
