import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^kontor_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/;

/** An API key taken apart: `kontor_<id 12>_<secret 43>_<checksum 6>`, all base62; 43 characters carry 256 bits. */
export interface ApiKey {
  /** Names the key in commands, logs and the database; no secret. */
  readonly id: string;
  /** The whole key as the client sends it; shown once, stored nowhere. */
  readonly text: string;
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** CRC-32 of the part before it in base62. It catches typing errors before any query; it protects nothing. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < 6) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new random key. */
export function newKey(): ApiKey {
  const id = randomText(12);
  const body = `kontor_${id}_${randomText(43)}`;
  return { id, text: `${body}_${checksum(body)}` };
}

/** The key of a header, or null when it has another form or a wrong checksum. */
export function parseKey(text: string): ApiKey | null {
  const match = keyPattern.exec(text);
  if (!match || checksum(text.slice(0, -7)) !== match[3]) return null;
  return { id: match[1]!, text };
}

/** The identifier in a text that is known to be a key; of any other text, something that may be none. */
export function idOf(text: string): string {
  return text.slice(7, 19);
}

/** What is stored of a key: HMAC-SHA-256 of its whole text under the pepper, 32 bytes. */
export function hashKey(key: ApiKey, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key.text).digest();
}

const unknownHash = Buffer.alloc(32);

/** Whether the hash is the stored one, in constant time; an unknown key (null) costs the same. */
export function hashMatches(hash: Buffer, stored: Buffer | null): boolean {
  return timingSafeEqual(hash, stored ?? unknownHash) && stored !== null;
}

/** Identifies a pepper without telling it. */
export function pepperFingerprint(pepper: Buffer): string {
  return createHmac('sha256', pepper).update('kontor pepper fingerprint').digest('hex').slice(0, 32);
}

export type KeyStatus = 'active' | 'inactive' | 'deleted';
export type KeyAction = 'deactivate' | 'reactivate' | 'delete';

const nextStatus: Record<KeyAction, KeyStatus> = {
  deactivate: 'inactive',
  reactivate: 'active',
  delete: 'deleted',
};

/** The status after the action; null when it is not allowed: a deleted key is permanently retired (specification.md 1.4). */
export function statusAfter(status: KeyStatus, action: KeyAction): KeyStatus | null {
  return status === 'deleted' && action !== 'delete' ? null : nextStatus[action];
}

/** One row of what a key is granted: a tenant, and one of its divisions or (null) all of them. */
export interface GrantRow {
  readonly tenantId: string;
  readonly divisionId: string | null;
}

/**
 * The grants of chosen tenants and divisions (division → its tenant): a tenant with chosen divisions is granted with
 * these only, one without them as a whole. Returns the division whose tenant was not chosen, when there is one.
 */
export function grantRows(
  tenants: readonly string[],
  divisions: ReadonlyMap<string, string>,
): { rows: GrantRow[] } | { stray: string } {
  const stray = [...divisions].find(([, tenantId]) => tenants.length > 0 && !tenants.includes(tenantId));
  if (stray) return { stray: stray[0] };
  const restricted = new Set(divisions.values());
  const whole = [...new Set(tenants)].filter(tenantId => !restricted.has(tenantId));
  return {
    rows: [
      ...whole.map(tenantId => ({ tenantId, divisionId: null })),
      ...[...divisions].map(([divisionId, tenantId]) => ({ tenantId, divisionId })),
    ],
  };
}
