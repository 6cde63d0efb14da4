import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Pool } from '../../db/connect.ts';
import { identifier, join, raw, sql } from '../../db/sql.ts';
import { inLongSnapshot, type Session } from '../../db/transaction.ts';
import { countRows, type OwnedTable, readOwnedTables } from '../../features/organizations/owned-tables.ts';
import { chunksInTime, type Files, openInTime } from '../../files/download.ts';
import { writeWhole } from '../../lib/draft-file.ts';
import { computeDigest, copyToFile, type Watched } from '../backup/dump.ts';
import { CommandError } from '../program/command.ts';

/** The file that lists the others of an export, with the SHA-256 of each. */
const manifestFile = 'export.json';

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Manifest = Type.Object({
  format: Type.Literal(1),
  createdAt: Type.String(),
  version: Type.String(),
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  /** The organization clock: equal as long as no write of a client, a user or a job has followed. */
  clock: Type.String({ pattern: '^[0-9TZ:.-]{24}$' }),
  tables: Type.Array(
    Type.Object({ name: Type.String({ pattern: '^[a-z0-9_]+$' }), rows: Type.Integer(), sha256: digest }),
  ),
  files: Type.Array(
    Type.Object({ id: Type.String({ pattern: '^[0-9a-z]+$' }), size: Type.Integer(), sha256: digest }),
  ),
});
export type Manifest = Static<typeof Manifest>;

const isManifest = Compile(Manifest);

/** Their bytes are exported as files. */
const fileTables: readonly string[] = ['file_slice', 'file_pending'];

/** Digests of passwords, keys, sessions and links are worth nothing elsewhere, and are not handed out. */
const isSecret = (column: string) => column === 'hash' || column.endsWith('_hash');

const tableFile = (folder: string, name: string) => path.join(folder, `${name}.jsonl.gz`);
const storedFile = (folder: string, id: string) => path.join(folder, 'files', id);

interface Exported {
  readonly db: Pool;
  readonly files: Files;
  readonly progress: Watched;
  readonly version: string;
}

/** Writes all rows of an organization, as they are at one instant, and its files into an empty folder. */
export async function exportOrganization(
  { db, files, progress, version }: Exported,
  { id, name }: { id: string; name: string },
  folder: string,
): Promise<Manifest> {
  const rows = await inLongSnapshot(db, session => exportRows(session, { id, folder, progress }));
  progress.step('Exporting files');
  await mkdir(path.join(folder, 'files'), { mode: 0o700 });
  const exported: Manifest['files'] = [];
  for await (const file of files.store.list(id)) exported.push(await exportFile(files, { id, folder }, file));
  const manifest: Manifest = {
    format: 1,
    createdAt: new Date().toISOString(),
    version,
    organization: { id, name },
    ...rows,
    files: exported,
  };
  await writeWhole(path.join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

interface Place {
  readonly id: string;
  readonly folder: string;
}

async function exportRows(
  session: Session,
  { progress, ...place }: Place & Pick<Exported, 'progress'>,
): Promise<Pick<Manifest, 'clock' | 'tables'>> {
  const [organization] = await session.rows<{ clock: Date }>(
    sql`SELECT clock FROM organization WHERE id = ${place.id}`,
  );
  const owned = (await readOwnedTables(session)).filter(({ name }) => !fileTables.includes(name));
  const found: ExportedTable[] = [];
  for (const table of owned)
    found.push({ ...table, owner: 'organization_id', rows: await countRows(session, table, place.id) });
  progress.begin(
    'Exporting rows',
    found.reduce((sum, { rows }) => sum + rows, 0),
  );
  const columns = await readColumns(session, 'organization');
  const tables: Manifest['tables'] = [];
  for (const table of [{ name: 'organization', columns, owner: 'id', rows: 1 }, ...found]) {
    tables.push(await exportTable(session, table, place));
    progress.advance(table.rows);
  }
  return { clock: organization!.clock.toISOString(), tables };
}

async function readColumns(session: Session, table: string): Promise<string[]> {
  const rows = await session.rows<{ name: string }>(sql`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} ORDER BY ordinal_position`);
  return rows.map(({ name }) => name);
}

type ExportedTable = Pick<OwnedTable, 'name' | 'columns'> & { readonly owner: string; readonly rows: number };

/** JSON Lines. COPY takes no parameters; the identifier has hexadecimal digits only. The quotes of its CSV are characters that JSON escapes. */
async function exportTable(
  session: Session,
  { name, columns, owner, rows }: ExportedTable,
  { id, folder }: Place,
): Promise<Manifest['tables'][number]> {
  const kept = join(columns.filter(column => !isSecret(column)).map(identifier));
  const statement = sql`COPY (SELECT row_to_json(exported) FROM (
      SELECT ${kept} FROM ${identifier(name)} WHERE ${identifier(owner)} = ${raw(`'${checkedId(id)}'`)}) AS exported)
    TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`;
  return { name, rows, sha256: await copyToFile(session, statement, tableFile(folder, name)) };
}

function checkedId(id: string): string {
  if (!/^[0-9a-f]{24}$/.test(id)) throw new CommandError(`${id} is not an identifier`);
  return id;
}

/** @throws CommandError where its bytes are missing */
async function exportFile(
  { store, timeout }: Files,
  { id: organizationId, folder }: Place,
  { id, size }: Pick<Manifest['files'][number], 'id' | 'size'>,
): Promise<Manifest['files'][number]> {
  const stream = await openInTime(store, { organizationId, id, size, sha256: null }, timeout);
  if (stream === null) throw new CommandError(`file ${id} was removed during the export: export again`);
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await writeWhole(storedFile(folder, id), Readable.from(hashed(chunksInTime(stream, timeout))));
  return { id, size, sha256: hash.digest('hex') };
}

/** Reads an export, and all of its files. @throws CommandError when it is of another organization, or one of its files is damaged or missing */
export async function verifyExport(
  folder: string,
  organizationId: string,
  progress: Watched,
): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifestFile), 'utf8').catch(() => null);
  if (text === null) throw new CommandError(`${folder} is not an export: it has no ${manifestFile}`);
  const manifest = parseManifest(text);
  if (manifest === null)
    throw new CommandError(`${manifestFile} of ${folder} is damaged, or of a newer version of Kontor`);
  if (manifest.organization.id !== organizationId)
    throw new CommandError(`${folder} is the export of organization ${manifest.organization.id}`);
  const files = [
    ...manifest.tables.map(({ name, sha256 }) => ({ file: tableFile(folder, name), sha256 })),
    ...manifest.files.map(({ id, sha256 }) => ({ file: storedFile(folder, id), sha256 })),
  ];
  progress.step('Verifying the export');
  for (const { file, sha256 } of files)
    if ((await computeDigest(file).catch(() => null)) !== sha256)
      throw new CommandError(`${file} is damaged or missing: export the organization again`);
  return manifest;
}

function parseManifest(text: string): Manifest | null {
  try {
    const manifest: unknown = JSON.parse(text);
    return isManifest.Check(manifest) ? manifest : null;
  } catch {
    return null;
  }
}
