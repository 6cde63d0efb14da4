import { ApiError, type Employee, type EmployeePatch, fold, type updateEmployee } from '@kontor/contract';
import { employeeResource, type EmployeeData } from './mapping.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf } from '../../http/implement.ts';
import { notFound } from '../../http/read-resource.ts';
import { accepted, decideEach, type WriteKind } from '../../write/writes.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { checkMove } from './rules.ts';
import * as store from './store.ts';

/** An update. With `unchangedSince` it is rejected if the employee was changed after that instant. */
export type Updating = Pick<
  CallOf<typeof updateEmployee>,
  'scope' | 'tenant' | 'caller' | 'parameters' | 'body'
> & { readonly unchangedSince?: string | undefined };

interface Found {
  /** Null when no such employee is in scope. */
  readonly doc: string | null;
  /** The tenant of the new division; null without one in scope. */
  readonly divisionTenant: string | null;
  readonly holders: readonly store.Holder[];
}

/** Updates of one transaction share one statement. */
export const employeeUpdate: WriteKind<Updating, readonly Found[], string> = {
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
    const planned = decideEach(entries, ({ write, input: call }, index) => {
      const { doc, before, data, fields } = planUpdate(call, found[index]!);
      const update = { write, before, after: data, fields };
      // Another write may have made the same change since the first read.
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

interface Plan {
  readonly doc: string;
  readonly before: Employee;
  readonly data: EmployeeData;
  readonly fields: readonly (keyof EmployeePatch)[];
}

/** Plans an update of the stored document. @throws ApiError for an update that is rejected */
export function planUpdate(call: Updating, found: Found): Plan {
  const { scope, parameters, body: patch, unchangedSince } = call;
  if (found.doc === null) notFound('employee', call);
  const before = employeeResource.parse(found.doc);
  if (unchangedSince !== undefined && before.updatedAt > unchangedSince)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'The employee was changed meanwhile: read it again, check your changes, and send them with its updatedAt',
    );
  const { id: _id, createdAt: _created, updatedAt: _updated, ...present } = before;
  const data = { ...present, ...(patch as Partial<EmployeeData>) };
  const fields = changedFields(before, patch);
  if (fields.includes('divisionId')) checkMove(scope, before, data.divisionId, found.divisionTenant);
  if (fields.includes('employeeNumber')) store.checkUnique(parameters.id, data, found.holders);
  return { doc: found.doc, before, data, fields };
}

/** One query per scope. */
function readDocuments(db: Queryable, calls: readonly Updating[]): Promise<string | null>[] {
  const scopes = new Map(calls.map(({ scope }, index) => [scope, index]));
  const groupOf = ({ scope, tenant }: Updating) => `${scopes.get(scope)} ${tenant ?? ''}`;
  const groups = new Map<string, Promise<Map<string, string>>>();
  for (const [group, of] of Map.groupBy(calls, groupOf)) {
    const { scope, tenant } = of[0]!;
    const ids = of.map(({ parameters }) => parameters.id);
    groups.set(group, store.readEmployees(db, scope, tenant, ids));
  }
  return calls.map(async call => (await groups.get(groupOf(call))!).get(call.parameters.id) ?? null);
}

async function readDivision(db: Queryable, { scope, body }: Updating): Promise<string | null> {
  return typeof body.divisionId === 'string'
    ? (await store.readTree(db, scope, body.divisionId)).divisionTenant
    : null;
}

async function readHolders(db: Queryable, { scope, body }: Updating): Promise<store.Holder[]> {
  const { employeeNumber: number } = body;
  return typeof number === 'string' ? store.readHolders(db, scope.organizationId, [], [fold(number)]) : [];
}
