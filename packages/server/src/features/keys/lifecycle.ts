import { type ApiKey, ApiError, type ApiKeyPermissions, unprocessable } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { checkName } from '../../lib/names.ts';
import { checkHourlyLimit, type HourlyLimit } from '../../auth/hourly-limit.ts';
import type { Write } from '../../write/writes.ts';
import { hashKey, newKey } from '../../auth/api-keys.ts';
import { type GrantRow, type KeyAction, type KeyStatus, rowsOfGrants, transitions } from './rules.ts';
import {
  findNewestTimes,
  findSuccessor,
  insertKey,
  lockKey,
  type KeyLifetime,
  readKeyLifetime,
  recordReplacement,
  updateExpiry,
  updateStatus,
} from './store.ts';

/** Milliseconds that a replaced key still works by default. */
export const defaultGrace = 24 * 3600 * 1000;

export interface WantedKey {
  readonly name: string;
  readonly quota: { readonly requests: number; readonly seconds: number } | null;
  readonly grants: 'all' | readonly GrantRow[];
  readonly permissions: ApiKeyPermissions;
  /** Null: never. Undefined: after the default lifetime of the organization. */
  readonly expiresAt: Date | null | undefined;
}

/** A created key. Its text is not stored, so it is shown only once. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

const day = 24 * 3600 * 1000;

/** The expiry of a new key by the settings of the organization. @throws ApiError 422 VALIDATION_ERROR */
function expiryWithin({ defaultDays, maxDays }: KeyLifetime, wanted: Date | null | undefined): Date | null {
  const now = Date.now();
  if (wanted === undefined) return defaultDays === null ? null : new Date(now + defaultDays * day);
  // A minute: the clock of a client that counts the days itself may differ.
  if (maxDays === null || (wanted !== null && wanted.getTime() <= now + maxDays * day + 60_000))
    return wanted;
  throw unprocessable(
    `expiresAt must be at most ${maxDays} days away: the organization limits the lifetime of keys`,
  );
}

/** New API keys of an organization through the portal. */
export const keyLimit = {
  actions: ['key.create'],
  ofOrganization: 500,
  ofUser: 100,
  what: 'new API keys',
} as const satisfies HourlyLimit;

/**
 * Creates a key. The caller must check the grants first.
 * @throws ApiError 400 VALIDATION_ERROR on the name, 422 VALIDATION_ERROR on the expiry, RATE_LIMIT_EXCEEDED
 */
export async function storeKey(
  write: Write,
  session: Queryable,
  pepper: Buffer,
  wanted: WantedKey,
): Promise<CreatedKey> {
  checkName('name', wanted.name);
  const lifetime = await readKeyLifetime(session, write.organizationId);
  const key = { ...wanted, expiresAt: expiryWithin(lifetime, wanted.expiresAt) };
  await checkHourlyLimit(write, session, keyLimit);
  const made = newKey();
  const lastFour = made.text.slice(-4);
  insertKey(write, { ...key, id: made.id, secretHash: hashKey(made, pepper), pepper, lastFour });
  return { id: made.id, key: made.text };
}

export interface Replacement {
  readonly name: string;
  /** Milliseconds that the old key works on, unless it expires earlier. */
  readonly grace: number;
  /** Null: never. Undefined: as long as the old key was to live, but at most for the maximum of the organization. */
  readonly expiresAt: Date | null | undefined;
}

/**
 * Creates a key with the scope, permissions, quota and set interval of an active one.
 * @throws ApiError INVALID_STATE_TRANSITION for a key that does not work or has a successor; 400 VALIDATION_ERROR on the name, 422 on the
 * expiry
 */
export async function replaceKey(
  write: Write,
  session: Queryable,
  pepper: Buffer,
  old: ApiKey,
  { name, grace, expiresAt }: Replacement,
): Promise<CreatedKey & { readonly oldExpiresAt: Date }> {
  const locked = await lockKey(session, write.organizationId, old.id);
  // Another caller may have deactivated or deleted it since it was read. Only what was read tells that a key has expired.
  const status = locked === 'active' ? old.status : locked;
  if (status !== 'active')
    throw new ApiError('INVALID_STATE_TRANSITION', `The key is ${status}: create a new one`);
  const successor = await findSuccessor(session, write.organizationId, old.id);
  if (successor !== null && !successor.isDeleted)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The key is being replaced by ${successor.id}: replace that one, or delete it first`,
    );
  const until = new Date(Date.now() + grace);
  const oldExpiresAt =
    old.expiresAt === null || old.expiresAt > until.toISOString() ? until : new Date(old.expiresAt);
  const newExpiresAt = expiresAt === undefined ? await inheritExpiry(session, write, old.id) : expiresAt;
  updateExpiry(write, old.id, old.expiresAt, oldExpiresAt);
  const grants = old.wholeOrganization ? 'all' : rowsOfGrants(old.grants);
  const made = await storeKey(write, session, pepper, {
    name,
    quota: old.quota,
    grants,
    permissions: old.permissions,
    expiresAt: newExpiresAt,
  });
  recordReplacement(write, old.id, made.id);
  return { ...made, oldExpiresAt };
}

/** When a new key expires that has the lifetime of the one it replaces, cut to the maximum of the organization. */
async function inheritExpiry(
  session: Queryable,
  { organizationId }: Write,
  id: string,
): Promise<Date | null> {
  const { createdAt, expiresAt } = await findNewestTimes(session, organizationId, id);
  const { maxDays } = await readKeyLifetime(session, organizationId);
  const lifetime = expiresAt && expiresAt.getTime() - createdAt.getTime();
  if (lifetime === null && maxDays === null) return null;
  const longest = maxDays === null ? Infinity : maxDays * day;
  return new Date(Date.now() + Math.min(lifetime ?? Infinity, longest));
}

/** Changes the status of an existing key and returns the new one; null when the change is not allowed. */
export async function changeStatus(
  write: Write,
  session: Queryable,
  id: string,
  action: KeyAction,
): Promise<KeyStatus | null> {
  const present = (await lockKey(session, write.organizationId, id))!;
  const next = transitions[present][action];
  if (next !== null && next !== present) updateStatus(write, id, { status: next, action });
  return next;
}
