import type { Incident, OrderContract } from '@kontor/contract';
import type { Month } from '../../lib/calendar.ts';
import type { Line } from './formats/format.ts';
import type { Basis, Kind, Suspension } from './owed.ts';

/** An incident that may suspend an order. */
export interface Leave extends Suspension {
  readonly type: Incident['type'];
}

export type EmployeeNames = Pick<Line, 'lastName' | 'firstName'> & { readonly employeeNumber: string | null };

/** How an entry is booked. A correction keeps that of the entry that it corrects. */
export interface Booking {
  readonly wageType: string;
  readonly processingKey: string | null;
  readonly sign: 1 | -1;
  readonly costCenter: string | null;
}

/** The sums in the ledger for a month and kind of an order. */
export interface Released {
  readonly month: Month;
  readonly kind: Kind;
  /** The sums in cents: what runs exported, and what was settled, by meaning. */
  readonly exported: bigint;
  readonly paidElsewhere: bigint;
  readonly notOwed: bigint;
  /** Booking of the latest entry that a run exported; null when all was settled outside. */
  readonly booking: Booking | null;
  /** The personnel number of that entry. */
  readonly personnelNumber: string | null;
}

/** An `active` or `completed` order with all that its amounts depend on. */
export interface OrderFacts {
  readonly orderId: string;
  readonly employeeId: string;
  readonly contract: OrderContract | null;
  readonly isSPedelec: boolean;
  readonly leaves: readonly Leave[];
  /** When the order or a leave last changed. */
  readonly changedAt: Date;
  readonly employee: EmployeeNames;
  /** That of the nearest division upwards that has one. */
  readonly costCenter: string | null;
  readonly released: readonly Released[];
  /** The basis in the last run that was released, and its version; 0 before one. */
  readonly latestBasis: Basis | null;
  readonly latestVersion: number;
}
