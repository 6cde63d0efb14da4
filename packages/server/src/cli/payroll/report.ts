import {
  type PayrollExportDocument,
  type PayrollFinding,
  type PayrollRun,
  payrollSeverities,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { RunWithReport } from '../../features/payroll/draft.ts';
import { readEmployees } from '../../features/payroll/read.ts';
import { findDocument, findTenant } from '../organization/store.ts';
import { type Cell, count, minute, sheet, table } from '../program/output.ts';
import { findingWords, kindWords, severityWords } from './words.ts';

/** Max rows of a finding that people are shown. */
const maxRows = 20;

/** Renders a run with its report for an HR person. */
export async function reportText(
  db: Queryable,
  organizationId: string,
  { run, findings }: RunWithReport,
): Promise<string> {
  const names = await readNamesOf(db, organizationId, findings);
  const parts = [
    sheet(await headOf(db, run)),
    ...(run.failure ? [`The last attempt failed: ${run.failure.message}`] : []),
    ...summaryTexts(run),
    ...severityTexts(findings, names),
    ...(await documentTexts(db, organizationId, run)),
  ];
  return parts.join('\n\n');
}

async function headOf(db: Queryable, run: PayrollRun): Promise<Record<string, Cell>> {
  const { id, tenant, divisionId, period, formats, status, progress } = run;
  const { name } = await findTenant(db, tenant);
  const division =
    divisionId && (await findDocument(db, { table: 'division', noun: 'division' }, divisionId));
  return {
    run: id,
    tenant: name,
    ...(division && { division: `${String(division.document['name'])}, and all below it` }),
    period,
    formats: formats.join(', '),
    status: progress ? `${status}, ${progress.done} of ${progress.total} orders` : status,
    created: `${minute(run.createdAt)} by ${run.createdBy.name}`,
    ...(run.releasedBy && { released: `${minute(run.releasedAt!)} by ${run.releasedBy.name}` }),
  };
}

function summaryTexts({ summary }: PayrollRun): string[] {
  if (summary === null) return [];
  const { entries, orders, errors, skipped, questions, acknowledged, sums, costCenters } = summary;
  const found = `${count(errors, 'error')}, ${skipped} left out, ${count(questions, 'question')}, ${acknowledged} answered`;
  const texts = [`${count(orders, 'order')} computed, ${entries} amounts to export; ${found}`];
  // A second run of a month exports only what is left.
  const isAgain = sums.some(({ amount, total }) => amount !== total);
  if (sums.length > 0)
    texts.push(
      table(
        ['amounts in EUR', 'this run', ...(isAgain ? ['all releases'] : []), 'month before', 'difference'],
        sums.map(({ kind, amount, total, amountBefore, difference }) => [
          kindWords[kind],
          amount,
          ...(isAgain ? [total] : []),
          amountBefore,
          difference,
        ]),
      ),
    );
  if (costCenters.some(({ costCenter }) => costCenter !== null))
    texts.push(
      table(
        ['cost centre', 'kind', 'EUR'],
        costCenters.map(({ costCenter, kind, amount }) => [costCenter ?? 'none', kindWords[kind], amount]),
      ),
    );
  return texts;
}

interface Names {
  readonly employees: ReadonlyMap<string, { readonly name: string; readonly number: string | null }>;
  readonly orders: ReadonlyMap<string, string>;
}

async function readNamesOf(
  db: Queryable,
  organizationId: string,
  findings: readonly PayrollFinding[],
): Promise<Names> {
  const ids = <Name extends 'employeeId' | 'orderId'>(name: Name) => [
    ...new Set(findings.flatMap(finding => finding[name] ?? [])),
  ];
  const employees = await readEmployees(db, organizationId, ids('employeeId'));
  const orders = await db.rows<{ id: string; number: string }>(sql`
    SELECT id, order_number AS number FROM employee_order
    WHERE organization_id = ${organizationId} AND id = ANY(${ids('orderId')}::text[])`);
  return {
    employees: new Map(
      Array.from(employees, ([id, { firstName, lastName, employeeNumber }]) => [
        id,
        { name: [firstName, lastName].filter(name => name !== null).join(' '), number: employeeNumber },
      ]),
    ),
    orders: new Map(orders.map(({ id, number }) => [id, number])),
  };
}

function severityTexts(findings: readonly PayrollFinding[], names: Names): string[] {
  const groups = Map.groupBy(findings, ({ severity }) => severity);
  return payrollSeverities.flatMap(severity => {
    const found = groups.get(severity) ?? [];
    if (found.length === 0) return [];
    const codes = Map.groupBy(found, ({ code }) => code);
    return [severityWords[severity], ...Array.from(codes.values(), rows => codeText(rows, names))];
  });
}

const columns: Readonly<Record<string, (finding: PayrollFinding, names: Names) => Cell>> = {
  employee: ({ employeeId }, { employees }) => (employeeId && employees.get(employeeId)?.name) ?? null,
  number: ({ employeeId }, { employees }) => (employeeId && employees.get(employeeId)?.number) ?? null,
  order: ({ orderId }, { orders }) => (orderId && orders.get(orderId)) ?? null,
  month: ({ month }) => month,
  kind: ({ kind }) => kind && kindWords[kind],
  EUR: ({ amount }) => amount,
  field: ({ field }) => field,
  payer: ({ payer }) => payer,
  question: ({ severity, number }) => (severity === 'question' ? number : null),
  answered: ({ acknowledgement }) => acknowledgement && acknowledgement.reason,
};

/** Renders the findings of one code. Columns without a value are left out. */
function codeText(findings: readonly PayrollFinding[], names: Names): string {
  const { code } = findings[0]!;
  const shown = findings.slice(0, maxRows);
  const used = Object.entries(columns).filter(([, cell]) =>
    shown.some(finding => cell(finding, names) !== null),
  );
  const more = findings.length - shown.length;
  const rows = table(
    used.map(([name]) => name),
    shown.map(finding => used.map(([, cell]) => cell(finding, names))),
  );
  const lines = [
    `${findingWords[code]} (${code})`,
    ...rows.split('\n').map(line => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more, which --json shows`] : []),
  ];
  return lines.map(line => `  ${line}`).join('\n');
}

/** The documents of a released run, with a warning for each that was downloaded already. */
async function documentTexts(
  db: Queryable,
  organizationId: string,
  { documents }: PayrollRun,
): Promise<string[]> {
  if (documents.length === 0) return [];
  const rows = await db.rows<{ id: string; doc: string }>(sql`
    SELECT id, doc FROM payroll_export_document
    WHERE organization_id = ${organizationId} AND id = ANY(${documents.map(({ id }) => id)}::text[])`);
  const stored = new Map(rows.map(({ id, doc }) => [id, JSON.parse(doc) as PayrollExportDocument]));
  const files = table(
    ['document', 'month', 'file', 'rows', 'left out'],
    documents.map(({ id }) => {
      const { period, fileName, status, rowCount, skippedCount } = stored.get(id)!;
      return [id, period, fileName ?? status, rowCount, skippedCount];
    }),
  );
  const warnings = documents.flatMap(({ id, downloads }) =>
    downloads.map(({ actor, lastAt, count: times }) => {
      const often = times > 1 ? `${times} times, last ` : '';
      return `warning: ${stored.get(id)!.fileName} was already downloaded by ${actor.name} ${often}on ${minute(lastAt)}; a file that is imported twice is deducted twice`;
    }),
  );
  return [files, ...(warnings.length > 0 ? [warnings.join('\n')] : [])];
}
