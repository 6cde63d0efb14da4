import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import { Collection, type Execute } from '../../../src/query/page.ts';
import { checkList } from '../../../src/query/check.ts';
import { execute } from '../../../src/db/pool.ts';
import type { Sql } from '../../support/database/sql.ts';
import type { Fragment } from '../../../src/db/sql.ts';
import { employeeResource } from '../../../src/features/employees/mapping.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { countersOf, storeEmployees } from '../../support/data/employees.ts';
import { type ProcessOptions, runKontor, startServiceProcess } from '../../support/service/kontor.ts';
import { atScale } from '../../support/service/scale.ts';
import { startService } from '../../support/service/service.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';
import { assertOrdered, newWorkload, poll, type Polled, type Workload, Writer } from './polling-workload.ts';

const timeout = 240_000;
const writers = 8;

const changes = { oneProcess: atScale(800, 7000), twoProcesses: atScale(600, 3000) };
const importedRows = atScale(4_000, 50_000);

let sql: Sql;
/** Takes down what a suite has started, also when it has not come far. */
let started: AsyncDisposableStack;
let database: TestDatabase;
let testData: TestData;
let workload: Workload;
let shared: Employee[];

async function begin(): Promise<void> {
  started = new AsyncDisposableStack();
  database = await testDatabase();
  started.defer(() => database.drop());
  sql = database.database.sql;
  testData = await insertTestData(sql);
  workload = newWorkload();
  const staff = Array.from({ length: 4 }, () => ({ tenant: testData.tenantA, divisionId: testData.sales }));
  shared = await storeEmployees(sql, testData.organization, staff);
}

function newClient(url: string, key: string): ApiClient {
  const client = apiClient(url, { key });
  started.defer(() => client.close());
  return client;
}

/** Eight writers on the clients, until there are enough changes and `others` has ended. */
async function write(clients: readonly ApiClient[], enough: number, others: () => boolean): Promise<void> {
  const done = () => workload.changes >= enough && others();
  const running = Array.from({ length: writers }, (_, number) => {
    const options = { number, workload, tenant: testData.tenantA };
    return new Writer(clients[number % clients.length]!, options).run(shared, done);
  });
  await Promise.all(running);
}

/** The final versions, for all or for those in a division. */
async function finalVersions(divisionId: string | null): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; doc: string }[]>`
    SELECT id, doc FROM employee WHERE organization_id = ${testData.organization}
      AND (${divisionId}::text IS NULL OR division_id = ${divisionId})`;
  return new Map(rows.map(row => [row.id, row.doc]));
}

async function assertNothingMissed(polled: Polled, divisionId: string | null = null): Promise<void> {
  const expected = await finalVersions(divisionId);
  const missed = [...expected].filter(([id, doc]) => polled.versions.get(id) !== doc);
  assert.deepEqual(missed, []);
  assert.equal(polled.versions.size, expected.size);
}

/** One instant is one transaction and one transaction one instant, over every write that was ever made. */
async function assertInstantsAreTransactions(): Promise<void> {
  const [row] = await sql<{ instants: number; transactions: number; pairs: number }[]>`
    SELECT count(DISTINCT at)::int AS instants, count(DISTINCT xmin::text)::int AS transactions,
      count(DISTINCT (at, xmin::text))::int AS pairs
    FROM audit WHERE organization_id = ${testData.organization} AND action LIKE 'employee.%'`;
  assert.equal(row!.instants, row!.pairs);
  assert.equal(row!.transactions, row!.pairs);
  const wrong = await sql`
    SELECT id FROM employee e WHERE organization_id = ${testData.organization} AND NOT EXISTS (
      SELECT FROM audit a WHERE a.organization_id = e.organization_id AND a.target_id = e.id AND a.at = e.updated_at
        AND a.xmin = e.xmin)`;
  assert.deepEqual([...wrong], []);
}

/** Nobody's acknowledged change of a field was overwritten by a change of another field. */
async function assertNothingLost(): Promise<void> {
  const final = await finalVersions(testData.sales);
  for (const { id, field, value } of workload.shared.values())
    assert.equal(JSON.parse(final.get(id)!)[field], value, `${field} of a shared employee`);
}

async function assertSound(): Promise<void> {
  assertOrdered(workload.acknowledged);
  await assertInstantsAreTransactions();
  await assertNothingLost();
  const { kept, real } = await countersOf(sql, testData.organization);
  assert.deepEqual(kept, real);
}

describe('a poller that keeps a checkpoint', () => {
  let clients: ApiClient[];

  before(async () => {
    await begin();
    const service = await startService(sql);
    started.defer(() => service.stop());
    clients = [testData.keys.all, testData.keys.sales].map(key => newClient(service.url, key));
  });

  after(() => started.disposeAsync());

  test('has every final version of what eight writers change in one process', { timeout }, async t => {
    const [client, ofSales] = clients as [ApiClient, ApiClient];
    let written = false;
    const finished = () => written;
    const polling = [poll([client], { pageSize: 100, finished }), poll([ofSales], { pageSize: 3, finished })];
    await write([client], changes.oneProcess, () => true).finally(() => (written = true));
    const [all, sales] = await Promise.all(polling);
    await assertNothingMissed(all!);
    await assertNothingMissed(sales!, testData.sales);
    await assertSound();
    t.diagnostic(
      `${workload.changes} changes, ${workload.idle} idle, ${all!.answers} and ${sales!.answers} answers`,
    );
  });
});

describe('a poller that keeps a checkpoint, with two processes', () => {
  let folder: string;
  let clients: ApiClient[];

  before(async () => {
    await begin();
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-polling-'));
    started.defer(() => rm(folder, { recursive: true }));
    const preload = import.meta.resolve('../../support/service/shifted-clock.ts');
    clients = [
      await startOne({}),
      await startOne({ variables: { KONTOR_TEST_CLOCK_SHIFT: '5000' }, preload }),
    ];
  });

  after(() => started.disposeAsync());

  async function startOne({ variables, preload }: ProcessOptions): Promise<ApiClient> {
    const service = await startServiceProcess({
      variables: { DATABASE_URL: database.url, KONTOR_DATA_DIR: folder, ...variables },
      ...(preload && { preload }),
    });
    started.defer(() => service.end('SIGTERM'));
    return newClient(service.url, testData.keys.all);
  }

  test('the clocks of the two processes differ by 5 s', async () => {
    const instants: number[] = [];
    for (const client of clients) {
      const body = { email: 'dry@example.com', firstName: 'A', lastName: 'B' };
      const answer = await client.post('/employees', body, {
        tenant: testData.tenantA,
        query: { dryRun: true },
      });
      instants.push(Date.parse(answer.body.createdAt));
    }
    assert.ok(instants[1]! - instants[0]! >= 5000);
  });

  test('has every final version, with an import of thousands of rows meanwhile', { timeout }, async t => {
    const file = path.join(folder, 'people.csv');
    const staff = Array.from({ length: importedRows }, (_, n) => `import.${n}@example.com,I${n},D${n % 9}\n`);
    await writeFile(file, `email,lastName,department\n${staff.join('')}`);
    let imported: unknown;
    let written = false;
    const importing = runKontor(
      ['import', 'employees', file, '--tenant', testData.tenantB, '--division-column', 'department'],
      { variables: { DATABASE_URL: database.url } },
    ).then(outcome => (imported = outcome));
    const polling = poll(clients, { pageSize: 1000, finished: () => written });
    const writing = write(clients, changes.twoProcesses, () => imported !== undefined);
    await Promise.all([writing, importing]).finally(() => (written = true));
    const polled = await polling;
    assert.deepEqual(imported, {
      exitCode: 0,
      json: { imported: importedRows, rejected: 0, divisions: 9, emails: 0, leftOut: 0, rejectedFile: null },
    });
    await assertNothingMissed(polled);
    await assertSound();
    t.diagnostic(`${workload.changes} changes, ${workload.rejected} refused, ${polled.answers} answers`);
  });

  test('is answered from an index range, for the organization and for a tenant', async () => {
    await sql`ANALYZE employee`;
    const [last] = await sql<{ at: string; id: string }[]>`
      SELECT to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, id FROM employee
      WHERE organization_id = ${testData.organization} ORDER BY updated_at DESC, id DESC OFFSET 50 LIMIT 1`;
    const filter = `updatedAt >= ${last!.at} AND (updatedAt > ${last!.at} OR id > ${last!.id})`;
    for (const tenant of [null, testData.tenantA]) {
      const statements: Fragment[] = [];
      const recording: Execute = (statement, how) => {
        statements.push(statement);
        return execute(sql.database.lists)(statement, how);
      };
      const collection = new Collection(employeeResource, recording, {
        now: () => performance.now(),
      });
      const list = checkList({ page: 1, pageSize: 100, sort: 'updatedAt', filter }, employeeResource.fields);
      const scope = { organizationId: testData.organization, callerId: 'test', grants: 'all' as const };
      await collection.page({ scope, tenant, list });
      for (const statement of statements) {
        const [explained] = await sql<
          { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
        >`EXPLAIN (FORMAT JSON) ${statement}`;
        assertIndexRange(explained!['QUERY PLAN'][0].Plan);
      }
    }
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Subplan Name'?: string;
  Plans?: PlanNode[];
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

/** Employees are read along indexes only, and where it is not by identifier, from the row comparison on. */
function assertIndexRange(plan: PlanNode): void {
  const reads = [...nodesOf(plan)].filter(node => node['Relation Name'] === 'employee');
  for (const node of reads) {
    assert.match(node['Node Type'], /^Index (Only )?Scan/);
    assert.match(node['Index Cond'] ?? '', /ROW\(updated_at, id\) > ROW\(|id = /);
  }
}
