import type { ContractAmounts } from '@kontor/contract';
import { lastDayOfTerm, type Month, monthBefore, monthOf } from '../../../lib/calendar.ts';
import { amount, cents } from '../../../lib/money.ts';
import { balanceOf } from './balance.ts';
import { type Booking, type OrderFacts, type Released, settingsIn, type SettingsVersions } from './facts.ts';
import type { Finding } from './findings.ts';
import type { Format, Line, Violation } from '../formats/format.ts';
import { bookingOf, isOff, kinds, mappingOf, type SettingsOfRun } from './kinds.ts';
import { findPayer, type RuledLeave, ruleLeaves, suspensionsOf } from './leaves.ts';
import { type Basis, type Kind, type MonthOwed, owedMonths, type Rates } from './owed.ts';
import { askAboutEnd, askAboutLeaves, askAboutPerson } from './questions.ts';

export interface RunTerms extends SettingsOfRun {
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

export interface Assessment {
  /** Null when nothing could be computed. */
  readonly basis: Basis | null;
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  /** The salary conversion that is owed for the month of the run, in cents. */
  readonly conversion: bigint;
}

/** Computes the entries of an order in a run, and what the report says about it. The same for a draft, its release and a dry run. */
export function assessOrder(facts: OrderFacts, terms: RunTerms): Assessment {
  const leaves = ruleLeaves(facts.leaves, terms);
  const found = findBasis(facts, terms, leaves);
  if (found.basis === null) return { ...found, entries: [], conversion: 0n };
  const { basis } = found;
  const { period, versions } = terms;
  const months = new Map([...owedMonths(basis, terms.period)].map(owed => [owed.month, owed]));
  const findings = [...found.findings, ...describeNumber(facts), ...describeChanges(months, facts, terms)];
  const due = dueAmounts(months, facts, terms);
  findings.push(...describeLeaves(months, due, { ...terms, leaves }));
  if (facts.isSPedelec) findings.push(...describeSPedelec(months, due));
  const takenBack = due.flatMap(({ month, cents }) => (month < period && cents < 0n ? [month] : []));
  const amounts = { basis, months, period, firstPeriod: versions[0].firstPeriod, takenBack };
  findings.push(...askAboutPerson(facts, amounts), ...askAboutEnd(facts, amounts));
  findings.push(...askAboutLeaves(leaves, facts, amounts));
  const entries: Entry[] = [];
  for (const part of due) {
    const { month, kind, overpaid } = part;
    if (overpaid > 0n) {
      const about = { month, kind, cents: overpaid };
      findings.push({ code: 'paid_elsewhere', ...about, fact: `${month} ${kind} ${amount(overpaid)}` });
    }
    if (part.cents === 0n) continue;
    const booked = book(part, { facts, terms, basis });
    if (booked.entry) entries.push(booked.entry);
    findings.push(...booked.findings);
  }
  return { basis, entries, findings, conversion: months.get(period)?.owed.salary_conversion ?? 0n };
}

function hasChangedAfterCutOff({ changedAt }: OrderFacts, { cutOff }: RunTerms): boolean {
  return cutOff !== null && changedAt > cutOff;
}

/** The basis of an order as it is, or after the cut-off as the last run had it. */
function findBasis(
  facts: OrderFacts,
  terms: RunTerms,
  leaves: readonly RuledLeave[],
): Pick<Assessment, 'basis' | 'findings'> {
  const { contract, latestBasis } = facts;
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
  const [first = contract, ...later] = facts.amounts;
  const changes = later.map(({ from, version, ...amounts }) => ({
    from: from!,
    version,
    ...ratesOf(amounts),
  }));
  const basis: Basis = {
    contractNumber: contract.contractNumber,
    startDate: contract.startDate,
    endDate,
    termMonths: contract.termMonths,
    ...ratesOf(first),
    ...(changes.length > 0 && { changes }),
    suspensions: suspensionsOf(leaves),
    ...monthRules(terms.versions, monthOf(contract.startDate), monthOf(endDate)),
  };
  return { basis, findings: hasMonthInRun(facts, terms) ? askForRules(leaves, terms) : [] };
}

function ratesOf(contract: Omit<ContractAmounts, 'from' | 'version'>): Rates {
  const { salaryConversion, taxableBenefit } = contract;
  const subsidies = [contract.leasingRateSubsidy, contract.insuranceRateSubsidy, contract.serviceRateSubsidy];
  const employerSubsidy = amount(subsidies.reduce((sum, subsidy) => sum + cents(subsidy), 0n));
  return { salaryConversion, taxableBenefit, employerSubsidy };
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

function askForRules(leaves: readonly RuledLeave[], { period }: RunTerms): Finding[] {
  const open = leaves.filter(({ days }) =>
    days.some(({ isOpen, from }) => isOpen && monthOf(from) <= period),
  );
  return open.map(({ incidentId, setting, from, to }) => ({
    code: 'leave_rule',
    field: setting,
    fact: `${incidentId} ${from} ${to}`,
  }));
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
  const { versions, period } = terms;
  const isCutOff = hasChangedAfterCutOff(facts, terms);
  const known = new Map(released.map(sum => [`${sum.month} ${sum.kind}`, sum]));
  const all = new Set([...months.keys(), ...released.map(({ month }) => month)]);
  const due: DueAmount[] = [];
  for (const month of [...all].toSorted()) {
    if (month < versions[0].firstPeriod || month > period) continue;
    for (const kind of kinds) {
      const sum = known.get(`${month} ${kind}`) ?? null;
      if (isCutOff && sum !== null) continue;
      if (isOff(kind, month, terms) && !sum?.booking) continue;
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
  const { employeeNumber: personnelNumber } = facts.employee;
  const about = { month, kind, cents: due };
  const mapping = mappingOf(kind, month, terms);
  const kept = keptBooking(released, mapping?.processingKey ?? null);
  if (kept === null && mapping === null)
    return { entry: null, findings: [{ code: 'unmapped_kind', ...about }] };
  if (personnelNumber === null)
    return { entry: null, findings: [{ code: 'personnel_number', field: 'employeeNumber', ...about }] };
  const booking = kept ?? bookingOf(mapping!, facts.costCenter);
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
export function checkEntry(
  entry: Entry,
  { employee }: OrderFacts,
  { versions, period, formats }: RunTerms,
  isCorrection: boolean,
): Violation[] {
  const line = lineOf(entry, employee);
  const settings = settingsIn(versions, period);
  const violations = formats.flatMap((format): Violation[] => {
    if (!format.takesMonth(entry.month, period, settings))
      return [{ code: 'correction_out_of_range', field: format.name }];
    return format
      .checkLine(line, settings)
      .map(({ code, field }) =>
        isCorrection && keptFields.has(field) ? { code: 'correction_out_of_range', field } : { code, field },
      );
  });
  return distinct(violations);
}

export function distinct(violations: readonly Violation[]): Violation[] {
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
  const number = employee.employeeNumber;
  if (number === null || exported.every(({ personnelNumber }) => personnelNumber === number)) return;
  yield {
    code: 'number_changed',
    field: 'employeeNumber',
    month: last!.month,
    fact: `${last!.month} ${number}`,
  };
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

/** How the amounts of the period differ from those of the month before, of all kinds that are not off, until a run of it has exported them. */
function* describeChanges(
  months: ReadonlyMap<Month, MonthOwed>,
  { released }: OrderFacts,
  terms: RunTerms,
): Generator<Finding> {
  const { period } = terms;
  const [now, before] = [months.get(period), months.get(monthBefore(period))];
  if (now?.rule === 'after_term') yield { code: 'end_after_term', month: period };
  for (const kind of kinds) {
    const [present, past] = [now?.owed[kind] ?? 0n, before?.owed[kind] ?? 0n];
    if (present === past || isOff(kind, period, terms)) continue;
    const exported = released.filter(sum => sum.kind === kind && sum.booking !== null);
    const settled = (sum: Released) => sum.exported + sum.paidElsewhere + sum.notOwed;
    if (exported.some(sum => sum.month === period && settled(sum) === present)) continue;
    const code = present === 0n ? 'stops' : past === 0n && exported.length === 0 ? 'starts' : 'changes';
    yield { code, month: period, kind, cents: present - past };
  }
}

/**
 * Lists the amounts that leaves take off: in the period, and in earlier months whose amounts change. The payer owes what is not deducted.
 */
function* describeLeaves(
  months: ReadonlyMap<Month, MonthOwed>,
  due: readonly DueAmount[],
  { leaves, ...terms }: RunTerms & { readonly leaves: readonly RuledLeave[] },
): Generator<Finding> {
  const changed = new Set(due.map(({ month }) => month).concat(terms.period));
  for (const { month, suspended } of months.values()) {
    if (!changed.has(month)) continue;
    for (const kind of kinds)
      if (suspended[kind] !== 0n && !isOff(kind, month, terms)) {
        const payer = findPayer(leaves, { month, kind }, terms);
        yield { code: 'suspended', month, kind, cents: suspended[kind], payer };
      }
  }
}
