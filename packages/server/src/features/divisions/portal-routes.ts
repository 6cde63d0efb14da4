import { apis } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { checkName } from '../../lib/names.ts';
import type { Collection } from '../../query/page.ts';
import type { Writes } from '../../write/writes.ts';
import { moveDivision, type ReadEffects } from './moves.ts';
import { createDivision, updateDivision } from './public-routes.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly collection: Collection;
  readonly readEffects: ReadEffects;
}

/** The tree of divisions, changed by the rules of the public API. A change names the version of the division that the user has read. */
export function portalDivisionHandlers(parts: Parts): HandlersOf<'portal', 'Divisions'> {
  return {
    listPortalDivisions: async call => ok(await parts.collection.page(call)),
    async createPortalDivision(call) {
      checkName('name', call.body.name);
      return createDivision(parts, call, apis.portal.prefix);
    },
    async updatePortalDivision(call) {
      const { expectedUpdatedAt, ...body } = call.body;
      if (body.name !== undefined) checkName('name', body.name);
      return updateDivision(parts, { ...call, body }, expectedUpdatedAt);
    },
    movePortalDivision: async call => ok(JSON.stringify(await moveDivision(parts, call))),
  };
}
