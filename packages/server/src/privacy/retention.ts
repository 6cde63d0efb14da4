import type { ErasureHold, Incident, Order } from '@kontor/contract';

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

/** A reason to keep data. `until` is the first day on which it no longer applies; null if unknown. */
export interface Hold extends ErasureHold {
  readonly reason: string;
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
    return { kind: 'open_order', subject: orderNumber, reason: `${name} is ${status}`, until };
  }
  if (status === 'completed' && contract !== null) {
    const until = yearsAfter(contract.endDate ?? day(updatedAt), retention);
    const reason = `${name} has vouchers of the payroll, which are kept until ${until ?? 'after 9999'}`;
    return { kind: 'order_vouchers', subject: orderNumber, reason, until };
  }
  return { kind: 'recent_order', subject: orderNumber, ...daysAfterChange(name, updatedAt, retention) };
}

/** The day on which the retention of amounts ends; null without any. */
export function payrollKeptUntil(
  { lastMonth }: Pick<KeptPayroll, 'lastMonth'>,
  retention: Retention,
): string | null {
  return lastMonth === null ? null : yearsAfter(lastMonth, retention);
}

function payrollHolds({ lastMonth }: Pick<KeptPayroll, 'lastMonth'>, retention: Retention): Hold[] {
  if (lastMonth === null) return [];
  const until = yearsAfter(lastMonth, retention);
  const reason = `payroll exported amounts up to ${lastMonth}, whose vouchers are kept until ${until ?? 'after 9999'}`;
  return [{ kind: 'payroll', subject: lastMonth, reason, until }];
}

function incidentHold({ incidentNumber, status, updatedAt }: KeptIncident, retention: Retention): Hold {
  const name = `incident ${incidentNumber}`;
  const subject = incidentNumber;
  if (status === 'in_progress')
    return { kind: 'incident_in_progress', subject, reason: `${name} is in progress`, until: null };
  return { kind: 'recent_incident', subject, ...daysAfterChange(name, updatedAt, retention) };
}

/**
 * January 1 after `voucherYears` whole years after the year of `end`. Null after the year 9999, where days cannot be compared as text: a
 * contract without an end often ends on 9999-12-31.
 */
function yearsAfter(end: string, { voucherYears }: Retention): string | null {
  const year = Number(end.slice(0, 4)) + voucherYears + 1;
  return year > 9999 ? null : `${String(year).padStart(4, '0')}-01-01`;
}

function daysAfterChange(
  name: string,
  updatedAt: string,
  { otherDays }: Retention,
): Pick<Hold, 'reason' | 'until'> {
  const last = new Date(`${day(updatedAt)}T00:00:00Z`);
  last.setUTCDate(last.getUTCDate() + otherDays);
  const until = day(last.toISOString());
  return { reason: `${name} is kept for ${otherDays} days, until ${until}`, until };
}
