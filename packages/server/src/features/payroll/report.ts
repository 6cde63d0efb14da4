import {
  type PayrollAcknowledgement,
  type PayrollFinding,
  type PayrollFindingCode,
  payrollFindingsMaximum,
  type PayrollSummary,
} from '@kontor/contract';
import { columnsOf, insertRows } from '../../db/insert-rows.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Month } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import { joinAnswers } from './acknowledge.ts';
import type { Assessment, Entry, RunTerms } from './computation/assess.ts';
import { type OrderFacts, settingsIn, type SettingsVersion } from './computation/facts.ts';
import { actionOf, type Finding, severityOf } from './computation/findings.ts';
import type { RunKey } from './ledger.ts';
import type { Kind } from './computation/owed.ts';

/** Faults of the settings: one finding per kind says enough, whatever the number of orders. */
const ofSettings: ReadonlySet<PayrollFindingCode> = new Set(['unmapped_kind', 'wage_type', 'processing_key']);

/** Questions about a person: one finding, whatever the number of orders. */
const ofPersons: ReadonlySet<PayrollFindingCode> = new Set([
  'blocked',
  'left',
  'retired',
  'deceased',
  'employer_changed',
]);

export interface NumberedFinding extends Finding {
  readonly number: number;
  readonly orderId: string | null;
  readonly employeeId: string | null;
  /** The order, person or company that a question is about; null for other findings. */
  readonly subjectId: string | null;
}

type Place = Pick<NumberedFinding, 'orderId' | 'employeeId'>;

const nowhere: Place = { orderId: null, employeeId: null };

export interface AssessedOrder {
  readonly facts: OrderFacts;
  readonly assessment: Assessment;
}

/** The sums of released runs: of the period of a run, and of the last earlier one. */
export interface ReleasedSums {
  readonly period: ReadonlyMap<Kind, bigint>;
  readonly before: ReadonlyMap<Kind, bigint>;
}

/**
 * Collects the report of a run while its orders are assessed. Memory does not grow with the number of orders, except for one sum a person where
 * the company has set a bound for it.
 */
export class Report {
  readonly #terms: Pick<RunTerms, 'formats' | 'period'> & { readonly settings: SettingsVersion };
  #number = 0;
  #orders = 0;
  #entries = 0;
  readonly #severities = { error: 0, skipped: 0, question: 0, info: 0 };
  readonly #reported = new Set<string>();
  readonly #sums = new Map<Kind, bigint>();
  readonly #costCenters = new Map<string, { costCenter: string | null; kind: Kind; cents: bigint }>();
  readonly #conversions = new Map<string, bigint>();
  /** Orders with an amount that is left out. */
  skippedOrders = 0;

  constructor({ formats, versions, period }: RunTerms) {
    this.#terms = { formats, period, settings: settingsIn(versions, period) };
  }

  /** The findings about the company: its settings, and a month that no run has exported. */
  begin(skippedMonth: Month | null): NumberedFinding[] {
    const { formats, settings } = this.#terms;
    const findings: Finding[] = formats.flatMap(format => format.checkSettings(settings));
    if (skippedMonth !== null)
      findings.push({ code: 'skipped_month', month: skippedMonth, fact: skippedMonth });
    return findings.flatMap(finding => this.#add(finding, nowhere));
  }

  /** The persons whose conversions in the month of the run are together above the bound of the company. */
  end(): NumberedFinding[] {
    const { settings, period: month } = this.#terms;
    const bound = cents(settings.conversionBound ?? '0.00');
    const above = Array.from(this.#conversions).filter(([, sum]) => sum > bound);
    return above.map(([employeeId, sum]) => {
      const about = { month, kind: 'salary_conversion', cents: sum, fact: amount(sum) } as const;
      return this.#numbered({ code: 'conversion_bound', ...about }, { ...nowhere, employeeId });
    });
  }

  /** Adds an order and returns its numbered findings. */
  add({ facts, assessment }: AssessedOrder): NumberedFinding[] {
    this.#orders++;
    for (const entry of assessment.entries) this.#sum(entry);
    const { findings, conversion } = assessment;
    if (findings.some(({ code }) => severityOf(code) === 'skipped')) this.skippedOrders++;
    if (this.#terms.settings.conversionBound !== null)
      this.#conversions.set(facts.employeeId, (this.#conversions.get(facts.employeeId) ?? 0n) + conversion);
    return findings.flatMap(finding => this.#add(finding, facts));
  }

  get entries(): number {
    return this.#entries;
  }

  get errors(): number {
    return this.#severities.error;
  }

  /** Kinds that have none now are among the sums. `acknowledged`: the number of answered questions. */
  summary({ period, before }: ReleasedSums, acknowledged: number): PayrollSummary {
    const { error: errors, skipped, question } = this.#severities;
    return {
      entries: this.#entries,
      orders: this.#orders,
      errors,
      skipped,
      questions: question - acknowledged,
      acknowledged,
      sums: [...new Set([...this.#sums.keys(), ...period.keys(), ...before.keys()])].map(kind => {
        const now = this.#sums.get(kind) ?? 0n;
        const [total, then] = [now + (period.get(kind) ?? 0n), before.get(kind) ?? 0n];
        const difference = amount(total - then);
        return {
          kind,
          amount: amount(now),
          total: amount(total),
          amountBefore: amount(then),
          difference,
        };
      }),
      costCenters: Array.from(this.#costCenters.values(), ({ cents, ...place }) => ({
        ...place,
        amount: amount(cents),
      })),
    };
  }

  #add(finding: Finding, place: Place): NumberedFinding[] {
    const { code, kind, field, fact } = finding;
    if (ofSettings.has(code)) {
      const about = { code, ...(kind && { kind }), ...(field && { field }) };
      return this.#once(`${code} ${kind ?? ''}`, about, nowhere);
    }
    if (ofPersons.has(code))
      return this.#once(`${code} ${place.employeeId} ${fact}`, finding, { ...place, orderId: null });
    return [this.#numbered(finding, place)];
  }

  #once(name: string, finding: Finding, place: Place): NumberedFinding[] {
    if (this.#reported.has(name)) return [];
    this.#reported.add(name);
    return [this.#numbered(finding, place)];
  }

  #numbered(finding: Finding, { orderId, employeeId }: Place): NumberedFinding {
    const severity = severityOf(finding.code);
    this.#severities[severity]++;
    const subject = orderId ?? employeeId ?? this.#terms.settings.tenant;
    const subjectId = severity === 'question' ? subject : null;
    return { ...finding, orderId, employeeId, subjectId, number: ++this.#number };
  }

  #sum({ kind, cents, sign, costCenter }: Entry): void {
    const exported = cents * BigInt(sign);
    this.#entries++;
    this.#sums.set(kind, (this.#sums.get(kind) ?? 0n) + exported);
    const name = `${kind} ${costCenter ?? ''}`;
    const sum = this.#costCenters.get(name)?.cents ?? 0n;
    this.#costCenters.set(name, { costCenter, kind, cents: sum + exported });
  }
}

export async function insertFindings(
  db: Queryable,
  run: RunKey,
  findings: readonly NumberedFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  const column = columnsOf(findings);
  const columns = [
    { name: 'organization_id', type: 'text', value: run.organizationId },
    { name: 'run_id', type: 'text', value: run.id },
    column('number', ({ number }) => number, 'int'),
    column('severity', ({ code }) => severityOf(code)),
    column('code', ({ code }) => code),
    column('employee_id', ({ employeeId }) => employeeId),
    column('order_id', ({ orderId }) => orderId),
    column('month', ({ month = null }) => month),
    column('kind', ({ kind = null }) => kind),
    column('field', ({ field = null }) => field),
    column('cents', ({ cents }) => cents?.toString() ?? null, 'bigint'),
    column('payer', ({ payer = null }) => payer),
    column('subject_id', ({ subjectId }) => subjectId),
    column('fact', ({ fact = null }) => fact),
  ];
  await db.run(insertRows('payroll_finding', columns));
}

export async function deleteFindings(db: Queryable, run: RunKey): Promise<void> {
  await db.run(sql`
    DELETE FROM payroll_finding WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}`);
}

/** The whole report. */
export async function readReport(db: Queryable, run: RunKey): Promise<PayrollFinding[]> {
  const findings: PayrollFinding[] = [];
  for (;;) {
    const after = findings.at(-1)?.number ?? 0;
    const page = await readFindings(db, run, { after, severity: null });
    findings.push(...page);
    if (page.length < payrollFindingsMaximum) return findings;
  }
}

/** A page of the report, behind the finding with the number `after`. */
export async function readFindings(
  db: Queryable,
  run: RunKey,
  { after, severity }: { after: number; severity: PayrollFinding['severity'] | null },
): Promise<PayrollFinding[]> {
  const ofSeverity = severity === null ? sql`` : sql`AND f.severity = ${severity}`;
  const rows = await db.rows<FindingRow>(sql`
    SELECT f.number, f.severity, f.code, f.employee_id AS "employeeId", f.order_id AS "orderId", f.month, f.kind, f.field,
      f.cents::text AS cents, f.payer, a.reason, a.acknowledged_by AS "acknowledgedBy", a.acknowledged_at AS "acknowledgedAt"
    FROM payroll_finding f ${joinAnswers(run.organizationId)}
    WHERE f.organization_id = ${run.organizationId} AND f.run_id = ${run.id} AND f.number > ${after}::bigint ${ofSeverity}
    ORDER BY f.number LIMIT ${payrollFindingsMaximum}`);
  return rows.map(({ cents, reason, acknowledgedBy, acknowledgedAt, ...finding }) => ({
    ...finding,
    amount: cents === null ? null : amount(BigInt(cents)),
    action: actionOf({ code: finding.code, ...(finding.field !== null && { field: finding.field }) }),
    acknowledgement:
      reason === null
        ? null
        : { reason, acknowledgedBy: acknowledgedBy!, acknowledgedAt: acknowledgedAt!.toISOString() },
  }));
}

type FindingRow = Omit<PayrollFinding, 'amount' | 'action' | 'acknowledgement'> & {
  readonly cents: string | null;
  readonly reason: string | null;
  readonly acknowledgedBy: PayrollAcknowledgement['acknowledgedBy'] | null;
  readonly acknowledgedAt: Date | null;
};
