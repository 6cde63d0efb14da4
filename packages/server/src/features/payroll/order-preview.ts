import type { OrderPayrollChange, OrderPayrollPreview } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { type Day, lastDayOfTerm, type Month, monthOf } from '../../lib/calendar.ts';
import { amount } from '../../lib/money.ts';
import { assessOrder } from './computation/assess.ts';
import { lastMonth, type Leave, type OrderFacts, type SettingsVersions } from './computation/facts.ts';
import { leftOut } from './computation/left-out.ts';
import { isFar } from './computation/questions.ts';
import { readFacts } from './read.ts';
import { readLastReleased, readSettings } from './settings.ts';

/** An order; without a tenant it has no payroll. */
export interface PreviewedOrder {
  readonly organizationId: string;
  readonly tenantId: string | null;
  readonly orderId: string;
}

/** The contract of an order as planned, and its amounts by month. */
export type PlannedContract = Pick<OrderFacts, 'contract' | 'amounts'>;

interface Planned {
  readonly change: OrderPayrollChange;
  readonly contract: PlannedContract;
  readonly at: Date;
}

/** Computes what runs would export of an order if its changes were recorded. */
export async function previewOrder(
  db: Queryable,
  { organizationId, tenantId, orderId }: PreviewedOrder,
  { change, contract, at }: Planned,
): Promise<OrderPayrollPreview> {
  const preview = { firstPeriod: null, released: null, lastDay: endOf(contract), amounts: [] };
  const unusual = askAboutDays(change, contract, at);
  const tenant = tenantId === null ? null : { organizationId, tenantId };
  const versions = tenant && (await readSettings(db, tenant));
  if (tenant === null || versions === null) return { ...preview, questions: unusual };
  const [{ firstPeriod }] = versions;
  const released = await readLastReleased(db, tenant);
  const found = { ...preview, firstPeriod, released, questions: unusual };
  for await (const [facts] of readFacts(db, { ...tenant, divisionId: null, orderIds: [orderId] })) {
    const terms = { versions, until: lastMonth(at) };
    const before = openAmounts(facts!, terms);
    const leaves = replaceLeave(facts!.leaves, change.leave);
    const after = openAmounts({ ...facts!, ...contract, leaves }, terms);
    if (takesBack(before.amounts, after.amounts, released)) found.questions.push('takes_back');
    if (after.isPaidElsewhere) found.questions.push('paid_elsewhere');
    const amounts = after.amounts.map(({ cents, ...rest }) => ({ ...rest, amount: amount(cents) }));
    return { ...found, amounts };
  }
  return found;
}

function endOf({ contract }: PlannedContract): Day | null {
  if (contract === null) return null;
  const { startDate, endDate, termMonths } = contract;
  return endDate ?? (startDate && lastDayOfTerm(startDate, termMonths));
}

/** Days that may be typing errors, whatever payroll makes of them. */
function askAboutDays(
  { lastDay, leave }: OrderPayrollChange,
  { contract }: PlannedContract,
  at: Date,
): OrderPayrollPreview['questions'] {
  const days = [lastDay, leave?.effectiveFrom, leave?.effectiveTo].filter(day => typeof day === 'string');
  const isBefore = leave !== undefined && leave.effectiveFrom < (contract?.startDate ?? '');
  const isUnusual = days.some(day => isFar(day, monthOf(at.toISOString())));
  return [...(isBefore ? ['before_contract' as const] : []), ...(isUnusual ? ['far' as const] : [])];
}

function replaceLeave(leaves: readonly Leave[], given: OrderPayrollChange['leave']): readonly Leave[] {
  if (given === undefined) return leaves;
  const { incidentId, type, effectiveFrom: from, effectiveTo: to, bikeReturned = null } = given;
  const others = leaves.filter(leave => leave.incidentId !== incidentId);
  // The payer moves no amount of a run.
  const leave = { incidentId: incidentId ?? '', type, from, to, isBikeReturned: bikeReturned, payer: null };
  return [...others, leave];
}

interface OpenAmount {
  readonly month: Month;
  readonly kind: OrderPayrollPreview['amounts'][number]['kind'];
  readonly cents: bigint;
}

/** The amounts of an order that no run has exported, also those that a run would leave out. */
function openAmounts(facts: OrderFacts, { versions, until }: { versions: SettingsVersions; until: Month }) {
  const { findings, ...assessed } = assessOrder(facts, {
    versions,
    period: until,
    formats: [],
    cutOff: null,
  });
  const [elsewhere, others] = [
    findings.filter(({ code }) => code === 'paid_elsewhere'),
    findings.filter(({ code }) => code !== 'paid_elsewhere'),
  ];
  const all: OpenAmount[] = [...assessed.entries, ...leftOut(others)];
  const amounts = all.map(({ month, kind, cents }) => ({ month, kind, cents }));
  return {
    amounts: amounts.toSorted((one, other) => (one.month < other.month ? -1 : 1)),
    isPaidElsewhere: elsewhere.length > 0,
  };
}

/** Whether less of a released month is owed after the changes than before. */
function takesBack(
  before: readonly OpenAmount[],
  after: readonly OpenAmount[],
  released: Month | null,
): boolean {
  const open = (amounts: readonly OpenAmount[], { month, kind }: OpenAmount) =>
    amounts.find(each => each.month === month && each.kind === kind)?.cents ?? 0n;
  return [...before, ...after].some(
    each => released !== null && each.month <= released && open(after, each) < open(before, each),
  );
}
