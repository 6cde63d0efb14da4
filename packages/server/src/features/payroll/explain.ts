import type { PayrollExplanation, PayrollReceipt } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Month } from '../../lib/calendar.ts';
import { amount } from '../../lib/money.ts';
import { type Assessment, assessOrder, type Entry } from './computation/assess.ts';
import { lastMonth } from './computation/facts.ts';
import { severityOf } from './computation/findings.ts';
import { type Basis, isWhole, type Kind, type MonthOwed, owedMonths } from './computation/owed.ts';
import { readFacts } from './read.ts';
import { readSettings } from './settings.ts';

/** An employee whose amounts are explained, and his tenant. */
export interface ExplainedEmployee {
  readonly organizationId: string;
  readonly employeeId: string;
  readonly tenantId: string | null;
}

type FindOwed = (basis: Basis, month: Month) => MonthOwed | undefined;

/** Finds what a basis owes in a month. The months of each basis are computed once, up to `until`. */
export function owedFinder(until: Month): FindOwed {
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
  readonly meaning: PayrollReceipt['meaning'];
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
  employee: ExplainedEmployee,
  { period, now }: { period: Month; now: Date },
): Promise<PayrollExplanation> {
  const { organizationId, employeeId } = employee;
  const last = lastMonth(now);
  const until = period < last ? period : last;
  const findOwed = owedFinder(until);
  const rows = await db.rows<ExplainedEntry>(sql`
    SELECT e.order_id AS "orderId", e.month, e.kind, e.cents::text AS cents, e.source, r.id AS "runId",
      e.contract_number AS "contractNumber", e.wage_type AS "wageType", e.cost_center AS "costCenter",
      CASE e.source WHEN 'settled' THEN coalesce(e.meaning, 'paid_elsewhere') END AS meaning, e.reason, b.basis
    FROM payroll_entry e
    LEFT JOIN payroll_run r ON r.organization_id = ${organizationId} AND r.id = e.run_id
    LEFT JOIN payroll_basis b ON b.organization_id = ${organizationId} AND b.order_id = e.order_id
      AND b.version = e.basis_version
    WHERE e.organization_id = ${organizationId} AND e.employee_id = ${employeeId}
      AND (CASE e.source WHEN 'run' THEN r.period ELSE e.month END) = ${period}
    ORDER BY e.order_id, e.month, e.kind, e.created_at`);
  const open = await openEntries(db, employee, until);
  return {
    employeeId,
    period,
    receipts: [...rows, ...open].map(row => receiptOf(row, findOwed)),
  };
}

/** Amounts up to the period that no run has exported yet. */
async function openEntries(
  db: Queryable,
  { organizationId, employeeId, tenantId }: ExplainedEmployee,
  period: Month,
): Promise<ExplainedEntry[]> {
  const versions = tenantId === null ? null : await readSettings(db, { organizationId, tenantId });
  if (tenantId === null || versions === null) return [];
  const terms = { versions, period, formats: [], cutOff: null };
  const selection = { organizationId, tenantId, divisionId: null, employeeId };
  const open: ExplainedEntry[] = [];
  for await (const page of readFacts(db, selection))
    for (const facts of page) {
      const assessment = assessOrder(facts, terms);
      for (const entry of [...assessment.entries, ...leftOut(assessment)])
        open.push(openEntry(facts.orderId, entry, assessment.basis));
    }
  return open;
}

type OpenAmount = Pick<Entry, 'month' | 'kind' | 'cents' | 'contractNumber'> & {
  readonly wageType: string | null;
  readonly costCenter: string | null;
};

/** The amounts that a run leaves out or names to be settled elsewhere, each once. No booking is known for them. */
export function leftOut({ basis, findings }: Assessment): OpenAmount[] {
  const amounts = new Map<string, OpenAmount>();
  for (const { code, month, kind, cents: owed } of findings) {
    const isLeftOut = ['error', 'skipped'].includes(severityOf(code));
    const isOverpaid = code === 'paid_elsewhere';
    if (!(isLeftOut || isOverpaid) || !month || !kind || owed === undefined) continue;
    const { contractNumber = null } = basis ?? {};
    const booking = { wageType: null, costCenter: null };
    const amount = { month, kind, cents: isOverpaid ? -owed : owed, contractNumber, ...booking };
    amounts.set(`${month} ${kind} ${isOverpaid}`, amount);
  }
  return [...amounts.values()];
}

function openEntry(orderId: string, entry: OpenAmount, basis: Basis | null): ExplainedEntry {
  const { month, kind, contractNumber, wageType, costCenter } = entry;
  const noRun = { runId: null, meaning: null, reason: null, source: 'open' } as const;
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
  const { orderId, month, kind, source, runId, contractNumber, wageType, costCenter, basis } = row;
  const owed = basis && findOwed(basis, month);
  return {
    orderId,
    contractNumber,
    month,
    kind,
    computation: owed ? computationOf(owed, kind) : null,
    owed: amount(owed?.owed[kind] ?? 0n),
    amount: amount(BigInt(row.cents)),
    source,
    runId,
    wageType,
    costCenter,
    meaning: row.meaning,
    reason: row.reason,
  };
}

function computationOf(owed: MonthOwed, kind: Kind): PayrollReceipt['computation'] {
  const { rule, version, rates, daysOfMonth, contractDays, suspendedDays } = owed;
  return {
    rule: isWhole(kind, owed) ? 'whole_benefit' : rule,
    contractVersion: version,
    rate: amount(rates[kind]),
    daysOfMonth,
    contractDays,
    suspendedDays: suspendedDays[kind],
  };
}
