import {
  ApiError,
  apis,
  dryRunId,
  type EmployeeImportDetails,
  type EmployeeImportView,
} from '@kontor/contract';
import { detectDialect } from '@kontor/tabular';
import type { Pool } from '../../../db/connect.ts';
import type { Scope } from '../../../auth/scope.ts';
import { newId } from '../../../db/ids.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../../http/handlers.ts';
import { notFound, type ResourceCall } from '../../../http/read-resource.ts';
import { type OkAnswer, ok } from '../../../http/route.ts';
import type { BackgroundJobs } from '../../../jobs/background.ts';
import { csvFile } from '../../../lib/row-file.ts';
import { requestOf, type Writes } from '../../../write/writes.ts';
import { failureOfRows, importFields, proposeMapping } from './columns.ts';
import { readDivisionPaths } from './divisions.ts';
import { firstCharacters, type Head, inspectFile } from './file.ts';
import {
  beginApply,
  beginPlan,
  createImport,
  discardImport,
  findImport,
  type ImportRow,
  readFile,
  readHead,
  readImports,
  readSavedMapping,
  showImport,
  throwOpenImport,
} from './imports.ts';
import { reportColumns, reportRows } from './report.ts';
import { readRows, showRow } from './rows-store.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly jobs: BackgroundJobs;
  /** The tenant, if it is in the scope of the caller. */
  readonly findTenant: (scope: Scope, id: string) => Promise<object | null>;
}

/** CSV imports of employees, in the scope of the user's permission HR. */
export function employeeImportHandlers(parts: Parts): HandlersOf<'portal', 'Employee imports'> {
  const { reads, writes } = parts;
  return {
    uploadEmployeeImport: call => upload(parts, call),
    async listEmployeeImports(call) {
      await checkTenant(parts, call);
      const items = await readImports(reads, call.scope.organizationId, call.parameters.id);
      return ok(JSON.stringify({ items }));
    },
    getEmployeeImport: async call => ok(JSON.stringify(await detailsOf(reads, call))),
    listEmployeeImportRows: call => listRows(reads, call),
    async planEmployeeImport(call) {
      const [first = []] = await firstRowsOf(reads, call, await find(reads, call));
      const row = await writes.runUnordered(requestOf(call), (write, session) =>
        beginPlan(write, session, call.parameters.id, { mapping: call.body, first }),
      );
      return begun(parts, call, row, true);
    },
    async applyEmployeeImport(call) {
      await find(reads, call);
      const { row, isQueued } = await writes
        .runUnordered(requestOf(call), (write, session) =>
          beginApply(write, session, call.parameters.id, call.body),
        )
        .catch(throwOpenImport);
      return begun(parts, call, row, isQueued);
    },
    async discardEmployeeImport(call) {
      await find(reads, call);
      const row = await writes.runUnordered(requestOf(call), (write, session) =>
        discardImport(write, session, call.parameters.id),
      );
      return ok(JSON.stringify(await showImport(reads, call.scope.organizationId, row)));
    },
    downloadEmployeeImportReport: call => report(parts, call),
  };
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
  call: CallOf<'uploadEmployeeImport'>,
): Promise<AnswerOf<'uploadEmployeeImport'>> {
  await checkTenant(parts, call);
  const { bytes, fileName } = call.body;
  const dialect = detectDialect(bytes);
  const { id: tenant } = call.parameters;
  const saved = await readSavedMapping(parts.reads, call.scope.organizationId, tenant);
  const { head, count, failure: found } = await inspectFile(bytes, dialect);
  const failure = found ?? failureOfRows({ head, count }, saved);
  const file = { id: newId(), tenant, fileName, failure, dialect, bytes, head };
  const row = await parts.writes
    .runUnordered(requestOf(call), (write, session) => createImport(write, session, file))
    .catch(throwOpenImport);
  const shown = await showImport(parts.reads, call.scope.organizationId, row);
  if (call.dryRun) return ok(JSON.stringify({ ...shown, id: dryRunId }));
  const Location = `${apis.portal.prefix}/employee-imports/${row.id}`;
  return { status: 201, body: JSON.stringify(shown), headers: { Location } };
}

async function detailsOf(reads: Pool, call: ResourceCall): Promise<EmployeeImportDetails> {
  const row = await find(reads, call);
  const { organizationId } = call.scope;
  const [first, ...others] = await firstRowsOf(reads, call, row);
  const { header, mapping, tenant } = row;
  return {
    import: await showImport(reads, organizationId, row),
    columns: (first ?? header).map((name, index) => ({
      name: firstCharacters(name),
      samples: others.map(cells => firstCharacters(cells[index] ?? '')),
    })),
    mapping: mapping ?? proposeMapping(first ?? [], await readSavedMapping(reads, organizationId, tenant)),
    fields: importFields,
  };
}

/** The first rows of a file; none once it was removed. Those of a file of 0.2.0 are read from its beginning. */
async function firstRowsOf(
  reads: Pool,
  { scope: { organizationId } }: ResourceCall,
  row: ImportRow,
): Promise<Head> {
  const key = { organizationId, id: row.id };
  const head = await readHead(reads, key);
  if (head !== null) return head;
  const { value: beginning } = await readFile(reads, key).next();
  return beginning ? (await inspectFile(beginning, row)).head : [];
}

async function listRows(reads: Pool, call: CallOf<'listEmployeeImportRows'>): Promise<OkAnswer> {
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
  call: CallOf<'downloadEmployeeImportReport'>,
): Promise<AnswerOf<'downloadEmployeeImportReport'>> {
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
  await writes.runUnordered(requestOf(call), write => write.audit({ id, action: 'employee_import.export' }));
  return { status: 200, file: { stream, fileName: `import-${id}.csv`, mediaType: 'text/csv', size: null } };
}
