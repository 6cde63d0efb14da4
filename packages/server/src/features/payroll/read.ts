import { ApiError, type Incident, type PayrollPayer } from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { allOf, type Fragment, sql } from '../../db/sql.ts';
import type { Day } from '../../lib/calendar.ts';
import { displayName } from '../../query/search-all.ts';
import type { Departure, EmployeeNames, Leave, OrderFacts } from './computation/facts.ts';
import type { StoredTerms } from './computation/terms.ts';
import { readBases, readReleased, type StoredBasis } from './ledger.ts';
import { leaveTypes } from './computation/leaves.ts';
import { departureTypes } from './computation/questions.ts';

/*
 * Payroll reads orders, incidents, employees and divisions here, and writes none of them. No other file of payroll names their tables, so
 * changes of their columns and documents end here.
 */

/** Which orders of a tenant: all, those of a division with its subtree, of one employee, or some. */
export interface OrderSelection {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly divisionId: string | null;
  readonly employeeId?: string;
  readonly orderIds?: readonly string[];
}

function predicateOf({
  organizationId,
  tenantId,
  divisionId,
  employeeId,
  orderIds,
}: OrderSelection): Fragment {
  const conditions = [
    sql`organization_id = ${organizationId} AND tenant_id = ${tenantId} AND status IN ('active', 'completed')`,
    // An erasure keeps no leaves, without which amounts of earlier months would be owed again.
    sql`NOT EXISTS (SELECT FROM employee e
      WHERE e.organization_id = ${organizationId} AND e.id = employee_id AND e.erased_at IS NOT NULL)`,
  ];
  if (divisionId !== null)
    conditions.push(sql`division_id IN (SELECT division_id FROM division_ancestor
      WHERE organization_id = ${organizationId} AND ancestor_id = ${divisionId})`);
  if (employeeId !== undefined) conditions.push(sql`employee_id = ${employeeId}`);
  if (orderIds !== undefined) conditions.push(sql`id = ANY(${[...orderIds]}::text[])`);
  return allOf(conditions);
}

export async function countOrders(db: Queryable, selection: OrderSelection): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM employee_order WHERE ${predicateOf(selection)}`);
  return row!.count;
}

/** Orders that are read at once. */
const pageSize = 1000;

/** Reads orders in pages, by their identifiers. Memory holds one page. */
export async function* readFacts(db: Queryable, selection: OrderSelection): AsyncGenerator<OrderFacts[]> {
  const costCenters = await readCostCenters(db, selection);
  for (let after = ''; ;) {
    const orders = await readOrders(db, selection, after);
    if (orders.length > 0) yield await factsOf(db, selection, { orders, costCenters });
    if (orders.length < pageSize) return;
    after = orders.at(-1)!.orderId;
  }
}

/** When what payroll depends on last changed in an order or an incident. */
const changedAt = sql`coalesce(payroll_changed_at, updated_at)`;

interface OrderRow extends Pick<
  OrderFacts,
  'orderId' | 'employeeId' | 'contract' | 'amounts' | 'isSPedelec'
> {
  readonly divisionId: string | null;
  readonly changedAt: Date;
}

function readOrders(db: Queryable, selection: OrderSelection, after: string): Promise<OrderRow[]> {
  return db.rows<OrderRow>(sql`
    SELECT id AS "orderId", employee_id AS "employeeId", division_id AS "divisionId", is_s_pedelec AS "isSPedelec",
      doc::jsonb -> 'contract' AS contract, coalesce(contract_record -> 'amounts', '[]') AS amounts,
      ${changedAt} AS "changedAt"
    FROM employee_order WHERE ${predicateOf(selection)} AND id > ${after} ORDER BY id LIMIT ${pageSize}`);
}

/** The amounts of contracts as they are stored, by order. */
export async function readTerms(
  db: Queryable,
  organizationId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, StoredTerms>> {
  const rows = await db.rows<StoredTerms & { orderId: string }>(sql`
    SELECT id AS "orderId", doc::jsonb -> 'contract' AS contract, coalesce(contract_record -> 'amounts', '[]') AS amounts,
      product_benefits AS products
    FROM employee_order WHERE organization_id = ${organizationId} AND id = ANY(${[...orderIds]}::text[])`);
  return new Map(rows.map(({ orderId, ...terms }) => [orderId, terms]));
}

async function factsOf(
  db: Queryable,
  { organizationId }: Pick<OrderSelection, 'organizationId'>,
  { orders, costCenters }: { orders: readonly OrderRow[]; costCenters: ReadonlyMap<string, string | null> },
): Promise<OrderFacts[]> {
  const ids = orders.map(({ orderId }) => orderId);
  const incidents = await readIncidents(db, organizationId, employeesOf(orders));
  const employees = await readEmployees(db, organizationId, employeesOf(orders));
  const released = await readReleased(db, organizationId, ids);
  const bases = await readBases(db, organizationId, ids);
  return orders.map(({ divisionId, ...order }) => {
    const { orderId, employeeId } = order;
    const ofEmployee = incidents.get(employeeId) ?? [];
    const ofOrder = ofEmployee.filter(
      incident => incident.orderId === orderId && leaveTypes.includes(incident.type),
    );
    const leaves = ofOrder.flatMap(leaveOf);
    const { isBlocked, ...employee } = employees.get(employeeId)!;
    // A leave of the last run may have moved to another order or become another incident: any of the employee may have been it.
    const changing = lacksLeave(bases.get(orderId), leaves) ? ofEmployee : ofOrder;
    return {
      ...order,
      leaves,
      departures: ofEmployee.flatMap(departureOf),
      changedAt: latestOf([order.changedAt, ...changing.map(incident => incident.changedAt)]),
      employee,
      isBlocked,
      costCenter: divisionId === null ? null : (costCenters.get(divisionId) ?? null),
      released: released.get(orderId) ?? [],
      latestBasis: bases.get(orderId)?.basis ?? null,
      latestVersion: bases.get(orderId)?.version ?? 0,
    };
  });
}

export function employeesOf(rows: readonly { readonly employeeId: string | null }[]): string[] {
  return [...new Set(rows.flatMap(({ employeeId }) => employeeId ?? []))];
}

function latestOf(instants: readonly Date[]): Date {
  return new Date(Math.max(...instants.map(instant => instant.getTime())));
}

interface IncidentRow {
  readonly incidentId: string;
  readonly employeeId: string;
  readonly orderId: string | null;
  readonly type: Incident['type'];
  readonly occurredOn: Day | null;
  readonly from: Day | null;
  readonly to: Day | null;
  readonly isBikeReturned: boolean | null;
  readonly payer: PayrollPayer | null;
  /** Cancelled and incomplete ones do not count. */
  readonly counts: boolean;
  readonly changedAt: Date;
}

/** The incidents of employees, also those that do not count: when they changed matters. */
async function readIncidents(
  db: Queryable,
  organizationId: string,
  employeeIds: readonly string[],
): Promise<ReadonlyMap<string, IncidentRow[]>> {
  const rows = await db.rows<IncidentRow>(sql`
    SELECT id AS "incidentId", employee_id AS "employeeId", order_id AS "orderId", type, occurred_on::text AS "occurredOn",
      effective_from::text AS from, effective_to::text AS to, bike_returned AS "isBikeReturned", leave_payer AS payer,
      status IN ('completed', 'in_progress', 'resolved') AS counts, ${changedAt} AS "changedAt"
    FROM incident WHERE organization_id = ${organizationId} AND employee_id = ANY(${[...employeeIds]}::text[]) ORDER BY id`);
  return Map.groupBy(rows, ({ employeeId }) => employeeId);
}

function leaveOf({ incidentId, type, from, to, isBikeReturned, payer, counts }: IncidentRow): Leave[] {
  return from !== null && counts ? [{ incidentId, type, from, to, isBikeReturned, payer }] : [];
}

function departureOf({ incidentId, type, from, occurredOn, counts }: IncidentRow): Departure[] {
  return counts && departureTypes.includes(type) ? [{ incidentId, type, on: from ?? occurredOn }] : [];
}

function lacksLeave(stored: StoredBasis | undefined, leaves: readonly Leave[]): boolean {
  const present = new Set(leaves.map(({ from, to }) => `${from} ${to}`));
  return stored?.basis.suspensions.some(({ from, to }) => !present.has(`${from} ${to}`)) ?? false;
}

/** Names and personnel numbers of employees, and whether they are blocked, by identifier. */
export async function readEmployees(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EmployeeNames & { readonly isBlocked: boolean }>> {
  const rows = await db.rows<EmployeeNames & { id: string; isBlocked: boolean }>(sql`
    SELECT id, blocked AS "isBlocked", person ->> 'employeeNumber' AS "employeeNumber", person ->> 'lastName' AS "lastName",
      person ->> 'firstName' AS "firstName"
    FROM employee CROSS JOIN LATERAL (SELECT doc::jsonb) AS parsed (person)
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

/** The names of those of the employees that are in scope. */
export async function readNamesInScope(
  db: Queryable,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: string; name: string }>(sql`
    SELECT id, ${displayName(sql`doc::jsonb`)} AS name FROM employee
    WHERE ${scopePredicate(scope, null)} AND id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The cost centre of each division of a tenant: its own, or that of the nearest division upwards that has one. */
async function readCostCenters(
  db: Queryable,
  { organizationId, tenantId }: OrderSelection,
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.rows<{ id: string; parent: string | null; own: string | null }>(sql`
    SELECT id, parent_id AS parent, cost_center AS own FROM division
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
  const divisions = new Map(rows.map(row => [row.id, row]));
  const nearest = (id: string | null): string | null => {
    const division = id === null ? undefined : divisions.get(id);
    return division ? (division.own ?? nearest(division.parent)) : null;
  };
  return new Map(rows.map(({ id }) => [id, nearest(id)]));
}

/** The division that each of the employees in scope has the cost centre from: the nearest one upwards that has any. */
export async function readCostCenterDivisions(
  db: Queryable,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { organizationId } = scope;
  const rows = await db.rows<{ id: string; division: string }>(sql`
    SELECT e.id, nearest.id AS division
    FROM (
      SELECT id, division_id FROM employee
      WHERE ${scopePredicate(scope, null)} AND id = ANY(${[...ids]}::text[])) e
    CROSS JOIN LATERAL (
      SELECT d.id FROM division_ancestor a
      JOIN division d ON d.organization_id = a.organization_id AND d.id = a.ancestor_id
      JOIN division_ancestor upwards ON upwards.organization_id = a.organization_id AND upwards.division_id = d.id
      WHERE a.organization_id = ${organizationId} AND a.division_id = e.division_id AND d.cost_center IS NOT NULL
      GROUP BY d.id ORDER BY count(*) DESC LIMIT 1) AS nearest`);
  return new Map(rows.map(({ id, division }) => [id, division]));
}

export async function readTenantName(
  db: Queryable,
  { organizationId }: { organizationId: string },
  tenantId: string,
): Promise<string> {
  const [found] = await db.rows<{ name: string }>(sql`
    SELECT name FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenantId}`);
  return found!.name;
}

/** The tenant and the employee of an order; null when there is none in scope. */
export function findOrder(
  db: Queryable,
  scope: Scope,
  id: string,
): Promise<{ tenantId: string | null; employeeId: string } | null> {
  const place = { table: 'employee_order', scope, tenant: null, id };
  return findInScope(db, place, sql`tenant_id AS "tenantId", employee_id AS "employeeId"`);
}

/** @throws ApiError INVALID_REFERENCE for an incident that is not one of the employee */
export async function checkIncident(
  db: Queryable,
  scope: Scope,
  { id, employeeId }: { id: string; employeeId: string },
): Promise<void> {
  const place = { table: 'incident', scope, tenant: null, id };
  const found = await findInScope<{ employeeId: string }>(db, place, sql`employee_id AS "employeeId"`);
  if (found?.employeeId !== employeeId)
    throw new ApiError('INVALID_REFERENCE', 'leave.incidentId must name an incident of the employee');
}

/** @throws ApiError INVALID_REFERENCE for a division that is none of the tenant */
export async function checkDivision(
  db: Queryable,
  wanted: { organizationId: string; tenantId: string; divisionId?: string | null },
): Promise<void> {
  const { organizationId, tenantId, divisionId = null } = wanted;
  if (divisionId === null) return;
  const found = await db.run(sql`
    SELECT FROM division WHERE organization_id = ${organizationId} AND id = ${divisionId} AND tenant_id = ${tenantId}`);
  if (found === 0) throw new ApiError('INVALID_REFERENCE', 'divisionId must name a division of the tenant');
}
