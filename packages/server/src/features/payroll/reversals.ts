import { ApiError, type PayrollReversalCreate, type PayrollRun, unprocessable } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { TenantKey } from './settings.ts';

/**
 * Returns the amounts that a reversal is about. @throws ApiError 422 VALIDATION_ERROR for neither a run nor an employee with months, INVALID_REFERENCE
 */
export async function checkReversed(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
  wanted: PayrollReversalCreate,
): Promise<NonNullable<PayrollRun['reverses']>> {
  const { period, runId = null, employeeId = null, firstMonth = null, lastMonth = null } = wanted;
  const isOfRun = runId !== null && employeeId === null && firstMonth === null && lastMonth === null;
  const isOfEmployee = runId === null && employeeId !== null;
  if (!isOfRun && !isOfEmployee) throw unprocessable('Give either runId, or employeeId with the months');
  const last = lastMonth ?? period;
  if ((firstMonth ?? last) > last || last > period)
    throw unprocessable('lastMonth must be neither before firstMonth nor after period');
  const found = await db.run(
    isOfRun
      ? sql`SELECT FROM payroll_run WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id = ${runId}
          AND status = 'released' AND period <= ${period}`
      : sql`SELECT FROM employee WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id = ${employeeId}`,
  );
  if (found > 0) return { runId, employeeId, firstMonth, lastMonth };
  const place = isOfRun ? 'runId must name a released run' : 'employeeId must name an employee';
  throw new ApiError('INVALID_REFERENCE', `${place} of the tenant${isOfRun ? ', not after period' : ''}`);
}
