import { createKey } from '../../../src/cli/access/key.ts';
import type { Sql } from '../database/sql.ts';
import { createDivision } from '../../../src/features/divisions/store.ts';
import { createOrganization, createTenant } from '../../../src/features/organizations/store.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { operator } from '../../../src/write/writes.ts';

/** The pepper of all keys in tests. */
export const testPepper = Buffer.from('the pepper of all tests, and no secret');

/** What a test key may see: all, or tenants (all divisions) and divisions of tenants. */
export type TestGrants = 'all' | { tenants?: string[]; divisions?: { tenant: string; id: string }[] };

/** Creates a key of the organization and answers its text. */
export async function testKey(
  sql: Sql,
  organizationId: string,
  grants: TestGrants,
  quota: { requests: number; seconds: number } | null = null,
): Promise<string> {
  const rows =
    grants === 'all'
      ? 'all'
      : [
          ...(grants.tenants ?? []).map(tenantId => ({ tenantId, divisionId: null })),
          ...(grants.divisions ?? []).map(({ tenant, id }) => ({ tenantId: tenant, divisionId: id })),
        ];
  return (await createKey(sql, testPepper, { organizationId, name: 'test', quota, grants: rows })).key;
}

/** Creates a division below a parent (null: a root) and answers its identifier. */
export function testDivision(
  sql: Sql,
  place: { organizationId: string; tenantId: string; parentId?: string | null },
  name: string,
): Promise<string> {
  return runAtClock(sql, place.organizationId, operator, (write, session) =>
    createDivision(write, session, { parentId: null, ...place, name }),
  );
}

/**
 * An organization with two tenants. Tenant A has the divisions sales (with north below it) and support; tenant B has one.
 * A second organization with a tenant and a division stands for everybody else.
 */
export interface TestData {
  readonly organization: string;
  readonly tenantA: string;
  readonly tenantB: string;
  readonly sales: string;
  readonly north: string;
  readonly support: string;
  readonly lager: string;
  readonly foreign: { organization: string; tenant: string; division: string };
  readonly keys: {
    readonly all: string;
    readonly tenantA: string;
    readonly sales: string;
    readonly salesAndSupport: string;
    readonly foreign: string;
  };
}

export async function insertTestData(sql: Sql): Promise<TestData> {
  const organization = await createOrganization(sql, 'Muster Holding');
  const tenantA = await createTenant(sql, organization, 'Muster GmbH');
  const tenantB = await createTenant(sql, organization, 'Muster Logistik GmbH');
  const inA = { organizationId: organization, tenantId: tenantA };
  const sales = await testDivision(sql, inA, 'Sales');
  const north = await testDivision(sql, { ...inA, parentId: sales }, 'North');
  const support = await testDivision(sql, inA, 'Support');
  const lager = await testDivision(sql, { organizationId: organization, tenantId: tenantB }, 'Lager');
  const foreign = await createForeign(sql);
  const keys = {
    all: await testKey(sql, organization, 'all'),
    tenantA: await testKey(sql, organization, { tenants: [tenantA] }),
    sales: await testKey(sql, organization, { divisions: [{ tenant: tenantA, id: sales }] }),
    salesAndSupport: await testKey(sql, organization, {
      divisions: [
        { tenant: tenantA, id: sales },
        { tenant: tenantA, id: support },
      ],
    }),
    foreign: await testKey(sql, foreign.organization, 'all'),
  };
  return { organization, tenantA, tenantB, sales, north, support, lager, foreign, keys };
}

async function createForeign(sql: Sql) {
  const organization = await createOrganization(sql, 'Anders AG');
  const tenant = await createTenant(sql, organization, 'Anders AG');
  const division = await testDivision(sql, { organizationId: organization, tenantId: tenant }, 'Einkauf');
  return { organization, tenant, division };
}

/** Everything that a dry run or a rejected request must leave alone, as comparable text. That it was rejected may be audited. */
export async function stateOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ state: string }[]>`
    SELECT jsonb_build_object(
      'clocks', (SELECT jsonb_agg(to_jsonb(o) ORDER BY id) FROM organization o),
      'employees', (SELECT jsonb_agg(to_jsonb(e) ORDER BY organization_id, id) FROM employee e),
      'divisions', (SELECT jsonb_agg(to_jsonb(d) ORDER BY organization_id, id) FROM division d),
      'lines', (SELECT jsonb_agg(to_jsonb(l) ORDER BY organization_id, ancestor_id, division_id) FROM division_ancestor l),
      'orders', (SELECT jsonb_agg(to_jsonb(o) ORDER BY organization_id, id) FROM employee_order o),
      'counters', (SELECT jsonb_agg(to_jsonb(c) ORDER BY organization_id, resource_type, scope) FROM counter c),
      'audit', (SELECT jsonb_agg(to_jsonb(a) ORDER BY organization_id, at, target_id) FROM audit a WHERE outcome = 'done')
    )::text AS state`;
  return row!.state;
}
