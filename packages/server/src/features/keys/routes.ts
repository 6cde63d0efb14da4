import {
  ApiError,
  type ApiKey,
  apiKeyFields,
  apis,
  type ApiKeyUsage,
  type CreatedApiKey,
  unprocessable,
} from '@kontor/contract';
import { defineRows, pageOfRows } from '../../collection/rows.ts';
import type { Pool } from '../../database/connect.ts';
import type { Queryable } from '../../database/session.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { requestOf, type Writes } from '../../writes/writes.ts';
import { grantedRows, type Places } from './grants.ts';
import { changeStatus, defaultGrace, replaceKey, storeKey } from './issue.ts';
import type { KeyAction } from './rules.ts';
import * as store from './store.ts';
import { readUsage } from './usage-store.ts';

/** What the operations of API keys stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly places: Places;
}

/** What a dry run shows as the identifier of a key that would have been made. */
const dryRunKeyId = '0'.repeat(12);

/** Days that the usage of a key is shown for. */
const usageDays = 30;

const keyList = defineRows({
  fields: apiKeyFields,
  columns: {
    id: 'folded_id',
    name: 'folded_name',
    status: 'status',
    wholeOrganization: 'whole_organization',
    createdAt: 'created_at',
    expiresAt: 'expires_at',
    lastUsedAt: 'last_used_at',
  },
  item: (row: store.ListedRow) => shown(store.listedKey(row)),
});

/** The operations of API keys, which are the platform's. */
export function apiKeyHandlers(parts: Parts): HandlersOf<'platform', 'API keys'> {
  const { reads } = parts;
  return {
    async listApiKeys({ scope, list }) {
      const rows = store.keyRows(scope.organizationId);
      return ok(await pageOfRows(keyList, rows, list, statement => reads.rows(statement, { shared: false })));
    },
    createApiKey: call => createKey(parts, call),
    getApiKey: async call => ok(JSON.stringify(shown(await found(reads, call)))),
    deleteApiKey: call => change(parts, call, 'delete'),
    deactivateApiKey: call => change(parts, call, 'deactivate'),
    reactivateApiKey: call => change(parts, call, 'reactivate'),
    replaceApiKey: call => replace(parts, call),
    getApiKeyUsage: async call => ok(JSON.stringify(await usage(reads, call))),
  };
}

/** A key as clients see it. */
function shown(key: store.ListedKey): ApiKey {
  const { id, name, status, grants, quota, createdAt, expiresAt, lastUsedAt } = key;
  return {
    id,
    name,
    status,
    wholeOrganization: grants === 'all',
    grants:
      grants === 'all'
        ? []
        : grants.map(({ tenantId, divisions }) => ({
            tenant: tenantId,
            divisions: divisions === 'all' ? null : [...divisions],
          })),
    quota,
    createdAt,
    expiresAt,
    lastUsedAt,
  };
}

type OfKey = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

/** The key that a call is about. @throws ApiError NOT_FOUND. */
async function found(db: Queryable, { scope, parameters: { id } }: OfKey): Promise<store.ListedKey> {
  return (await store.findKeyOf(db, scope.organizationId, id)) ?? notFound();
}

async function createKey(
  { writes, pepper, places }: Parts,
  call: CallOf<'createApiKey'>,
): Promise<AnswerOf<'createApiKey'>> {
  const { scope, body, receivedAt } = call;
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (expiresAt !== null && expiresAt <= receivedAt) throw unprocessable('expiresAt must be in the future');
  const grants = await grantedRows(body, scope.organizationId, places);
  const wanted = { name: body.name, quota: body.quota ?? null, grants, expiresAt };
  const created = await writes.beside(requestOf(call), async (turn, session) => {
    const { id, key } = storeKey(turn, pepper, wanted);
    return withText(await found(session, { scope, parameters: { id } }), key);
  });
  return createdAnswer(call, created);
}

/** The new key of a call, which is shown with its text this once. */
function withText(key: store.ListedKey, text: string): CreatedApiKey {
  return { ...shown(key), key: text };
}

function createdAnswer(
  { scope, dryRun }: Pick<Call, 'scope' | 'dryRun'>,
  created: CreatedApiKey,
): AnswerOf<'createApiKey'> {
  if (dryRun) return ok(JSON.stringify({ ...created, id: dryRunKeyId, key: null }));
  const Location = `${apis.platform.prefix}/organizations/${scope.organizationId}/api-keys/${created.id}`;
  return { status: 201, body: JSON.stringify(created), headers: { Location } };
}

async function replace(
  { reads, writes, pepper }: Parts,
  call: CallOf<'replaceApiKey'>,
): Promise<AnswerOf<'replaceApiKey'>> {
  const { scope, body } = call;
  await found(reads, call);
  const grace = body.graceSeconds === undefined ? defaultGrace : body.graceSeconds * 1000;
  const created = await writes.beside(requestOf(call), async (turn, session) => {
    await store.lockKey(session, scope.organizationId, call.parameters.id);
    const old = await found(session, call);
    if (old.status !== 'active')
      throw new ApiError('INVALID_STATE_TRANSITION', `The key is ${old.status}: create a new one`);
    const { id, key } = replaceKey(turn, pepper, old, { name: body.name ?? old.name, grace });
    return withText(await found(session, { scope, parameters: { id } }), key);
  });
  return createdAnswer(call, created);
}

async function change(
  { reads, writes }: Parts,
  call: CallOf<'deactivateApiKey'>,
  action: KeyAction,
): Promise<AnswerOf<'deactivateApiKey'>> {
  await found(reads, call);
  const key = await writes.beside(requestOf(call), async (turn, session) => {
    if ((await changeStatus(turn, session, call.parameters.id, action)) === null)
      throw new ApiError('INVALID_STATE_TRANSITION', 'The key is deleted and stays so: create a new one');
    return found(session, call);
  });
  return ok(JSON.stringify(shown(key)));
}

async function usage(db: Pool, call: CallOf<'getApiKeyUsage'>): Promise<ApiKeyUsage> {
  const { lastUsedAt } = await found(db, call);
  const key = { organizationId: call.scope.organizationId, id: call.parameters.id };
  const used = await readUsage(db, key, usageDays);
  const days = used.map(({ day, requests, refused, limited, failed }) => ({
    day,
    requests,
    refused,
    limited,
    failed,
  }));
  return { requests: days.reduce((sum, { requests }) => sum + requests, 0), lastUsedAt, days };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No API key with this id is visible to the token');
}
