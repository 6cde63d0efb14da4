import type { ApiKey } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import type { Write } from '../../write/writes.ts';
import { hashKey, newKey } from '../../auth/api-keys.ts';
import { type GrantRow, type KeyAction, type KeyStatus, rowsOfGrants, statusAfter } from './rules.ts';
import { insertKey, lockKey, recordReplacement, updateExpiry, updateStatus } from './store.ts';

/** Milliseconds that a replaced key still works by default. */
export const defaultGrace = 24 * 3600 * 1000;

export interface WantedKey {
  readonly name: string;
  readonly quota: { readonly requests: number; readonly seconds: number } | null;
  readonly grants: 'all' | readonly GrantRow[];
  readonly expiresAt?: Date | null;
}

/** A created key. Its text is not stored, so it is shown only once. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

/** Creates a key. The caller must check the grants first. @throws ApiError 400 VALIDATION_ERROR on the name */
export function storeKey(write: Write, pepper: Buffer, key: WantedKey): CreatedKey {
  checkName('name', key.name);
  const made = newKey();
  insertKey(write, { ...key, id: made.id, secretHash: hashKey(made, pepper), lastFour: made.text.slice(-4) });
  return { id: made.id, key: made.text };
}

/**
 * Creates a key with the scope, quota and set interval of an active one. The old key expires after `grace` milliseconds, or earlier at
 * its own expiry. Returns that time as `ends`.
 * @throws ApiError 400 VALIDATION_ERROR on the name
 */
export function replaceKey(
  write: Write,
  pepper: Buffer,
  old: ApiKey,
  { name, grace }: { name: string; grace: number },
): CreatedKey & { readonly oldExpiresAt: Date } {
  const until = new Date(Date.now() + grace);
  const oldExpiresAt =
    old.expiresAt === null || old.expiresAt > until.toISOString() ? until : new Date(old.expiresAt);
  updateExpiry(write, old.id, oldExpiresAt);
  const grants = old.wholeOrganization ? 'all' : rowsOfGrants(old.grants);
  const made = storeKey(write, pepper, { name, quota: old.quota, grants });
  recordReplacement(write, old.id, made.id);
  return { ...made, oldExpiresAt };
}

/** Changes the status of an existing key and returns the new one; null when the change is not allowed. */
export async function changeStatus(
  write: Write,
  session: Queryable,
  id: string,
  action: KeyAction,
): Promise<KeyStatus | null> {
  const present = (await lockKey(session, write.organizationId, id))!;
  const next = statusAfter(present, action);
  if (next !== null && next !== present) updateStatus(write, id, { status: next, action });
  return next;
}
