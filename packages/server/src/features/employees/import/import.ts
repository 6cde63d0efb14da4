import { fold } from '@kontor/contract';
import type { Pool } from '../../../database/connect.ts';
import { newId } from '../../../database/ids.ts';
import { inLongTransaction } from '../../../database/long-transaction.ts';
import type { Session } from '../../../database/transaction.ts';
import type { RejectedRows } from '../../../rejected-rows.ts';
import { operator, type Turn, withTurn } from '../../../writes/writes.ts';
import { employeeRow } from '../record.ts';
import { type ColumnOptions, type ColumnPlan, planColumns } from './columns.ts';
import { ImportError } from './import-error.ts';
import { type CsvRecord, parseRecords } from './parse.ts';
import { openRejectedFile, originalOf } from './rejected-file.ts';
import { readRow, type RowRules } from './rows.ts';
import { splitRecords } from './split.ts';
import * as store from './store.ts';
import type { StagedRow, Target } from './store.ts';

/** How root divisions come to be, which is not the business of this feature. */
export interface DivisionWriter {
  /** @throws an error with a message when no division can have the name. */
  readonly checkName: (name: string) => void;
  /** Creates a root division of the tenant. */
  readonly create: (turn: Turn, session: Session, tenantId: string, name: string) => Promise<unknown>;
}

export interface ImportRequest {
  readonly target: Target;
  /** Path of the CSV file; the rejected rows go beside it. */
  readonly file: string;
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly columns: ColumnOptions;
  readonly divisions: DivisionWriter;
  /** Breaks the import off: nothing goes in. */
  readonly signal: AbortSignal;
  /** Told what the import is doing when that changes. */
  readonly onStep?: (step: 'read' | 'check' | 'insert' | 'settle') => void;
}

export interface ImportOutcome {
  readonly imported: number;
  readonly rejected: number;
  /** How many divisions were created. */
  readonly divisions: number;
  /** Where the rejected rows are; null when there are none. */
  readonly rejectedFile: string | null;
}

/**
 * Imports the employees of a CSV file into a tenant, or into none. The valid rows go in together in one transaction, which
 * takes the organization clock last; the others go into the rejected file with their line and the reason.
 * @throws {@link ImportError} when the file as a whole cannot be imported; then, as after any other error, nothing went in.
 */
export async function importEmployees(db: Pool, request: ImportRequest): Promise<ImportOutcome> {
  if (request.target.tenantId === null && request.columns.divisionColumn !== null)
    throw new ImportError('employees in no tenant have no division: leave out --division-column');
  const { plan, records } = await readHeader(request.pieces, request.columns);
  const rules = { plan, tenantId: request.target.tenantId, checkDivisionName: request.divisions.checkName };
  const rejected = await openRejectedFile(request.file, plan.header);
  const written = await stageAndWrite(db, request, stagedRows(records, rules), rejected).catch(
    async error => {
      await rejected.discard();
      throw error;
    },
  );
  await rejected.publish();
  request.onStep?.('settle');
  if (written.imported > 0) await store.settle(db);
  return { ...written, rejected: rejected.count, rejectedFile: rejected.count > 0 ? rejected.path : null };
}

/** The transaction of the import. */
function stageAndWrite(
  db: Pool,
  request: ImportRequest,
  rows: AsyncIterable<StagedRow>,
  rejected: RejectedRows,
): Promise<Written> {
  return inLongTransaction(db, async session => {
    request.onStep?.('read');
    await store.stage(session, rows, request.signal);
    request.onStep?.('check');
    const usable = await store.rejectUnusable(session, request.target);
    for await (const rejections of store.readRejections(session)) await rejected.write(rejections);
    request.onStep?.('insert');
    const written = usable === 0 ? nothing : await write(session, request, usable, rejected);
    await rejected.complete();
    return written;
  });
}

type Written = Pick<ImportOutcome, 'imported' | 'divisions'>;

const nothing: Written = { imported: 0, divisions: 0 };

/** The turn of the import: until the commit no other write of the organization is made. */
function write(
  session: Session,
  { target, columns, divisions }: ImportRequest,
  usable: number,
  rejected: RejectedRows,
): Promise<Written> {
  const tenantId = columns.divisionColumn === null ? null : target.tenantId;
  return withTurn(session, target.organizationId, operator, async turn => {
    const missing = tenantId === null ? [] : await store.missingDivisions(session, target);
    for (const name of missing) await divisions.create(turn, session, tenantId!, name);
    const imported = await store.insertStaged(turn, session, target);
    if (imported < usable) await rejected.write(await store.readOvertaken(session, target));
    return { imported, divisions: missing.length };
  });
}

/** Reads the file up to its header, and hands on the records that follow. */
async function readHeader(
  pieces: AsyncIterable<Uint8Array>,
  options: ColumnOptions,
): Promise<{ plan: ColumnPlan; records: AsyncGenerator<CsvRecord> }> {
  const records = readRecords(pieces);
  const first = await records.next();
  if (first.done) throw new ImportError('the file is empty; it begins with a line that names the columns');
  const { cells, problem, line } = first.value;
  if (cells === null) throw new ImportError(`line ${line}, the header: ${problem}`);
  return { plan: planColumns(cells, options), records };
}

async function* readRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  for await (const batch of splitRecords(pieces)) yield* parseRecords(batch);
}

async function* stagedRows(records: AsyncIterable<CsvRecord>, rules: RowRules): AsyncGenerator<StagedRow> {
  for await (const record of records) yield stagedRow(record, rules);
}

function stagedRow(record: CsvRecord, rules: RowRules): StagedRow {
  const row = readRow(record, rules);
  const staged = { line: record.line, original: originalOf(record, rules.plan.header), reason: row.reason };
  if (row.reason !== null) return { ...staged, employee: null, division: null };
  const division = row.division === null ? null : { name: row.division, key: fold(row.division) };
  return { ...staged, employee: employeeRow(newId(), row.data), division };
}
