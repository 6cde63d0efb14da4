import {
  type ApiKeyHealth,
  type ApiKeyHistory,
  type ApiKeyScope,
  createPortalApiKey,
  deactivatePortalApiKey,
  deletePortalApiKey,
  exportPortalApiKeys,
  getPortalApiKey,
  getPortalApiKeyHealth,
  getPortalApiKeyHistory,
  getPortalApiKeyScope,
  getPortalApiKeyUsage,
  listPortalApiKeys,
  previewPortalApiKeyScope,
  reactivatePortalApiKey,
  replacePortalApiKey,
  updatePortalApiKey,
} from '@kontor/contract';
import { pageOfRows, slicesOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { companyOf, ok, type Route } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import { recordExport, requestOf } from '../../write/writes.ts';
import { previewScope } from './grants.ts';
import { readGrantedTenants } from './granted-places.ts';
import { readHistory } from './history.ts';
import { rowsOfGrants } from './rules.ts';
import { readErrors, readPolls } from './usage/read.ts';
import {
  exportedKeyList,
  findPortalKey,
  portalKeyList,
  portalKeyRows,
  readActivity,
  updateExpectedInterval,
} from './portal-store.ts';
import {
  change,
  previewKeyScope,
  createKey,
  findKey,
  isDeleted,
  notFound,
  type OfKey,
  type Parts,
  replace,
  usageOf,
} from './operations.ts';
import { lockKey } from './store.ts';

/** Handlers for keys with a scope within the user's own scope. */
export function portalApiKeyRoutes(parts: Parts): Route[] {
  const { reads } = parts;
  return [
    implement(listPortalApiKeys, async call =>
      ok(await pageOfRows(portalKeyList, portalKeyRows(call.scope, companyOf(call)), call, reads)),
    ),
    implement(exportPortalApiKeys, call => exportKeys(parts, call)),
    implement(createPortalApiKey, call => createKey(parts, call)),
    implement(previewPortalApiKeyScope, call => previewKeyScope(parts, call)),
    implement(getPortalApiKey, async call => ok(await show(reads, call))),
    implement(updatePortalApiKey, call => update(parts, call)),
    implement(deletePortalApiKey, call => change(parts, call, 'delete', show)),
    implement(deactivatePortalApiKey, call => change(parts, call, 'deactivate', show)),
    implement(reactivatePortalApiKey, call => change(parts, call, 'reactivate', show)),
    implement(replacePortalApiKey, call => replace(parts, call)),
    implement(getPortalApiKeyScope, async call => ok(JSON.stringify(await readScope(reads, call)))),
    implement(getPortalApiKeyHistory, async call => ok(JSON.stringify(await historyOf(reads, call)))),
    implement(getPortalApiKeyUsage, async call => ok(JSON.stringify(await usageOf(reads, call)))),
    implement(getPortalApiKeyHealth, async call => ok(JSON.stringify(await readHealth(reads, call)))),
  ];
}

async function show(db: Queryable, { scope, parameters: { id } }: OfKey): Promise<string> {
  return JSON.stringify((await findPortalKey(db, scope, id)) ?? notFound());
}

/** The columns of an export: what the list shows, but for the use of single days. */
const exportedColumns = [
  'id',
  'name',
  'lastFour',
  'status',
  'health',
  'wholeOrganization',
  'tenants',
  'createdAt',
  'createdBy',
  'expiresAt',
  'lastUsedAt',
  'lastSuccessAt',
  'noRecentActivitySince',
  'requests',
  'rejections',
] as const;

async function exportKeys(
  { reads, writes }: Parts,
  call: CallOf<typeof exportPortalApiKeys>,
): Promise<AnswerOf<typeof exportPortalApiKeys>> {
  const slices = slicesOfRows(exportedKeyList, portalKeyRows(call.scope, companyOf(call)), call.list, reads);
  const stream = await csvFile(slices, exportedColumns, 'spreadsheet');
  await recordExport(writes, call, 'key.export');
  return { status: 200, file: { stream, fileName: 'api-keys.csv', mediaType: 'text/csv', size: null } };
}

async function update(
  { reads, writes }: Parts,
  call: CallOf<typeof updatePortalApiKey>,
): Promise<AnswerOf<typeof updatePortalApiKey>> {
  const { scope, parameters, body } = call;
  if ((await findPortalKey(reads, scope, parameters.id)) === null) notFound();
  const key = await writes.runUnordered(requestOf(call), async (write, session) => {
    if ((await lockKey(session, scope.organizationId, parameters.id)) === 'deleted') throw isDeleted();
    await updateExpectedInterval(write, session, parameters.id, body.expectedIntervalSeconds);
    return show(session, call);
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
