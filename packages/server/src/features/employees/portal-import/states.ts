import { ApiError, type EmployeeImport } from '@kontor/contract';
import { assignments, type Fragment, sql } from '../../../db/sql.ts';
import type { ImportKey } from './rows-store.ts';

/*
 * The states of an import:
 *
 * | state     |                                                                                  |
 * | --------- | -------------------------------------------------------------------------------- |
 * | uploaded  | the file is stored, its columns are known                                        |
 * | planning  | the job `employee_import_parts` decides each row, in parts of a transaction each |
 * | planned   | waits for a person: answers, apply, plan with another mapping, or discard        |
 * | applying  | the job `employee_import_apply` writes the rows in batches, a transaction each   |
 * | applied   | final: each row has its outcome                                                  |
 * | discarded | final: file and rows are removed                                                 |
 * | failed    | final: the file cannot be read, or the service failed; applied rows stay applied |
 * | stopped   | stored as failed: its user lost the permission HR while it was applied           |
 *
 * A tenant has one import before `applied`, `discarded` and `failed`. Each transition locks the row of the import.
 */

export type ImportStatus = EmployeeImport['status'];
export type ImportState = ImportStatus | 'stopped';

const requested = { plan: 'planned', answer: 'answered', apply: 'applied', discard: 'discarded' } as const;

export type ImportRequest = keyof typeof requested;

/** The other events are those of the jobs. An erasure of a person whom the file may contain discards as well. */
export type ImportEvent = ImportRequest | 'planned' | 'applied' | 'fail';

/** The status after an event. That of the import itself: no transition. Null: a request is rejected, and a job has no effect. */
// prettier-ignore
export const transitions: Readonly<Record<ImportState, Readonly<Record<ImportEvent, ImportStatus | null>>>> = {
  uploaded:  { plan: 'planning', planned: null,      answer: null,      apply: null,       applied: null,      fail: null,     discard: 'discarded' },
  planning:  { plan: null,       planned: 'planned', answer: null,      apply: null,       applied: null,      fail: 'failed', discard: 'discarded' },
  planned:   { plan: 'planning', planned: null,      answer: 'planned', apply: 'applying', applied: null,      fail: null,     discard: 'discarded' },
  applying:  { plan: null,       planned: null,      answer: null,      apply: 'applying', applied: 'applied', fail: 'failed', discard: null },
  applied:   { plan: null,       planned: null,      answer: null,      apply: 'applied',  applied: null,      fail: null,     discard: null },
  discarded: { plan: null,       planned: null,      answer: null,      apply: null,       applied: null,      fail: null,     discard: 'discarded' },
  failed:    { plan: null,       planned: null,      answer: null,      apply: null,       applied: null,      fail: null,     discard: null },
  stopped:   { plan: null,       planned: null,      answer: null,      apply: 'applying', applied: null,      fail: null,     discard: null },
};

type Moving = Pick<EmployeeImport, 'status' | 'failure' | 'counts'>;

/** Whether a request changes an import. False: it is already where the request leads to. @throws ApiError INVALID_STATE_TRANSITION */
export function checkMove({ status, failure, counts }: Moving, event: ImportRequest): boolean {
  const isStopped = status === 'failed' && failure?.reason === 'permission' && counts !== null;
  const next = transitions[isStopped ? 'stopped' : status][event];
  if (next !== null) return next !== status;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    `The import is ${status} and cannot be ${requested[event]}; read it again`,
  );
}

/** Whether the status of a row is one that the event ends. */
export function isBefore(event: ImportEvent): Fragment {
  const states = (Object.keys(transitions) as ImportState[]).filter(
    state => ![null, state].includes(transitions[state][event]),
  );
  const stored = states.map(state => (state === 'stopped' ? 'failed' : state));
  return sql`status = ANY(${stored}::text[])`;
}

/** The statement with which a job ends its work on an import. It changes no import that was discarded meanwhile. */
export function endWork(
  event: 'planned' | 'applied' | 'fail',
  { organizationId, id }: ImportKey,
  values: Readonly<Record<string, unknown>>,
): Fragment {
  const status = ({ planned: 'planned', applied: 'applied', fail: 'failed' } as const)[event];
  return sql`
    UPDATE employee_import SET ${assignments({ status, ...values })}
    WHERE organization_id = ${organizationId} AND id = ${id} AND ${isBefore(event)}`;
}

/** Whether a job works on an import, or is queued to do so. */
export function isInProgress({ status }: Pick<EmployeeImport, 'status'>): boolean {
  return status === 'planning' || status === 'applying';
}
