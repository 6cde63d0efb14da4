import { sql } from '../db/sql.ts';
import type { Where } from './documents.ts';
import type { Finding } from './finding.ts';

interface DocumentRow {
  readonly runId: string;
  /** Null when the run names a document that does not exist. */
  readonly id: string | null;
  readonly rows: string;
  /** The number that the ledger has. */
  readonly entries: string;
}

/**
 * Compares the documents of released runs with the ledger: each run has the documents that it names, and they have as many rows as the ledger
 * has entries. A format with a file per month counts those of its month. Nothing is repaired: vouchers never change.
 */
export async function checkPayroll({ db, organizationId }: Where): Promise<Finding[]> {
  const rows = await db.rows<DocumentRow>(sql`
    SELECT r.id AS "runId", d.id,
      sum(coalesce(d.row_count, 0)) OVER (PARTITION BY r.id, d.format, CASE d.format WHEN 'datev_lug' THEN d.period END)::text AS rows, (
        SELECT count(*) FROM payroll_entry e
        WHERE e.organization_id = ${organizationId} AND e.run_id = r.id
          AND (d.format IS DISTINCT FROM 'datev_lug' OR e.month = d.period))::text AS entries
    FROM payroll_run r CROSS JOIN LATERAL unnest(r.document_ids) AS named (id)
    LEFT JOIN payroll_export_document d ON d.organization_id = ${organizationId} AND d.id = named.id
    WHERE r.organization_id = ${organizationId} AND r.status = 'released'
    ORDER BY r.id, named.id`);
  const findings: Finding[] = [];
  const lost = (kind: string, target: string, problem: string) =>
    findings.push({ check: 'payroll', organizationId, kind, target, problem, outcome: 'lost' });
  for (const { runId, id, rows: count, entries } of rows) {
    if (id === null) lost('payroll_run', runId, 'a document that it names is missing');
    else if (count !== entries)
      lost('payroll_export_document', id, `it says ${count} rows, and the ledger has ${entries}`);
  }
  for (const { id, formats } of await missingFormats({ db, organizationId }))
    lost('payroll_run', id, `it has no document for ${formats.join(', ')}`);
  return findings;
}

/** Released runs, with their formats that have no document, or lack the file of a month. */
function missingFormats({ db, organizationId }: Pick<Where, 'db' | 'organizationId'>) {
  return db.rows<{ id: string; formats: string[] }>(sql`
    SELECT r.id, array_agg(DISTINCT wanted.format ORDER BY wanted.format) AS formats
    FROM payroll_run r CROSS JOIN LATERAL (
      SELECT f.format, NULL AS month FROM unnest(r.formats) AS f (format)
      UNION ALL
      SELECT 'datev_lug', e.month FROM payroll_entry e
      WHERE e.organization_id = ${organizationId} AND e.run_id = r.id AND 'datev_lug' = ANY(r.formats)) AS wanted
    WHERE r.organization_id = ${organizationId} AND r.status = 'released' AND NOT EXISTS (
      SELECT FROM payroll_export_document d
      WHERE d.organization_id = ${organizationId} AND d.id = ANY(r.document_ids) AND d.format = wanted.format
        AND (wanted.month IS NULL OR d.period = wanted.month))
    GROUP BY r.id ORDER BY r.id`);
}
