import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pepperMinimum } from '../../auth/secrets.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { openDraft } from '../../lib/draft-file.ts';

/** The pepper is too short, or the keys of the database were hashed with another one. Then every key would be rejected. */
export class PepperError extends Error {
  override readonly name = 'PepperError';
}

/**
 * The pepper of this database: the configured secret, or else the file `pepper` in the data folder. The file is created with mode 0600 if
 * neither it nor earlier keys exist.
 * @throws PepperError when the database belongs to another pepper, or the file is too short
 */
export async function openPepper(
  db: Queryable,
  options: { secret: string | null; dataDirectory: string },
): Promise<Buffer> {
  const file = join(options.dataDirectory, 'pepper');
  const known = await readFingerprint(db);
  const pepper =
    options.secret === null
      ? await readPepperFile(file, known === null)
      : Buffer.from(options.secret, 'utf8');
  // A known fingerprint is not written again. A service can start while a node with a copy of it is down.
  const belongs = async (fingerprint: string) =>
    (known ?? (await claimFingerprint(db, fingerprint))) === fingerprint;
  if (pepper === null || !(await belongs(pepperFingerprint(pepper))))
    throw new PepperError(
      `the API keys of this database belong to another pepper: set KONTOR_KEY_PEPPER to it, or bring back the file ${file}`,
    );
  return pepper;
}

/** Reads the file, or creates it if missing and `create` is set. Otherwise null. */
async function readPepperFile(file: string, create: boolean): Promise<Buffer | null> {
  const existing = await readFile(file).catch(whenMissing);
  if (existing && existing.toString('utf8').length < pepperMinimum) throw tooShort(file, create);
  if (existing || !create) return existing;
  await mkdir(join(file, '..'), { recursive: true });
  // One of two processes that start at once wins, and both read a complete file.
  const draft = await openDraft(file);
  draft.stream.write(randomBytes(32).toString('base64url'));
  await draft.publishOnce();
  return readFile(file);
}

/** Advises a new pepper only before the first use. Later a new pepper would invalidate all keys. */
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

/** Identifies a pepper without revealing it. */
export function pepperFingerprint(pepper: Buffer): string {
  return createHmac('sha256', pepper).update('kontor pepper fingerprint').digest('hex').slice(0, 32);
}

const fingerprintName = 'key_pepper_fingerprint';

/** Fingerprint of the pepper that the keys of this database are hashed with; null before the first use. */
async function readFingerprint(db: Queryable): Promise<string | null> {
  const [row] = await db.rows<{ value: string }>(
    sql`SELECT value FROM setting WHERE name = ${fingerprintName}`,
  );
  return row?.value ?? null;
}

/** Stores the fingerprint unless one exists. Returns the stored one. */
async function claimFingerprint(db: Queryable, fingerprint: string): Promise<string> {
  await db.run(sql`
    INSERT INTO setting (name, value) VALUES (${fingerprintName}, ${fingerprint}) ON CONFLICT (name) DO NOTHING`);
  return (await readFingerprint(db))!;
}
