import { ApiError, type Employee, type EmployeePatch } from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import { readDocument } from '../../database/find-in-scope.ts';
import type { Pool } from '../../database/connect.ts';
import { isConstraintViolation, isRefused } from '../../database/failure.ts';
import { dryRunId, newId } from '../../database/ids.ts';
import { Turns } from '../../database/turns.ts';
import { WriteQueue } from '../../database/write-queue.ts';
import type { WriteTurns } from '../../database/write-turns.ts';
import type { AnswerOf, CallOf, Handlers } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { type Placed, Placements } from './placements.ts';
import { type EmployeeData, employeeRow } from './record.ts';
import { changedFields, checkMove, newEmployee, placeNewEmployee, placeWithoutTree } from './rules.ts';
import * as store from './store.ts';

/** How often a write starts over because what it was checked against changed meanwhile. */
const attempts = 8;

/** Longest wait of a dry run for a lock, in milliseconds (specification.md 4.2). */
const dryRunPatience = 100;

/** The operations of employees on a database and its collection of employees. */
export function employeeHandlers(parts: {
  reads: Pool;
  writes: Pool;
  turns: WriteTurns;
  collection: Collection;
}): Handlers<'Employees'> {
  const { reads, writes, turns, collection } = parts;
  const insertions = new WriteQueue<store.Insertion, store.Written>(
    (organizationId, inputs, patience) => store.insertEmployees(writes, organizationId, inputs, patience),
    isRefused,
    { turns },
  );
  const updates = new WriteQueue<store.Update, store.Written>(
    (organizationId, inputs, patience) => store.updateEmployees(writes, organizationId, inputs, patience),
    isRefused,
    { turns },
  );
  const employeeTurns = new Turns();
  const placements = new Placements();
  return {
    listEmployees: async call => ok(await collection.page(call)),
    getEmployee: async ({ scope, tenant, parameters: { id } }) =>
      ok((await readDocument(reads, { table: 'employee', scope, tenant, id })) ?? notFound()),
    createEmployee: call => createEmployee({ reads, insertions, placements }, call),
    updateEmployee: call => {
      const since = performance.now();
      const update = () => updateEmployee(reads, updates, call, since);
      // A dry run waits for nobody.
      return call.dryRun
        ? update()
        : employeeTurns.take(`${call.scope.organizationId}/${call.parameters.id}`, update);
    },
  };
}

type Insertions = WriteQueue<store.Insertion, store.Written>;
type Updates = WriteQueue<store.Update, store.Written>;

async function createEmployee(
  { reads, insertions, placements }: { reads: Pool; insertions: Insertions; placements: Placements },
  call: CallOf<'createEmployee'>,
): Promise<AnswerOf<'createEmployee'>> {
  const { scope, tenant, body } = call;
  const divisionId = body.divisionId ?? null;
  const id = newId();
  const since = performance.now();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const known = attempt === 0 ? placements.get(scope, tenant, divisionId) : undefined;
    const placed = known ?? (await choosePlace(reads, call, divisionId));
    const data = newEmployee(body, placed.place);
    const row = employeeRow(id, data, call.dryRun ? dryRunId : id);
    const insertion = { row, author: author(call), treeVersion: placed.treeVersion };
    const doc = call.dryRun
      ? await store.tryInsertion(reads, scope.organizationId, insertion, dryRun(call))
      : await insertions.submit(scope.organizationId, insertion, since);
    if (doc !== null) placements.keep(scope, tenant, divisionId, placed);
    if (doc !== null && call.dryRun) return ok(doc);
    if (doc !== null) return { status: 201, body: doc, headers: { Location: `/v1/employees/${id}` } };
    // What is remembered may be out of date: where the employee would go now decides first whether that is allowed at all.
    if (!known) await refuseDuplicate(reads, call, id, data);
  }
  throw overtaken();
}

async function choosePlace(reads: Pool, call: Call, divisionId: string | null): Promise<Placed> {
  const place = placeWithoutTree(call.scope, call.tenant, divisionId);
  if (place) return { place, treeVersion: null };
  const tree = await store.readTree(reads, call.scope, divisionId);
  return {
    place: placeNewEmployee(call.scope, call.tenant, divisionId, tree),
    treeVersion: tree.treeVersion,
  };
}

/** `since`: when the update began to wait for its turn. */
async function updateEmployee(
  reads: Pool,
  updates: Updates,
  call: CallOf<'updateEmployee'>,
  since: number,
): Promise<AnswerOf<'updateEmployee'>> {
  const patch = call.body;
  const { id } = call.parameters;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = (await store.findEmployee(reads, call.scope, call.tenant, id)) ?? notFound();
    const before = JSON.parse(found.doc) as Employee;
    const fields = changedFields(before, patch);
    if (fields.length === 0) return ok(found.doc);
    if (fields.includes('divisionId')) await checkDivision(reads, call, before, patch.divisionId ?? null);
    const data = merge(before, patch);
    if (fields.includes('employeeNumber')) await refuseDuplicate(reads, call, id, data);
    const update = {
      row: employeeRow(id, data),
      author: author(call),
      treeVersion: found.treeVersion,
      seen: before.updatedAt,
      divisionBefore: before.divisionId,
      fields,
    };
    const doc = await writeUpdate(reads, updates, call, update, since).catch(async (error: unknown) => {
      if (!isConstraintViolation(error)) throw error;
      await refuseDuplicate(reads, call, id, data);
      return null;
    });
    if (doc !== null) return ok(doc);
  }
  throw overtaken();
}

function writeUpdate(
  reads: Pool,
  updates: Updates,
  call: Call,
  update: store.Update,
  since: number,
): Promise<store.Written> {
  const { organizationId } = call.scope;
  return call.dryRun
    ? store.tryUpdate(reads, organizationId, update, dryRun(call))
    : updates.submit(organizationId, update, since);
}

async function checkDivision(
  reads: Pool,
  call: Call,
  before: Employee,
  divisionId: string | null,
): Promise<void> {
  const tenant = divisionId && (await store.readTree(reads, call.scope, divisionId)).divisionTenant;
  checkMove(call.scope, before, divisionId, tenant);
}

function merge(before: Employee, patch: EmployeePatch): EmployeeData {
  const { id: _, createdAt: _created, updatedAt: _updated, ...data } = before;
  return { ...data, ...(patch as Partial<EmployeeData>) };
}

async function refuseDuplicate(reads: Pool, call: Call, id: string, data: EmployeeData): Promise<void> {
  const field = await store.findDuplicate(reads, call.scope.organizationId, { id, ...data });
  if (field === 'email')
    throw new ApiError('DUPLICATE_RESOURCE', 'email is used by another employee of the organization already');
  if (field === 'employeeNumber')
    throw new ApiError(
      'DUPLICATE_RESOURCE',
      'employeeNumber is used by another employee of the tenant already',
    );
}

function author(call: Call): store.Author {
  return { actor: call.scope.keyId, requestId: call.requestId };
}

function dryRun(call: Call): store.DryRun {
  return { now: call.receivedAt, patience: dryRunPatience };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No employee with this id is visible to the key');
}

function overtaken(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    'Other writes changed the same data again and again. Nothing was stored; send the request again.',
  );
}
