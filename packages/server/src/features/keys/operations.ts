import {
  ApiError,
  type ApiKey,
  ApiKeyUsage,
  type createApiKey,
  type CreatedApiKey,
  type createPortalApiKey,
  type deactivateApiKey,
  type deactivatePortalApiKey,
  type previewPortalApiKeyScope,
  type replaceApiKey,
  type replacePortalApiKey,
  unprocessable,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { AnswerOf, CallOf } from '../../http/implement.ts';
import { type Call, ok } from '../../http/route.ts';
import { renderRow } from '../../lib/render-row.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { grantedRows, type Places, previewScope } from './grants.ts';
import { changeStatus, defaultGrace, replaceKey, storeKey } from './lifecycle.ts';
import type { KeyAction } from './rules.ts';
import * as store from './store.ts';
import { readOperations, readUsage } from './usage/read.ts';

/** Operations on API keys that the platform and the portal share. Each API passes its own {@link Show}. */

export interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly places: Places;
  /** The path of a key, for `Location`. */
  readonly addressOf: (organizationId: string, id: string) => string;
}

/** The identifier of a key in the response to a dry run. */
const dryRunKeyId = '0'.repeat(12);

const usageDays = 30;

/** Reads a key in the scope and renders it for one of the APIs. @throws ApiError NOT_FOUND */
export type Show = (db: Queryable, call: OfKey) => Promise<string>;

export type OfKey = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

/** @throws ApiError NOT_FOUND */
export async function findKey(db: Queryable, { scope, parameters: { id } }: OfKey): Promise<ApiKey> {
  return (await store.findKeyOf(db, scope, id)) ?? notFound();
}

export async function createKey(
  { writes, pepper, places, addressOf }: Parts,
  call: CallOf<typeof createPortalApiKey>,
): Promise<AnswerOf<typeof createApiKey>> {
  const { scope, body, receivedAt } = call;
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : (body.expiresAt as null | undefined);
  if (expiresAt && expiresAt <= receivedAt) throw unprocessable('expiresAt must be in the future');
  const grants = await grantedRows(body, scope, places);
  const wanted = { name: body.name, quota: body.quota ?? null, grants, expiresAt };
  const created = await writes.runUnordered(requestOf(call), async (write, session) => {
    const { id, key } = await storeKey(write, session, pepper, wanted);
    return { ...(await findKey(session, { scope, parameters: { id } })), key };
  });
  return createdAnswer(call, created, addressOf);
}

export async function previewKeyScope(
  { reads, places }: Parts,
  { scope, body }: CallOf<typeof previewPortalApiKeyScope>,
): Promise<AnswerOf<typeof previewPortalApiKeyScope>> {
  const grants = await grantedRows(body, scope, places);
  return ok(JSON.stringify(await previewScope(reads, scope.organizationId, grants)));
}

/** Only this response contains the text of the key. */
function createdAnswer(
  { scope, dryRun }: Pick<Call, 'scope' | 'dryRun'>,
  created: CreatedApiKey,
  addressOf: Parts['addressOf'],
): AnswerOf<typeof createApiKey> {
  if (dryRun) return ok(JSON.stringify({ ...created, id: dryRunKeyId, key: null }));
  const Location = addressOf(scope.organizationId, created.id);
  return { status: 201, body: JSON.stringify(created), headers: { Location } };
}

export async function replace(
  { reads, writes, pepper, addressOf }: Parts,
  call: CallOf<typeof replacePortalApiKey>,
): Promise<AnswerOf<typeof replaceApiKey>> {
  const { scope, body } = call;
  await findKey(reads, call);
  const expiresAt = body.expiresAt && new Date(body.expiresAt);
  if (expiresAt && expiresAt <= call.receivedAt) throw unprocessable('expiresAt must be in the future');
  const grace = body.graceSeconds === undefined ? defaultGrace : body.graceSeconds * 1000;
  const created = await writes.runUnordered(requestOf(call), async (write, session) => {
    const old = await findKey(session, call);
    const wanted = { name: body.name ?? old.name, grace, expiresAt: expiresAt as Date | null | undefined };
    const { id, key } = await replaceKey(write, session, pepper, old, wanted);
    return { ...(await findKey(session, { scope, parameters: { id } })), key };
  });
  return createdAnswer(call, created, addressOf);
}

export async function change(
  { reads, writes }: Parts,
  call: CallOf<typeof deactivatePortalApiKey>,
  action: KeyAction,
  show: Show,
): Promise<AnswerOf<typeof deactivateApiKey>> {
  await findKey(reads, call);
  const key = await writes.runUnordered(requestOf(call), async (write, session) => {
    if ((await changeStatus(write, session, call.parameters.id, action)) === null) throw isDeleted();
    return show(session, call);
  });
  return ok(key);
}

export function isDeleted(): ApiError {
  return new ApiError('INVALID_STATE_TRANSITION', 'A deleted key cannot be changed: create a new one');
}

/** @throws ApiError NOT_FOUND */
export async function usageOf(db: Pool, call: OfKey): Promise<ApiKeyUsage> {
  const { lastUsedAt } = await findKey(db, call);
  const key = { organizationId: call.scope.organizationId, id: call.parameters.id };
  const [used, operations] = await Promise.all([
    readUsage(db, key, usageDays),
    readOperations(db, key, usageDays),
  ]);
  const days = used.map(day => renderRow(ApiKeyUsage.properties.days.items, { ...day }));
  return { requests: days.reduce((sum, { requests }) => sum + requests, 0), lastUsedAt, days, operations };
}

export function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No API key with this id is visible to the caller');
}
