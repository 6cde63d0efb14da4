import type { UserCreate } from '@kontor/contract';
import { parseKey } from '../../packages/server/src/features/keys/rules.ts';
import { storeEmployees } from '../../packages/server/test/support/employees.ts';
import type { Sql } from '../../packages/server/test/support/sql.ts';
import { signedInUser } from '../../packages/server/test/support/users.ts';
import { testKey } from '../../packages/server/test/support/world.ts';
import { fieldsByPath } from './fields.ts';

/** Keys of each kind of use: those that are deleted or replaced are good for nothing else afterwards. */
const keysEach = 150;

/** What exists for the platform, as the hooks want it: identifiers by the segment of the path, or by the operation. */
export async function fillPlatform(sql: Sql, organizationId: string): Promise<object> {
  const tenants = await idsOf(sql, 'tenant', organizationId);
  const people = await storeEmployees(
    sql,
    organizationId,
    Array.from({ length: 40 }, () => ({ tenant: tenants[0]! })),
  );
  const keys = () => makeKeys(sql, organizationId);
  return {
    organizations: [organizationId],
    tenants,
    employees: people.map(({ id }) => id),
    'api-keys': await keys(),
    deleteApiKey: await keys(),
    replaceApiKey: [...(await keys()), ...(await keys())],
    fields: fieldsByPath('platform'),
  };
}

/** As {@link fillPlatform}, for the portal. */
export async function fillPortal(sql: Sql, organizationId: string): Promise<object> {
  const keys = () => makeKeys(sql, organizationId);
  return {
    tenants: await idsOf(sql, 'tenant', organizationId),
    'api-keys': await keys(),
    deletePortalApiKey: await keys(),
    replacePortalApiKey: [...(await keys()), ...(await keys())],
    fields: fieldsByPath('portal'),
  };
}

/** The secret of the session of a user who may do all that the portal offers. */
export async function signIn(sql: Sql, organizationId: string): Promise<string> {
  const permissions: UserCreate['permissions'] = ['COMPANY_ADMIN', 'IT'];
  return (await signedInUser(sql, organizationId, { permissions })).secret;
}

async function makeKeys(sql: Sql, organizationId: string): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < keysEach; n++) made.push(await testKey(sql, organizationId, 'all'));
  return made.map(text => parseKey(text)!.id);
}

async function idsOf(sql: Sql, table: string, organizationId: string): Promise<string[]> {
  const rows = await sql.unsafe<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = '${organizationId}' ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}
