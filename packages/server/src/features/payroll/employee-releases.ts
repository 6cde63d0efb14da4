import { type EmployeeRelease, employeeReleasesMaximum, type PayrollExportDocument } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { raw, sql } from '../../db/sql.ts';
import { amount } from '../../lib/money.ts';

interface ReleaseRow extends Pick<EmployeeRelease, 'runId' | 'tenant' | 'period'> {
  readonly releasedAt: Date;
  readonly documentIds: string[];
  readonly sums: readonly { kind: EmployeeRelease['sums'][number]['kind']; cents: string }[];
}

interface Reading {
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly employeeId: string;
  readonly readDocuments: (scope: Scope, ids: readonly string[]) => Promise<PayrollExportDocument[]>;
}

/** The last released runs in scope with amounts of an employee, the newest first. */
export async function readEmployeeReleases(
  db: Queryable,
  { scope, tenant, employeeId, readDocuments }: Reading,
): Promise<EmployeeRelease[]> {
  const rows = await db.rows<ReleaseRow>(sql`
    SELECT r.id AS "runId", r.tenant_id AS tenant, r.period, r.released_at AS "releasedAt",
      r.document_ids AS "documentIds", e.sums
    FROM (
      SELECT run_id, json_agg(json_build_object('kind', kind, 'cents', cents::text) ORDER BY kind) AS sums FROM (
        SELECT run_id, kind, sum(cents) AS cents FROM payroll_entry
        WHERE organization_id = ${scope.organizationId} AND employee_id = ${employeeId} AND source = 'run'
        GROUP BY run_id, kind) AS of_kind
      GROUP BY run_id) AS e
    JOIN (
      SELECT id, tenant_id, period, released_at, document_ids FROM payroll_run
      WHERE ${scopePredicate(scope, tenant)} AND status = 'released') AS r ON r.id = e.run_id
    ORDER BY r.released_at DESC, r.id DESC ${raw(`LIMIT ${employeeReleasesMaximum}`)}`);
  const documents = await readDocuments(
    scope,
    rows.flatMap(({ documentIds }) => documentIds),
  );
  return rows.map(({ releasedAt, documentIds, sums, ...release }) => ({
    ...release,
    releasedAt: releasedAt.toISOString(),
    sums: sums.map(({ kind, cents }) => ({ kind, amount: amount(BigInt(cents)) })),
    files: documents.filter(({ id }) => documentIds.includes(id)),
  }));
}
