import type { Incident, Order } from '@kontor/contract';

/** How long data of people are kept. */
export interface Retention {
  /**
   * Whole calendar years behind the one in which an order has ended that the payroll has vouchers of: wage accounts and their vouchers
   * are kept until the end of the sixth year (§ 41 (1) sentence 9 EStG).
   */
  readonly voucherYears: number;
  /** Days behind the last change of other orders and of incidents. */
  readonly otherDays: number;
}

/** Where a tenant has said nothing, and of those in no tenant. */
export const usualRetention: Retention = { voucherYears: 6, otherDays: 0 };

/** What an order says about how long it is kept. Days and instants are as documents have them. */
export interface KeptOrder extends Pick<Order, 'orderNumber' | 'status' | 'updatedAt'> {
  readonly contract: { readonly endDate: string | null } | null;
}

export type KeptIncident = Pick<Incident, 'incidentNumber' | 'status' | 'updatedAt'>;

/** Why data of a person are kept. */
export interface Hold {
  readonly reason: string;
  /** The first day on which they are no longer; null while nobody can tell. */
  readonly until: string | null;
}

const openOrders: ReadonlySet<string> = new Set(['under_review', 'approved', 'ready_for_pickup', 'active']);

const day = (instant: string) => instant.slice(0, 10);

/** What keeps the data of a person with these orders and incidents on a day. */
export function holdsOf(
  { orders, incidents }: { orders: readonly KeptOrder[]; incidents: readonly KeptIncident[] },
  retention: Retention,
  today: string,
): Hold[] {
  const holds = [
    ...orders.map(order => orderHold(order, retention, today)),
    ...incidents.map(incident => incidentHold(incident, retention)),
  ];
  return holds.filter(({ until }) => until === null || until > today);
}

/** The first day on which nothing keeps them: null while nobody can tell, `today` when nothing does. */
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
    // One that goes on behind its end ends nobody knows when.
    const until = end !== null && end >= today ? behindYears(end, retention) : null;
    return { reason: `${name} is ${status}`, until };
  }
  if (status === 'completed' && contract !== null) {
    const until = behindYears(contract.endDate ?? day(updatedAt), retention);
    return { reason: `${name} has vouchers of the payroll, which are kept until ${until}`, until };
  }
  return behindChange(name, updatedAt, retention);
}

function incidentHold({ incidentNumber, status, updatedAt }: KeptIncident, retention: Retention): Hold {
  const name = `incident ${incidentNumber}`;
  if (status === 'in_progress') return { reason: `${name} is in progress`, until: null };
  return behindChange(name, updatedAt, retention);
}

/** The first day behind so many whole years after the year of the day. */
function behindYears(end: string, { voucherYears }: Retention): string {
  const year = Number(end.slice(0, 4)) + voucherYears + 1;
  return `${String(year).padStart(4, '0')}-01-01`;
}

function behindChange(name: string, updatedAt: string, { otherDays }: Retention): Hold {
  const last = new Date(`${day(updatedAt)}T00:00:00Z`);
  last.setUTCDate(last.getUTCDate() + otherDays);
  const until = day(last.toISOString());
  return { reason: `${name} is kept for ${otherDays} days, until ${until}`, until };
}
