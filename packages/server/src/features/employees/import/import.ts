import { ApiError } from '@kontor/contract';
import type { Dialect, TableRecord } from '@kontor/tabular';
import type { Pool } from '../../../db/connect.ts';
import type { Session } from '../../../db/transaction.ts';
import { openFile, recordsOf } from '../../../imports/command-file.ts';
import { importRows, type ImportStep, type Rejected } from '../../../imports/import.ts';
import { describeProblem, type Problem } from '../../../imports/problems.ts';
import { openRejectedFile, originalLine } from '../../../imports/rejected-table.ts';
import { OperatorError } from '../../../lib/operator-error.ts';
import type { WriteAtClock } from '../../../write/writes.ts';
import { changeEmailOf } from '../update.ts';
import { type ColumnOptions, type ColumnPlan, planColumns } from './columns.ts';
import { DivisionPaths, readDivisionRows } from './divisions.ts';
import { readRow, type RowRules } from './rows.ts';
import * as store from './store.ts';
import type { StagedEmployee, Target } from './store.ts';

/** Creates root divisions. The caller passes it, because divisions are another feature. */
export interface DivisionWriter {
  /** @throws Error for an invalid name of a division */
  readonly checkName: (name: string) => void;
  readonly create: (
    write: WriteAtClock,
    session: Session,
    tenantId: string,
    name: string,
  ) => Promise<unknown>;
}

export interface ImportRequest {
  readonly target: Target;
  /** Path of the CSV file. The rejected rows are written to the same folder. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly columns: ColumnOptions;
  readonly divisions: DivisionWriter;
  /** Whether each of these employees gets the email of the file. It is called before the import takes a lock. */
  readonly confirmEmails?: (changes: readonly store.NewEmail[]) => Promise<readonly boolean[]>;
  readonly signal: AbortSignal;
  readonly onStep?: (step: ImportStep) => void;
}

export interface ImportOutcome extends Rejected {
  readonly imported: number;
  readonly divisions: number;
  /** Employees with a new email, who were confirmed. */
  readonly emails: number;
  /** The number of cells that a program damaged, which were left out of imported rows, and words for the first ones. */
  readonly leftOut: number;
  readonly notices: readonly string[];
}

/**
 * Imports the employees of a CSV file into a tenant, or into none. Valid rows are stored in one transaction, which takes the organization
 * clock last. Other rows are written to the rejected file.
 * @throws OperatorError when the file cannot be imported; after any error nothing is stored
 */
export async function importEmployees(db: Pool, request: ImportRequest): Promise<ImportOutcome> {
  if (request.target.tenantId === null && request.columns.divisionColumn !== null)
    throw new OperatorError('employees in no tenant have no division: leave out --division-column');
  const { plan, dialect, names, records } = await openTable(request.chunks, request.columns);
  const { target, divisions } = request;
  const { organizationId, tenantId } = target;
  const rejected = await openRejectedFile(request.file, names, dialect);
  const leftOut = new LeftOut();
  let confirmed: readonly store.NewEmail[] = [];
  const { written, ...outcome } = await importRows(
    db,
    {
      organizationId,
      table: 'employee',
      async stage(session) {
        const paths = tenantId === null ? [] : await readDivisionRows(session, organizationId, tenantId);
        const rules = {
          plan,
          tenantId,
          divisions: new DivisionPaths(paths),
          checkDivisionName: divisions.checkName,
        };
        const originalOf = (record: TableRecord) => originalLine(record, names, dialect);
        await store.stage(session, stagedRows(records, rules, originalOf, leftOut), request.signal);
      },
      async rejectUnusable(session) {
        await store.rejectUnusable(session, target, plan.table);
        if (!request.confirmEmails) return;
        const changes = await store.findNewEmails(session, target, plan.table);
        if (changes.length === 0) return;
        const answers = await request.confirmEmails(changes);
        confirmed = changes.filter((_change, index) => answers[index]);
        await store.leaveOut(session, confirmed);
      },
      insert: (write, session) => insert(write, session, request),
      readOvertaken: session => store.readOvertaken(session, target, plan.table),
      onStep: request.onStep,
    },
    rejected,
  );
  const { count, lines } = leftOut;
  const emails = await changeEmails(db, organizationId, confirmed, leftOut);
  return {
    ...(written ?? { imported: 0, divisions: 0 }),
    emails,
    ...outcome,
    leftOut: count,
    notices: lines,
  };
}

/** Changes emails after the other rows are stored, and returns how many. Another write may have taken one meanwhile. */
async function changeEmails(
  db: Pool,
  organizationId: string,
  changes: readonly store.NewEmail[],
  { lines }: LeftOut,
): Promise<number> {
  let changed = 0;
  for (const { line, employeeId, email } of changes)
    try {
      await changeEmailOf(db, { organizationId, employeeId, email });
      changed += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      lines.push(`line ${line}: ${error.message}`);
    }
  return changed;
}

async function insert(
  write: WriteAtClock,
  session: Session,
  { target, columns, divisions }: ImportRequest,
): Promise<{ imported: number; divisions: number }> {
  const { tenantId } = target;
  const withDivisions = tenantId !== null && columns.divisionColumn !== null;
  const missing = withDivisions ? await store.findMissingDivisions(session, target) : [];
  for (const name of missing) await divisions.create(write, session, tenantId!, name);
  return { imported: await store.insertStaged(write, session, target), divisions: missing.length };
}

/** The plan of a file, and its records below the header. */
async function openTable(
  source: AsyncIterable<Uint8Array>,
  options: ColumnOptions,
): Promise<{
  plan: ColumnPlan;
  dialect: Dialect;
  names: readonly string[];
  records: AsyncIterable<TableRecord>;
}> {
  const { dialect, head, chunks } = await openFile(source);
  const plan = planColumns(head, options);
  const { headerRow } = plan;
  return { plan, dialect, names: head[headerRow - 1]!, records: recordsOf(chunks, dialect, headerRow) };
}

/** Notices that the command prints. */
const maxNotices = 10;

/** Fields that were left out of imported rows. */
class LeftOut {
  count = 0;
  readonly lines: string[] = [];

  add(line: number, notices: readonly Problem[]): void {
    this.count += notices.length;
    for (const notice of notices.slice(0, maxNotices - this.lines.length))
      this.lines.push(`line ${line}, left out: ${describeProblem(notice, 'en')}`);
  }
}

async function* stagedRows(
  records: AsyncIterable<TableRecord>,
  rules: RowRules,
  originalOf: (record: TableRecord) => string,
  leftOut: LeftOut,
): AsyncGenerator<StagedEmployee> {
  for await (const record of records) {
    const { notices, ...row } = readRow(record, rules);
    leftOut.add(record.line, notices);
    yield { ...row, line: record.line, original: originalOf(record) };
  }
}
