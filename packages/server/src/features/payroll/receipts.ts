import {
  ApiError,
  type PayrollExplanation,
  type PayrollReceipt,
  type PayrollSettlement,
  type PayrollSettlementCreate,
  unprocessable,
} from '@kontor/contract';
import { newId } from '../../db/ids.ts';
import type { Scope } from '../../auth/scope.ts';
import type { Queryable } from '../../db/session.ts';
import { insertion, sql } from '../../db/sql.ts';
import type { Month } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import type { Write } from '../../write/writes.ts';
import type { Assessment, Entry } from './assess.ts';
import { assessOrders, type PayrollReaders } from './orders.ts';
import { type Basis, type Kind, type MonthOwed, owedMonths } from './owed.ts';
import { severities } from './report.ts';
import { actorOf } from './runs.ts';
import { lockSettings, readSettings, rejectDuringRelease } from './settings.ts';

/** An employee whose amounts are explained, and his tenant. */
export interface ExplainedEmployee {
  readonly organizationId: string;
  readonly employeeId: string;
  readonly tenantId: string | null;
}

/** Years ahead of which amounts are explained and settled: a contract up to 9999-12-31 owes some 96,000 months. */
const yearsAhead = 10;

function lastMonth(now: Date): Month {
  return `${now.getUTCFullYear() + yearsAhead}-${now.toISOString().slice(5, 7)}`;
}

type FindOwed = (basis: Basis, month: Month) => MonthOwed | undefined;

/** Finds what a basis owes in a month. The months of each basis are computed once, up to `until`. */
function owedFinder(until: Month): FindOwed {
  const monthsOf = new Map<string, Map<Month, MonthOwed>>();
  return (basis, month) => {
    const key = JSON.stringify(basis);
    const known = monthsOf.get(key);
    const months = known ?? new Map(owedMonths(basis, until).map(owed => [owed.month, owed]));
    if (!known) monthsOf.set(key, months);
    return months.get(month);
  };
}

interface ExplainedEntry {
  readonly orderId: string;
  readonly month: Month;
  readonly kind: Kind;
  readonly cents: string;
  readonly source: PayrollReceipt['source'];
  readonly runId: string | null;
  readonly contractNumber: string | null;
  readonly wageType: string | null;
  readonly costCenter: string | null;
  readonly reason: string | null;
  readonly basis: Basis | null;
}

/**
 * Returns a receipt for each entry that runs of a period released for an employee, for each settlement of that month, and for each
 * amount that is still open. An open amount may be one that runs leave out. An entry is explained from the basis that it was computed from,
 * whatever has changed since.
 */
export async function explain(
  db: Queryable,
  readers: PayrollReaders,
  employee: ExplainedEmployee,
  { period, now }: { period: Month; now: Date },
): Promise<PayrollExplanation> {
  const { organizationId, employeeId } = employee;
  const last = lastMonth(now);
  const until = period < last ? period : last;
  const findOwed = owedFinder(until);
  const rows = await db.rows<ExplainedEntry>(sql`
    SELECT e.order_id AS "orderId", e.month, e.kind, e.cents::text AS cents, e.source, r.id AS "runId",
      e.contract_number AS "contractNumber", e.wage_type AS "wageType", e.cost_center AS "costCenter", e.reason, b.basis
    FROM payroll_entry e
    LEFT JOIN payroll_run r ON r.organization_id = ${organizationId} AND r.id = e.run_id
    LEFT JOIN payroll_basis b ON b.organization_id = ${organizationId} AND b.order_id = e.order_id
      AND b.version = e.basis_version
    WHERE e.organization_id = ${organizationId} AND e.employee_id = ${employeeId}
      AND (CASE e.source WHEN 'run' THEN r.period ELSE e.month END) = ${period}
    ORDER BY e.order_id, e.month, e.kind, e.created_at`);
  const open = await openEntries(db, readers, employee, until);
  return {
    employeeId,
    period,
    receipts: [...rows, ...open].map(row => receiptOf(row, findOwed)),
  };
}

/** Amounts up to the period that no run has exported yet. */
async function openEntries(
  db: Queryable,
  readers: PayrollReaders,
  { organizationId, employeeId, tenantId }: ExplainedEmployee,
  period: Month,
): Promise<ExplainedEntry[]> {
  const settings = tenantId === null ? null : await readSettings(db, { organizationId, tenantId });
  if (tenantId === null || settings === null) return [];
  const terms = { settings, period, formats: [], cutOff: null };
  const selection = { organizationId, tenantId, divisionId: null, employeeId };
  const open: ExplainedEntry[] = [];
  for await (const page of assessOrders(db, readers, selection, terms))
    for (const { facts, assessment } of page)
      for (const entry of [...assessment.entries, ...leftOut(assessment)])
        open.push(openEntry(facts.orderId, entry, assessment.basis));
  return open;
}

type OpenAmount = Pick<Entry, 'month' | 'kind' | 'cents' | 'contractNumber'> & {
  readonly wageType: string | null;
  readonly costCenter: string | null;
};

/** The amounts that a run leaves out, each once. No booking is known for them. */
function leftOut({ basis, findings }: Assessment): OpenAmount[] {
  const amounts = new Map<string, OpenAmount>();
  for (const { code, month, kind, cents: owed } of findings) {
    const isLeftOut = severities[code] === 'error' || severities[code] === 'skipped';
    if (!isLeftOut || !month || !kind || owed === undefined) continue;
    const { contractNumber = null } = basis ?? {};
    const booking = { wageType: null, costCenter: null };
    amounts.set(`${month} ${kind}`, { month, kind, cents: owed, contractNumber, ...booking });
  }
  return [...amounts.values()];
}

function openEntry(orderId: string, entry: OpenAmount, basis: Basis | null): ExplainedEntry {
  const { month, kind, contractNumber, wageType, costCenter } = entry;
  const noRun = { runId: null, reason: null, source: 'open' } as const;
  return {
    orderId,
    month,
    kind,
    cents: entry.cents.toString(),
    contractNumber,
    wageType,
    costCenter,
    basis,
    ...noRun,
  };
}

/** A settlement has no basis, and is its own rule. */
function receiptOf(row: ExplainedEntry, findOwed: FindOwed): PayrollReceipt {
  const { orderId, month, kind, source, runId, contractNumber, wageType, costCenter, reason, basis } = row;
  const owed = basis && findOwed(basis, month);
  return {
    orderId,
    contractNumber,
    month,
    kind,
    computation: owed ? computationOf(owed, kind, basis) : null,
    owed: amount(owed?.owed[kind] ?? 0n),
    amount: amount(BigInt(row.cents)),
    source,
    runId,
    wageType,
    costCenter,
    reason,
  };
}

function computationOf(owed: MonthOwed, kind: Kind, basis: Basis): PayrollReceipt['computation'] {
  const { rule, daysOfMonth, contractDays, suspendedDays } = owed;
  const isWholeBenefit = kind === 'taxable_benefit' && !basis.benefitProRata;
  const rates = {
    salary_conversion: basis.salaryConversion,
    taxable_benefit: basis.taxableBenefit,
    employer_subsidy: basis.employerSubsidy,
  };
  return {
    rule: isWholeBenefit ? 'whole_benefit' : rule,
    rate: rates[kind],
    daysOfMonth,
    contractDays,
    suspendedDays,
  };
}

/**
 * Records that an amount was settled outside: it counts as released. Without an amount, all that is open for the month. An amount with the
 * other sign takes back a settlement.
 * @throws ApiError INVALID_REFERENCE for an unknown order or one without a tenant, INVALID_STATE_TRANSITION during a release,
 * 422 VALIDATION_ERROR for more than is open and a month out of range
 */
export async function settle(
  write: Write,
  session: Queryable,
  readers: PayrollReaders,
  {
    scope,
    orderId,
    month,
    kind,
    amount: wanted,
    reason,
  }: PayrollSettlementCreate & { readonly scope: Scope },
): Promise<PayrollSettlement> {
  const { organizationId } = write;
  const place = await readers.findOrder(session, scope, orderId);
  if (place === null || place.tenantId === null)
    throw new ApiError('INVALID_REFERENCE', 'orderId must name an order of the organization, with a tenant');
  const { tenantId, employeeId } = place;
  const settings = await lockSettings(session, { organizationId, tenantId });
  await rejectDuringRelease(session, { organizationId, tenantId });
  if (month < settings.firstPeriod)
    throw unprocessable(`month must not be before ${settings.firstPeriod}, the first period of the tenant`);
  const last = lastMonth(write.at);
  if (month > last)
    throw unprocessable(`month must not be after ${last}, ${yearsAhead} years after the present one`);
  const terms = { settings, period: month, formats: [], cutOff: null };
  const selection = { organizationId, tenantId, divisionId: null, orderId };
  let open = 0n;
  for await (const [found] of assessOrders(session, readers, selection, terms))
    open = openAmount(found!.assessment.basis, found!.facts.released, { month, kind });
  const settled = wanted === undefined ? open : cents(wanted);
  if (
    !isPartOf(settled, open) &&
    !isPartOf(-settled, await readSettled(session, organizationId, { orderId, month, kind }))
  )
    throw unprocessable(
      open === 0n
        ? `Nothing is open for ${kind} in ${month}; an amount can take back at most what was settled`
        : `amount must be a part of the ${amount(open)} that are open for ${kind} in ${month}, or take back what was settled`,
    );
  const id = newId();
  const settledBy = actorOf(write.author);
  const row = {
    organization_id: organizationId,
    order_id: orderId,
    month,
    kind,
    run_id: id,
    source: 'settled',
    tenant_id: tenantId,
    employee_id: employeeId,
    cents: settled.toString(),
    created_at: write.at,
    reason,
    settled_by: JSON.stringify(settledBy),
  };
  write.send(sql`INSERT INTO payroll_entry ${insertion(row)}`);
  write.audit({ id: orderId, action: 'order.settle_payroll', fields: [] });
  return { id, orderId, month, kind, amount: amount(settled), reason, settledBy, settledAt: write.instant };
}

/** More than the whole would come back in the next run with the other sign. */
function isPartOf(part: bigint, whole: bigint): boolean {
  return whole > 0n ? part > 0n && part <= whole : part < 0n && part >= whole;
}

async function readSettled(
  db: Queryable,
  organizationId: string,
  { orderId, month, kind }: { orderId: string; month: Month; kind: Kind },
): Promise<bigint> {
  const [sum] = await db.rows<{ cents: string }>(sql`
    SELECT coalesce(sum(cents), 0)::text AS cents FROM payroll_entry
    WHERE organization_id = ${organizationId} AND order_id = ${orderId} AND month = ${month} AND kind = ${kind}
      AND source = 'settled'`);
  return BigInt(sum!.cents);
}

function openAmount(
  basis: Basis | null,
  released: readonly { month: Month; kind: Kind; cents: bigint }[],
  { month, kind }: { month: Month; kind: Kind },
): bigint {
  const owed = basis && owedFinder(month)(basis, month);
  const known = released.find(sum => sum.month === month && sum.kind === kind);
  return (owed?.owed[kind] ?? 0n) - (known?.cents ?? 0n);
}
