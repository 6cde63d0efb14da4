import {
  ApiError,
  type EmployeeCreate,
  type EmployeeEmail,
  type EmployeePatch,
  type ErrorCode,
} from '@kontor/contract';
import { anonymous } from '../../../auth/caller.ts';
import type { Scope } from '../../../auth/scope.ts';
import type { Queryable } from '../../../db/session.ts';
import type { Session } from '../../../db/transaction.ts';
import { runAtClock } from '../../../write/run-at-clock.ts';
import { type Author, decideAll, type Outcome, type WriteAtClock } from '../../../write/writes.ts';
import { employeeCreate } from '../create.ts';
import { employeeUpdate } from '../update.ts';
import type { ImportKey } from './imports.ts';
import { markRows, type RowOutcome, readUnapplied, type StoredRow } from './rows-store.ts';

interface Batch {
  readonly key: ImportKey;
  readonly tenantId: string;
  readonly author: Author;
  readonly max: number;
  readonly newId: () => string;
}

/**
 * Applies the next rows by the rules of creates and updates, and marks them in the same transaction. So each row is applied once, also if
 * the process is killed. A row whose employee has changed since the plan is skipped. Returns how many
 * were applied and skipped.
 */
export async function applyBatch(
  session: Session,
  scope: Scope,
  batch: Batch,
): Promise<{ applied: number; skipped: number }> {
  const { key, author, max } = batch;
  if ((await readUnapplied(session, key, 1)).length === 0) return { applied: 0, skipped: 0 };
  return runAtClock(session, key.organizationId, author, async (write, db) => {
    // Read under the lock: an erasure meanwhile has emptied the rows of its person.
    const rows = await readUnapplied(db, key, max);
    const outcomes = await applyRows(write, db, scope, { ...batch, rows });
    write.send(markRows(key, outcomes));
    const applied = outcomes.filter(({ outcome }) => outcome === 'applied').length;
    return { applied, skipped: rows.length - applied };
  });
}

type Rows = Batch & { readonly rows: readonly StoredRow[] };

async function applyRows(
  write: WriteAtClock,
  db: Queryable,
  scope: Scope,
  { tenantId, rows, newId }: Rows,
): Promise<RowOutcome[]> {
  const left = rows.filter(hasBody);
  const adds = left.filter(({ kind }) => kind === 'add');
  const changes = left.filter(({ kind }) => kind === 'change');
  const call = { scope, tenant: tenantId, caller: anonymous };
  const creates = adds.map(row => ({ ...call, body: bodyOf(row) as EmployeeCreate, id: newId() }));
  const updates = changes.map(row => ({
    ...call,
    parameters: { id: row.employeeId! },
    body: bodyOf(row) as EmployeePatch & Partial<EmployeeEmail>,
    expectedVersion: row.employeeUpdatedAt!.toISOString(),
  }));
  const updated = await decideAll(employeeUpdate, db, write, updates);
  const created = await decideAll(employeeCreate, db, write, creates);
  const erased = rows.filter(row => !hasBody(row));
  return [
    ...erased.map(
      ({ line, employeeId }) => ({ line, employeeId, outcome: 'skipped', reason: 'changed' }) as const,
    ),
    ...adds.map((row, index) => outcomeOf(row, created[index]!, creates[index]!.id)),
    ...changes.map((row, index) => outcomeOf(row, updated[index]!, row.employeeId)),
  ];
}

/** The fields as the plan has checked them against the contract. */
function bodyOf({ changes, emailChange, answer }: StoredRow): object {
  return {
    ...Object.fromEntries(changes.map(({ field, after }) => [field, after])),
    ...(emailChange && answer === 'import' && { email: emailChange.after }),
  };
}

const hasBody = (row: StoredRow) => Object.keys(bodyOf(row)).length > 0;

const reasons: Readonly<Partial<Record<ErrorCode, NonNullable<RowOutcome['reason']>>>> = {
  DUPLICATE_RESOURCE: 'taken',
  INVALID_STATE_TRANSITION: 'changed',
};

/** @throws errors that no rule has caused */
function outcomeOf(row: StoredRow, decided: Outcome<unknown>, employeeId: string | null): RowOutcome {
  const { line } = row;
  if (!('error' in decided)) return { line, employeeId, outcome: 'applied', reason: null };
  if (!(decided.error instanceof ApiError)) throw decided.error;
  const reason = reasons[decided.error.code] ?? 'rejected';
  return { line, employeeId: row.employeeId, outcome: 'skipped', reason };
}
