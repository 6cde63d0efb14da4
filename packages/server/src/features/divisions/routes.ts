import {
  apis,
  createDivision,
  createPortalDivision,
  getDivision,
  listDivisions,
  listPortalDivisions,
  movePortalDivision,
  updateDivision,
  updatePortalDivision,
} from '@kontor/contract';
import { implement } from '../../http/implement.ts';
import { readResource } from '../../http/read-resource.ts';
import { ok, type Route, type RouteParts } from '../../http/route.ts';
import { checkName } from '../../lib/names.ts';
import type { Collection } from '../../query/page.ts';
import { versionOf } from '../../write/writes.ts';
import { divisionResource } from './mapping.ts';
import { moveDivision, type ReadEffects } from './moves.ts';
import { create, update } from './changes.ts';

interface Parts extends RouteParts {
  readonly collection: Collection;
}

interface PortalParts extends RouteParts {
  readonly collection: Collection;
  readonly readEffects: ReadEffects;
}

export function divisionRoutes(parts: Parts): Route[] {
  const { reads, collection } = parts;
  return [
    implement(listDivisions, async call => ok(await collection.page(call))),
    implement(getDivision, call => readResource(reads, divisionResource, call)),
    implement(createDivision, call => create(parts, call)),
    implement(updateDivision, call => update(parts, call)),
  ];
}

/** The tree of divisions, changed by the rules of the public API. A change names the version of the division that the user has read. */
export function portalDivisionRoutes(parts: PortalParts): Route[] {
  return [
    implement(listPortalDivisions, async call => ok(await parts.collection.page(call))),
    implement(createPortalDivision, async call => {
      checkName('name', call.body.name);
      return create(parts, call, apis.portal.prefix);
    }),
    implement(updatePortalDivision, async call => {
      const { expectedUpdatedAt, ...body } = call.body;
      if (body.name !== undefined) checkName('name', body.name);
      return update(parts, { ...call, body, expectedVersion: versionOf(expectedUpdatedAt) });
    }),
    implement(movePortalDivision, async call => ok(JSON.stringify(await moveDivision(parts, call)))),
  ];
}
