import {
  ApiError,
  type ApiKey,
  type ApiKeyHealth,
  type ApiKeyHistory,
  type ApiKeyScope,
  ApiKeyUsage,
  createApiKey,
  type CreatedApiKey,
  createPortalApiKey,
  deactivateApiKey,
  deactivatePortalApiKey,
  deleteApiKey,
  deletePortalApiKey,
  exportPortalApiKeys,
  fieldsOf,
  getApiKey,
  getApiKeyUsage,
  getPortalApiKey,
  getPortalApiKeyHealth,
  getPortalApiKeyHistory,
  getPortalApiKeyScope,
  getPortalApiKeyUsage,
  listApiKeys,
  listPortalApiKeys,
  PortalApiKey,
  previewPortalApiKeyScope,
  reactivateApiKey,
  reactivatePortalApiKey,
  replaceApiKey,
  replacePortalApiKey,
  unprocessable,
  updatePortalApiKey,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { type Call, ok, type Route, companyOf, type RouteParts } from '../../http/route.ts';
import { renderRow } from '../../lib/render-row.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import { pageOfRows } from '../../query/rows.ts';
import { readGrantedTenants } from './granted-places.ts';
import { grantedRows, type Places, previewScope } from './grants.ts';
import { readHistory } from './history.ts';
import { changeStatus, defaultGrace, replaceKey, storeKey } from './lifecycle.ts';
import {
  portalKeyList,
  findPortalKey,
  portalKeyRows,
  readActivity,
  updateExpectedInterval,
} from './portal-store.ts';
import { type KeyAction, limitsOf, rowsOfGrants } from './rules.ts';
import * as store from './store.ts';
import { keyList, keyRows, lockKey } from './store.ts';
import { readOperations, readUsage, readErrors, readPolls } from './usage/read.ts';

export interface Parts extends RouteParts {
  readonly pepper: Buffer;
  readonly places: Places;
  /** The path of a key, for `Location`. */
  readonly addressOf: (organizationId: string, id: string) => string;
}

export function apiKeyRoutes(parts: Parts): Route[] {
  const { reads } = parts;
  return [
    implement(listApiKeys, async call => ok(await pageOfRows(keyList, keyRows(call.scope), call, reads))),
    implement(createApiKey, call => createKey(parts, call)),
    implement(getApiKey, async call => ok(await showKey(reads, call))),
    implement(deleteApiKey, call => change(parts, call, 'delete', showKey)),
    implement(deactivateApiKey, call => change(parts, call, 'deactivate', showKey)),
    implement(reactivateApiKey, call => change(parts, call, 'reactivate', showKey)),
    implement(replaceApiKey, call => replace(parts, call)),
    implement(getApiKeyUsage, async call => ok(JSON.stringify(await usageOf(reads, call)))),
  ];
}

/** Keys with a scope within the user's own scope. The platform and the portal share the rest; each passes its own {@link Show}. */
export function portalApiKeyRoutes(parts: Parts): Route[] {
  const { reads } = parts;
  return [
    implement(listPortalApiKeys, async call =>
      ok(await pageOfRows(portalKeyList, portalKeyRows(call.scope, companyOf(call)), call, reads)),
    ),
    implement(exportPortalApiKeys, call =>
      exportList(parts, call, {
        list: portalKeyList,
        rows: portalKeyRows(call.scope, companyOf(call)),
        fields: exportedFields,
        fileName: 'api-keys.csv',
        action: 'key.export',
      }),
    ),
    implement(createPortalApiKey, call => createKey(parts, call)),
    implement(previewPortalApiKeyScope, call => previewKeyScope(parts, call)),
    implement(getPortalApiKey, async call => ok(await showPortalKey(reads, call))),
    implement(updatePortalApiKey, call => update(parts, call)),
    implement(deletePortalApiKey, call => change(parts, call, 'delete', showPortalKey)),
    implement(deactivatePortalApiKey, call => change(parts, call, 'deactivate', showPortalKey)),
    implement(reactivatePortalApiKey, call => change(parts, call, 'reactivate', showPortalKey)),
    implement(replacePortalApiKey, call => replace(parts, call)),
    implement(getPortalApiKeyScope, async call => ok(JSON.stringify(await readScope(reads, call)))),
    implement(getPortalApiKeyHistory, async call => ok(JSON.stringify(await historyOf(reads, call)))),
    implement(getPortalApiKeyUsage, async call => ok(JSON.stringify(await usageOf(reads, call)))),
    implement(getPortalApiKeyHealth, async call => ok(JSON.stringify(await readHealth(reads, call)))),
  ];
}

/** The identifier of a key in the response to a dry run. */
const dryRunKeyId = '0'.repeat(12);

const usageDays = 30;

/** Reads a key in the scope and renders it for one of the APIs. @throws ApiError NOT_FOUND */
export type Show = (db: Queryable, call: OfKey) => Promise<string>;

export type OfKey = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

/** @throws ApiError NOT_FOUND */
async function findKey(db: Queryable, { scope, parameters: { id } }: OfKey): Promise<ApiKey> {
  return (await store.findKeyOf(db, scope, id)) ?? notFound();
}

async function createKey(
  { writes, pepper, places, addressOf }: Parts,
  call: CallOf<typeof createPortalApiKey>,
): Promise<AnswerOf<typeof createApiKey>> {
  const { scope, body, receivedAt } = call;
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : (body.expiresAt as null | undefined);
  if (expiresAt && expiresAt <= receivedAt) throw unprocessable('expiresAt must be in the future');
  const grants = await grantedRows(body, scope, places);
  const { name, quota = null } = body;
  const wanted = { name, quota, grants, permissions: limitsOf(body.permissions), expiresAt };
  const created = await writes.runWithoutClock(call, async (write, session) => {
    const { id, key } = await storeKey(write, session, pepper, wanted);
    return { ...(await findKey(session, { scope, parameters: { id } })), key };
  });
  return createdAnswer(call, created, addressOf);
}

async function previewKeyScope(
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

async function replace(
  { reads, writes, pepper, addressOf }: Parts,
  call: CallOf<typeof replacePortalApiKey>,
): Promise<AnswerOf<typeof replaceApiKey>> {
  const { scope, body } = call;
  await findKey(reads, call);
  const expiresAt = body.expiresAt && new Date(body.expiresAt);
  if (expiresAt && expiresAt <= call.receivedAt) throw unprocessable('expiresAt must be in the future');
  const grace = body.graceSeconds === undefined ? defaultGrace : body.graceSeconds * 1000;
  const created = await writes.runWithoutClock(call, async (write, session) => {
    const old = await findKey(session, call);
    const wanted = { name: body.name ?? old.name, grace, expiresAt: expiresAt as Date | null | undefined };
    const { id, key } = await replaceKey(write, session, pepper, old, wanted);
    return { ...(await findKey(session, { scope, parameters: { id } })), key };
  });
  return createdAnswer(call, created, addressOf);
}

async function change(
  { reads, writes }: Parts,
  call: CallOf<typeof deactivatePortalApiKey>,
  action: KeyAction,
  show: Show,
): Promise<AnswerOf<typeof deactivateApiKey>> {
  await findKey(reads, call);
  const key = await writes.runWithoutClock(call, async (write, session) => {
    if ((await changeStatus(write, session, call.parameters.id, action)) === null) throw isDeleted();
    return show(session, call);
  });
  return ok(key);
}

function isDeleted(): ApiError {
  return new ApiError('INVALID_STATE_TRANSITION', 'A deleted key cannot be changed: create a new one');
}

/** @throws ApiError NOT_FOUND */
async function usageOf(db: Pool, call: OfKey): Promise<ApiKeyUsage> {
  const { lastUsedAt } = await findKey(db, call);
  const key = { organizationId: call.scope.organizationId, id: call.parameters.id };
  const [used, operations] = await Promise.all([
    readUsage(db, key, usageDays),
    readOperations(db, key, usageDays),
  ]);
  const days = used.map(day => renderRow(ApiKeyUsage.properties.days.items, { ...day }));
  return { requests: days.reduce((sum, { requests }) => sum + requests, 0), lastUsedAt, days, operations };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No API key with this id is visible to the caller');
}

const showKey: Show = async (db, call) => JSON.stringify(await findKey(db, call));

async function showPortalKey(db: Queryable, { scope, parameters: { id } }: OfKey): Promise<string> {
  return JSON.stringify((await findPortalKey(db, scope, id)) ?? notFound());
}

const exportedFields = fileFields<PortalApiKey>(fieldsOf(PortalApiKey), {
  tenants: { type: 'string', read: ({ grants }) => grants.map(({ tenant }) => tenant) },
});

async function update(
  { reads, writes }: Parts,
  call: CallOf<typeof updatePortalApiKey>,
): Promise<AnswerOf<typeof updatePortalApiKey>> {
  const { scope, parameters, body } = call;
  if ((await findPortalKey(reads, scope, parameters.id)) === null) notFound();
  const key = await writes.runWithoutClock(call, async (write, session) => {
    if ((await lockKey(session, scope.organizationId, parameters.id)) === 'deleted') throw isDeleted();
    await updateExpectedInterval(write, session, parameters.id, body.expectedIntervalSeconds);
    return showPortalKey(session, call);
  });
  return ok(key);
}

/** @throws ApiError NOT_FOUND */
async function readHealth(db: Pool, { scope, parameters: { id } }: OfKey): Promise<ApiKeyHealth> {
  const key = { organizationId: scope.organizationId, id };
  const activity = (await readActivity(db, scope, id)) ?? notFound();
  const [polls, errors] = await Promise.all([readPolls(db, key), readErrors(db, key)]);
  return { ...activity, polls, errors };
}

/** @throws ApiError NOT_FOUND */
async function readScope(db: Pool, call: OfKey): Promise<ApiKeyScope> {
  const { id, wholeOrganization, grants } = await findKey(db, call);
  const { organizationId } = call.scope;
  const [counts, grantedTenants] = await Promise.all([
    previewScope(db, organizationId, wholeOrganization ? 'all' : rowsOfGrants(grants)),
    readGrantedTenants(db, organizationId, id),
  ]);
  return { ...counts, grantedTenants };
}

/** @throws ApiError NOT_FOUND */
async function historyOf(db: Pool, call: OfKey): Promise<ApiKeyHistory> {
  const { id } = await findKey(db, call);
  return readHistory(db, call.scope.organizationId, id);
}
