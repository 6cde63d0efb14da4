import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';

export function portalDivisionHandlers(collection: Collection): HandlersOf<'portal', 'Divisions'> {
  return { listPortalDivisions: async call => ok(await collection.page(call)) };
}
