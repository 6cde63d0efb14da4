import { type ApiKeyHealth, type PortalApiKey, portalApiKeyFields } from '@kontor/contract';
import { defineRows, pageOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { Fragment } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { requestOf } from '../../write/writes.ts';
import { readErrors, readPolls } from './usage/read.ts';
import {
  findPortalKey,
  listedDays,
  portalKeyRows,
  type PortalRow,
  type Activity,
  readActivity,
  updateExpectedInterval,
} from './portal-store.ts';
import {
  change,
  previewKeyScope,
  createKey,
  isDeleted,
  notFound,
  type OfKey,
  type Parts,
  replace,
  renderKey,
  usageOf,
} from './operations.ts';
import { listedKey, lockKey } from './store.ts';

const keyList = defineRows({
  fields: portalApiKeyFields,
  columns: {
    id: 'folded_id',
    name: 'folded_name',
    status: 'status',
    wholeOrganization: 'whole_organization',
    createdAt: 'created_at',
    expiresAt: 'expires_at',
    lastUsedAt: 'last_used_at',
    lastFour: 'folded_last_four',
    createdBy: 'folded_created_by',
    lastSuccessAt: 'last_success_at',
    noRecentActivitySince: 'no_recent_activity_since',
    requests: 'requests',
    rejections: 'rejections',
  },
  item: renderForPortal,
});

/** Handlers for keys with a scope within the user's own scope. */
export function portalApiKeyHandlers(parts: Parts): HandlersOf<'portal', 'API keys'> {
  const { reads } = parts;
  return {
    listPortalApiKeys: call => list(reads, call),
    createPortalApiKey: call => createKey(parts, call),
    previewPortalApiKeyScope: call => previewKeyScope(parts, call),
    getPortalApiKey: async call => ok(await show(reads, call)),
    updatePortalApiKey: call => update(parts, call),
    deletePortalApiKey: call => change(parts, call, 'delete', show),
    deactivatePortalApiKey: call => change(parts, call, 'deactivate', show),
    reactivatePortalApiKey: call => change(parts, call, 'reactivate', show),
    replacePortalApiKey: call => replace(parts, call),
    getPortalApiKeyUsage: async call => ok(JSON.stringify(await usageOf(reads, call))),
    getPortalApiKeyHealth: async call => ok(JSON.stringify(await healthOf(reads, call))),
  };
}

async function list(reads: Pool, { scope, list, signal }: CallOf<'listPortalApiKeys'>) {
  const read = <Row extends object>(statement: Fragment) =>
    reads.rows<Row>(statement, { shared: false, signal });
  return ok(await pageOfRows(keyList, portalKeyRows(scope), list, read));
}

async function show(db: Queryable, { scope, parameters: { id } }: OfKey): Promise<string> {
  return JSON.stringify(renderForPortal((await findPortalKey(db, scope, id)) ?? notFound()));
}

function renderForPortal(row: PortalRow): PortalApiKey {
  return {
    ...renderKey(listedKey(row)),
    lastFour: row.last_four,
    createdBy: row.created_by_name,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    noRecentActivitySince: row.no_recent_activity_since?.toISOString() ?? null,
    requests: Number(row.requests),
    rejections: Number(row.rejections),
    ...byDay(row.days ?? []),
  };
}

/** Numbers for each of the last days, including days without requests. */
function byDay(
  days: NonNullable<PortalRow['days']>,
): Pick<PortalApiKey, 'requestsByDay' | 'rejectionsByDay'> {
  const found = new Map(days.map(use => [use.day, use]));
  const listed = Array.from({ length: listedDays }, (_, index) => {
    const day = new Date(Date.now() - (listedDays - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return found.get(day);
  });
  return {
    requestsByDay: listed.map(use => use?.requests ?? 0),
    rejectionsByDay: listed.map(use => use?.rejections ?? 0),
  };
}

async function update(
  { reads, writes }: Parts,
  call: CallOf<'updatePortalApiKey'>,
): Promise<AnswerOf<'updatePortalApiKey'>> {
  const { scope, parameters, body } = call;
  if ((await findPortalKey(reads, scope, parameters.id)) === null) notFound();
  const key = await writes.runUnordered(requestOf(call), async (write, session) => {
    if ((await lockKey(session, scope.organizationId, parameters.id)) === 'deleted') throw isDeleted();
    const activity = (await readActivity(session, scope, parameters.id)) ?? notFound();
    const expected = body.expectedIntervalSeconds;
    if (activity.expected !== expected)
      updateExpectedInterval(write, parameters.id, { expected, watchedFrom: watchedFrom(activity) });
    return show(session, call);
  });
  return ok(key);
}

/** When watching starts for an interval set by a user. Without a success it starts at the last use, or else at creation. */
function watchedFrom({ watchedFrom, lastSuccessAt, lastUsedAt, createdAt }: Activity): string | null {
  return watchedFrom ?? (lastSuccessAt === null ? (lastUsedAt ?? createdAt) : null);
}

/** @throws ApiError NOT_FOUND */
async function healthOf(db: Pool, { scope, parameters: { id } }: OfKey): Promise<ApiKeyHealth> {
  const activity = (await readActivity(db, scope, id)) ?? notFound();
  const key = { organizationId: scope.organizationId, id };
  const [polls, errors] = await Promise.all([readPolls(db, key), readErrors(db, key)]);
  const lagOf = (readTo: string) => Math.max(0, Date.parse(activity.clockAt) - Date.parse(readTo));
  return {
    lastUsedAt: activity.lastUsedAt,
    lastSuccessAt: activity.lastSuccessAt,
    expectedIntervalSeconds: activity.expected,
    computedIntervalSeconds: activity.computed,
    overdueFrom: activity.overdueFrom,
    noRecentActivitySince: activity.noRecentActivitySince,
    replacedBy: activity.replacedBy,
    replaces: activity.replaces,
    clockAt: activity.clockAt,
    polls: polls.map(poll => ({ ...poll, lagSeconds: Math.ceil(lagOf(poll.readTo) / 1000) })),
    errors: [...errors],
  };
}
