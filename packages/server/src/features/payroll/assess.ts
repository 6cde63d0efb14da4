import type { Incident, PayrollFindingCode, PayrollMapping, PayrollSettings } from '@kontor/contract';
import { type Day, lastDayOf, lastDayOfTerm, type Month, monthBefore, monthOf } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import {
  type Booking,
  type OrderFacts,
  type Released,
  settingsIn,
  type SettingsVersion,
  type SettingsVersions,
} from './facts.ts';
import type { Format, Line, Violation } from './formats/format.ts';
import { type Basis, type Kind, type MonthOwed, owedMonths, type Suspension } from './owed.ts';

export interface RunTerms {
  readonly versions: SettingsVersions;
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
  const findings = [...found.findings, ...describeChanges(months, facts, terms)];
  const due = dueAmounts(months, facts, terms);
  findings.push(...describeLeaves(months, due, terms.period));
  const entries: Entry[] = [];
  for (const part of due) {
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
  const { contract, isSPedelec, latestBasis } = facts;
  const nothing = (finding: Finding) => ({ basis: null, findings: [finding] });
  if (isSPedelec)
    return hasMonthInRun(facts, terms) ? nothing({ code: 's_pedelec' }) : { basis: null, findings: [] };
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
  const { startDate } = contract;
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
    ...monthRules(terms.versions, monthOf(startDate), monthOf(endDate)),
  };
  return { basis, findings: questions };
}

/** The rules for the months of a contract. Those that never change from calendar days need no list. */
function monthRules(
  versions: SettingsVersions,
  first: Month,
  last: Month,
): Pick<Basis, 'benefitProRata' | 'rules'> {
  const begin = settingsIn(versions, first);
  const later = versions.filter(({ from }) => from > first && from <= last);
  const rules = [{ ...begin, from: first }, ...later]
    .map(({ from, partMonth, benefitProRata }) => ({ from, partMonth, benefitProRata }))
    .filter(
      ({ partMonth, benefitProRata }, index, all) =>
        partMonth !== all[index - 1]?.partMonth || benefitProRata !== all[index - 1]?.benefitProRata,
    );
  const { benefitProRata } = begin;
  const isPlain = rules.length === 1 && begin.partMonth === 'calendar_days';
  return isPlain ? { benefitProRata } : { benefitProRata, rules };
}

/** Whether a month of the contract is in the run, or was in an earlier one. A contract without days may have one. */
function hasMonthInRun({ contract, released }: OrderFacts, { versions, period }: RunTerms): boolean {
  if (released.length > 0) return true;
  if (contract === null || contract.startDate === null) return true;
  const endDate = contract.endDate ?? lastDayOfTerm(contract.startDate, contract.termMonths);
  return (
    monthOf(contract.startDate) <= period && (endDate === null || monthOf(endDate) >= versions[0].firstPeriod)
  );
}

function applyLeaveRules(facts: OrderFacts, { versions, ...terms }: RunTerms) {
  const isInRun = hasMonthInRun(facts, { versions, ...terms });
  const suspensions: Suspension[] = [];
  const questions: Finding[] = [];
  for (const { type, from, to } of facts.leaves) {
    const setting = settingOfLeave[type];
    if (setting === undefined) continue;
    for (const part of splitByRule({ from, to }, versions, ({ leaves }) => leaves[setting])) {
      if (part.rule === 'suspend') suspensions.push({ from: part.from, to: part.to });
      if (part.rule === null && isInRun && monthOf(part.from) <= terms.period)
        questions.push({ code: 'leave_rule', field: setting });
    }
  }
  return { suspensions, questions };
}

/** Splits the days of a leave where its rule changes with a month. */
function splitByRule<Rule>(
  { from, to }: { readonly from: Day; readonly to: Day | null },
  versions: SettingsVersions,
  ruleOf: (settings: SettingsVersion) => Rule,
): { from: Day; to: Day | null; rule: Rule }[] {
  const parts = [{ from, to, rule: ruleOf(settingsIn(versions, monthOf(from))) }];
  for (const version of versions) {
    const [first, rule] = [`${version.from}-01`, ruleOf(version)];
    const last = parts.at(-1)!;
    if (first <= from || (to !== null && first > to) || rule === last.rule) continue;
    last.to = lastDayOf(monthBefore(version.from));
    parts.push({ from: first, to, rule });
  }
  return parts;
}

interface DueAmount {
  readonly month: Month;
  readonly kind: Kind;
  readonly cents: bigint;
  readonly released: Released | null;
}

/**
 * All months and kinds in which owed and released amounts differ, in their order. A month that is no longer owed is among them. A kind that
 * is off has corrections alone. After the cut-off, months that have entries wait: the latest basis does not know what was settled since.
 */
function dueAmounts(months: ReadonlyMap<Month, MonthOwed>, facts: OrderFacts, terms: RunTerms): DueAmount[] {
  const { released } = facts;
  const { versions, period } = terms;
  const isCutOff = hasChangedAfterCutOff(facts, terms);
  const known = new Map(released.map(sum => [`${sum.month} ${sum.kind}`, sum]));
  const all = new Set([...months.keys(), ...released.map(({ month }) => month)]);
  const due: DueAmount[] = [];
  for (const month of [...all].toSorted()) {
    if (month < versions[0].firstPeriod || month > period) continue;
    for (const kind of Object.keys(settingOfKind) as Kind[]) {
      const sum = known.get(`${month} ${kind}`) ?? null;
      if (isCutOff && sum !== null) continue;
      if (isOff(kind, month, terms) && !sum?.booking) continue;
      const difference = (months.get(month)?.owed[kind] ?? 0n) - (sum?.cents ?? 0n);
      if (difference !== 0n) due.push({ month, kind, cents: difference, released: sum });
    }
  }
  return due;
}

/** Whether the settings of the month say that a kind is not exported. Where they had not decided, those of the run do. */
function isOff(kind: Kind, month: Month, { versions, period }: RunTerms): boolean {
  const decided = mappingIn(versions, month, kind) ?? mappingIn(versions, period, kind);
  return decided?.export === false;
}

function mappingIn(versions: SettingsVersions, month: Month, kind: Kind): PayrollMapping | null {
  return settingsIn(versions, month).kinds[settingOfKind[kind]];
}

/** How a kind is booked: as the settings of the run say, or where they do not export it, those of the month. */
function bookingMapping(kind: Kind, month: Month, { versions, period }: RunTerms): PayrollMapping | null {
  const mapping = mappingIn(versions, period, kind);
  return mapping?.export === false ? mappingIn(versions, month, kind) : mapping;
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
  const { employeeNumber: personnelNumber } = facts.employee;
  const about = { month, kind, cents: due };
  const mapping = bookingMapping(kind, month, terms);
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
  const entry: Entry = { month, kind, cents: due, personnelNumber, contractNumber, ...booking };
  const violations = checkEntry(entry, facts, terms, kept !== null);
  if (violations.length > 0)
    return { entry: null, findings: violations.map(violation => ({ ...about, ...violation })) };
  if (kept !== null) return { entry, findings: [{ code: 'correction', ...about }] };
  return { entry, findings: month === terms.period ? [] : [{ code: 'late', ...about }] };
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
function checkEntry(
  entry: Entry,
  { employee }: OrderFacts,
  { versions, period, formats }: RunTerms,
  isCorrection: boolean,
): Violation[] {
  const line = lineOf(entry, employee);
  const settings = settingsIn(versions, period);
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

/** How the amounts of the period differ from those of the month before, of all kinds that are not off, until a run of it has exported them. */
function* describeChanges(
  months: ReadonlyMap<Month, MonthOwed>,
  { released }: OrderFacts,
  terms: RunTerms,
): Generator<Finding> {
  const { period } = terms;
  const [now, before] = [months.get(period), months.get(monthBefore(period))];
  if (now?.rule === 'after_term') yield { code: 'end_after_term', month: period };
  for (const kind of Object.keys(settingOfKind) as Kind[]) {
    const [present, past] = [now?.owed[kind] ?? 0n, before?.owed[kind] ?? 0n];
    if (present === past || isOff(kind, period, terms)) continue;
    const exported = released.filter(sum => sum.kind === kind && sum.booking !== null);
    if (exported.some(({ month, cents }) => month === period && cents === present)) continue;
    const code = present === 0n ? 'stops' : past === 0n && exported.length === 0 ? 'starts' : 'changes';
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
