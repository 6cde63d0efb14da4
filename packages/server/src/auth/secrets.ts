import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Characters that a pepper has at least. */
export const pepperMinimum = 32;

/** The secret of all hashes. While it is being rotated, hashes with `previous` match as well. */
export type Pepper = Buffer & { readonly previous?: Buffer | undefined };

/** The peppers that a hash may have, the present one first. */
export function peppersOf(pepper: Pepper): readonly Buffer[] {
  return pepper.previous === undefined ? [pepper] : [pepper, pepper.previous];
}

/** Identifies a pepper without revealing it. */
export function pepperFingerprint(pepper: Buffer): string {
  return createHmac('sha256', pepper).update('kontor pepper fingerprint').digest('hex').slice(0, 32);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * An API key, platform token, portal session or portal link: `<prefix>_<id 12>_<secret 43>_<checksum 6>`, all base62. 43 characters hold 256 bits.
 */
export interface Secret {
  /** Identifies it in commands, logs and the database; not secret. */
  readonly id: string;
  /** The whole text as the client sends it. It is shown once and never stored. */
  readonly text: string;
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** CRC-32 of the part before it in base62. It detects typing errors before any query; it adds no security. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < 6) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** 32 bytes as 43 characters. */
function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  while (digits.length < 43) {
    digits = alphabet[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}

export function newSecret(prefix: string, id: string = randomText(12)): Secret {
  const body = `${prefix}_${id}_${randomText(43)}`;
  return { id, text: `${body}_${checksum(body)}` };
}

const pattern = /^([a-z]+(?:_[0-9a-f]{24})?)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/;

/** Null for another form or prefix, or a wrong checksum. */
export function parseSecret(prefix: string, text: string): Secret | null {
  const match = pattern.exec(text);
  if (!match || match[1] !== prefix || checksum(text.slice(0, -7)) !== match[4]) return null;
  return { id: match[2]!, text };
}

/** The identifier of a secret with any prefix; null when the text is no secret. */
export function idOfSecret(text: string | undefined): string | null {
  const prefix = text?.split('_', 1)[0];
  return prefix === undefined ? null : (parseSecret(prefix, text!)?.id ?? null);
}

/** A secret with its organization in front of the identifier, so that only one organization is queried. */
export interface OwnedSecret extends Secret {
  readonly organizationId: string;
}

/** A new random one: `<prefix>_<organization 24>_<id 12>_…`. */
export function newOwnedSecret(prefix: string, organizationId: string, id?: string): OwnedSecret {
  return { ...newSecret(`${prefix}_${organizationId}`, id), organizationId };
}

/** Derives a secret from the pepper and a random seed. It can be derived again to be sent, so it is not stored. The seed alone is not enough. */
export function ownedSecretOf(
  { prefix, organizationId, id, seed }: { prefix: string; organizationId: string; id: string; seed: string },
  pepper: Buffer,
): OwnedSecret {
  const named = `${prefix}_${organizationId}_${id}`;
  const secret = createHmac('sha256', pepper).update(`secret of ${named} ${seed}`).digest();
  const body = `${named}_${base62(secret)}`;
  return { id, text: `${body}_${checksum(body)}`, organizationId };
}

/** A random seed of {@link ownedSecretOf}, and the identifier of its secret. */
export function newSeed(): { id: string; seed: string } {
  return { id: randomText(12), seed: randomText(43) };
}

/** {@link parseSecret} for a secret with its organization. */
export function parseOwnedSecret(prefix: string, text: string): OwnedSecret | null {
  const organizationId = /^[a-z]+_([0-9a-f]{24})_/.exec(text)?.[1];
  if (organizationId === undefined) return null;
  const secret = parseSecret(`${prefix}_${organizationId}`, text);
  return secret && { ...secret, organizationId };
}

/** The stored form: HMAC-SHA-256 of the whole text with the pepper, 32 bytes. */
export function hashSecret({ text }: Secret, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(text).digest();
}

/** The pepper of a stored hash; null when no pepper matches. It takes the same time with each pepper, and without a stored hash (null). */
export function matchPepper(secret: Secret, pepper: Pepper, stored: Buffer | null): Buffer | null {
  const matching = peppersOf(pepper).filter(one => hashMatches(hashSecret(secret, one), stored));
  return matching[0] ?? null;
}

const unknownHash = Buffer.alloc(32);

/** Compares in constant time. An unknown secret (null) takes the same time. */
export function hashMatches(hash: Buffer, stored: Buffer | null): boolean {
  return timingSafeEqual(hash, stored ?? unknownHash) && stored !== null;
}
