import {
  apis,
  type createDivision,
  type Division,
  type DivisionPatch,
  fold,
  type updateDivision,
} from '@kontor/contract';
import { onlyGrantedTenant } from '../../auth/scope.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf } from '../../http/implement.ts';
import { notFound, repeatWith, type ResourceCall } from '../../http/read-resource.ts';
import { created, type OkAnswer, ok } from '../../http/route.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { decision, type Expecting, unchanged, type WriteAtClock, type Writes } from '../../write/writes.ts';
import { divisionResource, type DivisionData, divisionRow } from './mapping.ts';
import {
  checkDepth,
  checkMove,
  checkMoveToTop,
  nameTaken,
  newDivision,
  applyPatch,
  type Move,
  placeNewDivision,
} from './rules.ts';
import * as store from './store.ts';

interface Parts {
  readonly writes: Writes;
}

type Creating = CallOf<typeof createDivision> & { readonly id: string };
type Updating = CallOf<typeof updateDivision> & Expecting;

export async function create(
  { writes }: Parts,
  call: CallOf<typeof createDivision>,
  prefix: string = apis.public.prefix,
): Promise<AnswerOf<typeof createDivision>> {
  const doc = await writes.decide({ ...call, id: newId() }, divisionCreate).catch(store.throwNameTaken);
  return call.dryRun ? ok(doc) : created(`${prefix}/divisions`, doc);
}

const divisionCreate = decision({
  targets: ({ id }: Creating) => [id],
  repeat: repeatWith(divisionResource, ({ id }: Creating) => id),
  async read(db, call) {
    const { scope, tenant, body } = call;
    const { organizationId } = scope;
    const { parentId = null } = body;
    const division = { foldedName: fold(body.name), ordered: body.order !== undefined };
    const [parent, tenants, level] = await Promise.all([
      parentId === null ? null : store.findDivision(db, scope, tenant, parentId),
      parentId === null ? store.findTenants(db, organizationId) : [],
      store.readLevel(db, organizationId, { tenantId: tenantOf(call), parentId }, division),
    ]);
    return { parent, tenants, level };
  },
  plan({ scope, tenant, body }, { parent, tenants, level }) {
    const place = placeNewDivision(scope, tenant, body.parentId ?? null, { parent, tenants });
    checkDepth(level.parentDepth);
    if (level.nameTaken) throw nameTaken();
    return newDivision(body, place, level.last);
  },
  store(write, data, { id }) {
    const timestamps = { createdAt: write.instant, updatedAt: write.instant };
    const row = divisionRow(id, data, timestamps, write.dryRun ? dryRunId : id);
    store.insertDivision(write, row);
    return row.doc;
  },
});

/** The tenant in SQL, so that the siblings are read with the place. Where the place cannot be used, it is any. */
function tenantOf({ scope, tenant, body }: Creating): string | Fragment {
  const { organizationId } = scope;
  if (typeof body.parentId === 'string')
    return sql`(SELECT tenant_id FROM division WHERE organization_id = ${organizationId} AND id = ${body.parentId})`;
  const named = tenant ?? onlyGrantedTenant(scope);
  return named ?? sql`(SELECT id FROM tenant WHERE organization_id = ${organizationId} LIMIT 1)`;
}

export async function update({ writes }: Parts, call: Updating): Promise<OkAnswer> {
  return ok(await writes.decide(call, divisionUpdate).catch(store.throwNameTaken));
}

/** Planned under the clock again, so two moves form no cycle. */
const divisionUpdate = decision({
  targets: ({ parameters }: Updating) => [parameters.id],
  read: (db, call) => readChange(db, call, call.body),
  plan(call, found) {
    const change = planChange(call, found);
    return change.fields.length === 0 ? unchanged(found.doc) : change;
  },
  version: ({ before }) => before.updatedAt,
  store: storeChange,
});

/** A stored division, and what a patch of it depends on. */
export interface Found {
  readonly doc: string;
  readonly before: Division;
  readonly data: DivisionData;
  readonly fields: readonly (keyof DivisionPatch)[];
  /** Null unless the patch moves the division below another parent. */
  readonly move: Move | null;
  /** Whether a sibling has the name, where name or parent change. */
  readonly isNameTaken: boolean;
}

/** @throws ApiError NOT_FOUND */
export async function readChange(db: Queryable, call: ResourceCall, patch: DivisionPatch): Promise<Found> {
  const { scope, tenant, parameters } = call;
  const { id } = parameters;
  const { doc } = (await store.findDivision(db, scope, tenant, id)) ?? notFound('division', call);
  const before = divisionResource.parse(doc);
  const fields = changedFields(before, patch);
  const data = applyPatch(before, patch);
  const { parentId } = data;
  const isMoved = fields.includes('parentId');
  const [move, isNameTaken] = await Promise.all([
    isMoved && parentId !== null ? store.readMove(db, scope, before, parentId) : null,
    isMoved || fields.includes('name')
      ? store.isNameTaken(db, scope.organizationId, divisionRow(id, data, before))
      : false,
  ]);
  return { doc, before, data, fields, move, isNameTaken };
}

/** A changed division. */
export interface Change {
  readonly before: Division;
  readonly data: DivisionData;
  readonly fields: readonly (keyof DivisionPatch)[];
}

/** @throws ApiError for a change that is rejected */
export function planChange(
  { scope }: ResourceCall,
  { before, data, fields, move, isNameTaken }: Found,
): Change {
  if (move !== null) checkMove(move);
  else if (fields.includes('parentId')) checkMoveToTop(scope, before.tenant);
  if (isNameTaken) throw nameTaken();
  return { before, data, fields };
}

/** Returns the document of the changed division. */
export function storeChange(write: WriteAtClock, { before, data, fields }: Change): string {
  const timestamps = { createdAt: before.createdAt, updatedAt: write.instant };
  const row = divisionRow(before.id, data, timestamps);
  store.updateDivision(write, row, fields);
  return row.doc;
}
