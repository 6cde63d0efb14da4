import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pepper, pepperFingerprint, pepperMinimum, peppersOf } from '../../auth/secrets.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { openDraft } from '../../lib/draft-file.ts';

/** The pepper is too short, or the keys of the database were hashed with another one. Then every key would be rejected. */
export class PepperError extends Error {
  override readonly name = 'PepperError';
}

/** Where the peppers come from; null: from the data folder. */
export interface PepperSource {
  readonly secret: string | null;
  readonly previous?: string | null;
  readonly dataDirectory: string;
}

/** The file of a pepper that is being rotated, next to the file `pepper`. */
export const previousPepperFile = 'pepper.previous';

/**
 * The pepper of this database: the configured secret, or else the file `pepper` in the data folder. The file is created with mode 0600 if
 * neither it nor earlier keys exist, or the keys belong to the previous pepper. If the database belongs to the previous pepper, it belongs to
 * the configured one from then on. `reads` reads to which pepper it belongs, and `db` stores it, as a commit may wait for a standby.
 * @throws PepperError when the database belongs to another pepper, or the file is too short
 */
export async function openPepper(
  db: Queryable,
  source: PepperSource,
  reads: Queryable = db,
): Promise<Pepper> {
  const { secret } = source;
  const file = join(source.dataDirectory, 'pepper');
  const known = await readFingerprint(reads);
  const previous = await openPrevious(source);
  const follows = previous !== null && pepperFingerprint(previous) === known;
  const pepper =
    secret === null ? await readPepperFile(file, known === null || follows) : Buffer.from(secret, 'utf8');
  if (pepper === null) throw otherPepper(file);
  const fingerprint = pepperFingerprint(pepper);
  // A known fingerprint is not written again. A service can start while a node with a copy of it is down.
  const stored = known ?? (await claimFingerprint(db, fingerprint));
  if (stored !== fingerprint) {
    if (!follows) throw otherPepper(file);
    await changeFingerprint(db, stored, fingerprint);
  }
  return previous === null ? pepper : Object.assign(pepper, { previous });
}

async function openPrevious({
  secret,
  previous = null,
  dataDirectory,
}: PepperSource): Promise<Buffer | null> {
  if (previous !== null) return Buffer.from(previous, 'utf8');
  return secret === null ? readFile(join(dataDirectory, previousPepperFile)).catch(whenMissing) : null;
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

function otherPepper(file: string): PepperError {
  return new PepperError(
    `the API keys of this database belong to another pepper: set KONTOR_KEY_PEPPER to it, or bring back the file ${file}`,
  );
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

const fingerprintName = 'key_pepper_fingerprint';

/** The pepper of rows that name none: they are from before the first rotation. */
const firstName = 'key_pepper_first';

/** Fingerprint of the pepper that the keys of this database are hashed with; null before the first use. */
async function readFingerprint(db: Queryable, name = fingerprintName): Promise<string | null> {
  const [row] = await db.rows<{ value: string }>(sql`SELECT value FROM setting WHERE name = ${name}`);
  return row?.value ?? null;
}

/** Stores the fingerprint unless one exists. Returns the stored one. */
async function claimFingerprint(db: Queryable, fingerprint: string): Promise<string> {
  await db.run(sql`
    INSERT INTO setting (name, value) VALUES (${fingerprintName}, ${fingerprint}) ON CONFLICT (name) DO NOTHING`);
  return (await readFingerprint(db))!;
}

async function changeFingerprint(db: Queryable, from: string, to: string): Promise<void> {
  await db.run(
    sql`INSERT INTO setting (name, value) VALUES (${firstName}, ${from}) ON CONFLICT (name) DO NOTHING`,
  );
  await db.run(sql`UPDATE setting SET value = ${to} WHERE name = ${fingerprintName} AND value = ${from}`);
}

/** A working key or token, and the pepper of its hash. */
export interface PepperedKey {
  readonly pepper: string;
  /** Null for a token. */
  readonly organizationId: string | null;
  readonly id: string;
  readonly name: string;
  readonly lastUsedAt: Date | null;
}

/** The keys and tokens that can be used, or reactivated, by the fingerprint of their pepper; the unused ones first. */
export function findPepperedKeys(db: Queryable): Promise<PepperedKey[]> {
  return db.rows<PepperedKey>(sql`
    WITH first AS (
      SELECT coalesce(max(value) FILTER (WHERE name = ${firstName}), max(value)) AS pepper FROM setting
      WHERE name IN (${firstName}, ${fingerprintName}))
    SELECT coalesce(k.pepper, first.pepper, '') AS pepper, k.organization_id AS "organizationId", k.id, k.name, k.last_used_at AS "lastUsedAt"
    FROM api_key k CROSS JOIN first WHERE k.status <> 'deleted' AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
    UNION ALL
    SELECT coalesce(t.pepper, first.pepper, ''), NULL, t.id, t.name, t.last_used_at
    FROM platform_token t CROSS JOIN first WHERE t.revoked_at IS NULL AND t.expires_at > clock_timestamp()
    ORDER BY "lastUsedAt" NULLS FIRST, id`);
}

/** How many keys and tokens cannot be used, because their pepper is not given. Before the first rotation it reads no keys. */
export async function countLostKeys(db: Queryable, pepper: Pepper): Promise<number> {
  if ((await readFingerprint(db, firstName)) === null) return 0;
  const given = givenPeppers(pepper);
  return (await findPepperedKeys(db)).filter(key => !given.has(key.pepper)).length;
}

/** The fingerprints of the peppers of this process. */
export function givenPeppers(pepper: Pepper): ReadonlySet<string> {
  return new Set(peppersOf(pepper).map(pepperFingerprint));
}
