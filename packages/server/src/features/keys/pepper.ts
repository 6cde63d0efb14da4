import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pepperMinimum } from '../../config.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';

/** The pepper is too short, or not the one that the keys of the database are hashed with, so that all would be rejected. */
export class PepperError extends Error {
  override readonly name = 'PepperError';
}

/**
 * The pepper of this database: the configured secret, else the file `pepper` in the data folder, which is made (mode
 * 0600) when neither file nor earlier keys exist.
 * @throws PepperError when the database knows another one, or the file is shorter than a pepper may be.
 */
export async function openPepper(
  db: Queryable,
  options: { secret: string | null; dataDirectory: string },
): Promise<Buffer> {
  const file = join(options.dataDirectory, 'pepper');
  const known = await readFingerprint(db);
  const pepper =
    options.secret === null ? await pepperFile(file, known === null) : Buffer.from(options.secret, 'utf8');
  // A known one is not claimed anew: a service can start while a node is away that has a copy of it.
  const belongs = async (fingerprint: string) =>
    (known ?? (await claimFingerprint(db, fingerprint))) === fingerprint;
  if (pepper === null || !(await belongs(pepperFingerprint(pepper))))
    throw new PepperError(
      `the API keys of this database belong to another pepper: set KONTOR_KEY_PEPPER to it, or bring back the file ${file}`,
    );
  return pepper;
}

/** The content of the file; a new one when it is missing and may be made, else null. */
async function pepperFile(file: string, create: boolean): Promise<Buffer | null> {
  const existing = await readFile(file).catch(whenMissing);
  if (existing && existing.toString('utf8').length < pepperMinimum) throw tooShort(file, create);
  if (existing || !create) return existing;
  await mkdir(join(file, '..'), { recursive: true });
  // Written beside and linked, so that of two processes that start together one wins and both read a whole file.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  await link(draft, file).catch(whenPresent);
  await rm(draft);
  return readFile(file);
}

/** Whoever has lost the pepper must not be told to make a new one: all keys would be lost with it. */
function tooShort(file: string, isFirst: boolean): PepperError {
  const advice = isFirst
    ? 'delete it, so that a new one is made'
    : 'bring back the one that belongs to the API keys of this database';
  return new PepperError(
    `the pepper in the file ${file} has fewer than ${pepperMinimum} characters: ${advice}, or set KONTOR_KEY_PEPPER`,
  );
}

function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function whenPresent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Identifies a pepper without telling it. */
export function pepperFingerprint(pepper: Buffer): string {
  return createHmac('sha256', pepper).update('kontor pepper fingerprint').digest('hex').slice(0, 32);
}

const fingerprintName = 'key_pepper_fingerprint';

/** The fingerprint of the pepper that the keys of this database are hashed with; null before the first use. */
async function readFingerprint(db: Queryable): Promise<string | null> {
  const [row] = await db.rows<{ value: string }>(
    sql`SELECT value FROM setting WHERE name = ${fingerprintName}`,
  );
  return row?.value ?? null;
}

/** Keeps the fingerprint unless one is there, and returns the one that is. */
async function claimFingerprint(db: Queryable, fingerprint: string): Promise<string> {
  await db.run(sql`
    INSERT INTO setting (name, value) VALUES (${fingerprintName}, ${fingerprint}) ON CONFLICT (name) DO NOTHING`);
  return (await readFingerprint(db))!;
}
