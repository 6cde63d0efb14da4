import { fold } from '@kontor/contract';
import type { TableRecord } from '@kontor/tabular';
import type { Pool } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import type { Session } from '../../../db/transaction.ts';
import { importRows, type ImportStep, type Rejected } from '../../../imports/import.ts';
import type { Write } from '../../../write/writes.ts';
import { employeeRow } from '../mapping.ts';
import { type ColumnOptions, type ColumnPlan, planColumns } from './columns.ts';
import { OperatorError } from '../../../lib/operator-error.ts';
import { describeFault, openRejectedFile, originalOf, readFile } from './csv.ts';
import { readRow, type RowRules } from './rows.ts';
import * as store from './store.ts';
import type { StagedEmployee, Target } from './store.ts';

/** Creates root divisions. The caller passes it, because divisions are another feature. */
export interface DivisionWriter {
  /** @throws Error for an invalid name of a division */
  readonly checkName: (name: string) => void;
  readonly create: (write: Write, session: Session, tenantId: string, name: string) => Promise<unknown>;
}

export interface ImportRequest {
  readonly target: Target;
  /** Path of the CSV file. The rejected rows are written to the same folder. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly columns: ColumnOptions;
  readonly divisions: DivisionWriter;
  readonly signal: AbortSignal;
  readonly onStep?: (step: ImportStep) => void;
}

export interface ImportOutcome extends Rejected {
  readonly imported: number;
  readonly divisions: number;
}

/**
 * Imports the employees of a CSV file into a tenant, or into none. Valid rows are stored in one transaction, which takes the organization
 * clock last. Other rows are written to the rejected file.
 * @throws OperatorError when the file cannot be imported; after any error nothing is stored
 */
export async function importEmployees(db: Pool, request: ImportRequest): Promise<ImportOutcome> {
  if (request.target.tenantId === null && request.columns.divisionColumn !== null)
    throw new OperatorError('employees in no tenant have no division: leave out --division-column');
  const { plan, records } = await readHeader(request.chunks, request.columns);
  const rules = { plan, tenantId: request.target.tenantId, checkDivisionName: request.divisions.checkName };
  const rejected = await openRejectedFile(request.file, plan.header);
  const { written, ...outcome } = await importRows(
    db,
    {
      organizationId: request.target.organizationId,
      table: 'employee',
      stage: session => store.stage(session, stagedRows(records, rules), request.signal),
      rejectUnusable: session => store.rejectUnusable(session, request.target),
      insert: (write, session) => insert(write, session, request),
      readOvertaken: session => store.readOvertaken(session, request.target),
      onStep: request.onStep,
    },
    rejected,
  );
  return { ...(written ?? { imported: 0, divisions: 0 }), ...outcome };
}

async function insert(
  write: Write,
  session: Session,
  { target, columns, divisions }: ImportRequest,
): Promise<{ imported: number; divisions: number }> {
  const { tenantId } = target;
  const withDivisions = tenantId !== null && columns.divisionColumn !== null;
  const missing = withDivisions ? await store.findMissingDivisions(session, target) : [];
  for (const name of missing) await divisions.create(write, session, tenantId!, name);
  return { imported: await store.insertStaged(write, session, target), divisions: missing.length };
}

async function readHeader(
  chunks: AsyncIterable<Uint8Array>,
  options: ColumnOptions,
): Promise<{ plan: ColumnPlan; records: AsyncGenerator<TableRecord> }> {
  const records = readFile(chunks);
  const first = await records.next();
  if (first.done) throw new OperatorError('the file is empty; it begins with a line that names the columns');
  const problem = describeFault(first.value);
  if (problem !== null) throw new OperatorError(`line ${first.value.line}, the header: ${problem}`);
  return { plan: planColumns(first.value.cells, options), records };
}

async function* stagedRows(
  records: AsyncIterable<TableRecord>,
  rules: RowRules,
): AsyncGenerator<StagedEmployee> {
  for await (const record of records) yield stagedRow(record, rules);
}

function stagedRow(record: TableRecord, rules: RowRules): StagedEmployee {
  const row = readRow(record, rules);
  const staged = { line: record.line, original: originalOf(record, rules.plan.header), reason: row.reason };
  if (row.reason !== null) return { ...staged, employee: null, division: null };
  const division = row.division === null ? null : { name: row.division, key: fold(row.division) };
  return { ...staged, employee: employeeRow(newId(), row.data), division };
}
