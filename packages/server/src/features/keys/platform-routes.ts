import { pageOfRows } from '../../query/rows.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { change, createKey, findKey, type Parts, replace, type Show, usageOf } from './operations.ts';
import { keyList, keyRows } from './store.ts';

const show: Show = async (db, call) => JSON.stringify(await findKey(db, call));

export function apiKeyHandlers(parts: Parts): HandlersOf<'platform', 'API keys'> {
  const { reads } = parts;
  return {
    listApiKeys: async call => ok(await pageOfRows(keyList, keyRows(call.scope), call, reads)),
    createApiKey: call => createKey(parts, call),
    getApiKey: async call => ok(await show(reads, call)),
    deleteApiKey: call => change(parts, call, 'delete', show),
    deactivateApiKey: call => change(parts, call, 'deactivate', show),
    reactivateApiKey: call => change(parts, call, 'reactivate', show),
    replaceApiKey: call => replace(parts, call),
    getApiKeyUsage: async call => ok(JSON.stringify(await usageOf(reads, call))),
  };
}
