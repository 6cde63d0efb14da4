import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getEmployee } from '@kontor/contract';
import { type Fragment, sql } from '../../src/db/sql.ts';
import { apiClient } from '../support/contract/client.ts';
import { useFixture } from '../support/service/fixture.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { startService } from '../support/service/service.ts';
import { recordingPool, rewritingPool } from '../support/database/sql.ts';
import { testKey } from '../support/data/test-data.ts';
import { readWholeDatabase } from '../support/database/whole-database.ts';
import { type Asker, leaksOf, listedHidden, lists, operationsOnRows, type Watched } from './hidden-rows.ts';
import { build } from './organization.ts';
import type { EmployeePlan, OrganizationPlan } from './plan.ts';

/** Asks each operation that the contract has, by its declaration alone, so that a new one is asked too. */

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
const fixture = useFixture(prepare);

/** Two divisions of one tenant and one of another; in each of them one row of every resource type. */
const places = [
  { tenant: 0, division: 0 },
  { tenant: 0, division: 1 },
  { tenant: 1, division: 0 },
];
const active = { account: 'active', orders: 1, incidents: 1 } as const;
const plan: OrganizationPlan = {
  tenants: 2,
  divisions: places.map(({ tenant }) => ({ tenant, parent: null })),
  employees: places.map((place): EmployeePlan => ({ ...place, ...active })),
  documents: places.map(place => ({ ...place, file: true })),
  keys: [],
  divisionMoves: [],
  employeeMoves: [],
};

let askers: Asker[] = [];
const statements: string[] = [];
let watched: Watched;

async function prepare(): Promise<void> {
  const organization = await build(fixture, plan);
  const foreign = await build(fixture, plan);
  const [tenant, otherTenant] = organization.tenants as [string, string];
  const keyOf = async (division: number) => {
    const { id, tenant } = organization.divisions[division]!;
    return { key: await testKey(fixture.sql, organization.id, { divisions: [{ tenant, id }] }) };
  };
  const all = { key: organization.admin };
  const ofTenant = { key: await testKey(fixture.sql, organization.id, { tenants: [tenant] }) };
  const elsewhere = { 'of another organization': { key: foreign.admin } };
  const inOtherTenant = { 'of another tenant': { ...all, tenant: otherTenant }, ...elsewhere };
  const inOtherDivision = { 'of another division': await keyOf(1), ...inOtherTenant };
  askers = [
    { name: 'a key of a division', asking: await keyOf(0), hidden: inOtherDivision },
    {
      name: 'a key of a division that selects its tenant',
      asking: { ...(await keyOf(0)), tenant },
      hidden: inOtherDivision,
    },
    { name: 'a key of a tenant', asking: ofTenant, hidden: inOtherTenant },
    { name: 'a key of all that selects a tenant', asking: { ...all, tenant }, hidden: inOtherTenant },
    { name: 'a key of all', asking: all, hidden: elsewhere },
  ];
  watched = await watch(statement => statement);
}

/** A service of which each read is rewritten, and recorded. */
async function watch(rewrite: (statement: Fragment) => Fragment): Promise<Watched> {
  const isOfOperation = (text: string) => !/api_key|key_organization|pg_notify|setting/.test(text);
  const reads = recordingPool(
    rewritingPool(fixture.sql.database.reads, rewrite),
    text => isOfOperation(text) && statements.push(text),
  );
  const service = await startService(fixture.sql, { reads });
  resources.defer(() => service.stop());
  const client = apiClient(service.url);
  resources.defer(() => client.close());
  return { client, statements };
}

describe('a row that the key may not see answers exactly as one that does not exist, after the same statements, and stays as it is', () => {
  for (const [id, operation] of operationsOnRows)
    test(id, async () => {
      const before = await readWholeDatabase(fixture.sql);
      for (const asker of askers)
        assert.deepEqual(await leaksOf(watched, operation, asker), [], `asked by ${asker.name}`);
      // The owner of a payroll file downloads it, which is recorded.
      if (operation.method !== 'GET') assert.deepEqual(await readWholeDatabase(fixture.sql), before);
    });
});

describe('no row that the key may not see is listed', () => {
  for (const [id, list] of lists)
    test(id, async () => {
      for (const asker of askers)
        assert.deepEqual(await listedHidden(watched.client, list, asker), [], `asked by ${asker.name}`);
    });
});

describe('a planted statement is found out', () => {
  const reading = /^SELECT doc FROM employee WHERE/;
  const faults: [name: string, planted: (statement: Fragment) => Fragment, found: string[]][] = [
    [
      'with neither organization nor scope',
      ({ values }) => ofTest(sql`SELECT doc FROM employee WHERE id = ${values.at(-1)}`),
      ['of another division', 'of another tenant', 'of another organization'],
    ],
    [
      'with the organization, but no scope',
      ({ values }) =>
        sql`SELECT doc FROM employee WHERE organization_id = ${values[0]} AND id = ${values.at(-1)}`,
      ['of another division', 'of another tenant'],
    ],
  ];
  for (const [name, planted, found] of faults)
    describe(name, () => {
      let service: Watched;
      before(async () => {
        service = await watch(statement => (reading.test(statement.text) ? planted(statement) : statement));
      });
      test('in getEmployee', async () => {
        const leaks = await leaksOf(service, getEmployee, askers[0]!);
        assert.deepEqual(
          leaks.map(leak => leak.slice(0, leak.indexOf(':'))),
          found,
        );
      });
    });
});
