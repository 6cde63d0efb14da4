import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import { kontorHere } from '../cli/in-process.ts';
import type { ApiClient } from '../support/contract/client.ts';
import { useFixture } from '../support/service/fixture.ts';
import { countersOf, storeEmployees } from '../support/data/employees.ts';
import type { Sql } from '../support/database/sql.ts';
import { stateOf, type TestData } from '../support/data/test-data.ts';

let sql: Sql;
let testData: TestData;
let client: ApiClient;
let folder: string;

const fixture = useFixture(async () => {
  ({ sql, testData, client } = fixture);
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-import-'));
});

after(async () => {
  await rm(folder, { recursive: true });
});

const file = () => path.join(folder, 'people.csv');
const rejectedLines = async () =>
  (await readFile(path.join(folder, 'people.rejected.csv'), 'utf8')).trim().split('\n').slice(1);

/** Runs the command on a file of this text. */
async function run(csv: string, ...options: string[]) {
  await writeFile(file(), csv);
  return kontorHere(['import', 'employees', file(), ...options, '--json'], {
    DATABASE_URL: fixture.databaseUrl,
  });
}

/** Imports into no tenant of the organization. */
async function importText(csv: string, ...options: string[]) {
  const { code, stdout, stderr } = await run(csv, '--organization', testData.organization, ...options);
  assert.equal(stderr, '');
  const { imported, rejected, divisions } = JSON.parse(stdout) as Record<string, number>;
  return { code, imported, rejected, divisions };
}

async function listed(filter: string, options: { key?: string; tenant?: string } = {}): Promise<Employee[]> {
  const { body } = await client.get('/employees', { ...options, query: { filter } });
  assert.equal(body.totalElements, body.items.length);
  return body.items as Employee[];
}

describe('employees that are imported without a tenant', () => {
  test('have neither tenant nor division, and are seen by keys of the whole organization only', async () => {
    const csv = 'email,lastName,divisionId\nfree1@example.com,Frei,\nfree2@example.com,Frei,\n';
    assert.deepEqual(await importText(csv), { code: 0, imported: 2, rejected: 0, divisions: 0 });
    const found = await listed("lastName = 'Frei'");
    assert.deepEqual(
      found.map(({ email, tenant, divisionId }) => [email, tenant, divisionId]),
      [
        ['free1@example.com', null, null],
        ['free2@example.com', null, null],
      ],
    );
    const [{ id }] = found as [Employee];
    assert.equal((await client.get(`/employees/${id}`)).status, 200);
    for (const hidden of [
      { key: testData.keys.tenantA },
      { key: testData.keys.sales },
      { key: testData.keys.foreign },
      { tenant: testData.tenantA },
    ]) {
      assert.deepEqual(await listed("lastName = 'Frei'", hidden), []);
      assert.equal((await client.get(`/employees/${id}`, hidden)).status, 404);
    }
  });

  test('are counted for the organization and among those without a tenant', async () => {
    await importText('email\ncounted1@example.com\ncounted2@example.com\n');
    await storeEmployees(sql, testData.organization, [
      { tenant: testData.tenantA, divisionId: testData.sales },
    ]);
    const { kept, real } = await countersOf(sql, testData.organization);
    assert.deepEqual(kept, real);
    assert.ok(kept['none']! >= 2);
    const total = async (options = {}) => (await client.get('/employees', options)).body.totalElements;
    assert.equal(await total(), real['']);
    assert.equal(await total({ tenant: testData.tenantA }), real[testData.tenantA]);
  });

  test('share one instant of the organization clock and have their audit', async () => {
    await importText('email\nstamped1@example.com\nstamped2@example.com\n');
    const rows = await sql<{ clock: Date }[]>`
      SELECT o.clock FROM employee e JOIN organization o ON o.id = e.organization_id AND o.clock = e.updated_at
      JOIN audit a ON a.organization_id = o.id AND a.target_id = e.id AND a.at = e.updated_at
      WHERE e.organization_id = ${testData.organization} AND e.email_key LIKE 'stamped%'
        AND a.action = 'employee.create' AND a.actor = 'operator'`;
    assert.equal(rows.length, 2);
  });

  test('take no personnel number that another one without a tenant has; those of a tenant do not count', async () => {
    const [first] = await storeEmployees(sql, testData.organization, [
      { tenant: null, employeeNumber: '1' },
      { tenant: testData.tenantA, employeeNumber: '2' },
    ]);
    const csv = 'email,employeeNumber\nn1@example.com,1\nn2@example.com,2\nn4@example.com,3\n';
    assert.deepEqual(await importText(csv), { code: 2, imported: 2, rejected: 1, divisions: 0 });
    assert.deepEqual(await rejectedLines(), [
      `n1@example.com,1,2,employeeNumber: another employee has this value; if it is the same person with a new email: kontor employee email ${first!.id} n1@example.com`,
    ]);
  });

  test('take no email address that the organization has in a tenant', async () => {
    await storeEmployees(sql, testData.organization, [
      { tenant: testData.tenantB, email: 'Taken@example.com' },
    ]);
    assert.equal((await importText('email\ntaken@example.com\n')).rejected, 1);
    assert.deepEqual(await rejectedLines(), ['taken@example.com,2,email: another employee has this value']);
  });

  test('take no division: a row that names one is rejected', async () => {
    const csv = `email,place\nplaced@example.com,${testData.sales}\nunplaced@example.com,\n`;
    const outcome = await importText(csv, '--map', 'place=divisionId');
    assert.deepEqual(outcome, { code: 2, imported: 1, rejected: 1, divisions: 0 });
    assert.deepEqual(await rejectedLines(), [
      `placed@example.com,${testData.sales},2,"place: the company has no division “${testData.sales}”; enter its path, such as Sales / North"`,
    ]);
  });
});

describe('an import without a place', () => {
  test('is rejected with one line, and changes nothing', async () => {
    const earlier = await stateOf(sql);
    const organization = ['--organization', testData.organization];
    const unknown = 'f'.repeat(24);
    for (const [options, message] of [
      [[], /either a tenant with --tenant, or an organization with --organization/],
      [[...organization, '--tenant', testData.tenantA], /either a tenant/],
      [['--organization', unknown], new RegExp(`there is no organization ${unknown}`)],
      [[...organization, '--division-column', 'department'], /leave out --division-column/],
    ] as const) {
      const { code, stdout, stderr } = await run('email,department\nx@example.com,Sales\n', ...options);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^error: [^\n]+\n$/);
      assert.match(stderr, message);
    }
    assert.equal(await stateOf(sql), earlier);
  });
});
