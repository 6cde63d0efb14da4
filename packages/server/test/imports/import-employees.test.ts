import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import type { Sql } from '../support/database/sql.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { testDatabase, type TestDatabase, testNodes } from '../support/database/database.ts';
import { employeeData, storeEmployees } from '../support/data/employees.ts';
import { stateOf, testDivision } from '../support/data/test-data.ts';
import { blockedImport } from './blocked-import.ts';
import { importEmployeesHere } from './in-process.ts';

const skip = (await testNodes()) !== null && 'the import is stopped by the locks of one server';

let testing: TestDatabase;
let sql: Sql;
let folder: string;
let organizationId: string;
let tenantId: string;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-import-'));
});
after(async () => {
  await testing.drop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  organizationId = await createOrganization(sql, 'Muster');
  tenantId = await createTenant(sql, organizationId, 'Muster GmbH');
});

const file = () => path.join(folder, 'people.csv');
const rejectedFile = () => path.join(folder, 'people.rejected.csv');

/** Runs the command in this process on a file of this text. */
async function importText(csv: string, options: Parameters<typeof importEmployeesHere>[2] = {}) {
  await writeFile(file(), csv);
  const result = await importEmployeesHere(testing.database, file(), { tenant: tenantId, ...options });
  const {
    rejectedFile: named,
    leftOut,
    emails,
    ...counts
  } = result!.json as {
    leftOut: number;
    emails: number;
    imported: number;
    rejected: number;
    divisions: number;
    rejectedFile: string | null;
  };
  assert.deepEqual([leftOut, emails], [0, 0]);
  assert.equal(named, counts.rejected > 0 ? rejectedFile() : null);
  return { ...counts, exitCode: result!.exitCode };
}

async function documents(): Promise<Employee[]> {
  const rows = await sql<{ doc: string }[]>`
    SELECT doc FROM employee WHERE organization_id = ${organizationId} ORDER BY id`;
  return rows.map(row => JSON.parse(row.doc) as Employee);
}

async function counters(): Promise<Record<string, number>> {
  const rows = await sql<{ scope: string; n: string }[]>`
    SELECT scope, n FROM counter WHERE organization_id = ${organizationId} AND resource_type = 'employee'`;
  return Object.fromEntries(rows.map(row => [row.scope, Number(row.n)]));
}

async function divisions(): Promise<{ id: string; name: string }[]> {
  return sql<{ id: string; name: string }[]>`
    SELECT id, name FROM division WHERE organization_id = ${organizationId} ORDER BY sort_order`;
}

describe('rows that go in', () => {
  test('they are stored as the API would store them, stamped by the organization clock, in the order of the file', async () => {
    await importText(
      'email,firstName,lastName,employeeNumber,city\nB@example.com,Bär,Ößler,7,"Bad ""Ems""\\"\na@example.com,,,,\n',
    );
    const [first, second] = (await documents()) as [Employee, Employee];
    const [row] = await sql<{ clock: Date; folded: string; key: string }[]>`
      SELECT clock, folded_last_name AS folded, email_key AS key FROM organization o
      JOIN employee e ON e.organization_id = o.id WHERE o.id = ${organizationId} AND employee_number = '7'`;
    assert.deepEqual(first, {
      ...employeeData({
        email: 'B@example.com',
        firstName: 'Bär',
        lastName: 'Ößler',
        employeeNumber: '7',
        city: 'Bad "Ems"\\',
        tenant: tenantId,
      }),
      id: first.id,
      createdAt: row!.clock.toISOString(),
      updatedAt: row!.clock.toISOString(),
    });
    assert.deepEqual([row!.folded, row!.key], ['össler', 'b@example.com']);
    assert.deepEqual([second.firstName, second.lastName], [null, null]);
    assert.ok(first.id < second.id);
  });

  test('counters, audit and the answer have the exact number', async () => {
    await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
    const result = await importText(
      'email,department\na@example.com,Sales\nb@example.com,\nc@example.com,sales\n',
      {
        divisionColumn: 'department',
      },
    );
    assert.deepEqual(result, { imported: 3, rejected: 0, divisions: 1, exitCode: 0 });
    const [sales] = await divisions();
    assert.deepEqual(await counters(), { '': 4, [tenantId]: 4, [sales!.id]: 2 });
    const audit = await sql`
      SELECT FROM audit a JOIN employee e ON e.organization_id = a.organization_id AND e.id = target_id AND at = updated_at
      WHERE a.organization_id = ${organizationId} AND action = 'employee.create' AND actor = 'operator'`;
    assert.equal(audit.length, 3);
  });

  test('an empty file but for its header imports nothing and takes no clock', async () => {
    const earlier = await stateOf(sql);
    assert.deepEqual(await importText('email\n'), { imported: 0, rejected: 0, divisions: 0, exitCode: 0 });
    assert.equal(await stateOf(sql), earlier);
  });
});

describe('divisions', () => {
  test('missing root divisions are created once, in the order of the file, and found ignoring case', async () => {
    const strasse = await testDivision(sql, { organizationId, tenantId }, 'Straße');
    await testDivision(sql, { organizationId, tenantId, parentId: strasse }, 'Zoo');
    const csv =
      'email,d\na@example.com,Zoo\nb@example.com,STRASSE\nc@example.com,Äpfel\nd@example.com,äPFEL\n';
    assert.equal((await importText(csv, { divisionColumn: 'd' })).divisions, 2);
    const roots = await sql<{ id: string; name: string }[]>`
      SELECT id, name FROM division WHERE organization_id = ${organizationId} AND parent_id IS NULL ORDER BY sort_order`;
    assert.deepEqual(
      roots.map(root => root.name),
      ['Straße', 'Zoo', 'Äpfel'],
    );
    const placed = (await documents()).map(({ divisionId }) =>
      roots.findIndex(root => root.id === divisionId),
    );
    assert.deepEqual(placed, [1, 0, 2, 2]);
    const columns = await sql`
      SELECT FROM employee WHERE organization_id = ${organizationId} AND division_id = doc::jsonb->>'divisionId'`;
    assert.equal(columns.length, 4);
  });

  test('a rejected row creates no division', async () => {
    const csv =
      'email,d\na@example.com,Sales\nnobody,Support\nb@example.com,Research\nb@example.com,Research\n';
    assert.deepEqual(await importText(csv, { divisionColumn: 'd' }), {
      imported: 1,
      rejected: 3,
      divisions: 1,
      exitCode: 2,
    });
    assert.deepEqual(
      (await divisions()).map(division => division.name),
      ['Sales'],
    );
  });

  test('divisionId places an employee, and one that the tenant does not have rejects the row', async () => {
    const other = await createTenant(sql, organizationId, 'Other');
    const foreign = await testDivision(sql, { organizationId, tenantId: other }, 'Foreign');
    const own = await testDivision(sql, { organizationId, tenantId }, 'Own');
    const csv = `email,divisionId\na@example.com,${own.toUpperCase()}\nb@example.com,${foreign}\nc@example.com,\n`;
    assert.equal((await importText(csv)).rejected, 1);
    assert.deepEqual(
      (await documents()).map(employee => employee.divisionId),
      [own, null],
    );
    assert.match(await readFile(rejectedFile(), 'utf8'), /,3,"divisionId: the company has no division/);
    assert.deepEqual(await counters(), { '': 2, [tenantId]: 2, [own]: 1 });
  });
});

describe('rejected rows', () => {
  test('the rejected file has their columns as they were, their line and the reason, in the order of the file', async () => {
    await storeEmployees(sql, organizationId, [{ tenant: tenantId, email: 'Taken@example.com' }]);
    const result = await importText(
      'email,city,title\r\ntaken@EXAMPLE.com,"Bad\r\nEms",x\r\nok@example.com,,\r\nnobody,,"a, b"\r\ntoo,many,values,here\r\n',
      { ignore: ['title'] },
    );
    assert.deepEqual(result, { imported: 1, rejected: 3, divisions: 0, exitCode: 2 });
    assert.equal(
      await readFile(rejectedFile(), 'utf8'),
      [
        'email,city,title,line,reason\n',
        'taken@EXAMPLE.com,"Bad\r\nEms",x,2,email: another employee has this value\n',
        'nobody,,"a, b",5,email: enter an email address\n',
        '"too,many,values,here",,,6,"the row has more values than the 3 columns, such as “here”; put a value with the separator in quotation marks"\n',
      ].join(''),
    );
  });

  test('a row with a NUL character is rejected by itself, and shown with U+FFFD in its place', async () => {
    const result = await importText('email,city\na@example.com,x\0y\nb@example.com,z\n');
    assert.deepEqual(result, { imported: 1, rejected: 1, divisions: 0, exitCode: 2 });
    assert.equal(
      await readFile(rejectedFile(), 'utf8'),
      'email,city,line,reason\na@example.com,x\ufffdy,2,the row contains a NUL character\n',
    );
  });

  test('columns named line and reason are kept beside the added ones', async () => {
    await importText('email,line,reason\nnobody,1,old\n', { ignore: ['line', 'reason'] });
    assert.equal(
      await readFile(rejectedFile(), 'utf8'),
      'email,line,reason,line2,reason2\nnobody,1,old,2,email: enter an email address\n',
    );
  });

  test('an import without rejected rows removes the rejected file of an earlier one', async () => {
    await importText('email\nnobody\n');
    await importText('email\na@example.com\n');
    assert.deepEqual(await readdir(folder), ['people.csv']);
  });

  test('rows that share an email or a number are all rejected, as nobody can know which is right', async () => {
    const csv = [
      'email,employeeNumber,Land',
      'a@example.com,1,',
      'A@example.com,2,',
      'b@example.com,1,',
      'c@example.com,3,Nirgendwo',
      'C@EXAMPLE.com,4,',
      'd@example.com,,',
    ].join('\n');
    assert.equal((await importText(csv)).imported, 1);
    assert.deepEqual(
      (await documents()).map(employee => employee.email),
      ['d@example.com'],
    );
    const reasons = (await readFile(rejectedFile(), 'utf8')).trim().split('\n').slice(1);
    const same = (line: number) => `line ${line} has the same value; keep one of the two`;
    assert.deepEqual(reasons, [
      `a@example.com,1,,2,email: ${same(3)}; employeeNumber: ${same(4)}`,
      `A@example.com,2,,3,email: ${same(2)}`,
      `b@example.com,1,,4,employeeNumber: ${same(2)}`,
      `c@example.com,3,Nirgendwo,5,Land: “Nirgendwo” is not a country; enter its name or a code such as DE; email: ${same(6)}`,
      `C@EXAMPLE.com,4,,6,email: ${same(5)}`,
    ]);
  });

  test('a number is taken in its tenant only, an email in the whole organization only', async () => {
    const other = await createTenant(sql, organizationId, 'Other');
    await storeEmployees(sql, organizationId, [
      { tenant: other, email: 'a@example.com', employeeNumber: '1' },
    ]);
    const [second] = await storeEmployees(sql, organizationId, [{ tenant: tenantId, employeeNumber: '2' }]);
    const elsewhere = await createOrganization(sql, 'Elsewhere');
    await storeEmployees(sql, elsewhere, [{ email: 'd@example.com' }]);
    await importText(
      'email,employeeNumber\na@example.com,\nb@example.com,1\nc@example.com,2\nd@example.com,\n',
    );
    const lines = (await readFile(rejectedFile(), 'utf8')).trim().split('\n').slice(1);
    assert.deepEqual(lines, [
      'a@example.com,,2,email: another employee has this value',
      `c@example.com,2,4,employeeNumber: another employee has this value; if it is the same person with a new email: kontor employee email ${second!.id} c@example.com`,
    ]);
  });

  test('a second import of the same file rejects every row and changes nothing', async () => {
    const csv = 'email,department\na@example.com,Sales\nb@example.com,Support\n';
    await importText(csv, { divisionColumn: 'department' });
    const earlier = await stateOf(sql);
    assert.deepEqual(await importText(csv, { divisionColumn: 'department' }), {
      imported: 0,
      rejected: 2,
      divisions: 0,
      exitCode: 2,
    });
    assert.equal(await stateOf(sql), earlier);
  });

  test('a row whose email is taken between its check and its insert is rejected', { skip }, async () => {
    await writeFile(file(), 'email\nraced@example.com\nfree@example.com\n');
    const blocked = await blockedImport(testing, { organizationId, tenantId, file: file() });
    await blocked.release(transaction =>
      storeEmployees(transaction, organizationId, [{ tenant: tenantId, email: 'raced@example.com' }]),
    );
    assert.deepEqual(await blocked.ended, {
      exitCode: 2,
      json: { imported: 1, rejected: 1, divisions: 0, emails: 0, leftOut: 0, rejectedFile: rejectedFile() },
    });
    assert.deepEqual(await counters(), { '': 2, [tenantId]: 2 });
    assert.match(
      await readFile(rejectedFile(), 'utf8'),
      /raced@example.com,2,email: another employee has this value/,
    );
  });
});

describe('rejected files', () => {
  test('a rejected file changes nothing and leaves no file behind', async () => {
    await rm(rejectedFile(), { force: true });
    const earlier = await stateOf(sql);
    for (const csv of [
      '',
      'email,title\na@example.com,x\n',
      'city\nBerlin\n',
      'email\na@example.com\n"b@example.com\n',
    ])
      await assert.rejects(importText(csv), { name: 'OperatorError' });
    assert.equal(await stateOf(sql), earlier);
    assert.deepEqual(await readdir(folder), ['people.csv']);
  });

  test('a tenant that does not exist is an error that names it', async () => {
    const tenant = 'f'.repeat(24);
    await assert.rejects(importText('email\n', { tenant }), { message: `there is no tenant ${tenant}` });
  });
});
