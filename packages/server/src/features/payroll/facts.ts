import type { Incident, OrderContract, PayrollPayer } from '@kontor/contract';
import type { Day, Month } from '../../lib/calendar.ts';
import type { Line } from './formats/format.ts';
import type { Basis, Kind } from './owed.ts';

/** An incident that may suspend an order. */
export interface Leave {
  readonly incidentId: string;
  readonly type: Incident['type'];
  readonly from: Day;
  /** Inclusive; null until the end is known. */
  readonly to: Day | null;
  /** Whether the bike was given back for the leave; null: not recorded. */
  readonly isBikeReturned: boolean | null;
  /** The payer of this leave; null: as the settings say. */
  readonly payer: PayrollPayer | null;
}

/** An incident after which the employee is no longer paid here. */
export interface Departure {
  readonly incidentId: string;
  readonly type: Incident['type'];
  /** Its first day, or the day of the event where none is known. */
  readonly on: Day | null;
}

export type EmployeeNames = Pick<Line, 'lastName' | 'firstName'> & { readonly employeeNumber: string | null };

/** How an entry is booked. A correction keeps that of the entry that it corrects. */
export interface Booking {
  readonly wageType: string;
  readonly processingKey: string | null;
  readonly sign: 1 | -1;
  readonly costCenter: string | null;
}

/** The sum in the ledger for a month and kind of an order. */
export interface Released {
  readonly month: Month;
  readonly kind: Kind;
  /** The sum of all entries, settlements included. */
  readonly cents: bigint;
  /** Booking of the latest entry that a run exported; null when all was settled outside. */
  readonly booking: Booking | null;
}

/** An `active` or `completed` order with all that its amounts depend on. */
export interface OrderFacts {
  readonly orderId: string;
  readonly employeeId: string;
  readonly contract: OrderContract | null;
  readonly isSPedelec: boolean;
  readonly leaves: readonly Leave[];
  /** Those of the employee, whatever their order. */
  readonly departures: readonly Departure[];
  /** When the contract or a leave last changed. */
  readonly changedAt: Date;
  readonly employee: EmployeeNames;
  readonly isBlocked: boolean;
  /** That of the nearest division upwards that has one. */
  readonly costCenter: string | null;
  readonly released: readonly Released[];
  /** The basis in the last run that was released, and its version; 0 before one. */
  readonly latestBasis: Basis | null;
  readonly latestVersion: number;
}
