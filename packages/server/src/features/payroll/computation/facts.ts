import type {
  ContractAmounts,
  Incident,
  OrderContract,
  PayrollPayer,
  PayrollSettings,
} from '@kontor/contract';
import type { Day, Month } from '../../../lib/calendar.ts';
import type { Line } from '../formats/format.ts';
import type { Basis, Kind } from './owed.ts';

/** Settings that count from a month on. `firstPeriod` comes from the latest ones. */
export type SettingsVersion = Omit<PayrollSettings, 'versions'>;

/** All settings of a tenant, the earliest first. */
export type SettingsVersions = readonly [SettingsVersion, ...SettingsVersion[]];

/** The settings in force in a month. The first ones also count for the months before them, which are in the sums of a contract. */
export function settingsIn(versions: SettingsVersions, month: Month): SettingsVersion {
  return versions.findLast(({ from }) => from <= month) ?? versions[0];
}

/** Years ahead of which amounts are explained and settled: a contract up to 9999-12-31 owes some 96,000 months. */
export const yearsAhead = 10;

export function lastMonth(now: Date): Month {
  return `${now.getUTCFullYear() + yearsAhead}-${now.toISOString().slice(5, 7)}`;
}

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
  /** All amounts of the contract by month, where versions have changed them; empty otherwise. */
  readonly amounts: readonly ContractAmounts[];
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
