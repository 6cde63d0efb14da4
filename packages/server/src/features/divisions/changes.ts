import {
  apis,
  type createDivision,
  type Division,
  type DivisionPatch,
  fold,
  type updateDivision,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { AnswerOf, CallOf } from '../../http/implement.ts';
import { notFound } from '../../http/read-resource.ts';
import { type OkAnswer, ok } from '../../http/route.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { divisionResource, type DivisionData, divisionRow } from './mapping.ts';
import {
  checkDepth,
  checkMove,
  checkMoveToTop,
  checkVersion,
  nameTaken,
  newDivision,
  applyPatch,
  type Place,
  tenantOfRoot,
  unusableParent,
} from './rules.ts';
import * as store from './store.ts';

interface Writing {
  readonly reads: Pool;
  readonly writes: Writes;
}

type Creating = CallOf<typeof createDivision>;
type Updating = CallOf<typeof updateDivision>;

/** Also checked before the write, so a rejected create does not take the organization clock. */
export async function create(
  { reads, writes }: Writing,
  call: Creating,
  prefix: string = apis.public.prefix,
): Promise<AnswerOf<typeof createDivision>> {
  const id = newId();
  const { body } = call;
  const place = await findPlace(reads, call);
  checkLevel(await readLevel(reads, call, place));
  const doc = await writes
    .runOrdered(requestOf(call), {
      targets: [id],
      async read(db) {
        const [, level] = await Promise.all([findPlace(db, call), readLevel(db, call, place)]);
        return level;
      },
      change(write, level) {
        checkLevel(level);
        const data = newDivision(body, place, level.last);
        const timestamps = { createdAt: write.instant, updatedAt: write.instant };
        const row = divisionRow(id, data, timestamps, write.dryRun ? dryRunId : id);
        store.insertDivision(write, row);
        return row.doc;
      },
    })
    .catch(store.throwNameTaken);
  if (call.dryRun) return ok(doc);
  return { status: 201, body: doc, headers: { Location: `${prefix}/divisions/${id}` } };
}

function readLevel(db: Queryable, call: Creating, place: Place): Promise<store.Level> {
  const { name, order } = call.body;
  const division = { foldedName: fold(name), ordered: order !== undefined };
  return store.readLevel(db, call.scope.organizationId, place, division);
}

/** @throws ApiError for a tree that is too deep, and a name that is taken */
function checkLevel(level: store.Level): void {
  checkDepth(level.parentDepth);
  if (level.nameTaken) throw nameTaken();
}

/** The place of a new division. @throws ApiError for a parent or tenant that cannot be used */
async function findPlace(db: Queryable, { scope, tenant, body }: Creating): Promise<Place> {
  const { parentId = null } = body;
  if (parentId === null) {
    const tenants = await store.findTenants(db, scope.organizationId);
    return { tenantId: tenantOfRoot(scope, tenant, tenants), parentId };
  }
  const parent = await store.findDivision(db, scope, tenant, parentId);
  if (parent === null) throw unusableParent();
  return { tenantId: parent.tenantId, parentId };
}

/** Planned before the write, so a rejected or empty update takes no organization clock. Planned again in it, so two moves form no cycle. */
export async function update(
  { reads, writes }: Writing,
  call: Updating,
  expectedUpdatedAt?: string,
): Promise<OkAnswer> {
  const first = await planUpdate(reads, call, expectedUpdatedAt);
  if (first.fields.length === 0) return ok(first.doc);
  const { id } = call.parameters;
  const doc = await writes
    .runOrdered(requestOf(call), {
      targets: [id],
      read: db => planUpdate(db, call, expectedUpdatedAt),
      change(write, { doc, before, data, fields }) {
        // Another write has made the same change since the first plan.
        if (fields.length === 0) return doc;
        const row = divisionRow(id, data, { createdAt: before.createdAt, updatedAt: write.instant });
        store.updateDivision(write, row, fields);
        return row.doc;
      },
    })
    .catch(store.throwNameTaken);
  return ok(doc);
}

export interface Plan {
  readonly doc: string;
  readonly before: Division;
  readonly fields: readonly (keyof DivisionPatch)[];
  readonly data: DivisionData;
}

/** Plans an update of the stored document, if that is the expected version. @throws ApiError for an update that is rejected */
export async function planUpdate(db: Queryable, call: Updating, expectedUpdatedAt?: string): Promise<Plan> {
  const { scope, tenant, parameters, body: patch } = call;
  const { id } = parameters;
  const { doc } = (await store.findDivision(db, scope, tenant, id)) ?? notFound('division', call);
  const before = divisionResource.parse(doc);
  if (expectedUpdatedAt !== undefined) checkVersion(before, expectedUpdatedAt);
  const fields = changedFields(before, patch);
  const data = applyPatch(before, patch);
  if (fields.includes('parentId')) {
    if (data.parentId === null) checkMoveToTop(scope, before.tenant);
    else checkMove(await store.readMove(db, scope, before, data.parentId));
  }
  if (fields.includes('parentId') || fields.includes('name')) {
    const row = divisionRow(id, data, before);
    if (await store.isNameTaken(db, scope.organizationId, row)) throw nameTaken();
  }
  return { doc, before, fields, data };
}
