import {
  ApiError,
  type Division,
  type DivisionCreate,
  type DivisionPatch,
  operations,
} from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import { readDocument } from '../../database/read-document.ts';
import type { Sql } from '../../database/connect.ts';
import { dryRunId, newId } from '../../database/ids.ts';
import { inOrganization } from '../../database/organization-write.ts';
import type { Statements } from '../../database/transaction.ts';
import { changeTree } from '../../database/tree.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { type DivisionData, type DivisionRow, divisionRow, type Stamps } from './record.ts';
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

/** The operations of divisions. `writes` is the pool of what may wait for its turn, which a dry run does not. */
export function divisionRoutes(parts: { sql: Sql; writes: Sql; collection: Collection }): Route[] {
  const { sql, writes, collection } = parts;
  return [
    {
      operationId: 'listDivisions',
      operation: operations.listDivisions,
      handle: async ({ scope, tenant, list }) => ok(await collection.page({ scope, tenant, list: list! })),
    },
    {
      operationId: 'getDivision',
      operation: operations.getDivision,
      handle: async ({ scope, tenant, parameters }) =>
        ok((await readDocument(sql, 'division', scope, tenant, parameters['id']!)) ?? notFound()),
    },
    {
      operationId: 'createDivision',
      operation: operations.createDivision,
      handle: call => createDivision(sql, writes, call),
    },
    {
      operationId: 'updateDivision',
      operation: operations.updateDivision,
      handle: call => updateDivision(sql, writes, call),
    },
  ];
}

async function createDivision(sql: Sql, writes: Sql, call: Call): Promise<Answer> {
  const { organizationId } = call.scope;
  const id = newId();
  // Checked first without the clock, so that a refused create leaves it alone, and again where nothing can change.
  await planCreation(sql, call, id, stampsOf(call.receivedAt));
  const row = await inOrganization(call.dryRun ? sql : writes, organizationId, call, async (session, at) => {
    const planned = await planCreation(session, call, id, stampsOf(at));
    await store.insertDivision(session, organizationId, planned);
    if (call.dryRun) return planned;
    await store.countDivision(session, organizationId, planned);
    await changeTree(session, organizationId);
    await store.auditDivision(session, organizationId, {
      at,
      id,
      action: 'division.create',
      author: author(call),
      fields: [],
    });
    return planned;
  });
  if (call.dryRun) return ok(row.doc);
  return { status: 201, body: row.doc, headers: { Location: `/v1/divisions/${id}` } };
}

/** The row of the new division as things are now. Errors: every refusal of a create. */
async function planCreation(sql: Statements, call: Call, id: string, stamps: Stamps): Promise<DivisionRow> {
  const { organizationId } = call.scope;
  const body = call.body as DivisionCreate;
  const place = await placeOf(sql, call, body.parentId ?? null);
  const { parentDepth, last } = await store.readLevel(sql, organizationId, place);
  checkDepth(parentDepth);
  const row = divisionRow(id, newDivision(body, place, last), stamps, call.dryRun ? dryRunId : id);
  if (await store.isNameTaken(sql, organizationId, row)) throw nameTaken();
  return row;
}

async function placeOf(sql: Statements, call: Call, parentId: string | null): Promise<Place> {
  const { scope, tenant } = call;
  if (parentId === null) {
    const tenants = await store.someTenants(sql, scope.organizationId);
    return { tenantId: tenantOfRoot(scope, tenant, tenants), parentId };
  }
  const tenantId = await store.tenantOfDivision(sql, scope, tenant, parentId);
  if (tenantId === null) throw unusableParent();
  return { tenantId, parentId };
}

async function updateDivision(sql: Sql, writes: Sql, call: Call): Promise<Answer> {
  const { organizationId } = call.scope;
  // Checked first without the clock, so that a refused or unchanged update leaves it alone, and again where nothing can
  // change: two moves that would close a cycle together come one after the other here.
  const first = await planUpdate(sql, call);
  if (first.fields.length === 0) return ok(first.doc);
  try {
    const doc = await inOrganization(
      call.dryRun ? sql : writes,
      organizationId,
      call,
      async (session, at) => {
        const plan = await planUpdate(session, call);
        if (plan.fields.length === 0) throw new AlreadySo(plan.doc);
        return writeUpdate(session, call, plan, at);
      },
    );
    return ok(doc);
  } catch (error) {
    if (error instanceof AlreadySo) return ok(error.doc);
    throw error;
  }
}

/** Another write has made the same change meanwhile; thrown so that the clock stays where it was. */
class AlreadySo extends Error {
  readonly doc: string;

  constructor(doc: string) {
    super('the division is already so');
    this.doc = doc;
  }
}

/** An update as things are now: the stored document, what changes, and the division after it. */
interface Plan {
  readonly doc: string;
  readonly createdAt: string;
  readonly fields: readonly (keyof DivisionPatch)[];
  readonly data: DivisionData;
}

/** Errors: every refusal of an update. */
async function planUpdate(sql: Statements, call: Call): Promise<Plan> {
  const id = call.parameters['id']!;
  const patch = call.body as DivisionPatch;
  const doc = (await store.findDivision(sql, call.scope, call.tenant, id)) ?? notFound();
  const before = JSON.parse(doc) as Division;
  const fields = changedFields(before, patch);
  const data = patched(before, patch);
  if (fields.includes('parentId')) await checkNewParent(sql, call, before, data.parentId);
  if (fields.includes('parentId') || fields.includes('name')) {
    const row = divisionRow(id, data, before);
    if (await store.isNameTaken(sql, call.scope.organizationId, row)) throw nameTaken();
  }
  return { doc, createdAt: before.createdAt, fields, data };
}

async function checkNewParent(
  sql: Statements,
  { scope }: Call,
  before: Division,
  parentId: string | null,
): Promise<void> {
  if (parentId === null) checkMoveToTop(scope, before.tenant);
  else checkMove(await store.readMove(sql, scope, before, parentId));
}

async function writeUpdate(sql: Statements, call: Call, plan: Plan, at: Date): Promise<string> {
  const { organizationId } = call.scope;
  const id = call.parameters['id']!;
  const { fields, data, createdAt } = plan;
  const row = divisionRow(id, data, { createdAt, updatedAt: at.toISOString() });
  await store.storeDivision(sql, organizationId, row);
  const moved = fields.includes('parentId');
  if (moved) await store.moveLines(sql, organizationId, { id, parentId: data.parentId });
  if (call.dryRun) return row.doc;
  if (moved) await changeTree(sql, organizationId);
  await store.auditDivision(sql, organizationId, {
    at,
    id,
    action: 'division.update',
    author: author(call),
    fields,
  });
  return row.doc;
}

function stampsOf(at: Date): Stamps {
  return { createdAt: at.toISOString(), updatedAt: at.toISOString() };
}

function author(call: Call): store.Author {
  return { actor: call.scope.keyId, requestId: call.requestId };
}

function ok(body: Buffer | string): Answer {
  return { status: 200, body };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No division with this id is visible to the key');
}
