import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import type { Write } from '../../write/writes.ts';
import { hashKey, newKey } from '../../auth/api-keys.ts';
import { type GrantRow, type KeyAction, type KeyStatus, statusAfter } from './rules.ts';
import {
  insertKey,
  type ListedKey,
  lockKey,
  recordReplacement,
  updateExpiry,
  updateStatus,
} from './store.ts';

/** How long an old key works beside the one that replaces it, in milliseconds, unless said. */
export const defaultGrace = 24 * 3600 * 1000;

/** What is said of a new key. */
export interface WantedKey {
  readonly name: string;
  readonly quota: { readonly requests: number; readonly seconds: number } | null;
  readonly grants: 'all' | readonly GrantRow[];
  readonly expiresAt?: Date | null;
}

/** A key that was created; its text cannot be had again. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

/** Makes a key. The caller has checked its grants. @throws ApiError 400 VALIDATION_ERROR on the name. */
export function storeKey(write: Write, pepper: Buffer, key: WantedKey): CreatedKey {
  checkName('name', key.name);
  const made = newKey();
  insertKey(write, { ...key, id: made.id, secretHash: hashKey(made, pepper), lastFour: made.text.slice(-4) });
  return { id: made.id, key: made.text };
}

/**
 * Makes a key with the scope, the quota and the set interval of an active one. The old one expires `grace` milliseconds from now, if it does not
 * expire before. Returns when that is, too.
 * @throws ApiError 400 VALIDATION_ERROR on the name
 */
export function replaceKey(
  write: Write,
  pepper: Buffer,
  old: ListedKey,
  { name, grace }: { name: string; grace: number },
): CreatedKey & { readonly oldExpiresAt: Date } {
  const until = new Date(Date.now() + grace);
  const oldExpiresAt =
    old.expiresAt === null || old.expiresAt > until.toISOString() ? until : new Date(old.expiresAt);
  updateExpiry(write, old.id, oldExpiresAt);
  const made = storeKey(write, pepper, { name, quota: old.quota, grants: grantsAgain(old) });
  recordReplacement(write, old.id, made.id);
  return { ...made, oldExpiresAt };
}

/** The grants of a key as the rows of another one. */
function grantsAgain({ grants }: ListedKey): 'all' | GrantRow[] {
  if (grants === 'all') return 'all';
  return grants.flatMap(({ tenantId, divisions }): GrantRow[] =>
    (divisions === 'all' ? [null] : divisions).map(divisionId => ({ tenantId, divisionId })),
  );
}

/** Changes the status of a key that exists, and returns what it is then; null where that is not allowed. */
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
