import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '@kontor/tabular';
import {
  ApiError,
  type EmployeeImport,
  type EmployeeImportAnswers,
  type EmployeeImportApply,
  type EmployeeImportCounts,
  type EmployeeImportFailure,
  type EmployeeImportMapping,
  importsMaximum,
  unprocessable,
} from '@kontor/contract';
import { findInScope } from '../../../auth/find-in-scope.ts';
import type { Scope } from '../../../auth/scope.ts';
import { violatedConstraint } from '../../../db/failure.ts';
import type { Queryable } from '../../../db/session.ts';
import { assignments, insertion, sql } from '../../../db/sql.ts';
import { cancelJob, queueJob, readProgress } from '../../../jobs/background.ts';
import { showInstants } from '../../../lib/render-row.ts';
import type { Write } from '../../../write/writes.ts';
import { type Filled, failureOf, type Head } from '../../../imports/file.ts';
import { checkMapping, headerOf, type SavedMapping, savedMapping } from './columns.ts';
import { type ImportKey, readQuestions, storeAnswer } from './rows-store.ts';
import { checkMove, type ImportStatus, isInProgress } from './states.ts';

export type { ImportKey };

export interface ImportRow {
  readonly id: string;
  readonly tenant: string;
  readonly status: ImportStatus;
  readonly fileName: string;
  readonly encoding: Dialect['encoding'];
  readonly delimiter: Dialect['delimiter'];
  readonly header: readonly string[];
  readonly mapping: EmployeeImportMapping | null;
  readonly counts: EmployeeImportCounts | null;
  readonly failure: EmployeeImportFailure | null;
  readonly createdBy: EmployeeImport['createdBy'];
  readonly createdAt: Date;
  readonly appliedBy: EmployeeImport['appliedBy'];
  readonly endedAt: Date | null;
  readonly expiresAt: Date;
}

const columns = sql`id, tenant_id AS tenant, status, file_name AS "fileName", encoding, delimiter, header, mapping, counts, failure,
  created_by AS "createdBy", created_at AS "createdAt", applied_by AS "appliedBy", ended_at AS "endedAt", expires_at AS "expiresAt"`;

/** Days for which a file waits for its import, and for which a report is kept. */
const openDays = 7;
export const reportDays = 30;

const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * 24 * 3600 * 1000);

export const reportExpiry = (at: Date) => daysAfter(at, reportDays);

/** More than a tenth of the employees would change. */
function needsConfirmation({ status, counts }: Pick<ImportRow, 'status' | 'counts'>): boolean {
  return status === 'planned' && counts !== null && counts.changes * 10 > counts.employees;
}

/** The background job of a plan. 0.2.0 has `employee_import_plan`, which plans in one transaction. */
export const planJob = 'employee_import_parts';

/** An import in scope; null for one that does not exist or is of a tenant out of scope. */
export async function findImport(db: Queryable, scope: Scope, id: string): Promise<ImportRow | null> {
  const wanted = { table: 'employee_import', scope, tenant: null, id };
  const row = await findInScope<ImportRow>(db, wanted, columns);
  return row && completeRow(row);
}

/** An import of a job, or null for one that was removed meanwhile. */
export async function readImport(
  db: Queryable,
  { organizationId, id }: ImportKey,
): Promise<ImportRow | null> {
  const [row] = await db.rows<ImportRow>(sql`
    SELECT ${columns} FROM employee_import WHERE organization_id = ${organizationId} AND id = ${id}`);
  return row ? completeRow(row) : null;
}

/** Completes what 0.2.0 has stored. */
function completeRow(row: ImportRow): ImportRow {
  const { mapping, counts, failure } = row;
  return {
    ...row,
    mapping: mapping && completeMapping(mapping),
    counts: counts && { ...counts, questions: counts.questions ?? 0, accepted: counts.accepted ?? 0 },
    failure: failure && completeFailure(failure),
  };
}

/** 0.2.0 has `hasHeader`, and reads no `headerRow`. */
type StoredMapping = EmployeeImportMapping & { readonly hasHeader?: boolean };

function completeMapping({ hasHeader, ...mapping }: StoredMapping): EmployeeImportMapping {
  return {
    ...mapping,
    headerRow: mapping.headerRow ?? (hasHeader && mapping.headerRow === undefined ? 1 : null),
  };
}

const storedMapping = (mapping: EmployeeImportMapping): string =>
  JSON.stringify({ ...mapping, hasHeader: mapping.headerRow !== null } satisfies StoredMapping);

/** 0.2.0 rejects a file with a name twice, and names the column. */
function completeFailure({ reason, line, column, ...place }: EmployeeImportFailure): EmployeeImportFailure {
  const isOld = typeof column === 'string';
  return failureOf(isOld ? 'internal' : reason, isOld ? {} : { ...place, line, column });
}

export async function readImports(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<EmployeeImport[]> {
  const rows = await db.rows<ImportRow>(sql`
    SELECT ${columns} FROM employee_import WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}
    ORDER BY id DESC LIMIT ${importsMaximum}`);
  return Promise.all(rows.map(row => showImport(db, organizationId, completeRow(row))));
}

/** The import as the contract shows it. */
export async function showImport(
  db: Queryable,
  organizationId: string,
  row: ImportRow,
): Promise<EmployeeImport> {
  const { header: _header, mapping: _mapping, ...shown } = row;
  return {
    ...showInstants(shown),
    progress: isInProgress(row) ? await readProgress(db, { organizationId, id: row.id }) : null,
    needsConfirmation: needsConfirmation(row),
  };
}

const actorOf = ({ author: { actor } }: Write) => ({ type: actor.type, id: actor.id, name: actor.name });

export interface NewImport extends Pick<ImportRow, 'id' | 'tenant' | 'fileName' | 'failure'> {
  readonly dialect: Dialect;
  readonly bytes: Buffer;
  readonly head: Head;
  readonly filled: Filled;
}

/** Stores an uploaded file. The bytes of one that failed are not kept. */
export async function createImport(
  write: Write,
  session: Queryable,
  { id, tenant, fileName, failure, dialect, bytes, head, filled }: NewImport,
): Promise<ImportRow> {
  const { organizationId, at } = write;
  const open = await session.rows<{ id: string }>(sql`
    SELECT id FROM employee_import WHERE organization_id = ${organizationId} AND tenant_id = ${tenant}
      AND status IN ('uploaded', 'planning', 'planned', 'applying')`);
  if (open.length > 0) throw openImport();
  const [status, endedAt] = failure === null ? (['uploaded', null] as const) : (['failed', at] as const);
  const expiresAt = failure === null ? daysAfter(at, openDays) : reportExpiry(at);
  write.send(
    sql`INSERT INTO employee_import ${insertion({
      organization_id: organizationId,
      id,
      tenant_id: tenant,
      status,
      file_name: fileName,
      ...dialect,
      // Only a plan says whether the first row has names of columns, or is a person.
      header: '[]',
      failure: failure && JSON.stringify(failure),
      created_by: JSON.stringify(actorOf(write)),
      created_at: at,
      ended_at: endedAt,
      expires_at: expiresAt,
    })}`,
  );
  if (failure === null)
    write.send(sql`
      INSERT INTO employee_import_file ${insertion({
        organization_id: organizationId,
        import_id: id,
        bytes,
        head: JSON.stringify(head),
        filled: JSON.stringify(filled),
      })}`);
  write.audit({ id, action: 'employee_import.create' });
  const none = { mapping: null, counts: null, appliedBy: null };
  const stored = { id, tenant, status, fileName, ...dialect, header: [], failure, endedAt, expiresAt };
  return { ...none, ...stored, createdBy: actorOf(write), createdAt: at };
}

/** Converts the violation by an upload at the same time. @throws ApiError DUPLICATE_RESOURCE for it, else the error */
export function throwOpenImport(error: unknown): never {
  throw violatedConstraint(error) === 'employee_import_open' ? openImport() : error;
}

function openImport(): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', 'The tenant has an open import: apply or discard it first');
}

/** Locks an import that was found in scope. A tenant never changes. @throws ApiError NOT_FOUND when it was removed meanwhile */
async function lockImport(session: Queryable, { organizationId, id }: ImportKey): Promise<ImportRow> {
  const [row] = await session.rows<ImportRow>(sql`
    SELECT ${columns} FROM employee_import WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`);
  if (row) return completeRow(row);
  throw new ApiError('NOT_FOUND', 'No employee import with this id is visible to the user');
}

/**
 * Queues the plan of an import. `head` has the first rows of the file.
 * @throws ApiError INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR for a mapping that cannot be used
 */
export async function beginPlan(
  write: Write,
  session: Queryable,
  id: string,
  { mapping, head }: { mapping: EmployeeImportMapping; head: Head },
): Promise<ImportRow> {
  const { organizationId } = write;
  const row = await lockImport(session, { organizationId, id });
  checkMove(row, 'plan');
  checkMapping(head, mapping);
  const header = headerOf(head, mapping.headerRow);
  removeRows(write, id);
  const planning = { mapping: storedMapping(mapping), header: JSON.stringify(header), counts: null };
  change(write, id, { status: 'planning', ...planning });
  queueJob(write, { id, type: planJob });
  write.audit({ id, action: 'employee_import.plan' });
  return { ...row, status: 'planning', mapping, header, counts: null };
}

/**
 * Queues the application of a plan, or of the rest of one. An import that is being applied stays as it is.
 * A plan of another mapping than that of the request is one that its user has not seen.
 * @throws ApiError INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR when more than a tenth would change and the number is not confirmed
 */
export async function beginApply(
  write: Write,
  session: Queryable,
  id: string,
  { confirmedChanges, mapping }: EmployeeImportApply,
): Promise<{ row: ImportRow; isQueued: boolean }> {
  const { organizationId } = write;
  const row = await lockImport(session, { organizationId, id });
  if (!checkMove(row, 'apply')) return { row, isQueued: false };
  if (mapping !== undefined && !isDeepStrictEqual(mapping, row.mapping))
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'The import was planned with another mapping in the meantime; read it again',
    );
  const { changes, employees } = row.counts!;
  if (needsConfirmation(row) && confirmedChanges !== changes)
    throw unprocessable(
      `confirmedChanges must be ${changes}: the import changes ${changes} of ${employees} employees, more than a tenth`,
    );
  const appliedBy = actorOf(write);
  const applying = { status: 'applying', failure: null, endedAt: null } as const;
  change(write, id, {
    status: applying.status,
    failure: null,
    ended_at: null,
    applied_by: JSON.stringify(appliedBy),
  });
  saveMapping(write, row);
  removeFile(write, id);
  queueJob(write, { id, type: 'employee_import_apply' });
  write.audit({ id, action: 'employee_import.apply' });
  return { row: { ...row, ...applying, appliedBy }, isQueued: true };
}

/** Saves the mapping for the next file of the tenant. One without names of columns helps no other file. */
function saveMapping(write: Write, { tenant, header, mapping }: ImportRow): void {
  if (mapping === null || mapping.headerRow === null) return;
  const saved = JSON.stringify(savedMapping(header, mapping));
  write.send(sql`
    INSERT INTO employee_import_mapping (organization_id, tenant_id, mapping)
    VALUES (${write.organizationId}, ${tenant}, ${saved}::jsonb)
    ON CONFLICT (organization_id, tenant_id) DO UPDATE SET mapping = excluded.mapping`);
}

/**
 * Stores the answer to questions, by their lines or to all of them. An accepted question is an add or a change.
 * @throws ApiError INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR for a line without a question
 */
export async function answerQuestions(
  write: Write,
  session: Queryable,
  id: string,
  { answer, lines }: EmployeeImportAnswers,
): Promise<ImportRow> {
  const key = { organizationId: write.organizationId, id };
  const row = await lockImport(session, key);
  checkMove(row, 'answer');
  const before = await readQuestions(session, key, lines ?? null);
  const unknown = lines?.find(line => !before.some(question => question.line === line));
  if (unknown !== undefined) throw unprocessable(`lines: the import has no question in line ${unknown}`);
  write.send(storeAnswer(key, answer, before));
  const accepts = answer === 'import' ? 1 : 0;
  const counts = { ...row.counts! };
  for (const { employeeId, answer: last, isChangedAnyway } of before) {
    const difference = accepts - (last === 'import' ? 1 : 0);
    counts.accepted += difference;
    if (!isChangedAnyway) counts[employeeId === null ? 'adds' : 'changes'] += difference;
  }
  change(write, id, { counts: JSON.stringify(counts) });
  write.audit({ id, action: 'employee_import.answer' });
  return { ...row, counts };
}

/** Removes file and plan. @throws ApiError INVALID_STATE_TRANSITION for an import that is being applied, or has ended otherwise */
export async function discardImport(write: Write, session: Queryable, id: string): Promise<ImportRow> {
  const { organizationId, at } = write;
  const row = await lockImport(session, { organizationId, id });
  if (!checkMove(row, 'discard')) return row;
  cancelJob(statement => write.send(statement), { organizationId, id });
  const expiresAt = reportExpiry(at);
  change(write, id, { status: 'discarded', counts: null, ended_at: at, expires_at: expiresAt });
  removeFile(write, id);
  removeRows(write, id);
  write.audit({ id, action: 'employee_import.discard' });
  return { ...row, status: 'discarded', counts: null, endedAt: at, expiresAt };
}

function change(write: Write, id: string, values: Readonly<Record<string, unknown>>): void {
  write.send(sql`
    UPDATE employee_import SET ${assignments(values)}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
}

function removeFile(write: Write, id: string): void {
  const { organizationId } = write;
  write.send(sql`
    DELETE FROM employee_import_file WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

function removeRows(write: Write, id: string): void {
  const { organizationId } = write;
  write.send(sql`
    DELETE FROM employee_import_row WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

/** The last mapping of a tenant; null before the first one. */
export async function readSavedMapping(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<SavedMapping | null> {
  const [row] = await db.rows<{ mapping: SavedMapping }>(sql`
    SELECT mapping FROM employee_import_mapping
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
  return row?.mapping ?? null;
}
