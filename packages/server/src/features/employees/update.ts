import {
  type Employee,
  type EmployeeEmail,
  type EmployeePatch,
  fold,
  type updateEmployee,
} from '@kontor/contract';
import { employeeResource, type EmployeeData } from './mapping.ts';
import type { Scope } from '../../auth/scope.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf } from '../../http/implement.ts';
import { notFound } from '../../http/read-resource.ts';
import { callOf, type Decision, type Expecting, operator, unchanged, Writes } from '../../write/writes.ts';
import { emailKey } from '../../lib/email-key.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { checkMove } from './rules.ts';
import * as store from './store.ts';

export type Updating = Pick<CallOf<typeof updateEmployee>, 'scope' | 'tenant' | 'parameters'> &
  Expecting & {
    readonly caller: Parameters<typeof notFound>[1]['caller'];
    /** The contract of `/v1` has no email. */
    readonly body: Partial<EmployeePatch & EmployeeEmail>;
    /** Stored in the history with the change. */
    readonly reason?: string | null;
  };

interface Found {
  /** Null when no such employee is in scope. */
  readonly before: { readonly doc: string; readonly employee: Employee } | null;
  /** The tenant of the new division; null without one in scope. */
  readonly divisionTenant: string | null;
  readonly holders: readonly store.Holder[];
}

/** Updates of one transaction share one statement. */
export const employeeUpdate: Decision<Updating, Found, Omit<store.Update, 'write'>, string> = {
  batched: true,
  targets: ({ parameters: { id }, body: { employeeNumber: number, email } }) => [
    id,
    ...(typeof number === 'string' ? [`number ${number}`] : []),
    ...(email === undefined ? [] : [`email ${emailKey(email)}`]),
  ],
  async read(db, calls) {
    const docs = readDocuments(db, calls);
    return Promise.all(
      calls.map(async (call, index) => {
        const [doc, divisionTenant, holders] = await Promise.all([
          docs[index]!,
          readDivision(db, call),
          readHolders(db, call),
        ]);
        const before = doc === null ? null : { doc, employee: employeeResource.parse(doc) };
        return { before, divisionTenant, holders };
      }),
    );
  },
  plan(call, { before, divisionTenant, holders }) {
    const { scope, parameters, body: patch, reason = null } = call;
    if (before === null) notFound('employee', call);
    const { doc, employee } = before;
    const fields = changedFields(employee, patch);
    if (fields.length === 0) return unchanged(doc);
    const { id: _id, createdAt: _created, updatedAt: _updated, ...present } = employee;
    const after = { ...present, ...(patch as Partial<EmployeeData>) };
    if (fields.includes('divisionId')) checkMove(scope, employee, after.divisionId, divisionTenant);
    if (fields.includes('employeeNumber') || fields.includes('email'))
      store.checkUnique(parameters.id, after, holders);
    return { before: employee, after, fields, reason };
  },
  version: ({ before }) => before!.employee.updatedAt,
  store: planned => store.updateEmployees(planned.map(({ write, plan }) => ({ write, ...plan }))),
};

/** Changes the work email of an employee for a command. @throws ApiError NOT_FOUND, DUPLICATE_RESOURCE */
export function changeEmailOf(
  db: Pool,
  { organizationId, employeeId, email }: { organizationId: string; employeeId: string; email: string },
): Promise<string> {
  const scope: Scope = { organizationId, callerId: operator.actor.id, grants: 'all' };
  const parameters = { id: employeeId };
  const call = { ...callOf(organizationId, operator), scope, tenant: null, parameters, body: { email } };
  return new Writes(db).decide(call, employeeUpdate);
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
  const { employeeNumber: number, email } = body;
  const numbers = typeof number === 'string' ? [fold(number)] : [];
  const emails = email === undefined ? [] : [emailKey(email)];
  return numbers.length + emails.length === 0
    ? []
    : store.readHolders(db, scope.organizationId, emails, numbers);
}
