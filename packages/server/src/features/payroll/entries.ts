import {
  payrollEntriesMaximum,
  type PayrollEntryList,
  type PayrollRun,
  type PayrollRunEntry,
} from '@kontor/contract';
import type { Readable } from 'node:stream';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { allOf, empty, type Fragment, sql } from '../../db/sql.ts';
import { amount } from '../../lib/money.ts';
import { displayName } from '../../query/search-all.ts';
import { escapeLike } from '../../query/search-text.ts';
import type { Kind } from './computation/owed.ts';
import type { Language } from './formats/recipe.ts';
import { employeesOf, readNamesInScope } from './read.ts';
import { amountCell, kindNames, sheetFile, textCell } from './files/sheet-file.ts';

/* The amounts that the sums of a run consist of: the report opened into its persons. */

export interface EntrySelection {
  readonly kind?: Kind;
  readonly costCenter?: string | null;
  readonly person?: string;
}

type SumRow = Omit<
  PayrollRunEntry,
  'position' | 'employeeName' | 'amount' | 'total' | 'amountBefore' | 'difference'
> & { readonly amount: string; readonly total: string; readonly before: string };

interface Page extends EntrySelection {
  readonly after?: number;
  readonly limit?: number;
}

/**
 * Reads a page of the amounts of a run, after the position `after`. Names are those in scope. Each page sums all amounts, whose order is only
 * known then, so a page by keyset would cost the same (decisions/0065).
 */
export async function readRunEntries(
  db: Queryable,
  scope: Scope,
  { run, after = 0, limit = payrollEntriesMaximum, ...selection }: Page & { readonly run: PayrollRun },
): Promise<PayrollEntryList> {
  const { organizationId } = scope;
  const { tenant, divisionId, period, id, createdAt } = run;
  const ofTenant = sql`organization_id = ${organizationId} AND tenant_id = ${tenant} AND status = 'released'
    AND created_at < ${createdAt}::timestamptz AND (${divisionId}::text IS NULL OR division_id = ${divisionId})`;
  const fields = sql`order_id, employee_id, kind, personnel_number, wage_type, cost_center, month, cents * sign AS cents`;
  const ofRun = sql`organization_id = ${organizationId} AND run_id = ${id}`;
  const released = (part: 'period' | 'before', periods: Fragment) => sql`
    SELECT ${part} AS part, ${fields} FROM payroll_entry
    WHERE organization_id = ${organizationId}
      AND run_id IN (SELECT id FROM payroll_run WHERE ${ofTenant} AND period = ${periods})`;
  // Numbers in their order: 15 before 149.
  const order = sql`length("personnelNumber"), "personnelNumber", "orderId", kind, "wageType", "costCenter"`;
  const read = await db.rows<SumRow & { readonly all: number; readonly persons: number }>(sql`
    WITH amounts AS (SELECT order_id AS "orderId", employee_id AS "employeeId", kind, personnel_number AS "personnelNumber",
      wage_type AS "wageType", cost_center AS "costCenter",
      coalesce(array_agg(DISTINCT month ORDER BY month) FILTER (WHERE part = 'run'), '{}') AS months,
      (coalesce(sum(cents) FILTER (WHERE part = 'run'), 0))::text AS amount,
      (coalesce(sum(cents) FILTER (WHERE part <> 'before'), 0))::text AS total,
      (coalesce(sum(cents) FILTER (WHERE part = 'before'), 0))::text AS before
    FROM (
      SELECT 'run' AS part, ${fields} FROM payroll_draft_entry WHERE ${ofRun}
      UNION ALL SELECT 'run' AS part, ${fields} FROM payroll_entry WHERE ${ofRun}
      UNION ALL ${released('period', sql`${period}`)}
      UNION ALL ${released('before', sql`(SELECT max(period) FROM payroll_run WHERE ${ofTenant} AND kind = 'regular' AND period < ${period})`)}
    ) AS entry
    ${conditionOf(scope, selection)}
    GROUP BY order_id, employee_id, kind, personnel_number, wage_type, cost_center)
    SELECT counts.total AS all, persons, page.*
    FROM (SELECT count(*)::int AS total, count(DISTINCT "employeeId") FILTER (WHERE months <> '{}')::int AS persons FROM amounts) AS counts
    LEFT JOIN (SELECT * FROM amounts ORDER BY ${order} LIMIT ${limit} OFFSET ${after}) AS page ON true
    ORDER BY ${order}`);
  const { all, persons } = read[0]!;
  // A page after the last amount has the counts alone.
  const rows = read.filter(row => row.orderId !== null);
  const names = await readNamesInScope(db, scope, employeesOf(rows));
  const items = rows.map(({ all: _all, persons: _persons, amount: now, total, before, ...row }, index) => ({
    position: after + index + 1,
    ...row,
    employeeName: names.get(row.employeeId) ?? null,
    amount: amount(BigInt(now)),
    total: amount(BigInt(total)),
    amountBefore: amount(BigInt(before)),
    difference: amount(BigInt(total) - BigInt(before)),
  }));
  return { items, total: all, persons };
}

function conditionOf(scope: Scope, { kind, costCenter, person }: EntrySelection): Fragment {
  const conditions: Fragment[] = [];
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (costCenter !== undefined) conditions.push(sql`cost_center IS NOT DISTINCT FROM ${costCenter}`);
  if (person !== undefined)
    conditions.push(sql`(personnel_number = ${person} OR employee_id IN (
      SELECT id FROM employee WHERE ${scopePredicate(scope, null)}
        AND lower(${displayName(sql`doc::jsonb`)}) LIKE ${`%${escapeLike(person.toLowerCase())}%`}))`);
  return conditions.length === 0 ? empty : sql`WHERE ${allOf(conditions)}`;
}

/** Amounts that a file reads at once. */
const slice = 5000;

const headings: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Person',
    'Personnel number',
    'Kind',
    'Months',
    'Wage type',
    'Cost centre',
    'This run',
    'All releases of the month',
    'Month before',
    'Difference',
  ],
  de: [
    'Person',
    'Personalnummer',
    'Art',
    'Monate',
    'Lohnart',
    'Kostenstelle',
    'Dieser Abrechnungslauf',
    'Alle Freigaben des Monats',
    'Vormonat',
    'Differenz',
  ],
};

/** A CSV file for a spreadsheet, with `;` and decimal commas. A slice of it is in memory. */
export function entriesFile(
  db: Queryable,
  scope: Scope,
  { run, language, ...selection }: EntrySelection & { readonly run: PayrollRun; readonly language: Language },
): Promise<Readable> {
  async function* slices(): AsyncGenerator<PayrollRunEntry[]> {
    for (let after = 0; ; after += slice) {
      const { items } = await readRunEntries(db, scope, { run, ...selection, after, limit: slice });
      yield items;
      if (items.length < slice) return;
    }
  }
  return sheetFile(slices(), entry => cellsOf(entry, language), headings[language]);
}

function cellsOf(entry: PayrollRunEntry, language: Language): string[] {
  const { employeeName, personnelNumber, kind, months, wageType, costCenter } = entry;
  const texts = [
    employeeName,
    personnelNumber,
    kindNames[language][kind],
    months.join(' '),
    wageType,
    costCenter,
  ];
  const amounts = [entry.amount, entry.total, entry.amountBefore, entry.difference];
  return [...texts.map(textCell), ...amounts.map(amountCell)];
}
