import type { Incident, PayrollFindingCode } from '@kontor/contract';
import { type Day, type Month, monthOf } from '../../../lib/calendar.ts';
import type { OrderFacts } from './facts.ts';
import type { Finding } from './findings.ts';
import { coversMonth, type RuledLeave, suspensionsOf } from './leaves.ts';
import type { Basis, MonthOwed } from './owed.ts';

const codeOfDeparture: Partial<Record<Incident['type'], PayrollFindingCode>> = {
  termination: 'left',
  retirement: 'retired',
  death: 'deceased',
  employer_change: 'employer_changed',
};

export const departureTypes = Object.keys(codeOfDeparture);

interface Amounts {
  readonly basis: Basis;
  readonly months: ReadonlyMap<Month, MonthOwed>;
  readonly period: Month;
}

/** Asks whether a person is still paid whose order goes on. Only a person who owes something in the period is asked about. */
export function* askAboutPerson(
  { isBlocked, departures }: Pick<OrderFacts, 'isBlocked' | 'departures'>,
  { basis, months, period }: Amounts,
): Generator<Finding> {
  const owed = Object.values(months.get(period)?.owed ?? {});
  if (owed.every(cents => cents === 0n)) return;
  if (isBlocked) yield { code: 'blocked', fact: 'blocked' };
  for (const { incidentId, type, on } of departures) {
    const goesOn = on === null || (monthOf(on) <= period && monthOf(basis.endDate) > monthOf(on));
    if (!goesOn) continue;
    const code = codeOfDeparture[type]!;
    yield { code, ...(on !== null && { month: monthOf(on) }), fact: `${incidentId} ${on}` };
  }
}

interface TakenBack extends Amounts {
  /** Months in which less is owed than was released. */
  readonly takenBack: readonly Month[];
}

/** Asks about a last day that is earlier than in the last run, if released months are taken back from its month on. */
export function* askAboutEnd(
  { latestBasis }: Pick<OrderFacts, 'latestBasis'>,
  { basis: { endDate }, takenBack }: TakenBack,
): Generator<Finding> {
  if (latestBasis === null || endDate >= latestBasis.endDate) return;
  const month = takenBack.find(each => each >= monthOf(endDate));
  if (month !== undefined) yield { code: 'end_takes_back', month, fact: endDate };
}

interface LeaveAmounts extends TakenBack {
  readonly firstPeriod: Month;
}

/** Asks about the days of leaves that take something off: what is usual in a release is asked about once. */
export function* askAboutLeaves(
  leaves: readonly RuledLeave[],
  { latestBasis }: Pick<OrderFacts, 'latestBasis'>,
  { basis, months, period, firstPeriod, takenBack }: LeaveAmounts,
): Generator<Finding> {
  for (const leave of leaves) {
    const { incidentId, from, to } = leave;
    const suspensions = suspensionsOf([leave]);
    if (suspensions.length === 0 || (to !== null && monthOf(to) < firstPeriod)) continue;
    const about = { month: monthOf(from), fact: `${incidentId} ${from} ${to}` };
    if (to === null && monthOf(from) <= period && months.has(period)) yield { code: 'leave_open', ...about };
    const known = latestBasis?.suspensions ?? [];
    const isKnown = suspensions.every(days =>
      known.some(({ from, to }) => from === days.from && to === days.to),
    );
    if (!isKnown && from < basis.startDate) yield { code: 'leave_before_contract', ...about };
    if (!isKnown && [from, to].some(day => day !== null && isFar(day, period)))
      yield { code: 'leave_far', ...about };
    const month = takenBack.find(each => coversMonth(leave, each));
    if (month !== undefined) yield { code: 'leave_takes_back', ...about, month };
  }
}

/** Whether a day lies more than a year before or after a month. */
export function isFar(day: Day, period: Month): boolean {
  const inYears = (years: number) =>
    `${String(Number(period.slice(0, 4)) + years).padStart(4, '0')}${period.slice(4)}`;
  return monthOf(day) < inYears(-1) || monthOf(day) > inYears(1);
}
