import type { Incident, Order } from '@kontor/contract';

export interface Retention {
  /**
   * Whole calendar years after the year in which an order with payroll vouchers ended: wage accounts and their vouchers are kept until the
   * end of the sixth year (§ 41 (1) sentence 9 EStG).
   */
  readonly voucherYears: number;
  /** Days after the last change of other orders and of incidents. */
  readonly otherDays: number;
}

/** The retention of a tenant without its own setting, and of employees without a tenant. */
export const usualRetention: Retention = { voucherYears: 6, otherDays: 0 };

/** The fields that determine an order's retention. Days and instants have the format of documents. */
export interface KeptOrder extends Pick<Order, 'orderNumber' | 'status' | 'updatedAt'> {
  readonly contract: { readonly endDate: string | null } | null;
}

/** The amounts that payroll exported for an employee, or that were settled. */
export interface KeptPayroll {
  /** Number of entries. An erasure keeps them. */
  readonly entries: number;
  /** The last month that they are about or were made in, `YYYY-MM`; null without entries. */
  readonly lastMonth: string | null;
}

export type KeptIncident = Pick<Incident, 'incidentNumber' | 'status' | 'updatedAt'>;

export interface Hold {
  readonly reason: string;
  /** The first day on which the reason no longer applies; null if unknown. */
  readonly until: string | null;
}

const openOrders: ReadonlySet<string> = new Set(['under_review', 'approved', 'ready_for_pickup', 'active']);

const day = (instant: string) => instant.slice(0, 10);

export function holdsOf(
  {
    orders,
    incidents,
    payroll,
  }: {
    orders: readonly KeptOrder[];
    incidents: readonly KeptIncident[];
    payroll: Pick<KeptPayroll, 'lastMonth'>;
  },
  retention: Retention,
  today: string,
): Hold[] {
  const holds = [
    ...orders.map(order => orderHold(order, retention, today)),
    ...incidents.map(incident => incidentHold(incident, retention)),
    ...payrollHolds(payroll, retention),
  ];
  return holds.filter(({ until }) => until === null || until > today);
}

/** The first day without a reason: `today` if there is none, null if it is unknown. */
export function possibleFrom(holds: readonly Hold[], today: string): string | null {
  let from = today;
  for (const { until } of holds) {
    if (until === null) return null;
    if (until > from) from = until;
  }
  return from;
}

function orderHold(
  { orderNumber, status, contract, updatedAt }: KeptOrder,
  retention: Retention,
  today: string,
): Hold {
  const name = `order ${orderNumber}`;
  if (openOrders.has(status)) {
    const end = status === 'active' ? (contract?.endDate ?? null) : null;
    // An active order may outlive its contract; its end is unknown.
    const until = end !== null && end >= today ? yearsAfter(end, retention) : null;
    return { reason: `${name} is ${status}`, until };
  }
  if (status === 'completed' && contract !== null) {
    const until = yearsAfter(contract.endDate ?? day(updatedAt), retention);
    return { reason: `${name} has vouchers of the payroll, which are kept until ${until}`, until };
  }
  return daysAfterChange(name, updatedAt, retention);
}

function payrollHolds({ lastMonth }: Pick<KeptPayroll, 'lastMonth'>, retention: Retention): Hold[] {
  if (lastMonth === null) return [];
  const until = yearsAfter(lastMonth, retention);
  return [
    { reason: `payroll exported amounts up to ${lastMonth}, whose vouchers are kept until ${until}`, until },
  ];
}

function incidentHold({ incidentNumber, status, updatedAt }: KeptIncident, retention: Retention): Hold {
  const name = `incident ${incidentNumber}`;
  if (status === 'in_progress') return { reason: `${name} is in progress`, until: null };
  return daysAfterChange(name, updatedAt, retention);
}

/** January 1 after `voucherYears` whole years after the year of `end`. */
function yearsAfter(end: string, { voucherYears }: Retention): string {
  const year = Number(end.slice(0, 4)) + voucherYears + 1;
  return `${String(year).padStart(4, '0')}-01-01`;
}

function daysAfterChange(name: string, updatedAt: string, { otherDays }: Retention): Hold {
  const last = new Date(`${day(updatedAt)}T00:00:00Z`);
  last.setUTCDate(last.getUTCDate() + otherDays);
  const until = day(last.toISOString());
  return { reason: `${name} is kept for ${otherDays} days, until ${until}`, until };
}
