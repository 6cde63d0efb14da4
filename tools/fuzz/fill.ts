import { parseKey } from '../../packages/server/src/auth/api-keys.ts';
import { createTenant } from '../../packages/server/src/features/organizations/store.ts';
import { storeEmployees } from '../../packages/server/test/support/data/employees.ts';
import { storeDraftRun } from '../../packages/server/test/support/data/payroll-runs.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { testKey } from '../../packages/server/test/support/data/test-data.ts';
import { fieldsByPath } from './fields.ts';
import { fillIncidents, fillOrders, type Place } from './fill-orders.ts';
import { fillPasskeys, fillSessions, fillSignIns, fillUsers } from './fill-users.ts';

/** Keys of each kind of use: those that are deleted or replaced are good for nothing else afterwards. */
const keysEach = 150;

/** Tenants that lose their rule, and employees without a tenant who get one: each once. */
const rules = 60;
const employeeCount = 40;

/** What exists for the platform, as the hooks want it: identifiers by the segment of the path, or by the operation. */
export async function fillPlatform(sql: Sql, place: Place): Promise<object> {
  const { organizationId } = place;
  const tenants = await queryIds(sql, 'tenant', organizationId);
  const employees = (tenant: string | null, count = employeeCount) =>
    makeEmployees(sql, organizationId, tenant, count);
  const ruled = await makeRules(sql, place);
  const keys = () => makeKeys(sql, organizationId);
  return {
    organizations: [organizationId],
    tenants,
    divisions: await queryIds(sql, 'division', organizationId),
    employees: await employees(tenants[0]!),
    assignEmployee: await employees(null, 2 * employeeCount),
    'api-keys': await keys(),
    deleteApiKey: await keys(),
    replaceApiKey: [...(await keys()), ...(await keys())],
    getDecisionRule: ruled,
    applyDecisionRule: ruled,
    removeDecisionRule: ruled,
    ...(await fillOrders(sql, place)),
    ...(await fillIncidents(sql, place)),
    'payroll-runs': [await storeDraftRun(sql, organizationId, tenants.at(-1)!)],
    ...(await fillUsers(sql, organizationId, ['users', 'deleteUser', 'inviteUser'])),
    fields: fieldsByPath('platform'),
  };
}

/** As {@link fillPlatform}, for the portal. */
export async function fillPortal(sql: Sql, organizationId: string, userId: string): Promise<object> {
  const keys = () => makeKeys(sql, organizationId);
  return {
    tenants: await queryIds(sql, 'tenant', organizationId),
    divisions: await queryIds(sql, 'division', organizationId),
    'api-keys': await keys(),
    deletePortalApiKey: await keys(),
    replacePortalApiKey: [...(await keys()), ...(await keys())],
    ...(await fillUsers(sql, organizationId, ['users', 'deletePortalUser', 'invitePortalUser'])),
    ...(await fillSignIns(sql, organizationId)),
    ...(await fillPasskeys(sql, organizationId, userId)),
    secrets: await fillSessions(sql, organizationId, userId),
    fields: fieldsByPath('portal'),
  };
}

async function makeEmployees(
  sql: Sql,
  organizationId: string,
  tenant: string | null,
  count: number,
): Promise<string[]> {
  const stored = await storeEmployees(
    sql,
    organizationId,
    Array.from({ length: count }, () => ({ tenant })),
  );
  return stored.map(({ id }) => id);
}

/** Tenants with a rule for automatic decisions. */
async function makeRules(sql: Sql, { organizationId, platform }: Place): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < rules; n++) {
    const id = await createTenant(sql, organizationId, `Muster ${n} GmbH`);
    const path = `/organizations/${organizationId}/tenants/${id}/decision-rule`;
    await platform.post(path, { approveUpTo: '80.00', rejectAbove: '150.00' });
    made.push(id);
  }
  return made;
}

async function makeKeys(sql: Sql, organizationId: string): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < keysEach; n++) made.push(await testKey(sql, organizationId, 'all'));
  return made.map(text => parseKey(text)!.id);
}

async function queryIds(sql: Sql, table: string, organizationId: string): Promise<string[]> {
  const rows = await sql.unsafe<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = '${organizationId}' ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}
