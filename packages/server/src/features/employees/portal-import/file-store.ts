import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Filled, Head } from '../../../imports/file.ts';
import type { ImportKey } from './imports.ts';

/** Bytes that are read of a file at once. */
const fileSlice = 256 * 1024;

/** The bytes of a file from a position on; none once it was removed. */
export async function* readFile(db: Queryable, key: ImportKey, from = 0): AsyncGenerator<Buffer> {
  for (let at = from; ; at += fileSlice) {
    const bytes = await readBytes(db, key, sql`bytes`, { from: at, length: fileSlice });
    if (bytes.length > 0) yield bytes;
    if (bytes.length < fileSlice) return;
  }
}

async function readBytes(
  db: Queryable,
  { organizationId, id }: ImportKey,
  column: Fragment,
  { from, length }: { from: number; length: number },
): Promise<Buffer> {
  const [row] = await db.rows<{ bytes: Buffer | null }>(sql`
    SELECT substring(${column} FROM ${from + 1}::int FOR ${length}::int) AS bytes FROM employee_import_file
    WHERE organization_id = ${organizationId} AND import_id = ${id}`);
  return row?.bytes ?? Buffer.alloc(0);
}

/** The lines that repeat a value, of some rows. */
export function readRepeated(
  db: Queryable,
  key: ImportKey,
  range: { from: number; length: number },
): Promise<Buffer> {
  return readBytes(db, key, sql`repeated`, range);
}

export async function storeRepeated(
  db: Queryable,
  { organizationId, id }: ImportKey,
  repeated: Buffer,
): Promise<void> {
  await db.run(sql`
    UPDATE employee_import_file SET repeated = ${repeated}
    WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

/** The first rows of a file, as its upload stored them: none once it was removed, null for a file of 0.2.0. */
export async function readHead(
  db: Queryable,
  { organizationId, id }: ImportKey,
): Promise<{ head: Head; filled: Filled | null } | null> {
  const [row] = await db.rows<{ head: Head | null; filled: Filled | null }>(sql`
    SELECT head, filled FROM employee_import_file WHERE organization_id = ${organizationId} AND import_id = ${id}`);
  if (!row) return { head: [], filled: null };
  return row.head && { head: row.head, filled: row.filled };
}
