import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { apis, getApiKey, type Operation } from '@kontor/contract';
import { type Fragment, sql } from '../../src/db/sql.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import { files } from '../features/incidents/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { exampleRequest, pathOf, unknownPathOf } from '../support/contract/examples.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { contractInput, orderInput, storeContractChanges, storeOrders } from '../support/data/orders.ts';
import { storeDraftRun, storePayrollProposal } from '../support/data/payroll-runs.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { startService } from '../support/service/service.ts';
import { recordingPool, rewritingPool } from '../support/database/sql.ts';
import { invitedUser } from '../support/data/users.ts';
import { testToken } from '../support/data/tokens.ts';
import { readWholeDatabase } from '../support/database/whole-database.ts';
import { usePlatform } from './support.ts';

/** Asks each operation of the platform that the contract has, by its declaration alone, so that a new one is asked too. */
const operations = Object.entries<Operation>(apis.platform.operations).filter(([, { path }]) =>
  path.includes('{'),
);

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

/** Resources of the other organization, by the segment of the path in front of the identifier. */
let hidden: Record<string, string>;
let token: string;
const statements: string[] = [];
let client: ApiClient;

const fixture = usePlatform(async ({ sql, testData }) => {
  const { organization, tenant } = testData.foreign;
  const [employee] = await storeEmployees(sql, organization, [{ tenant }]);
  const target = { organizationId: organization, tenantId: tenant };
  const contract = contractInput({ startDate: '2026-10-01', endDate: '2029-09-30' });
  const [order] = await storeOrders(sql, target, [
    orderInput({ employeeId: employee!.id, status: 'active', contract }),
  ]);
  await sql`UPDATE employee SET activated_at = now() WHERE organization_id = ${organization}`;
  const report = { employeeId: employee!.id, type: 'other' };
  const incident = await fixture.client.post('/incidents', report, { key: testData.keys.foreign });
  const evidence = await fixture.platform.upload(
    `/organizations/${organization}/incidents/${incident.body.id}/attachments`,
    { bytes: files['application/pdf'], fileName: 'a.pdf' },
  );
  const payroll = `/organizations/${organization}/tenants/${tenant}`;
  await fixture.platform.post(`${payroll}/payroll-settings`, settingsInput);
  // Stored, since one that is asked for is computed while the tests compare the database.
  const run = await storeDraftRun(sql, organization, tenant);
  hidden = {
    organizations: organization,
    tenants: tenant,
    employees: employee!.id,
    users: (await invitedUser(sql, organization)).id,
    orders: order!.id,
    'contract-versions': await storeContractChanges(sql, organization, order!.id),
    incidents: incident.body.id,
    attachments: evidence.body.id,
    'payroll-runs': run,
    'payroll-proposals': await storePayrollProposal(sql, organization, { tenant }),
    'api-keys': parseKey(testData.keys.foreign)!.id,
  };
  token = await testToken(sql, { organizations: [testData.organization] });
  client = await watch(statement => statement);
});

/** A client of a service of which each read is rewritten, and recorded. */
async function watch(rewrite: (statement: Fragment) => Fragment): Promise<ApiClient> {
  const reads = recordingPool(
    rewritingPool(fixture.sql.database.reads, rewrite),
    text => !/platform_token|setting|LISTEN|pg_notify/.test(text) && statements.push(text),
  );
  const service = await startService(fixture.sql, { reads });
  resources.defer(() => service.stop());
  const watched = apiClient(service.managementUrl, { api: 'platform', key: token });
  resources.defer(() => watched.close());
  // The existence of the own organization is cached and not queried again.
  await watched.get(`/organizations/${fixture.testData.organization}/tenants`);
  return watched;
}

/** The path of an operation on a resource of the other organization, under this one. */
function hiddenPathOf(operation: Operation, organizationId: string): string {
  return pathOf(operation, name => {
    if (name === 'organizationId') return organizationId;
    const segment = operation.path.split(`/{${name}}`)[0]!.split('/').at(-1)!;
    assert.ok(hidden[segment], `say in hidden.test.ts what stands behind ${segment}, and store one`);
    return hidden[segment];
  });
}

async function observe(
  watched: ApiClient,
  operation: Operation,
  path: string,
  query: object,
): Promise<unknown> {
  statements.length = 0;
  const options = { ...(await exampleRequest(operation, 'platform')), query: { ...query } };
  const { status, headers, bytes } = await watched.request(operation.method, path, options);
  const { 'x-request-id': requestId, date: _date, ...same } = headers;
  const text = bytes.toString().replaceAll(String(requestId), 'request id');
  return { status, headers: same, text, statements: [...statements] };
}

/** What an operation gives away of the other organization, as pairs of what is not answered alike; none: nothing. */
async function leaksOf(watched: ApiClient, operation: Operation): Promise<unknown[]> {
  const { organization, foreign } = fixture.testData;
  const pairs = [[hiddenPathOf(operation, foreign.organization), unknownPathOf(operation)]];
  if (operation.path.includes('/{id}') && operation.path.includes('{organizationId}'))
    pairs.push([
      hiddenPathOf(operation, organization),
      unknownPathOf(operation, { organizationId: organization }),
    ]);
  const queries = 'dryRun' in operation.query.properties ? [{}, { dryRun: true }] : [{}];
  const leaks: unknown[] = [];
  for (const [there, nowhere] of pairs)
    for (const query of queries) {
      const seen = await observe(watched, operation, there!, query);
      const expected = await observe(watched, operation, nowhere!, query);
      if (JSON.stringify(seen) !== JSON.stringify(expected)) leaks.push([seen, expected]);
    }
  return leaks;
}

describe('what a token does not work for answers exactly as what does not exist, after the same statements, and stays as it is', () => {
  for (const [id, operation] of operations)
    test(id, async () => {
      // There is something to hide.
      const owner = await fixture.platform.get(
        `/organizations/${fixture.testData.foreign.organization}/tenants`,
      );
      assert.equal(owner.body.totalElements, 1);
      const before = await readWholeDatabase(fixture.sql);
      assert.deepEqual(await leaksOf(client, operation), []);
      assert.deepEqual(await readWholeDatabase(fixture.sql), before);
    });
});

test('a planted statement that does not look at the organization is found out', async () => {
  const faulty = await watch(statement =>
    /FROM api_key k\s+WHERE k\.organization_id = \$\d AND k\.id = \$\d$/.test(statement.text.trim())
      ? ofTest(
          sql`SELECT k.*, NULL AS quota, NULL AS grants FROM api_key k WHERE k.id = ${statement.values.at(-1)}`,
        )
      : statement,
  );
  assert.equal((await leaksOf(faulty, getApiKey)).length, 1);
});
