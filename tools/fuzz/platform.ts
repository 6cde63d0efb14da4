import { parseKey } from '../../packages/server/src/features/keys/rules.ts';
import { storeEmployees } from '../../packages/server/test/support/employees.ts';
import type { Sql } from '../../packages/server/test/support/sql.ts';
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
  const keys = async () => {
    const made: string[] = [];
    for (let n = 0; n < keysEach; n++) made.push(await testKey(sql, organizationId, 'all'));
    return made.map(text => parseKey(text)!.id);
  };
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

async function idsOf(sql: Sql, table: string, organizationId: string): Promise<string[]> {
  const rows = await sql.unsafe<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = '${organizationId}' ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}
