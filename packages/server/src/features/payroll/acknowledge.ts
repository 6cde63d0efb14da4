import {
  ApiError,
  type PayrollAcknowledgement,
  type PayrollAcknowledgementCreate,
  type PayrollSummary,
  unprocessable,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, insertion, sql } from '../../db/sql.ts';
import type { Write } from '../../write/writes.ts';
import type { RunKey } from './ledger.ts';
import { actorOf, lockRun } from './runs.ts';

/** Joins findings `f` with their answers `a`. A finding that is not a question has none. */
export function joinAnswers(organizationId: string): Fragment {
  return sql`LEFT JOIN payroll_acknowledgement a ON a.organization_id = ${organizationId}
    AND a.subject_id = f.subject_id AND a.code = f.code AND a.fact = f.fact`;
}

/** How many questions of a run are answered. */
export async function countAnswered(db: Queryable, { organizationId, id }: RunKey): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(a.reason)::int AS count FROM payroll_finding f ${joinAnswers(organizationId)}
    WHERE f.organization_id = ${organizationId} AND f.run_id = ${id} AND f.severity = 'question'`);
  return row!.count;
}

interface Question {
  readonly subjectId: string;
  readonly code: string;
  readonly fact: string;
  readonly employeeId: string | null;
  readonly isAnswered: boolean;
}

/**
 * Answers a question of a draft, for later runs as well. Nothing that is owed changes.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION for a run that is not a draft, 422 VALIDATION_ERROR for another finding
 */
export async function acknowledge(
  write: Write,
  session: Queryable,
  id: string,
  { finding, reason }: PayrollAcknowledgementCreate,
): Promise<PayrollAcknowledgement> {
  const { organizationId } = write;
  const { status, summary } = await lockRun(write, session, id);
  if (status !== 'draft')
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The run is ${status}; questions are answered while it is a draft`,
    );
  const [question] = await session.rows<Question>(sql`
    SELECT f.subject_id AS "subjectId", f.code, f.fact, f.employee_id AS "employeeId", a.reason IS NOT NULL AS "isAnswered"
    FROM payroll_finding f ${joinAnswers(organizationId)}
    WHERE f.organization_id = ${organizationId} AND f.run_id = ${id} AND f.number = ${finding}::bigint AND f.fact IS NOT NULL`);
  if (question === undefined) throw unprocessable('finding must be the number of a question of this run');
  const { subjectId, code, fact, employeeId, isAnswered } = question;
  const acknowledgedBy = actorOf(write.author);
  const row = {
    organization_id: organizationId,
    subject_id: subjectId,
    code,
    fact,
    employee_id: employeeId,
    reason,
    acknowledged_by: JSON.stringify(acknowledgedBy),
    acknowledged_at: write.at,
  };
  write.send(sql`
    INSERT INTO payroll_acknowledgement ${insertion(row)}
    ON CONFLICT (organization_id, subject_id, code, fact) DO UPDATE
    SET reason = excluded.reason, acknowledged_by = excluded.acknowledged_by, acknowledged_at = excluded.acknowledged_at`);
  if (!isAnswered) {
    const { questions, acknowledged } = summary!;
    const counted = { ...summary!, questions: questions - 1, acknowledged: acknowledged + 1 };
    write.send(storeSummary({ organizationId, id }, counted));
  }
  write.audit({ id, action: 'payroll_run.acknowledge', fields: [] });
  return { reason, acknowledgedBy, acknowledgedAt: write.instant };
}

function storeSummary({ organizationId, id }: RunKey, summary: PayrollSummary): Fragment {
  return sql`
    UPDATE payroll_run SET summary = ${JSON.stringify(summary)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${id}`;
}
