import {
  type PayrollFinding,
  type PayrollFindingCode,
  payrollFindingsMaximum,
  type PayrollSummary,
} from '@kontor/contract';
import { columnsOf, insertRows } from '../../db/insert-rows.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { amount } from '../../lib/money.ts';
import type { Assessment, Entry, Finding, RunTerms } from './assess.ts';
import type { OrderFacts } from './facts.ts';
import type { RunKey } from './ledger.ts';
import type { Kind } from './owed.ts';

export const severities = {
  unmapped_kind: 'error',
  currency: 'error',
  adviser_number: 'error',
  client_number: 'error',
  wage_type: 'error',
  processing_key: 'error',
  characters: 'error',
  no_contract: 'skipped',
  personnel_number: 'skipped',
  cost_center: 'skipped',
  amount: 'skipped',
  correction_out_of_range: 'skipped',
  after_cut_off: 'skipped',
  leave_rule: 'question',
  paid_elsewhere: 'question',
  number_changed: 'question',
  s_pedelec: 'info',
  reversal: 'info',
  late: 'info',
  correction: 'info',
  changed_after_cut_off: 'info',
  suspended: 'info',
  end_after_term: 'info',
  starts: 'info',
  stops: 'info',
  changes: 'info',
} as const satisfies Record<PayrollFindingCode, PayrollFinding['severity']>;

/** Faults of the settings: one finding per kind says enough, whatever the number of orders. */
const ofSettings: ReadonlySet<PayrollFindingCode> = new Set(['unmapped_kind', 'wage_type', 'processing_key']);

export interface NumberedFinding extends Finding {
  readonly number: number;
  readonly orderId: string | null;
  readonly employeeId: string | null;
}

export interface AssessedOrder {
  readonly facts: OrderFacts;
  readonly assessment: Assessment;
}

/** Collects the report of a run while its orders are assessed. Memory does not grow with the number of orders. */
export class Report {
  #number = 0;
  #orders = 0;
  #entries = 0;
  readonly #severities = { error: 0, skipped: 0, question: 0, info: 0 };
  readonly #reported = new Set<string>();
  readonly #sums = new Map<Kind, bigint>();
  readonly #costCenters = new Map<string, { costCenter: string | null; kind: Kind; cents: bigint }>();
  /** Orders with an amount that is left out. */
  skippedOrders = 0;

  /** The findings about the settings. */
  begin({ formats, settings }: Pick<RunTerms, 'formats' | 'settings'>): NumberedFinding[] {
    return formats
      .flatMap(format => format.checkSettings(settings))
      .flatMap(finding => this.#add(finding, { orderId: null, employeeId: null }));
  }

  /** Adds an order and returns its numbered findings. */
  add({ facts, assessment }: AssessedOrder): NumberedFinding[] {
    this.#orders++;
    for (const entry of assessment.entries) this.#sum(entry);
    const { findings } = assessment;
    if (findings.some(({ code }) => severities[code] === 'skipped')) this.skippedOrders++;
    return findings.flatMap(finding => this.#add(finding, facts));
  }

  get entries(): number {
    return this.#entries;
  }

  get errors(): number {
    return this.#severities.error;
  }

  /** `before`: the sums of the last earlier period. Kinds that have none now are among the sums, too. */
  summary(before: ReadonlyMap<Kind, bigint>): PayrollSummary {
    const { error: errors, skipped, question: questions } = this.#severities;
    return {
      entries: this.#entries,
      orders: this.#orders,
      errors,
      skipped,
      questions,
      sums: [...new Set([...this.#sums.keys(), ...before.keys()])].map(kind => {
        const [now, then] = [this.#sums.get(kind) ?? 0n, before.get(kind) ?? 0n];
        return { kind, amount: amount(now), amountBefore: amount(then), difference: amount(now - then) };
      }),
      costCenters: Array.from(this.#costCenters.values(), ({ cents, ...place }) => ({
        ...place,
        amount: amount(cents),
      })),
    };
  }

  #add(
    finding: Finding,
    { orderId, employeeId }: Pick<NumberedFinding, 'orderId' | 'employeeId'>,
  ): NumberedFinding[] {
    const { code } = finding;
    if (!ofSettings.has(code)) return [this.#numbered({ ...finding, orderId, employeeId })];
    const name = `${code} ${finding.kind ?? ''}`;
    if (this.#reported.has(name)) return [];
    this.#reported.add(name);
    const { kind, field } = finding;
    return [
      this.#numbered({
        code,
        ...(kind && { kind }),
        ...(field && { field }),
        orderId: null,
        employeeId: null,
      }),
    ];
  }

  #numbered(finding: Omit<NumberedFinding, 'number'>): NumberedFinding {
    this.#severities[severities[finding.code]]++;
    return { ...finding, number: ++this.#number };
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
    column('severity', ({ code }) => severities[code]),
    column('code', ({ code }) => code),
    column('employee_id', ({ employeeId }) => employeeId),
    column('order_id', ({ orderId }) => orderId),
    column('month', ({ month = null }) => month),
    column('kind', ({ kind = null }) => kind),
    column('field', ({ field = null }) => field),
    column('cents', ({ cents }) => cents?.toString() ?? null, 'bigint'),
  ];
  await db.run(insertRows('payroll_finding', columns, findings.length));
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
  const ofSeverity = severity === null ? sql`` : sql`AND severity = ${severity}`;
  const rows = await db.rows<Omit<PayrollFinding, 'amount'> & { cents: string | null }>(sql`
    SELECT number, severity, code, employee_id AS "employeeId", order_id AS "orderId", month, kind, field, cents::text AS cents
    FROM payroll_finding
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id} AND number > ${after}::bigint ${ofSeverity}
    ORDER BY number LIMIT ${payrollFindingsMaximum}`);
  return rows.map(({ cents, ...finding }) => ({
    ...finding,
    amount: cents === null ? null : amount(BigInt(cents)),
  }));
}
