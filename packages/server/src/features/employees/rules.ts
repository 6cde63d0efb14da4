import { ApiError, type Employee, EmployeeCreate } from '@kontor/contract';
import { grantsWholeTenant, onlyGrantedTenant, type Scope } from '../../auth/scope.ts';
import { withNulls } from '../../lib/with-nulls.ts';
import type { EmployeeData } from './mapping.ts';

/** The part of the tree that the place of an employee depends on. */
export interface TreeFacts {
  /** The tenant of the requested division; null when it is unknown or outside the scope. */
  readonly divisionTenant: string | null;
  /** The granted divisions that no other granted division contains, with their tenants. */
  readonly roots: readonly { id: string; tenant: string }[];
  /** Up to two tenants of the organization: enough to recognize a single one. */
  readonly tenants: readonly string[];
}

export interface Placement {
  readonly tenant: string;
  readonly divisionId: string | null;
}

/** The place of a new employee if the request alone determines it: no division, and a tenant granted as a whole. The tree is then not read. */
export function placeWithoutTree(
  scope: Scope,
  selected: string | null,
  divisionId: string | null,
): Placement | null {
  const tenant = selected ?? onlyGrantedTenant(scope);
  if (tenant === null || divisionId !== null || !grantsWholeTenant(scope, tenant)) return null;
  return { tenant, divisionId: null };
}

/** The place of a new employee (specification.md 4.3 and 4.4). */
export function placeNewEmployee(
  scope: Scope,
  selected: string | null,
  divisionId: string | null,
  tree: TreeFacts,
): Placement {
  if (divisionId !== null) return { tenant: tenantOfDivision(selected, tree), divisionId };
  const tenant = selected ?? onlyTenant(scope, tree);
  if (grantsWholeTenant(scope, tenant)) return { tenant, divisionId: null };
  const roots = tree.roots.filter(root => root.tenant === tenant);
  if (roots.length === 1) return { tenant, divisionId: roots[0]!.id };
  throw new ApiError(
    'EMPLOYEE_PLACEMENT_AMBIGUOUS',
    'The key covers several divisions of the tenant: send divisionId to say which one the employee belongs to',
  );
}

function tenantOfDivision(selected: string | null, tree: TreeFacts): string {
  const { divisionTenant } = tree;
  if (divisionTenant === null || (selected !== null && selected !== divisionTenant)) throw unusableDivision();
  return divisionTenant;
}

function onlyTenant(scope: Scope, tree: TreeFacts): string {
  const tenant =
    scope.grants === 'all' ? (tree.tenants.length === 1 ? tree.tenants[0]! : null) : onlyGrantedTenant(scope);
  if (tenant !== null) return tenant;
  throw new ApiError(
    'TENANT_CONTEXT_AMBIGUOUS',
    'The tenant of the employee cannot be inferred: send X-Tenant-ID, or a divisionId',
  );
}

/** The data of a new employee: absent fields are null, and `blocked` is false. */
export function newEmployee(
  body: EmployeeCreate,
  place: Pick<EmployeeData, 'tenant' | 'divisionId'>,
): EmployeeData {
  const given = withNulls(EmployeeCreate, body) as Omit<EmployeeData, 'tenant'>;
  return { ...given, blocked: body.blocked ?? false, ...place };
}

/**
 * Checks a move into a division (specification.md 4.4). It must be in the tenant of the employee and in the scope of the caller. Only a key
 * for the whole tenant may clear the division.
 * @throws ApiError INVALID_REFERENCE
 */
export function checkMove(
  scope: Scope,
  employee: Employee,
  divisionId: string | null,
  divisionTenant: string | null,
): void {
  if (divisionId === null) {
    if (grantsWholeTenant(scope, employee.tenant)) return;
    throw new ApiError(
      'INVALID_REFERENCE',
      'divisionId cannot be cleared with this key, since the employee would leave its scope: send a division in scope',
    );
  }
  if (employee.tenant === null || divisionTenant !== employee.tenant) throw unusableDivision();
}

function unusableDivision(): ApiError {
  return new ApiError(
    'INVALID_REFERENCE',
    'divisionId must name a division of the same tenant in the scope of the caller',
  );
}
