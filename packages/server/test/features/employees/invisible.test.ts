import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import { recordingPool, type Sql } from '../../support/database/sql.ts';
import { type Answer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';

let database: TestDatabase;
let service: TestService;
let testData: TestData;
let client: ApiClient;
const statements: string[] = [];
let targets: Record<string, string>;

before(async () => {
  database = await testDatabase();
  const { sql } = database.database;
  testData = await insertTestData(sql);
  service = await startService(sql, {
    reads: recordingPool(sql.database.reads, text => isOfOperation(text) && statements.push(text)),
  });
  client = apiClient(service.url, { key: testData.keys.sales });
  targets = await createTargets(sql);
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

/** Employees that a key of the division Sales must not notice, and one that does not exist. */
async function createTargets(sql: Sql): Promise<Record<string, string>> {
  const { tenantA, tenantB, support, lager, organization, foreign } = testData;
  const hidden: [string, Partial<Employee>][] = [
    ['in another division', { tenant: tenantA, divisionId: support }],
    ['without a division', { tenant: tenantA }],
    ['in another tenant', { tenant: tenantB, divisionId: lager }],
    ['without a tenant', {}],
  ];
  const stored = await storeEmployees(
    sql,
    organization,
    hidden.map(([, place]) => place),
  );
  const [other] = await storeEmployees(sql, foreign.organization, [{ tenant: foreign.tenant }]);
  return {
    'that does not exist': 'f'.repeat(24),
    ...Object.fromEntries(hidden.map(([name], index) => [name, stored[index]!.id])),
    'of another organization': other!.id,
  };
}

/** Whether a statement belongs to an operation, and not to keys and what goes on beside requests. */
const isOfOperation = (text: string) => !/api_key|key_organization|pg_notify|setting/.test(text);

/** The parts of an answer that a caller can compare; what each request has of its own is taken out. */
function visible({ status, headers, body, bytes }: Answer<any>): unknown {
  const { requestId, ...error } = body.error;
  assert.equal(requestId, headers['x-request-id']);
  const { date, 'x-request-id': _, ratelimit, ...rest } = headers;
  assert.match(String(ratelimit), /^"default";r=\d+;t=\d+$/);
  return {
    status,
    error,
    headers: rest,
    names: Object.keys(headers),
    hasDate: date !== undefined,
    size: bytes.length,
  };
}

const patches: [string, object][] = [
  ['an update', { city: 'Bonn' }],
  ['an update that changes nothing', { city: null }],
  ['a move', { divisionId: '0'.repeat(24) }],
];

describe('an employee that the key may not see', () => {
  const requests: [string, (id: string) => Promise<Answer<any>>][] = [
    ['a read', id => client.get(`/employees/${id}`)],
    ['a read with X-Tenant-ID', id => client.get(`/employees/${id}`, { tenant: testData.tenantA })],
    ...patches.flatMap(([name, body]): typeof requests => [
      [name, id => client.patch(`/employees/${id}`, body)],
      [`${name} as a dry run`, id => client.patch(`/employees/${id}`, body, { query: { dryRun: true } })],
    ]),
  ];
  for (const [name, request] of requests)
    test(`${name} answers as for one that does not exist: bytes, headers and statements`, async () => {
      const seen: unknown[] = [];
      for (const id of Object.values(targets)) {
        statements.length = 0;
        const answer = visible(await request(id));
        seen.push({ answer, statements: [...statements] });
      }
      for (const [index, target] of Object.keys(targets).entries())
        assert.deepEqual(seen[index], seen[0], target);
      assert.equal((seen[0] as { answer: { status: number } }).answer.status, 404);
      const asked = name.startsWith('a move') ? 2 : 1;
      assert.equal((seen[0] as { statements: string[] }).statements.length, asked);
    });

  test('an invisible division in a body is rejected as one that does not exist', async () => {
    const [mine] = await storeEmployees(database.database.sql, testData.organization, [
      { tenant: testData.tenantA, divisionId: testData.sales },
    ]);
    const divisions = ['f'.repeat(24), testData.support, testData.lager, testData.foreign.division];
    const seen: unknown[] = [];
    for (const divisionId of divisions) {
      statements.length = 0;
      const person = { email: 'x@example.com', firstName: 'A', lastName: 'B', divisionId };
      const answers = [
        await client.post('/employees', person),
        await client.patch(`/employees/${mine!.id}`, { divisionId }),
      ];
      for (const answer of answers)
        assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_REFERENCE']);
      seen.push({ answers: answers.map(visible), statements: [...statements] });
    }
    for (const other of seen) assert.deepEqual(other, seen[0]);
  });
});
