import type { UserCreate } from '@kontor/contract';
import { createTenant } from '../../../src/features/organizations/store.ts';
import { contractInput, historyInput, orderInput, storeOrders } from './orders.ts';
import { storeEmployees } from './employees.ts';
import { storePayrollSettings } from './payroll-runs.ts';
import { signedInUser } from './users.ts';
import type { ApiClient } from '../contract/client.ts';
import type { Sql } from '../database/sql.ts';

/** A company with payroll of its own, as a company has one open run at a time. `settings` override the settings of all tests; absent: it has none. */
export async function payrollCompany(
  sql: Sql,
  organization: string,
  name = 'Muster Lohn GmbH',
  settings?: object,
): Promise<string> {
  const tenant = await createTenant(sql.database.writes, organization, name);
  if (settings !== undefined) await storePayrollSettings(sql, organization, tenant, settings);
  return tenant;
}

/** A user who does the payroll of the companies in `hrTenants`, by default of all, with the secret of a session. */
export async function payrollUser(
  sql: Sql,
  organization: string,
  {
    name = 'Petra Lang',
    permissions = ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
    hrTenants = null,
  }: Partial<Pick<UserCreate, 'name' | 'permissions' | 'hrTenants'>> = {},
): Promise<{ readonly id: string; readonly key: string }> {
  const isHr = permissions.includes('HR');
  const { user, secret } = await signedInUser(sql, organization, {
    name,
    permissions,
    ...(isHr && { hrTenants }),
  });
  return { id: user.id, key: secret };
}

/** An active order of a new employee, or of the one named in `of`: 83.10 are converted a month, and the benefit is 8.00. */
export async function storeActiveOrder(
  sql: Sql,
  { organization, tenant }: { organization: string; tenant: string },
  { employee = {}, contract = {}, of }: { employee?: object; contract?: object; of?: string } = {},
): Promise<{ employeeId: string; orderId: string }> {
  const name = { firstName: 'Mia', lastName: 'Fischer', employeeNumber: '1234' };
  const employeeId =
    of ?? (await storeEmployees(sql, organization, [{ tenant, ...name, ...employee }]))[0]!.id;
  const days = { startDate: '2026-09-01', endDate: '2029-08-31' };
  const input = orderInput({
    employeeId,
    status: 'active',
    hrHistory: historyInput('approved'),
    contract: contractInput({ contractNumber: 'LV-1', ...days, ...contract }),
  });
  const [order] = await storeOrders(sql, { organizationId: organization, tenantId: tenant }, [input]);
  return { employeeId, orderId: order!.id };
}

interface CheckedMonth {
  readonly tenant: string;
  readonly key: string;
  readonly formats?: string[];
  readonly period?: string;
}

/** Checks a month in the portal, by default October, and returns the identifier of the draft. */
export async function draftPayroll(
  portal: ApiClient,
  { tenant, key, formats = ['csv'], period = '2026-10' }: CheckedMonth,
): Promise<string> {
  const body = { period, formats };
  const { id } = (await portal.post(`/tenants/${tenant}/payroll-runs`, body, { key })).body;
  for (;;) {
    const { run } = (await portal.get(`/payroll-runs/${id}`, { key })).body;
    if (run.status !== 'computing') return id;
  }
}

/** Checks and releases a month in the portal, and returns the identifier of its run. */
export async function releasePayroll(portal: ApiClient, month: CheckedMonth): Promise<string> {
  const { key } = month;
  const id = await draftPayroll(portal, month);
  await portal.request('POST', `/payroll-runs/${id}/release`, { key });
  for (let status = 'releasing'; status === 'releasing';)
    ({ status } = (await portal.get(`/payroll-runs/${id}`, { key })).body.run);
  return id;
}
