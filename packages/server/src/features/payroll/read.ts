import { ApiError, type Incident } from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { allOf, type Fragment, sql } from '../../db/sql.ts';
import type { Day } from '../../lib/calendar.ts';
import { displayName } from '../../query/search-all.ts';
import type { EmployeeNames, Leave, OrderFacts } from './facts.ts';
import { readBases, readReleased, type StoredBasis } from './ledger.ts';

/*
 * Payroll reads orders, incidents, employees and divisions here, and writes none of them. No other file of payroll names their tables, so
 * changes of their columns and documents end here.
 */

/** Which orders of a tenant: all, those of a division with its subtree, of one employee, or a single one. */
export interface OrderSelection {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly divisionId: string | null;
  readonly employeeId?: string;
  readonly orderId?: string;
}

function predicateOf({
  organizationId,
  tenantId,
  divisionId,
  employeeId,
  orderId,
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
  if (orderId !== undefined) conditions.push(sql`id = ${orderId}`);
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

interface OrderRow extends Pick<OrderFacts, 'orderId' | 'employeeId' | 'contract' | 'isSPedelec'> {
  readonly divisionId: string | null;
  readonly updatedAt: Date;
}

function readOrders(db: Queryable, selection: OrderSelection, after: string): Promise<OrderRow[]> {
  return db.rows<OrderRow>(sql`
    SELECT id AS "orderId", employee_id AS "employeeId", division_id AS "divisionId", is_s_pedelec AS "isSPedelec",
      doc::jsonb -> 'contract' AS contract, updated_at AS "updatedAt"
    FROM employee_order WHERE ${predicateOf(selection)} AND id > ${after} ORDER BY id LIMIT ${pageSize}`);
}

async function factsOf(
  db: Queryable,
  { organizationId }: Pick<OrderSelection, 'organizationId'>,
  { orders, costCenters }: { orders: readonly OrderRow[]; costCenters: ReadonlyMap<string, string | null> },
): Promise<OrderFacts[]> {
  const ids = orders.map(({ orderId }) => orderId);
  const leaves = await readLeaves(db, organizationId, ids);
  const employees = await readEmployees(db, organizationId, employeesOf(orders));
  const released = await readReleased(db, organizationId, ids);
  const bases = await readBases(db, organizationId, ids);
  const movedAt = await readMoves(db, organizationId, { orders, bases, leaves });
  return orders.map(({ divisionId, updatedAt, ...order }) => {
    const { orderId, employeeId } = order;
    const ofOrder = leaves.get(orderId);
    return {
      ...order,
      leaves: ofOrder?.leaves ?? [],
      changedAt: latestOf([updatedAt, ofOrder?.changedAt, movedAt.get(orderId)]),
      employee: employees.get(employeeId)!,
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

function latestOf(instants: readonly (Date | undefined)[]): Date {
  return new Date(Math.max(...instants.map(instant => instant?.getTime() ?? 0)));
}

interface LeavesOfOrder {
  readonly leaves: readonly Leave[];
  /** The last change of any incident of the order, also of one that is no leave any more. */
  readonly changedAt: Date;
}

interface IncidentRow {
  readonly orderId: string;
  readonly type: Incident['type'];
  readonly from: Day | null;
  readonly to: Day | null;
  readonly holds: boolean;
  readonly updatedAt: Date;
}

/** The incidents of orders that count, and when any incident of the order last changed. Cancelled and incomplete ones do not count. */
async function readLeaves(
  db: Queryable,
  organizationId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, LeavesOfOrder>> {
  const rows = await db.rows<IncidentRow>(sql`
    SELECT order_id AS "orderId", type, effective_from::text AS from, effective_to::text AS to,
      status IN ('completed', 'in_progress', 'resolved') AS holds, updated_at AS "updatedAt"
    FROM incident WHERE organization_id = ${organizationId} AND order_id = ANY(${[...orderIds]}::text[]) ORDER BY id`);
  const groups = Map.groupBy(rows, ({ orderId }) => orderId);
  return new Map(
    Array.from(groups, ([orderId, incidents]) => {
      const leaves = incidents.flatMap(({ type, from, to, holds }) =>
        from !== null && holds ? [{ type, from, to }] : [],
      );
      return [orderId, { leaves, changedAt: latestOf(incidents.map(({ updatedAt }) => updatedAt)) }];
    }),
  );
}

/**
 * A leave may have moved to another order of the employee. An order that lacks a leave of its last run counts as changed with the last
 * change of any incident of the employee.
 */
async function readMoves(
  db: Queryable,
  organizationId: string,
  read: {
    orders: readonly OrderRow[];
    bases: ReadonlyMap<string, StoredBasis>;
    leaves: ReadonlyMap<string, LeavesOfOrder>;
  },
): Promise<ReadonlyMap<string, Date | undefined>> {
  const lacking = read.orders.filter(({ orderId }) => {
    const present = new Set(read.leaves.get(orderId)?.leaves.map(({ from, to }) => `${from} ${to}`));
    return read.bases.get(orderId)?.basis.suspensions.some(({ from, to }) => !present.has(`${from} ${to}`));
  });
  if (lacking.length === 0) return new Map();
  const rows = await db.rows<{ employeeId: string; at: Date }>(sql`
    SELECT employee_id AS "employeeId", max(updated_at) AS at FROM incident
    WHERE organization_id = ${organizationId} AND employee_id = ANY(${employeesOf(lacking)}::text[]) GROUP BY employee_id`);
  const changes = new Map(rows.map(({ employeeId, at }) => [employeeId, at]));
  return new Map(lacking.map(({ orderId, employeeId }) => [orderId, changes.get(employeeId)]));
}

/** Names and personnel numbers of employees, by identifier. */
export async function readEmployees(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EmployeeNames>> {
  const rows = await db.rows<EmployeeNames & { id: string }>(sql`
    SELECT id, person ->> 'employeeNumber' AS "employeeNumber", person ->> 'lastName' AS "lastName",
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
