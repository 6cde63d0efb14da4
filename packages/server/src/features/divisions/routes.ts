import { ApiError, type Division, type DivisionPatch, fold } from '@kontor/contract';
import { divisionResource } from './resource.ts';
import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import { readDocument } from '../../db/find-in-scope.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { AnswerOf, CallOf, Handlers, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { type DivisionData, divisionRow } from './record.ts';
import {
  changedFields,
  checkDepth,
  checkMove,
  checkMoveToTop,
  nameTaken,
  newDivision,
  patched,
  type Place,
  tenantOfRoot,
  unusableParent,
} from './rules.ts';
import * as store from './store.ts';

/** What the operations of divisions stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly collection: Collection;
}

type Creating = CallOf<'createDivision'>;
type Updating = CallOf<'updateDivision'>;

/** The operations of divisions on a database and its collection of divisions. */
export function divisionHandlers(parts: Parts): Handlers<'Divisions'> {
  const { reads, collection } = parts;
  return {
    listDivisions: async call => ok(await collection.page(call)),
    getDivision: async ({ scope, tenant, parameters: { id } }) =>
      ok((await readDocument(reads, { table: 'division', scope, tenant, id })) ?? notFound()),
    createDivision: call => createDivision(parts, call),
    updateDivision: call => updateDivision(parts, call),
  };
}

/** The operations of divisions that are the portal's. */
export function portalDivisionHandlers(collection: Collection): HandlersOf<'portal', 'Divisions'> {
  return { listPortalDivisions: async call => ok(await collection.page(call)) };
}

async function createDivision({ reads, writes }: Parts, call: Creating): Promise<AnswerOf<'createDivision'>> {
  const id = newId();
  const { body } = call;
  // Checked first without the clock, so that a refused create leaves it alone, and again where nothing can change.
  const place = await placeOf(reads, call, body.parentId ?? null);
  checkLevel(await readLevel(reads, call, place));
  const doc = await writes
    .runOrdered(requestOf(call), {
      targets: [id],
      async read(db) {
        const [, level] = await Promise.all([placeOf(db, call, place.parentId), readLevel(db, call, place)]);
        return level;
      },
      change(turn, level) {
        checkLevel(level);
        const data = newDivision(body, place, level.last);
        const stamps = { createdAt: turn.instant, updatedAt: turn.instant };
        const row = divisionRow(id, data, stamps, turn.dryRun ? dryRunId : id);
        store.insertDivision(turn, row);
        return row.doc;
      },
    })
    .catch(store.namingSiblings);
  if (call.dryRun) return ok(doc);
  return { status: 201, body: doc, headers: { Location: `/v1/divisions/${id}` } };
}

function readLevel(db: Queryable, call: Creating, place: Place): Promise<store.Level> {
  const { name, order } = call.body;
  const division = { foldedName: fold(name), ordered: order !== undefined };
  return store.readLevel(db, call.scope.organizationId, place, division);
}

/** Checks the level of a new division. @throws ApiError where the tree is too deep or the name taken. */
function checkLevel({ parentDepth, nameTaken: taken }: store.Level): void {
  checkDepth(parentDepth);
  if (taken) throw nameTaken();
}

/** Where the division is to stand. @throws ApiError for every refusal of that. */
async function placeOf(db: Queryable, call: Call, parentId: string | null): Promise<Place> {
  const { scope, tenant } = call;
  if (parentId === null) {
    const tenants = await store.someTenants(db, scope.organizationId);
    return { tenantId: tenantOfRoot(scope, tenant, tenants), parentId };
  }
  const parent = await store.findDivision(db, scope, tenant, parentId);
  if (parent === null) throw unusableParent();
  return { tenantId: parent.tenantId, parentId };
}

async function updateDivision({ reads, writes }: Parts, call: Updating): Promise<AnswerOf<'updateDivision'>> {
  // Checked first without the clock, so that a refused or unchanged update leaves it alone, and again where nothing can
  // change: two moves that would close a cycle together come one after the other here.
  const first = await planUpdate(reads, call);
  if (first.fields.length === 0) return ok(first.doc);
  const { id } = call.parameters;
  const doc = await writes
    .runOrdered(requestOf(call), {
      targets: [id],
      read: db => planUpdate(db, call),
      change(turn, { doc, createdAt, data, fields }) {
        // Another write has made the same change meanwhile.
        if (fields.length === 0) return doc;
        const row = divisionRow(id, data, { createdAt, updatedAt: turn.instant });
        store.updateDivision(turn, row, fields);
        return row.doc;
      },
    })
    .catch(store.namingSiblings);
  return ok(doc);
}

/** An update as things are now: the stored document, what changes, and the division after it. */
interface Plan {
  readonly doc: string;
  readonly createdAt: string;
  readonly fields: readonly (keyof DivisionPatch)[];
  readonly data: DivisionData;
}

/** What the update comes to, as things are now. @throws ApiError for every refusal of it. */
async function planUpdate(db: Queryable, call: Updating): Promise<Plan> {
  const { id } = call.parameters;
  const patch = call.body;
  const { doc } = (await store.findDivision(db, call.scope, call.tenant, id)) ?? notFound();
  const before = divisionResource.parse(doc);
  const fields = changedFields(before, patch);
  const data = patched(before, patch);
  if (fields.includes('parentId')) await checkNewParent(db, call, before, data.parentId);
  if (fields.includes('parentId') || fields.includes('name')) {
    const row = divisionRow(id, data, before);
    if (await store.isNameTaken(db, call.scope.organizationId, row)) throw nameTaken();
  }
  return { doc, createdAt: before.createdAt, fields, data };
}

async function checkNewParent(
  db: Queryable,
  { scope }: Call,
  before: Division,
  parentId: string | null,
): Promise<void> {
  if (parentId === null) checkMoveToTop(scope, before.tenant);
  else checkMove(await store.readMove(db, scope, before, parentId));
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No division with this id is visible to the key');
}
