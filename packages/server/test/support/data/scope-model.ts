/**
 * What a key may see, and where it may place employees and divisions, written down as plainly as possible and apart from
 * the service: specification.md 1.3 and 4.4, as the oracle of its tests. It walks the tree for
 * every question.
 */

export interface ModelDivision {
  readonly id: string;
  readonly tenant: string;
  parent: string | null;
}

export interface ModelEmployee {
  readonly id: string;
  readonly tenant: string | null;
  division: string | null;
}

/** `division: null`: for the whole tenant. */
export interface ModelDocument {
  readonly tenant: string;
  readonly division: string | null;
}

export interface ModelOrganization {
  readonly id: string;
  readonly tenants: readonly string[];
  readonly divisions: readonly ModelDivision[];
}

/** `division: null` grants all divisions of the tenant. */
export interface ModelGrant {
  readonly tenant: string;
  readonly division: string | null;
}

export interface ModelKey {
  readonly organization: ModelOrganization;
  readonly grants: 'all' | readonly ModelGrant[];
}

export interface Place {
  readonly tenant: string;
  readonly divisionId: string | null;
}

function divisionOf(organization: ModelOrganization, id: string): ModelDivision | undefined {
  return organization.divisions.find(division => division.id === id);
}

/** The division and everything above it, as the tree is now. */
export function lineOf(organization: ModelOrganization, id: string): string[] {
  const line: string[] = [];
  for (
    let at = divisionOf(organization, id);
    at;
    at = at.parent === null ? undefined : divisionOf(organization, at.parent)
  )
    line.push(at.id);
  return line;
}

/** Whether the tenant may be selected by `X-Tenant-ID`. */
export function maySelect(key: ModelKey, tenant: string): boolean {
  if (key.grants === 'all') return key.organization.tenants.includes(tenant);
  return key.grants.some(grant => grant.tenant === tenant);
}

function holdsAllOf(key: ModelKey, tenant: string): boolean {
  return key.grants === 'all' || key.grants.some(grant => grant.tenant === tenant && grant.division === null);
}

/** Whether a place, a tenant and perhaps a division of it, is in the scope of the key. */
function covers(key: ModelKey, tenant: string | null, division: string | null): boolean {
  if (key.grants === 'all') return true;
  if (tenant === null) return false;
  if (holdsAllOf(key, tenant)) return true;
  if (division === null) return false;
  const line = lineOf(key.organization, division);
  return key.grants.some(grant => grant.division !== null && line.includes(grant.division));
}

/**
 * Whether the key sees an employee of its organization, with a selected tenant or none. Orders and incidents are seen
 * exactly when their employee is.
 */
export function canAccessEmployee(key: ModelKey, selected: string | null, employee: ModelEmployee): boolean {
  if (selected !== null && employee.tenant !== selected) return false;
  return covers(key, employee.tenant, employee.division);
}

/** Whether the key sees a division of its organization: one that is granted or below such a one, not those above. */
export function canAccessDivision(key: ModelKey, selected: string | null, division: ModelDivision): boolean {
  if (selected !== null && division.tenant !== selected) return false;
  return covers(key, division.tenant, division.id);
}

/** Whether the key sees a payroll export document of its organization: all of the tenant, or the division it is for. */
export function canAccessDocument(key: ModelKey, selected: string | null, document: ModelDocument): boolean {
  if (selected !== null && document.tenant !== selected) return false;
  return covers(key, document.tenant, document.division);
}

/** The place of a division that is created, or the code of the rejection. */
export function divisionLanding(
  key: ModelKey,
  selected: string | null,
  parentId: string | null,
): { tenant: string; parentId: string | null } | string {
  if (parentId !== null) {
    const parent = divisionOf(key.organization, parentId);
    if (!parent || !canAccessDivision(key, selected, parent)) return 'INVALID_REFERENCE';
    return { tenant: parent.tenant, parentId };
  }
  const tenant = selected ?? onlyTenantOf(key);
  if (tenant === null) return 'TENANT_CONTEXT_AMBIGUOUS';
  return holdsAllOf(key, tenant) ? { tenant, parentId } : 'VALIDATION_ERROR';
}

/** The code of the rejection when a visible division is moved; null when scope, tenant and tree allow it. */
export function divisionMoveRejection(
  key: ModelKey,
  division: ModelDivision,
  parentId: string | null,
): 'INVALID_REFERENCE' | 'DIVISION_CYCLE' | null {
  if (parentId === division.parent) return null;
  if (parentId === null) return holdsAllOf(key, division.tenant) ? null : 'INVALID_REFERENCE';
  const parent = divisionOf(key.organization, parentId);
  if (!parent || !canAccessDivision(key, division.tenant, parent)) return 'INVALID_REFERENCE';
  return lineOf(key.organization, parentId).includes(division.id) ? 'DIVISION_CYCLE' : null;
}

/** Where an employee who is created lands, or the code of the rejection. */
export function landing(key: ModelKey, selected: string | null, divisionId: string | null): Place | string {
  if (divisionId !== null) {
    const division = divisionOf(key.organization, divisionId);
    if (!division || !covers(key, division.tenant, division.id)) return 'INVALID_REFERENCE';
    if (selected !== null && division.tenant !== selected) return 'INVALID_REFERENCE';
    return { tenant: division.tenant, divisionId };
  }
  const tenant = selected ?? onlyTenantOf(key);
  if (tenant === null) return 'TENANT_CONTEXT_AMBIGUOUS';
  if (holdsAllOf(key, tenant)) return { tenant, divisionId: null };
  const roots = topmost(key, tenant);
  return roots.length === 1 ? { tenant, divisionId: roots[0]! } : 'EMPLOYEE_PLACEMENT_AMBIGUOUS';
}

function onlyTenantOf(key: ModelKey): string | null {
  const tenants = new Set(
    key.grants === 'all' ? key.organization.tenants : key.grants.map(grant => grant.tenant),
  );
  return tenants.size === 1 ? [...tenants][0]! : null;
}

/** The granted divisions of a tenant that are not below another granted one. */
function topmost(key: ModelKey, tenant: string): string[] {
  const grants = key.grants as readonly ModelGrant[];
  const granted = new Set(grants.filter(grant => grant.tenant === tenant).map(grant => grant.division!));
  return [...granted].filter(
    id => !lineOf(key.organization, id).some(above => above !== id && granted.has(above)),
  );
}

/** The division of a visible employee after an update that sets `divisionId`, or the code of the rejection. */
export function moved(
  key: ModelKey,
  employee: ModelEmployee,
  divisionId: string | null,
): { divisionId: string | null } | string {
  if (divisionId === employee.division) return { divisionId };
  if (divisionId === null) return holdsAllOf(key, employee.tenant!) ? { divisionId } : 'INVALID_REFERENCE';
  const division = divisionOf(key.organization, divisionId);
  if (!division || division.tenant !== employee.tenant || !covers(key, division.tenant, division.id))
    return 'INVALID_REFERENCE';
  return { divisionId };
}
