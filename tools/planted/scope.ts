import type { Fault } from './fault.ts';

/** The scope of a caller, as SQL predicates and in the checks before them. */
export const scopeFaults: readonly Fault[] = [
  {
    name: 'scope-other-organization',
    breaks: 'a key sees rows of its organization only',
    before: 'const organization = sql`organization_id = ${scope.organizationId}`;',
    after: 'const organization = sql`organization_id <> ${scope.organizationId}`;',
    caughtBy: ['scope/hidden-rows'],
  },
  {
    name: 'scope-selected-tenant',
    breaks: 'a selected tenant narrows what a key of a whole organization sees',
    before:
      'if (isOpen) return only === null ? organization : sql`${organization} AND ${isOfTenant([only], write)}`;',
    after: 'if (isOpen) return organization;',
    caughtBy: ['scope/hidden-rows'],
  },
  {
    name: 'scope-selected-grants',
    breaks: 'a selected tenant narrows what a key with grants sees',
    before: 'const granted = grants.filter(grant => tenant === null || grant.tenantId === tenant);',
    after: 'const granted = grants;',
    caughtBy: ['scope/scope-model'],
  },
  {
    name: 'scope-subtree-root',
    breaks: 'a granted division covers all divisions below it',
    before: 'coalesce((SELECT bool_or(ancestor IN',
    after: 'coalesce((SELECT bool_and(ancestor IN',
    caughtBy: ['features/employees/get-employee'],
  },
  {
    name: 'scope-no-division',
    breaks: 'a key with divisions does not see rows without a division',
    before: 'WHERE in_organization = ${scope.organizationId} AND descendant = division_id), false)`;',
    after: 'WHERE in_organization = ${scope.organizationId} AND descendant = division_id), true)`;',
    caughtBy: ['features/employees/get-employee'],
  },
  {
    name: 'scope-grants-of-other-key',
    breaks: 'stored grants count for their own key only',
    before: 'AND of_key = ${scope.callerId} AND in_tenant = tenant_id)`;',
    after: 'AND of_key <> ${scope.callerId} AND in_tenant = tenant_id)`;',
    caughtBy: ['scope/many-grants'],
  },
  {
    name: 'scope-counted-subtree',
    breaks: 'totals count the divisions below the granted ones',
    before: 'AND d.ancestor_id = granted.id`;',
    after: 'AND d.division_id = granted.id`;',
    caughtBy: ['scope/scope-model'],
  },
  {
    name: 'scope-named-organization',
    breaks: 'a token works on its organizations only',
    before: "named !== undefined && (scope.organizations === 'all' || scope.organizations.includes(named));",
    after: 'named !== undefined;',
    caughtBy: ['platform/hidden'],
  },
  {
    name: 'scope-tenant-header',
    breaks: 'X-Tenant-ID must name a tenant in the scope of the key',
    before: ': scope.grants.some(grant => grant.tenantId === tenant);',
    after: ': scope.grants.length > 0;',
    caughtBy: ['features/employees/list-employees'],
  },
  {
    name: 'scope-whole-tenant',
    breaks: 'a grant of divisions does not cover the whole tenant',
    before: "grant.tenantId === tenant && grant.divisions === 'all');",
    after: 'grant.tenantId === tenant);',
    caughtBy: ['features/employees/placements'],
  },
  {
    name: 'scope-new-parent',
    breaks: 'a division is moved only below a division that the key sees',
    before: 'CASE WHEN EXISTS (SELECT FROM division WHERE ${visible} AND id = ${parentId})',
    after:
      'CASE WHEN EXISTS (SELECT FROM division WHERE organization_id = ${organizationId} AND id = ${parentId})',
    caughtBy: ['features/divisions/update-division'],
  },
  {
    name: 'scope-placement',
    breaks: 'an employee is placed only in a division that the key sees',
    before: 'WHERE ${scopePredicate(scope, null)} AND division_id = ${divisionId})`;',
    after: 'WHERE organization_id = ${scope.organizationId} AND division_id = ${divisionId})`;',
    caughtBy: ['features/employees/placements'],
  },
  {
    name: 'scope-order-of-employee',
    breaks: 'an incident names an order of its own employee only',
    before: 'AND o.id = ${order.id} AND o.employee_id = ${employee}${isHandedOver})`;',
    after: 'AND o.id = ${order.id} AND ${employee} IS NOT NULL${isHandedOver})`;',
    caughtBy: ['features/incidents/create-incident'],
  },
  {
    name: 'scope-hr-tenants',
    breaks: 'the permission HR alone shows the tenants that it is for only',
    before:
      "return allowed.permissions.some(name => !isOfHr(name) && !isOfTenants(name)) ? 'all' : hrGrantsOf(allowed);",
    after:
      "return allowed.permissions.some(name => isOfHr(name) || isOfTenants(name)) ? 'all' : hrGrantsOf(allowed);",
    caughtBy: ['portal/hidden'],
  },
  {
    name: 'scope-visible-keys',
    breaks: 'a user of some tenants does not see keys of the whole organization',
    before: 'return sql`${inOrganization} AND NOT k.whole_organization AND NOT EXISTS (',
    after: 'return sql`${inOrganization} AND NOT EXISTS (',
    caughtBy: ['portal/api-keys'],
  },
];
