import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { employeeHandlers, type Parts } from './public-routes.ts';

/** Employees as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalEmployeeHandlers(parts: Parts): HandlersOf<'portal', 'Employees'> {
  const { getEmployee, updateEmployee } = employeeHandlers(parts);
  return {
    listPortalEmployees: async call => ok(await parts.collection.page(call)),
    getPortalEmployee: call => getEmployee(call),
    updatePortalEmployee: call => updateEmployee(call),
  };
}
