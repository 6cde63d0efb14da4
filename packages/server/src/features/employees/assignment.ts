import { ApiError, type assignEmployee, type Employee, fold } from '@kontor/contract';
import { sql } from '../../db/sql.ts';
import type { CallOf } from '../../http/implement.ts';
import { notFound } from '../../http/read-resource.ts';
import { decision, unchanged } from '../../write/writes.ts';
import { employeeResource } from './mapping.ts';
import * as store from './store.ts';

/** Places an employee without a tenant. */
export const employeeAssignment = decision({
  targets: ({ parameters }: CallOf<typeof assignEmployee>) => [parameters.id],
  async read(db, call) {
    const { scope, parameters, body } = call;
    const { id } = parameters;
    const { tenant, divisionId = null } = body;
    const { organizationId } = scope;
    const doc = (await store.readEmployees(db, scope, null, [id])).get(id) ?? notFound('employee', call);
    const employee = employeeResource.parse(doc);
    const { employeeNumber: number } = employee;
    const [places, holders] = await Promise.all([
      db.run(sql`
        SELECT FROM tenant t WHERE organization_id = ${organizationId} AND id = ${tenant}
          AND (${divisionId}::text IS NULL OR EXISTS (SELECT FROM division d
            WHERE d.organization_id = ${organizationId} AND d.tenant_id = t.id AND d.id = ${divisionId}))`),
      number === null ? [] : store.readHolders(db, organizationId, [], [fold(number)]),
    ]);
    return { doc, employee, isPlace: places > 0, holders };
  },
  plan({ body }, { doc, employee, isPlace, holders }) {
    const { tenant, divisionId = null } = body;
    if (!isPlace)
      throw new ApiError(
        'INVALID_REFERENCE',
        'tenant must name a tenant of the organization, and divisionId a division of that tenant',
      );
    if (employee.tenant === tenant && employee.divisionId === divisionId) return unchanged(doc);
    if (employee.tenant !== null)
      throw new ApiError(
        'INVALID_STATE_TRANSITION',
        'The employee has a tenant, which cannot change; change the division with the public API',
      );
    const after: Employee = { ...employee, tenant, divisionId };
    store.checkUnique(employee.id, after, holders);
    return { employee, after };
  },
  store(write, { employee, after }) {
    const { id: _id, createdAt: _created, updatedAt: _updated, ...data } = after;
    const fields = data.divisionId === null ? ['tenant'] : ['tenant', 'divisionId'];
    return store.updateEmployees([{ write, before: employee, after: data, fields }])[0]!;
  },
});
