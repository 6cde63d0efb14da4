import { apiKeyFields } from '@kontor/contract';
import { defineRows, pageOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import type { Fragment } from '../../db/sql.ts';
import type { CallOf, HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import {
  change,
  createKey,
  findKey,
  type Parts,
  replace,
  type Show,
  renderKey,
  usageOf,
} from './operations.ts';
import { keyRows, listedKey, type ListedRow } from './store.ts';

const show: Show = async (db, call) => JSON.stringify(renderKey(await findKey(db, call)));

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
  item: (row: ListedRow) => renderKey(listedKey(row)),
});

export function apiKeyHandlers(parts: Parts): HandlersOf<'platform', 'API keys'> {
  const { reads } = parts;
  return {
    listApiKeys: call => list(reads, call),
    createApiKey: call => createKey(parts, call),
    getApiKey: async call => ok(await show(reads, call)),
    deleteApiKey: call => change(parts, call, 'delete', show),
    deactivateApiKey: call => change(parts, call, 'deactivate', show),
    reactivateApiKey: call => change(parts, call, 'reactivate', show),
    replaceApiKey: call => replace(parts, call),
    getApiKeyUsage: async call => ok(JSON.stringify(await usageOf(reads, call))),
  };
}

async function list(reads: Pool, { scope, list }: Pick<CallOf<'listApiKeys'>, 'scope' | 'list'>) {
  const read = <Row extends object>(statement: Fragment) => reads.rows<Row>(statement, { shared: false });
  return ok(await pageOfRows(keyList, keyRows(scope), list, read));
}
