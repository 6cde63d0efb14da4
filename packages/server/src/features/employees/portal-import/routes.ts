import {
  answerEmployeeImport,
  ApiError,
  apis,
  applyEmployeeImport,
  discardEmployeeImport,
  downloadEmployeeImportErrors,
  downloadEmployeeImportReport,
  dryRunId,
  type EmployeeImportDetails,
  type EmployeeImportView,
  getEmployeeImport,
  listEmployeeImportRows,
  listEmployeeImports,
  planEmployeeImport,
  uploadEmployeeImport,
} from '@kontor/contract';
import type { Pool } from '../../../db/connect.ts';
import type { Scope } from '../../../auth/scope.ts';
import { newId } from '../../../db/ids.ts';
import { type AnswerOf, type CallOf, implement } from '../../../http/implement.ts';
import { notFound, type ResourceCall } from '../../../http/read-resource.ts';
import { type OkAnswer, ok, type Route, type RouteParts } from '../../../http/route.ts';
import type { BackgroundJobs } from '../../../jobs/background.ts';
import { csvFile } from '../../../lib/row-file.ts';
import { type Filled, firstCharacters, type Head, inspectFile, readHeadRows } from '../../../imports/file.ts';
import type { Language } from '../../../imports/problems.ts';
import { readDivisionPaths } from '../import/divisions.ts';
import {
  failureOfSize,
  findHeaderRow,
  headerOf,
  importFields,
  missingFields,
  proposeMapping,
} from './columns.ts';
import { readFile, readHead } from './file-store.ts';
import {
  answerQuestions,
  beginApply,
  beginPlan,
  createImport,
  discardImport,
  findImport,
  type ImportRow,
  readImports,
  readSavedMapping,
  showImport,
  throwOpenImport,
} from './imports.ts';
import { errorsFile, reportColumns, reportRows } from './report.ts';
import { readRows, showRow } from './rows-store.ts';

interface Parts extends RouteParts {
  readonly jobs: BackgroundJobs;
  /** The tenant, if it is in the scope of the caller. */
  readonly findTenant: (scope: Scope, id: string) => Promise<object | null>;
}

/** CSV imports of employees, in the scope of the user's permission HR. */
export function employeeImportRoutes(parts: Parts): Route[] {
  const { reads, writes } = parts;
  return [
    implement(uploadEmployeeImport, call => upload(parts, call)),
    implement(listEmployeeImports, async call => {
      await checkTenant(parts, call);
      const items = await readImports(reads, call.scope.organizationId, call.parameters.id);
      return ok(JSON.stringify({ items }));
    }),
    implement(getEmployeeImport, async call => ok(JSON.stringify(await detailsOf(reads, call)))),
    implement(listEmployeeImportRows, call => listRows(reads, call)),
    implement(planEmployeeImport, async call => {
      const { head } = await headOf(reads, call, await find(reads, call));
      const row = await writes.runWithoutClock(call, (write, session) =>
        beginPlan(write, session, call.parameters.id, { mapping: call.body, head }),
      );
      return begun(parts, call, row, true);
    }),
    implement(answerEmployeeImport, async call => {
      await find(reads, call);
      const row = await writes.runWithoutClock(call, (write, session) =>
        answerQuestions(write, session, call.parameters.id, call.body),
      );
      return begun(parts, call, row, false);
    }),
    implement(applyEmployeeImport, async call => {
      await find(reads, call);
      const { row, isQueued } = await writes
        .runWithoutClock(call, (write, session) => beginApply(write, session, call.parameters.id, call.body))
        .catch(throwOpenImport);
      return begun(parts, call, row, isQueued);
    }),
    implement(discardEmployeeImport, async call => {
      await find(reads, call);
      const row = await writes.runWithoutClock(call, (write, session) =>
        discardImport(write, session, call.parameters.id),
      );
      return ok(JSON.stringify(await showImport(reads, call.scope.organizationId, row)));
    }),
    implement(downloadEmployeeImportReport, call => report(parts, call)),
    implement(downloadEmployeeImportErrors, call => rowsWithErrors(parts, call)),
  ];
}

/** @throws ApiError NOT_FOUND */
async function checkTenant({ findTenant }: Pick<Parts, 'findTenant'>, call: ResourceCall): Promise<void> {
  if ((await findTenant(call.scope, call.parameters.id)) === null) notFound('tenant', call);
}

/** @throws ApiError NOT_FOUND */
async function find(reads: Pool, call: ResourceCall): Promise<ImportRow> {
  return (await findImport(reads, call.scope, call.parameters.id)) ?? notFound('employee_import', call);
}

/** Starts a job that was queued. It is not awaited: the answer is an import in progress. */
async function begun(
  { reads, jobs }: Parts,
  call: ResourceCall,
  row: ImportRow,
  isQueued: boolean,
): Promise<OkAnswer> {
  const { organizationId } = call.scope;
  const shown = await showImport(reads, organizationId, row);
  if (isQueued && !call.dryRun) jobs.wake();
  return ok(JSON.stringify(shown));
}

async function upload(
  parts: Parts,
  call: CallOf<typeof uploadEmployeeImport>,
): Promise<AnswerOf<typeof uploadEmployeeImport>> {
  await checkTenant(parts, call);
  const { bytes, fileName } = call.body;
  const { id: tenant } = call.parameters;
  const saved = await readSavedMapping(parts.reads, call.scope.organizationId, tenant);
  const inspection = await inspectFile(bytes);
  const { head, filled } = inspection;
  const failure = inspection.failure ?? failureOfSize(head, filled, findHeaderRow(head, saved));
  const file = { ...inspection, id: newId(), tenant, fileName, failure, bytes };
  const row = await parts.writes
    .runWithoutClock(call, (write, session) => createImport(write, session, file))
    .catch(throwOpenImport);
  const shown = await showImport(parts.reads, call.scope.organizationId, row);
  if (call.dryRun) return ok(JSON.stringify({ ...shown, id: dryRunId }));
  const Location = `${apis.portal.prefix}/employee-imports/${row.id}`;
  return { status: 201, body: JSON.stringify(shown), headers: { Location } };
}

/** Rows after the header that are shown of each column. */
const sampleCount = 3;

async function detailsOf(
  reads: Pool,
  call: CallOf<typeof getEmployeeImport>,
): Promise<EmployeeImportDetails> {
  const row = await find(reads, call);
  const { organizationId } = call.scope;
  const file = await headOf(reads, call, row);
  const { head } = file;
  const { headerRow: wanted } = call.query as { headerRow?: number };
  const proposal = async () => {
    const saved = await readSavedMapping(reads, organizationId, row.tenant);
    return proposeMapping(file, saved, wanted === undefined ? undefined : wanted || null);
  };
  const { mapping, isExact } =
    row.mapping && wanted === undefined ? { mapping: row.mapping, isExact: null } : await proposal();
  const header = head.length > 0 ? headerOf(head, mapping.headerRow) : row.header;
  const samples = head.slice(mapping.headerRow ?? 0).slice(0, sampleCount);
  const isMapped = new Set(mapping.columns.map(({ column }) => column));
  return {
    import: await showImport(reads, organizationId, row),
    rows: head.map(({ line, cells }) => ({ line, cells: cells.map(cell => firstCharacters(cell)) })),
    columns: header.map((name, column) => ({
      name: firstCharacters(name),
      samples: samples.map(({ cells }) => firstCharacters(cells[column] ?? '')),
      isExact: isExact ? isExact[column]! : isMapped.has(column) || null,
    })),
    mapping,
    missing: missingFields(mapping),
    fields: importFields,
  };
}

/** The head of a file; no rows once it was removed. That of a file of 0.2.0 is read from its beginning. */
async function headOf(
  reads: Pool,
  { scope: { organizationId } }: ResourceCall,
  row: ImportRow,
): Promise<{ head: Head; filled: Filled | null }> {
  const key = { organizationId, id: row.id };
  const stored = await readHead(reads, key);
  if (stored !== null) return stored;
  const { value: beginning } = await readFile(reads, key).next();
  if (!beginning) return { head: [], filled: null };
  return { head: await readHeadRows(beginning, row), filled: null };
}

async function listRows(reads: Pool, call: CallOf<typeof listEmployeeImportRows>): Promise<OkAnswer> {
  const { tenant } = await find(reads, call);
  const { organizationId } = call.scope;
  const wanted = call.query as { view: EmployeeImportView; page: number; pageSize: number };
  const [{ rows, total }, divisions] = await Promise.all([
    readRows(reads, { organizationId, id: call.parameters.id }, wanted),
    readDivisionPaths(reads, organizationId, tenant),
  ]);
  const { page, pageSize } = wanted;
  const totals = { page, pageSize, totalPages: Math.ceil(total / pageSize), totalElements: total };
  return ok(JSON.stringify({ ...totals, items: rows.map(row => showRow(row, divisions)) }));
}

async function report(
  { reads, writes }: Parts,
  call: CallOf<typeof downloadEmployeeImportReport>,
): Promise<AnswerOf<typeof downloadEmployeeImportReport>> {
  const { id, tenant, counts } = await find(reads, call);
  if (counts === null)
    throw new ApiError('INVALID_STATE_TRANSITION', 'The import has no report: no row was checked');
  const { organizationId } = call.scope;
  const divisions = await readDivisionPaths(reads, organizationId, tenant);
  const stream = await csvFile(
    reportRows(reads, { organizationId, id }, divisions),
    reportColumns,
    'spreadsheet',
  );
  await writes.runWithoutClock(call, write => write.audit({ id, action: 'employee_import.export' }));
  return { status: 200, file: { stream, fileName: `import-${id}.csv`, mediaType: 'text/csv', size: null } };
}

async function rowsWithErrors(
  { reads, writes }: Parts,
  call: CallOf<typeof downloadEmployeeImportErrors>,
): Promise<AnswerOf<typeof downloadEmployeeImportErrors>> {
  const { id, header, mapping, counts } = await find(reads, call);
  if (counts === null || mapping === null)
    throw new ApiError('INVALID_STATE_TRANSITION', 'The import has no errors: no row was checked');
  const { language } = call.query as { language: Language };
  const file = { header, hasHeader: mapping.headerRow !== null, language };
  const stream = await errorsFile(reads, { organizationId: call.scope.organizationId, id }, file);
  await writes.runWithoutClock(call, write => write.audit({ id, action: 'employee_import.export' }));
  return {
    status: 200,
    file: { stream, fileName: `import-${id}-errors.csv`, mediaType: 'text/csv', size: null },
  };
}
