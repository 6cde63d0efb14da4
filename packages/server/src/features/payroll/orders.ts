import type { OrderContract } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import type { Queryable } from '../../db/session.ts';
import { inSlices } from '../../lib/concurrency/in-slices.ts';
import { type Assessment, assessOrder, type Leave, type OrderFacts, type RunTerms } from './assess.ts';
import type { Line } from './formats/format.ts';
import { readBases, readReleased, type StoredBasis } from './ledger.ts';

/** An `active` or `completed` order. */
export interface OrderRow {
  readonly id: string;
  readonly employeeId: string;
  readonly divisionId: string | null;
  readonly contract: OrderContract | null;
  readonly isSPedelec: boolean;
  readonly updatedAt: Date;
}

/** Which orders of a tenant: all, those of a division with its subtree, of one employee, or a single one. */
export interface OrderSelection {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly divisionId: string | null;
  readonly employeeId?: string;
  readonly orderId?: string;
}

export interface LeavesOfOrder {
  readonly leaves: readonly Leave[];
  /** The last change of any incident of the order, also of one that is no leave any more. */
  readonly changedAt: Date;
}

export type EmployeeNames = Pick<Line, 'lastName' | 'firstName'> & { readonly employeeNumber: string | null };

/** Readers of other features. `app/` passes them. */
export interface PayrollReaders {
  /** Where an order is; null when there is none in scope. */
  findOrder(
    db: Queryable,
    scope: Scope,
    orderId: string,
  ): Promise<{ readonly tenantId: string | null; readonly employeeId: string } | null>;
  countOrders(db: Queryable, selection: OrderSelection): Promise<number>;
  /** Orders by identifier, behind `after`. */
  readOrders(db: Queryable, selection: OrderSelection, after: string, limit: number): Promise<OrderRow[]>;
  readLeaves(
    db: Queryable,
    organizationId: string,
    orderIds: readonly string[],
  ): Promise<ReadonlyMap<string, LeavesOfOrder>>;
  /** When an incident of each of these employees last changed, of whatever order. */
  readChangesOfLeaves(
    db: Queryable,
    organizationId: string,
    employeeIds: readonly string[],
  ): Promise<ReadonlyMap<string, Date>>;
  readEmployees(
    db: Queryable,
    organizationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, EmployeeNames>>;
  /** The cost centre of each division of a tenant: its own, or that of the nearest division upwards. */
  readCostCenters(
    db: Queryable,
    organizationId: string,
    tenantId: string,
  ): Promise<ReadonlyMap<string, string | null>>;
}

export interface AssessedOrder {
  readonly facts: OrderFacts;
  readonly latest: StoredBasis | null;
  readonly assessment: Assessment;
}

/** Orders that are read at once. */
const pageSize = 1000;

/** Assesses orders in pages, in the order of their identifiers. Memory holds one page. */
export async function* assessOrders(
  db: Queryable,
  readers: PayrollReaders,
  selection: OrderSelection,
  terms: RunTerms,
): AsyncGenerator<AssessedOrder[]> {
  const { organizationId, tenantId } = selection;
  const costCenters = await readers.readCostCenters(db, organizationId, tenantId);
  for (let after = ''; ;) {
    const orders = await readers.readOrders(db, selection, after, pageSize);
    if (orders.length > 0)
      yield await assessPage(db, readers, { organizationId, orders, costCenters, terms });
    if (orders.length < pageSize) return;
    after = orders.at(-1)!.id;
  }
}

async function assessPage(
  db: Queryable,
  readers: PayrollReaders,
  page: {
    organizationId: string;
    orders: readonly OrderRow[];
    costCenters: ReadonlyMap<string, string | null>;
    terms: RunTerms;
  },
): Promise<AssessedOrder[]> {
  const { organizationId, orders, costCenters, terms } = page;
  const ids = orders.map(({ id }) => id);
  const employeeIds = [...new Set(orders.map(({ employeeId }) => employeeId))];
  const leaves = await readers.readLeaves(db, organizationId, ids);
  const employees = await readers.readEmployees(db, organizationId, employeeIds);
  const released = await readReleased(db, organizationId, ids);
  const bases = await readBases(db, organizationId, ids);
  const movedAt = await readMoves(db, readers, organizationId, { orders, bases, leaves });
  return inSlices(orders, ({ id: orderId, employeeId, divisionId, updatedAt, ...order }) => {
    const ofOrder = leaves.get(orderId);
    const latest = bases.get(orderId) ?? null;
    const facts: OrderFacts = {
      ...order,
      orderId,
      employeeId,
      leaves: ofOrder?.leaves ?? [],
      changedAt: latestOf([updatedAt, ofOrder?.changedAt, movedAt.get(orderId)]),
      employee: employees.get(employeeId)!,
      costCenter: divisionId === null ? null : (costCenters.get(divisionId) ?? null),
      released: released.get(orderId) ?? [],
      latestBasis: latest?.basis ?? null,
    };
    return { facts, latest, assessment: assessOrder(facts, terms) };
  });
}

function latestOf(instants: readonly (Date | undefined)[]): Date {
  return new Date(Math.max(...instants.map(instant => instant?.getTime() ?? 0)));
}

/**
 * A leave may have moved to another order of the employee. An order that lacks a leave of its last run counts as changed with the last
 * change of any incident of the employee.
 */
async function readMoves(
  db: Queryable,
  readers: PayrollReaders,
  organizationId: string,
  {
    orders,
    bases,
    leaves,
  }: {
    orders: readonly OrderRow[];
    bases: ReadonlyMap<string, StoredBasis>;
    leaves: ReadonlyMap<string, LeavesOfOrder>;
  },
): Promise<ReadonlyMap<string, Date | undefined>> {
  const lacking = orders.filter(({ id }) => {
    const present = new Set(leaves.get(id)?.leaves.map(({ from, to }) => `${from} ${to}`));
    return bases.get(id)?.basis.suspensions.some(({ from, to }) => !present.has(`${from} ${to}`));
  });
  if (lacking.length === 0) return new Map();
  const employeeIds = [...new Set(lacking.map(({ employeeId }) => employeeId))];
  const changes = await readers.readChangesOfLeaves(db, organizationId, employeeIds);
  return new Map(lacking.map(({ id, employeeId }) => [id, changes.get(employeeId)]));
}
