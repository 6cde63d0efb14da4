import {
  type PayrollReceivable,
  payrollReceivableCodes,
  type PayrollReceivableList,
  payrollReceivablesMaximum,
} from '@kontor/contract';
import type { Readable } from 'node:stream';
import type { Scope } from '../../../auth/scope.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import { amount } from '../../../lib/money.ts';
import { assessOrder } from '../computation/assess.ts';
import type { OrderFacts } from '../computation/facts.ts';
import { type AmountLeftOut, leftOut } from '../computation/left-out.ts';
import { formats } from '../formats/formats.ts';
import type { Language } from '../formats/recipe.ts';
import { employeesOf, readFacts, readNamesInScope } from '../read.ts';
import type { RunRow } from '../runs.ts';
import { readSettings, type TenantKey } from '../settings.ts';
import { amountCell, kindNames, sheetFile, textCell } from '../files/sheet-file.ts';

/*
 * Open amounts that are in no file. The report of the last run names their orders. These are computed again, so that a settlement or a
 * correction closes an amount at once.
 */

type LastRun = Pick<RunRow, 'id' | 'period' | 'formats'>;

/** The last run of a tenant, and the last one of each of its divisions. The newest is the first. */
function readLastRuns(db: Queryable, { organizationId, tenantId }: TenantKey): Promise<LastRun[]> {
  return db.rows<LastRun>(sql`
    SELECT id, period, formats FROM (
      SELECT DISTINCT ON (division_id) id, period, formats, created_at FROM payroll_run
      WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND kind = 'regular'
        AND status IN ('draft', 'releasing', 'released')
      ORDER BY division_id, created_at DESC) AS last
    ORDER BY created_at DESC`);
}

/** The orders with an amount that one of the runs has left out, by their identifiers. */
async function readOrders(
  db: Queryable,
  { organizationId }: TenantKey,
  { runs, after }: { runs: readonly LastRun[]; after: string },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT DISTINCT order_id AS id FROM payroll_finding
    WHERE organization_id = ${organizationId} AND run_id = ANY(${runs.map(({ id }) => id)}::text[])
      AND code = ANY(${[...payrollReceivableCodes]}::text[]) AND cents IS NOT NULL AND order_id > ${after}
    ORDER BY 1 LIMIT ${payrollReceivablesMaximum}`);
  return rows.map(({ id }) => id);
}

/** Reads the open amounts of the next orders, after the order `after`. Names are those in scope. */
export async function readReceivables(
  db: Queryable,
  scope: Scope,
  { tenantId, after = '' }: { readonly tenantId: string; readonly after?: string },
): Promise<PayrollReceivableList> {
  const tenant = { organizationId: scope.organizationId, tenantId };
  const versions = await readSettings(db, tenant);
  const runs = await readLastRuns(db, tenant);
  const [last] = runs;
  if (versions === null || last === undefined) return { period: null, formats: [], items: [], next: null };
  const { period, formats: formatNames } = last;
  const orderIds = await readOrders(db, tenant, { runs, after });
  const terms = { versions, period, formats: formatNames.map(name => formats[name]), cutOff: null };
  const open: Omit<PayrollReceivable, 'employeeName'>[] = [];
  for await (const page of readFacts(db, { ...tenant, divisionId: null, orderIds }))
    for (const facts of page)
      for (const left of leftOut(assessOrder(facts, terms).findings))
        if (isReceivable(left)) open.push(receivableOf(facts, left));
  const names = await readNamesInScope(db, scope, employeesOf(open));
  return {
    period,
    formats: formatNames,
    items: open.map(item => ({ ...item, employeeName: names.get(item.employeeId) ?? null })),
    next: orderIds.length < payrollReceivablesMaximum ? null : orderIds.at(-1)!,
  };
}

/** Reads all open amounts in pages. */
export async function* readAllReceivables(
  db: Queryable,
  scope: Scope,
  tenantId: string,
): AsyncGenerator<PayrollReceivable[]> {
  for (let after: string | null = ''; after !== null;) {
    const page: PayrollReceivableList = await readReceivables(db, scope, { tenantId, after });
    yield page.items;
    after = page.next;
  }
}

type Receivable = AmountLeftOut & Pick<PayrollReceivable, 'code'>;

/** An error blocks the release instead, and is fixed before one. */
function isReceivable(left: AmountLeftOut): left is Receivable {
  return (payrollReceivableCodes as readonly string[]).includes(left.code);
}

function receivableOf(
  { orderId, employeeId, employee }: OrderFacts,
  { month, kind, cents, code, field }: Receivable,
): Omit<PayrollReceivable, 'employeeName'> {
  const personnelNumber = employee.employeeNumber;
  return { orderId, employeeId, personnelNumber, month, kind, amount: amount(cents), code, field };
}

const headings: Readonly<Record<Language, readonly string[]>> = {
  en: ['Person', 'Personnel number', 'Month', 'Kind', 'Amount', 'Why no file contains it'],
  de: ['Person', 'Personalnummer', 'Monat', 'Art', 'Betrag', 'Warum er in keiner Datei steht'],
};

const reasons: Readonly<Record<Language, Readonly<Record<PayrollReceivable['code'], string>>>> = {
  en: {
    correction_out_of_range: 'The format accepts no correction of this month, wage type or cost centre',
    personnel_number: 'The format does not accept the personnel number, or it is missing',
    cost_center: 'The format does not accept the cost centre',
    amount: 'The amount is too large for the format',
    paid_elsewhere: 'More was paid elsewhere than is owed',
  },
  de: {
    correction_out_of_range:
      'Das Format nimmt keine Korrektur dieses Monats, dieser Lohnart oder Kostenstelle an',
    personnel_number: 'Die Personalnummer fehlt oder ist im Format nicht zulässig',
    cost_center: 'Die Kostenstelle ist im Format nicht zulässig',
    amount: 'Der Betrag ist für das Format zu groß',
    paid_elsewhere: 'Anderweitig wurde mehr abgerechnet, als einzubehalten ist',
  },
};

/** A CSV file of all open amounts. */
export function receivablesFile(
  db: Queryable,
  scope: Scope,
  { tenantId, language }: { readonly tenantId: string; readonly language: Language },
): Promise<Readable> {
  const cellsOf = ({ employeeName, personnelNumber, month, kind, code, ...item }: PayrollReceivable) => [
    ...[employeeName, personnelNumber, month, kindNames[language][kind]].map(textCell),
    amountCell(item.amount),
    textCell(reasons[language][code]),
  ];
  return sheetFile(readAllReceivables(db, scope, tenantId), cellsOf, headings[language]);
}
