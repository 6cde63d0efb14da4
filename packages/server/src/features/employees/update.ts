import { ApiError, type Employee, type EmployeePatch, fold } from '@kontor/contract';
import { employeeResource } from './resource.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf } from '../../http/handlers.ts';
import type { Scope } from '../../auth/scope.ts';
import { accepted, decideEach, type WriteKind } from '../../write/writes.ts';
import { checkUnique } from './duplicates.ts';
import { type EmployeeData, employeeRow } from './record.ts';
import { changedFields, checkMove } from './rules.ts';
import * as store from './store.ts';

type Call = CallOf<'updateEmployee'>;

/** What an update depends on. */
interface Found {
  /** The stored document; null when the key sees no such employee. */
  readonly doc: string | null;
  /** The tenant of the division that the patch names; null when the key sees no such division, or none is named. */
  readonly divisionTenant: string | null;
  readonly holders: readonly store.Holder[];
}

/** Updates of employees: those of one transaction are one statement. */
export const employeeUpdate: WriteKind<Call, readonly Found[], string> = {
  targets: ({ parameters: { id }, body: { employeeNumber: number } }) =>
    typeof number === 'string' ? [id, `number ${number}`] : [id],
  async read(db, calls) {
    const docs = readDocuments(db, calls);
    return Promise.all(
      calls.map(async (call, index) => {
        const [doc, divisionTenant, holders] = await Promise.all([
          docs[index]!,
          readDivision(db, call),
          readHolders(db, call),
        ]);
        return { doc, divisionTenant, holders };
      }),
    );
  },
  change(entries, found) {
    const planned = decideEach(entries, ({ turn, input: call }, index) => {
      const { doc, before, data, fields } = planUpdate(call, found[index]!);
      const { id, createdAt, divisionId: divisionBefore } = before;
      const place = { tenantBefore: before.tenant, divisionBefore };
      const update = { turn, row: employeeRow(id, data), createdAt, ...place, fields };
      // Another write may have made the same change meanwhile.
      return { doc, updates: fields.length === 0 ? [] : [update] };
    });
    const docs = store.updateEmployees(accepted(planned).flatMap(({ updates }) => updates)).values();
    return planned.map(outcome => {
      if ('error' in outcome) return outcome;
      const { doc, updates } = outcome.result;
      return { result: updates.length === 0 ? doc : docs.next().value! };
    });
  },
};

/** An update as things are: the stored document, what changes, and the employee after it. */
interface Plan {
  readonly doc: string;
  readonly before: Employee;
  readonly data: EmployeeData;
  readonly fields: readonly (keyof EmployeePatch)[];
}

/** What the update comes to. @throws ApiError for every refusal of it. */
export function planUpdate({ scope, parameters, body: patch }: Call, found: Found): Plan {
  if (found.doc === null) throw notFound();
  const before = employeeResource.parse(found.doc);
  const { id: _id, createdAt: _created, updatedAt: _updated, ...present } = before;
  const data = { ...present, ...(patch as Partial<EmployeeData>) };
  const fields = changedFields(before, patch);
  if (fields.includes('divisionId')) checkMove(scope, before, data.divisionId, found.divisionTenant);
  if (fields.includes('employeeNumber')) checkUnique(parameters.id, data, found.holders);
  return { doc: found.doc, before, data, fields };
}

/** The documents of all, with one question for those who see the same. */
function readDocuments(db: Queryable, calls: readonly Call[]): Promise<string | null>[] {
  const groups: {
    scope: Scope;
    tenant: string | null;
    ids: string[];
    docs?: Promise<Map<string, string>>;
  }[] = [];
  const groupOf = calls.map(({ scope, tenant, parameters: { id } }) => {
    let group = groups.find(each => each.scope === scope && each.tenant === tenant);
    if (!group) groups.push((group = { scope, tenant, ids: [] }));
    group.ids.push(id);
    return group;
  });
  for (const group of groups) group.docs = store.readEmployees(db, group.scope, group.tenant, group.ids);
  return calls.map(async ({ parameters: { id } }, index) => (await groupOf[index]!.docs!).get(id) ?? null);
}

async function readDivision(db: Queryable, { scope, body }: Call): Promise<string | null> {
  return typeof body.divisionId === 'string'
    ? (await store.readTree(db, scope, body.divisionId)).divisionTenant
    : null;
}

async function readHolders(db: Queryable, { scope, body }: Call): Promise<store.Holder[]> {
  const { employeeNumber: number } = body;
  return typeof number === 'string' ? store.readHolders(db, scope.organizationId, [], [fold(number)]) : [];
}

export function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'No employee with this id is visible to the key');
}
