import { newId } from '../../src/db/ids.ts';
import { settingsInput } from '../features/payroll/support.ts';
import type { Sql } from './sql.ts';
import type { TestData } from './test-data.ts';

const creator = { type: 'operator', id: 'operator', name: 'operator' };
const summary = { entries: 0, orders: 0, errors: 0, skipped: 0, questions: 0, sums: [], costCenters: [] };

/** Stores the payroll settings of both tenants, and an empty draft of tenant A, whose identifier it returns. */
export async function storeDraftRun(sql: Sql, { organization, tenantA, tenantB }: TestData): Promise<string> {
  const settings = JSON.stringify(settingsInput);
  for (const tenant of [tenantA, tenantB])
    await sql`
      INSERT INTO payroll_settings (organization_id, tenant_id, version, settings, changed_at)
      VALUES (${organization}, ${tenant}, 1, ${settings}::jsonb, now())`;
  const id = newId();
  await sql`
    INSERT INTO payroll_run
      (organization_id, id, tenant_id, period, formats, status, created_by, created_at, summary, computed_at)
    VALUES (${organization}, ${id}, ${tenantA}, '2026-10', ARRAY['csv'], 'draft', ${JSON.stringify(creator)}::jsonb, now(),
      ${JSON.stringify(summary)}::jsonb, now())`;
  return id;
}
