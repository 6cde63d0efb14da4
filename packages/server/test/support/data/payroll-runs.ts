import type { PayrollSettingsInput } from '@kontor/contract';
import { newId } from '../../../src/db/ids.ts';
import { storedSettings } from '../../../src/features/payroll/settings.ts';
import { settingsInput } from '../../features/payroll/support.ts';
import type { Sql } from '../database/sql.ts';

const creator = { type: 'operator', id: 'operator', name: 'operator' };
const summary = {
  entries: 0,
  orders: 0,
  errors: 0,
  skipped: 0,
  questions: 1,
  acknowledged: 0,
  sums: [],
  costCenters: [],
};

/** Stores the payroll settings of a tenant. */
export async function storePayrollSettings(
  sql: Sql,
  organization: string,
  tenant: string,
  more: object = {},
): Promise<void> {
  const settings = storedSettings({ ...settingsInput, ...more } as PayrollSettingsInput);
  await sql`
    INSERT INTO payroll_settings (organization_id, tenant_id, version, settings, changed_at)
    VALUES (${organization}, ${tenant}, 1, ${JSON.stringify(settings)}::jsonb, now())
    ON CONFLICT DO NOTHING`;
}

/** Stores a draft of a tenant with one question, and returns its identifier. */
export async function storeDraftRun(sql: Sql, organization: string, tenant: string): Promise<string> {
  const id = newId();
  await sql`
    INSERT INTO payroll_run
      (organization_id, id, tenant_id, period, formats, status, created_by, created_at, summary, computed_at)
    VALUES (${organization}, ${id}, ${tenant}, '2026-10', ARRAY['csv'], 'draft', ${JSON.stringify(creator)}::jsonb, now(),
      ${JSON.stringify(summary)}::jsonb, now())`;
  await sql`
    INSERT INTO payroll_finding (organization_id, run_id, number, severity, code, month, subject_id, fact)
    VALUES (${organization}, ${id}, 1, 'question', 'skipped_month', '2026-09', ${tenant}, '2026-09')`;
  return id;
}

/** Stores a released run of September without entries, and returns its identifier. */
export async function storeReleasedRun(sql: Sql, organization: string, tenant: string): Promise<string> {
  const id = newId();
  await sql`
    INSERT INTO payroll_run (organization_id, id, tenant_id, period, formats, status, created_by, created_at, summary,
      computed_at, released_by, released_at)
    VALUES (${organization}, ${id}, ${tenant}, '2026-09', ARRAY['csv'], 'released', ${JSON.stringify(creator)}::jsonb, now(),
      ${JSON.stringify(summary)}::jsonb, now(), ${JSON.stringify(creator)}::jsonb, now())`;
  return id;
}

/** Stores a released amount with its basis, made in the month that it is about. */
export async function storePayrollEntry(
  sql: Sql,
  entry: { organization: string; tenantId: string; employeeId: string; orderId: string; month: string },
): Promise<void> {
  const { organization, tenantId, employeeId, orderId, month } = entry;
  const runId = newId();
  const basis = JSON.stringify({ contractNumber: 'LV-7', salaryConversion: '83.10' });
  await sql`
    INSERT INTO payroll_basis (organization_id, order_id, version, basis, run_id)
    VALUES (${organization}, ${orderId}, 1, ${basis}::jsonb, ${runId})`;
  await sql`
    INSERT INTO payroll_entry (organization_id, order_id, month, kind, run_id, source, tenant_id, employee_id, cents,
      contract_number, personnel_number, wage_type, sign, basis_version, created_at)
    VALUES (${organization}, ${orderId}, ${month}, 'salary_conversion', ${runId}, 'run', ${tenantId}, ${employeeId}, 8310,
      'LV-7', '1234', '3010', -1, 1, ${`${month}-20T10:00:00Z`})`;
}

/** Stores a proposed settlement or, without an employee, proposed settings, and returns its identifier. */
export async function storePayrollProposal(
  sql: Sql,
  organization: string,
  {
    tenant,
    employeeId = null,
    reason = 'x',
  }: { tenant: string; employeeId?: string | null; reason?: string },
): Promise<string> {
  const id = newId();
  const settlement = {
    orderId: 'f'.repeat(24),
    month: '2026-09',
    kind: 'salary_conversion',
    amount: '83.10',
  };
  const content =
    employeeId === null
      ? { settings: { ...settingsInput, from: '2026-10', cutOffDay: 9 }, changes: [], expectedVersion: 1 }
      : { settlement: { ...settlement, meaning: 'paid_elsewhere', reason } };
  await sql`
    INSERT INTO payroll_proposal
      (organization_id, id, tenant_id, employee_id, content, status, proposed_by, proposed_at)
    VALUES (${organization}, ${id}, ${tenant}, ${employeeId}, ${JSON.stringify(content)}::jsonb, 'open',
      ${JSON.stringify(creator)}::jsonb, now())`;
  return id;
}

/** Stores the answer to a question that payroll asked about an employee. */
export async function storeAnswer(
  sql: Sql,
  organization: string,
  employeeId: string,
  reason: string,
): Promise<void> {
  await sql`
    INSERT INTO payroll_acknowledgement
      (organization_id, subject_id, code, fact, employee_id, reason, acknowledged_by, acknowledged_at)
    VALUES (${organization}, ${employeeId}, 'leave_open', '2026-09-01', ${employeeId}, ${reason},
      ${JSON.stringify(creator)}::jsonb, now())`;
}
