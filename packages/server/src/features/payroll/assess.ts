import type { Incident, PayrollFindingCode, PayrollSettings } from '@kontor/contract';
import { lastDayOfTerm, type Month, monthBefore, monthOf } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import { balanceOf } from './balance.ts';
import type { Booking, OrderFacts, Released } from './facts.ts';
import type { Format, Line, Violation } from './formats/format.ts';
import { type Basis, type Kind, type MonthOwed, owedMonths, type Suspension } from './owed.ts';

export interface RunTerms {
  readonly settings: PayrollSettings;
  readonly period: Month;
  readonly formats: readonly Format[];
  /** Changes after this instant enter the next run; null: all changes enter. */
  readonly cutOff: Date | null;
}

/** An amount that a run exports: what is owed less what was released, before the sign of the settings. */
export interface Entry extends Booking {
  readonly month: Month;
  readonly kind: Kind;
  readonly cents: bigint;
  readonly personnelNumber: string;
  readonly contractNumber: string | null;
  /** 0, but for the entries of a reversal that have the other sign: 1 and more. */
  readonly part: number;
  /** The run that it reverses; else null. */
  readonly reverses: string | null;
}

export interface Finding {
  readonly code: PayrollFindingCode;
  readonly month?: Month;
  readonly kind?: Kind;
  readonly field?: string;
  readonly cents?: bigint;
}

export interface Assessment {
  /** Null when nothing could be computed. */
  readonly basis: Basis | null;
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
}

/** The names of kinds and leaves in the settings. */
export const settingOfKind = {
  salary_conversion: 'salaryConversion',
  taxable_benefit: 'taxableBenefit',
  employer_subsidy: 'employerSubsidy',
} as const satisfies Record<Kind, keyof PayrollSettings['kinds']>;

const settingOfLeave: Partial<Record<Incident['type'], keyof PayrollSettings['leaves']>> = {
  long_term_illness: 'longTermIllness',
  maternity_leave: 'maternityLeave',
  parental_leave: 'parentalLeave',
  unpaid_leave: 'unpaidLeave',
};

export const leaveTypes = Object.keys(settingOfLeave);

/** Computes the entries of an order in a run, and what the report says about it. The same for a draft, its release and a dry run. */
export function assessOrder(facts: OrderFacts, terms: RunTerms): Assessment {
  const found = findBasis(facts, terms);
  if (found.basis === null) return { ...found, entries: [] };
  const { basis } = found;
  const months = new Map([...owedMonths(basis, terms.period)].map(owed => [owed.month, owed]));
  const findings = [...found.findings, ...describeNumber(facts), ...describeChanges(months, terms)];
  const due = dueAmounts(months, facts, terms);
  findings.push(...describeLeaves(months, due, terms.period));
  if (facts.isSPedelec) findings.push(...describeSPedelec(months, due));
  const entries: Entry[] = [];
  for (const part of due) {
    const { month, kind, overpaid } = part;
    if (overpaid > 0n) findings.push({ code: 'paid_elsewhere', month, kind, cents: overpaid });
    if (part.cents === 0n) continue;
    const booked = book(part, { facts, terms, basis });
    if (booked.entry) entries.push(booked.entry);
    findings.push(...booked.findings);
  }
  return { basis, entries, findings };
}

function hasChangedAfterCutOff({ changedAt }: OrderFacts, { cutOff }: RunTerms): boolean {
  return cutOff !== null && changedAt > cutOff;
}

/** The basis of an order as it is, or after the cut-off as the last run had it. */
function findBasis(facts: OrderFacts, terms: RunTerms): Pick<Assessment, 'basis' | 'findings'> {
  const { contract, latestBasis } = facts;
  const { settings } = terms;
  const nothing = (finding: Finding) => ({ basis: null, findings: [finding] });
  if (hasChangedAfterCutOff(facts, terms))
    return latestBasis
      ? { basis: latestBasis, findings: [{ code: 'changed_after_cut_off' }] }
      : nothing({ code: 'after_cut_off' });
  if (contract === null) return nothing({ code: 'no_contract', field: 'contract' });
  if (contract.startDate === null) return nothing({ code: 'no_contract', field: 'startDate' });
  const endDate = contract.endDate ?? lastDayOfTerm(contract.startDate, contract.termMonths);
  if (endDate === null) return nothing({ code: 'no_contract', field: 'endDate' });
  if (contract.currency !== 'EUR')
    return hasMonthInRun(facts, terms)
      ? nothing({ code: 'currency', field: 'currency' })
      : { basis: null, findings: [] };
  const { suspensions, questions } = applyLeaveRules(facts, terms);
  const subsidies = [contract.leasingRateSubsidy, contract.insuranceRateSubsidy, contract.serviceRateSubsidy];
  const basis: Basis = {
    contractNumber: contract.contractNumber,
    startDate: contract.startDate,
    endDate,
    termMonths: contract.termMonths,
    salaryConversion: contract.salaryConversion,
    taxableBenefit: contract.taxableBenefit,
    employerSubsidy: amount(subsidies.reduce((sum, subsidy) => sum + cents(subsidy), 0n)),
    suspensions,
    benefitProRata: settings.benefitProRata,
  };
  return { basis, findings: questions };
}

/** Whether a month of the contract is in the run, or was in an earlier one. A contract without days may have one. */
function hasMonthInRun({ contract, released }: OrderFacts, { settings, period }: RunTerms): boolean {
  if (released.length > 0) return true;
  if (contract === null || contract.startDate === null) return true;
  const endDate = contract.endDate ?? lastDayOfTerm(contract.startDate, contract.termMonths);
  return (
    monthOf(contract.startDate) <= period && (endDate === null || monthOf(endDate) >= settings.firstPeriod)
  );
}

function applyLeaveRules(facts: OrderFacts, terms: RunTerms) {
  const { settings, period } = terms;
  const isInRun = hasMonthInRun(facts, terms);
  const suspensions: Suspension[] = [];
  const questions: Finding[] = [];
  for (const { type, from, to } of facts.leaves) {
    const setting = settingOfLeave[type];
    if (setting === undefined) continue;
    const rule = settings.leaves[setting];
    if (rule === 'suspend') suspensions.push({ from, to });
    if (rule === null && isInRun && monthOf(from) <= period)
      questions.push({ code: 'leave_rule', field: setting });
  }
  return { suspensions, questions };
}

interface DueAmount {
  readonly month: Month;
  readonly kind: Kind;
  readonly cents: bigint;
  readonly overpaid: bigint;
  readonly released: Released | null;
}

/**
 * All months and kinds in which owed and released amounts differ, in their order. A month that is no longer owed is among them. A kind that
 * is off has corrections alone. After the cut-off, months that have entries wait: the latest basis does not know what was settled since.
 */
function dueAmounts(months: ReadonlyMap<Month, MonthOwed>, facts: OrderFacts, terms: RunTerms): DueAmount[] {
  const { released } = facts;
  const { settings, period } = terms;
  const isCutOff = hasChangedAfterCutOff(facts, terms);
  const isOff = (kind: Kind) => settings.kinds[settingOfKind[kind]]?.export === false;
  const known = new Map(released.map(sum => [`${sum.month} ${sum.kind}`, sum]));
  const all = new Set([...months.keys(), ...released.map(({ month }) => month)]);
  const due: DueAmount[] = [];
  for (const month of [...all].toSorted()) {
    if (month < settings.firstPeriod || month > period) continue;
    for (const kind of Object.keys(settingOfKind) as Kind[]) {
      const sum = known.get(`${month} ${kind}`) ?? null;
      if (isCutOff && sum !== null) continue;
      if (isOff(kind) && !sum?.booking) continue;
      const balance = balanceOf(months.get(month)?.owed[kind] ?? 0n, sum);
      if (balance.due !== 0n || balance.overpaid > 0n)
        due.push({ month, kind, cents: balance.due, overpaid: balance.overpaid, released: sum });
    }
  }
  return due;
}

interface BookingTerms {
  readonly facts: OrderFacts;
  readonly terms: RunTerms;
  readonly basis: Basis;
}

/** The entry of a due amount, or why there is none: an amount that one of the formats cannot take is in none of the files. */
function book(
  { month, kind, cents: due, released }: DueAmount,
  { facts, terms, basis: { contractNumber } }: BookingTerms,
): { entry: Entry | null; findings: Finding[] } {
  const { settings, period } = terms;
  const { employeeNumber: personnelNumber } = facts.employee;
  const about = { month, kind, cents: due };
  const mapping = settings.kinds[settingOfKind[kind]];
  const kept = keptBooking(released, mapping?.processingKey ?? null);
  if (kept === null && mapping === null)
    return { entry: null, findings: [{ code: 'unmapped_kind', ...about }] };
  if (personnelNumber === null)
    return { entry: null, findings: [{ code: 'personnel_number', field: 'employeeNumber', ...about }] };
  const booking = kept ?? {
    wageType: mapping!.wageType!,
    processingKey: mapping!.processingKey,
    sign: mapping!.sign === 'plus' ? 1 : -1,
    costCenter: facts.costCenter,
  };
  const entry: Entry = {
    month,
    kind,
    cents: due,
    personnelNumber,
    contractNumber,
    ...booking,
    part: 0,
    reverses: null,
  };
  const violations = checkEntry(entry, facts, terms, kept !== null);
  if (violations.length > 0)
    return { entry: null, findings: violations.map(violation => ({ ...about, ...violation })) };
  if (kept !== null) return { entry, findings: [{ code: 'correction', ...about }] };
  return { entry, findings: month === period ? [] : [{ code: 'late', ...about }] };
}

/**
 * The booking that a correction keeps. Formats other than LODAS export no processing key, so an entry may have none; a correction then has
 * that of the settings.
 */
function keptBooking(released: Released | null, processingKey: string | null): Booking | null {
  const booking = released?.booking ?? null;
  return booking && { ...booking, processingKey: booking.processingKey ?? processingKey };
}

/** Fields that a correction keeps. No change of the settings helps when a format does not take them. */
const keptFields = new Set(['wageType', 'costCenter']);

/** Lists the violations of an entry in the formats of a run, each once. */
export function checkEntry(
  entry: Entry,
  { employee }: OrderFacts,
  { settings, period, formats }: RunTerms,
  isCorrection: boolean,
): Violation[] {
  const line = lineOf(entry, employee);
  const violations = formats.flatMap((format): Violation[] => {
    if (!format.takesMonth(entry.month, period))
      return [{ code: 'correction_out_of_range', field: format.name }];
    return format
      .checkLine(line, settings)
      .map(({ code, field }) =>
        isCorrection && keptFields.has(field) ? { code: 'correction_out_of_range', field } : { code, field },
      );
  });
  return [
    ...new Map(violations.map(violation => [`${violation.code} ${violation.field}`, violation])).values(),
  ];
}

export function lineOf(entry: Entry, { lastName, firstName }: Pick<Line, 'lastName' | 'firstName'>): Line {
  return { ...entry, cents: entry.cents * BigInt(entry.sign), lastName, firstName };
}

/** Asks about a personnel number that differs from the one of the last exported month: a new number, or a wrong one to be reversed. */
function* describeNumber({ employee, released }: OrderFacts): Generator<Finding> {
  const last = released.toSorted((one, other) => (one.month < other.month ? -1 : 1)).at(-1);
  const exported = released.filter(({ month, booking }) => month === last?.month && booking !== null);
  if (employee.employeeNumber === null) return;
  if (exported.some(({ personnelNumber }) => personnelNumber !== employee.employeeNumber))
    yield { code: 'number_changed', field: 'employeeNumber', month: last!.month };
}

/** Names the benefit of each month that is exported. The 0.03 % for the way to work come on top, in the payroll system. */
function* describeSPedelec(
  months: ReadonlyMap<Month, MonthOwed>,
  due: readonly DueAmount[],
): Generator<Finding> {
  for (const month of new Set(due.map(part => part.month))) {
    const benefit = months.get(month)?.owed.taxable_benefit ?? 0n;
    yield { code: 's_pedelec', month, kind: 'taxable_benefit', cents: benefit };
  }
}

/** How the amounts of the period differ from those of the month before, of all kinds that are not off. */
function* describeChanges(
  months: ReadonlyMap<Month, MonthOwed>,
  { settings, period }: RunTerms,
): Generator<Finding> {
  const [now, before] = [months.get(period), months.get(monthBefore(period))];
  if (now?.rule === 'after_term') yield { code: 'end_after_term', month: period };
  for (const kind of Object.keys(settingOfKind) as Kind[]) {
    const [present, past] = [now?.owed[kind] ?? 0n, before?.owed[kind] ?? 0n];
    if (present === past || settings.kinds[settingOfKind[kind]]?.export === false) continue;
    const code = past === 0n ? 'starts' : present === 0n ? 'stops' : 'changes';
    yield { code, month: period, kind, cents: present - past };
  }
}

/** Lists the amounts that leaves take off: in the period, and in earlier months whose amounts change. The employee may owe them otherwise. */
function* describeLeaves(
  months: ReadonlyMap<Month, MonthOwed>,
  due: readonly DueAmount[],
  period: Month,
): Generator<Finding> {
  const changed = new Set(due.map(({ month }) => month).concat(period));
  for (const { month, suspendedDays, suspended } of months.values())
    if (suspendedDays > 0 && changed.has(month))
      yield { code: 'suspended', month, kind: 'salary_conversion', cents: suspended.salary_conversion };
}
