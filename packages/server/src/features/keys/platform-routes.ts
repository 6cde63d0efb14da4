import {
  createApiKey,
  deactivateApiKey,
  deleteApiKey,
  getApiKey,
  getApiKeyUsage,
  listApiKeys,
  reactivateApiKey,
  replaceApiKey,
} from '@kontor/contract';
import { pageOfRows } from '../../query/rows.ts';
import { implement } from '../../http/implement.ts';
import { ok, type Route } from '../../http/route.ts';
import { change, createKey, findKey, type Parts, replace, type Show, usageOf } from './operations.ts';
import { keyList, keyRows } from './store.ts';

const show: Show = async (db, call) => JSON.stringify(await findKey(db, call));

export function apiKeyRoutes(parts: Parts): Route[] {
  const { reads } = parts;
  return [
    implement(listApiKeys, async call => ok(await pageOfRows(keyList, keyRows(call.scope), call, reads))),
    implement(createApiKey, call => createKey(parts, call)),
    implement(getApiKey, async call => ok(await show(reads, call))),
    implement(deleteApiKey, call => change(parts, call, 'delete', show)),
    implement(deactivateApiKey, call => change(parts, call, 'deactivate', show)),
    implement(reactivateApiKey, call => change(parts, call, 'reactivate', show)),
    implement(replaceApiKey, call => replace(parts, call)),
    implement(getApiKeyUsage, async call => ok(JSON.stringify(await usageOf(reads, call)))),
  ];
}
