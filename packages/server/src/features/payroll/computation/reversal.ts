import { isDeepStrictEqual } from 'node:util';
import { type Assessment, checkEntry, distinct, type Entry, type RunTerms } from './assess.ts';
import { type Booking, type OrderFacts, settingsIn } from './facts.ts';
import type { Finding } from './findings.ts';
import { type ClientSettings, clientSettings } from '../formats/format.ts';
import { bookingOf, settingOfKind } from './kinds.ts';

/*
 * A reversal books released amounts anew that had a wrong personnel number, adviser or client number, wage type or cost centre. Each sum of the
 * ledger under other values than the present ones gets an entry with the other sign, and their total one under the present values. So the entries
 * of a month and kind are zero together, and a second reversal finds nothing.
 */

/** The sum of the exported amounts of a month and kind that were booked alike. It is not zero. */
export interface BookedSum extends Omit<Entry, 'part' | 'reverses'> {
  readonly head: ClientSettings | null;
  /** The last run that booked so. */
  readonly runId: string;
}

export function reverseOrder(facts: OrderFacts, terms: RunTerms, booked: readonly BookedSum[]): Assessment {
  const months = Map.groupBy(booked, ({ month, kind }) => `${month} ${kind}`);
  const parts = Array.from(months.values(), sums => reverseMonth(sums, facts, terms));
  return {
    basis: facts.latestBasis,
    entries: parts.flatMap(({ entries }) => entries),
    findings: parts.flatMap(({ findings }) => findings),
    conversion: 0n,
  };
}

function reverseMonth(
  sums: readonly BookedSum[],
  facts: OrderFacts,
  terms: RunTerms,
): { entries: Entry[]; findings: Finding[] } {
  const { month, kind, contractNumber, ...latest } = sums.at(-1)!;
  const { employeeNumber: personnelNumber } = facts.employee;
  const present = presentBooking(latest, { facts, terms, kind });
  const wrong = sums.filter(sum => !isBookedAs(sum, { ...present, personnelNumber }, terms));
  if (wrong.length === 0) return { entries: [], findings: [] };
  const total = wrong.reduce((sum, { cents }) => sum + cents, 0n);
  const about = { month, kind, cents: total };
  if (personnelNumber === null)
    return { entries: [], findings: [{ code: 'personnel_number', field: 'employeeNumber', ...about }] };
  const counters = wrong.map(({ head: _head, runId: reverses, cents, ...entry }, index) => ({
    ...entry,
    cents: -cents,
    part: index + 1,
    reverses,
  }));
  const anew: Entry = {
    month,
    kind,
    contractNumber,
    personnelNumber,
    ...present,
    cents: total,
    part: 0,
    reverses: null,
  };
  const entries = total === 0n ? counters : [anew, ...counters];
  const violations = entries.flatMap(entry => {
    const head = entry.part === 0 ? null : wrong[entry.part - 1]!.head;
    const settings = { ...settingsIn(terms.versions, terms.period), ...head };
    return checkEntry(entry, facts, { ...terms, versions: [settings] }, entry.part > 0);
  });
  if (violations.length > 0)
    return { entries: [], findings: distinct(violations).map(violation => ({ ...about, ...violation })) };
  return { entries, findings: [{ code: 'reversal', ...about }] };
}

/** How the settings book the kind. One that they do not export keeps its booking. */
function presentBooking(
  { wageType, processingKey, sign }: Booking,
  { facts, terms, kind }: { facts: OrderFacts; terms: RunTerms; kind: Entry['kind'] },
): Booking {
  const mapping = settingsIn(terms.versions, terms.period).kinds[settingOfKind[kind]];
  const { costCenter } = facts;
  return mapping?.export ? bookingOf(mapping, costCenter) : { wageType, processingKey, sign, costCenter };
}

function isBookedAs(
  sum: BookedSum,
  wanted: Booking & { readonly personnelNumber: string | null },
  { versions, period }: RunTerms,
): boolean {
  const { wageType, processingKey, sign, costCenter, personnelNumber, head } = sum;
  return (
    isDeepStrictEqual({ wageType, processingKey, sign, costCenter, personnelNumber }, wanted) &&
    (head === null || isDeepStrictEqual(head, clientSettings(settingsIn(versions, period))))
  );
}
