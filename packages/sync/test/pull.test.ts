import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Division, Employee, Incident, Order, PayrollExportDocument } from '@kontor/contract';
import { faultProxy } from '../../sdk/test/support/fault-proxy.ts';
import { databaseStore } from '../../server/src/files/database-store.ts';
import { eraseDataSubject } from '../../server/src/privacy/erase.ts';
import { operator } from '../../server/src/write/writes.ts';
import { moveEmployee, removeEmployee, storeEmployees } from '../../server/test/support/data/employees.ts';
import { storeIncident } from '../../server/test/support/data/incidents.ts';
import { deactivateKey } from '../../server/test/support/data/keys.ts';
import { orderInput, storeOrders } from '../../server/test/support/data/orders.ts';
import { storePayrollDocument } from '../../server/test/support/data/payroll-documents.ts';
import { testDivision, testKey } from '../../server/test/support/data/test-data.ts';
import { safeName } from '../src/pull/files.ts';
import { fieldsOf, type ResourceType, resourceTypes } from '../src/pull/resource-types.ts';
import { type Company, runHere, useCompanies } from './support/company.ts';

const program = fileURLToPath(new URL('../bin/kontor-sync.js', import.meta.url));
const { fixture, makeCompany } = useCompanies();

const folderOf = ({ folder }: Company) => path.join(folder, 'out');

/** Pulls. @throws unless the exit code is the given one */
async function pull(company: Company, exitCode = 0, ...args: readonly string[]): Promise<any> {
  const ran = await company.run('pull', folderOf(company), '--json', ...args);
  assert.equal(ran.exitCode, exitCode, ran.stdout + ran.stderr);
  return exitCode === 1 ? ran.stderr : JSON.parse(ran.stdout);
}

/** The rows of a type in the folder. */
function rowsOf(company: Company, type: ResourceType): any[] {
  const db = new DatabaseSync(path.join(folderOf(company), 'kontor.sqlite'), { readOnly: true });
  try {
    const rows = db.prepare(`SELECT doc FROM ${type.replaceAll('-', '_')} ORDER BY id`).all();
    return rows.map(({ doc }) => JSON.parse(doc as string));
  } finally {
    db.close();
  }
}

/** The rows of the service, without people whose data are erased. */
async function storedOf({ kontor }: Pick<Company, 'kontor'>, type: ResourceType): Promise<any[]> {
  const collection = type === 'payroll-export-documents' ? kontor.payrollExportDocuments : kontor[type];
  const rows: any[] = await Array.fromAsync<any>(collection.list());
  return rows.filter(({ id, email }) => email !== `${id}@erased.invalid`);
}

async function assertEqual(company: Company): Promise<void> {
  for (const type of resourceTypes)
    assert.deepEqual(rowsOf(company, type), await storedOf(company, type), type);
}

async function fill({ organization, tenant }: Company, count = 30) {
  const { sql } = fixture;
  const employees = await storeEmployees(
    sql,
    organization,
    Array.from({ length: count }, (_, number) => ({ tenant, firstName: 'Ina', lastName: `Neu ${number}` })),
  );
  const target = { organizationId: organization, tenantId: tenant };
  await storeOrders(
    sql,
    target,
    employees.slice(0, 5).map(({ id }) => orderInput({ employeeId: id })),
  );
  await storeIncident(sql, { organization, tenant });
  const document = await storePayrollDocument(sql, organization, { tenant });
  return { employees, document };
}

describe('kontor-sync pull', () => {
  test('equals the database after each change, removed and erased people included', async () => {
    const company = await makeCompany();
    const { organization, tenant, kontor } = company;
    const { sql } = fixture;
    const { employees } = await fill(company);
    await testDivision(sql, { organizationId: organization, tenantId: tenant }, 'Lager');
    const first = await pull(company);
    assert.equal(first.pulled[1].total, 31);
    await assertEqual(company);
    const again = await pull(company);
    assert.equal(again.requests, resourceTypes.length);
    for (const { id } of employees.slice(0, 9)) await kontor.employees.update(id, { city: 'Ulm' });
    await eraseDataSubject(
      { db: sql, store: databaseStore(sql) },
      { organizationId: organization, employeeId: employees[20]!.id },
      operator,
    );
    await storePayrollDocument(sql, organization, { tenant, period: '2026-11' });
    const changed = await pull(company);
    assert.deepEqual(changed.pulled[1], { type: 'employees', total: 31, changed: 10, removed: 0 });
    await assertEqual(company);
    assert.equal(rowsOf(company, 'employees').length, 30);
    await removeEmployee(sql, organization, employees[21]!.id);
    const removed = await pull(company);
    assert.deepEqual(removed.pulled[1], { type: 'employees', total: 30, changed: 0, removed: 1 });
    await assertEqual(company);
    assert.equal((await readFile(path.join(folderOf(company), 'kontor.sqlite'))).includes('Neu 20'), false);
  });

  test('equals the database after the backup of an earlier moment was restored', async () => {
    const company = await makeCompany();
    const { sql } = fixture;
    const { employees } = await fill(company);
    const { id } = employees[20]!;
    await pull(company);
    const before = rowsOf(company, 'employees');
    await sql`CREATE TABLE backup AS SELECT * FROM employee WHERE id = ${id}`;
    await company.kontor.employees.update(id, { street: 'Weg 1' });
    await pull(company);
    await sql`DELETE FROM employee WHERE organization_id = ${company.organization} AND id = ${id}`;
    await sql`INSERT INTO employee SELECT * FROM backup`;
    await sql`DROP TABLE backup`;
    const { pulled } = await pull(company);
    assert.equal(pulled[1].changed, 1);
    assert.deepEqual(rowsOf(company, 'employees'), before);
  });

  test('is resumed after kill -9 at any request, and equal then', async () => {
    const proxy = await faultProxy(fixture.service.url);
    try {
      const company = await makeCompany(proxy.url);
      await fill(company, 2100);
      for (const request of [2, 4, 5, 6, 9, 13]) {
        let countdown = request;
        const config = path.join(company.folder, 'kontor-sync.json');
        const child = spawn(process.execPath, [program, 'pull', folderOf(company), '--config', config], {
          env: { ...process.env, KONTOR_API_KEY: company.apiKey },
          stdio: 'ignore',
        });
        proxy.next = () => {
          if (--countdown === 0) child.kill('SIGKILL');
          return null;
        };
        await once(child, 'exit');
      }
      proxy.next = () => null;
      await pull(company);
      await assertEqual(company);
      assert.deepEqual((await readdir(folderOf(company))).toSorted(), ['files', 'kontor.sqlite']);
    } finally {
      await proxy.close();
    }
  });

  test('keeps what it has when the key is revoked, and names the request', async () => {
    const company = await makeCompany();
    await fill(company);
    await pull(company);
    await deactivateKey(fixture.sql, company.organization, company.apiKey);
    for (;;) {
      const { exitCode, stderr } = await company.run('pull', folderOf(company));
      // Processes cache a key for a second.
      if (exitCode === 0) continue;
      assert.equal(exitCode, 1);
      assert.match(stderr, /^kontor-sync: 401 INVALID_API_KEY: .*\(request [0-9a-f-]{36}\)\n$/);
      break;
    }
    assert.equal(rowsOf(company, 'employees').length, 31);
  });

  test('with a key of divisions finds who entered and left them', async () => {
    const company = await makeCompany();
    const { organization, tenant } = company;
    const { sql } = fixture;
    const place = { organizationId: organization, tenantId: tenant };
    const [north, south] = [await testDivision(sql, place, 'Nord'), await testDivision(sql, place, 'Süd')];
    const [one, two] = await storeEmployees(sql, organization, [
      { tenant, divisionId: north },
      { tenant, divisionId: south },
    ]);
    const apiKey = await testKey(sql, organization, { divisions: [{ tenant, id: north }] });
    await company.configure({ access: 'divisions' });
    const config = path.join(company.folder, 'kontor-sync.json');
    const run = async () => {
      const args = ['pull', folderOf(company), '--config', config];
      const { exitCode, stderr } = await runHere(args, { KONTOR_API_KEY: apiKey });
      assert.equal(exitCode, 0, stderr);
      return rowsOf(company, 'employees').map(({ id }) => id);
    };
    assert.deepEqual(await run(), [one!.id]);
    await sql.begin(async session => {
      await moveEmployee(session, organization, { id: one!.id, to: south });
      await moveEmployee(session, organization, { id: two!.id, to: north });
    });
    assert.deepEqual(await run(), [two!.id]);
  });

  test('reads only the types that are named, for a key that may read no others', async () => {
    const company = await makeCompany();
    await fill(company);
    await pull(company, 0, '--only', 'orders', 'incidents');
    assert.deepEqual(await readdir(folderOf(company)), ['kontor.sqlite']);
    assert.equal(rowsOf(company, 'orders').length, 6);
    assert.equal(rowsOf(company, 'employees').length, 0);
  });

  test('does not mix companies in a folder, and runs once at a time', async () => {
    const [company, other] = [await makeCompany(), await makeCompany()];
    await company.configure({ tenant: company.tenant });
    await pull(company);
    await company.configure({ tenant: other.tenant });
    assert.match(await pull(company, 1), /kontor.sqlite has the data of .*, and the configuration is for /);
    await company.configure({ tenant: company.tenant });
    const db = new DatabaseSync(path.join(folderOf(company), 'kontor.sqlite'));
    db.exec('BEGIN EXCLUSIVE');
    assert.match(await pull(company, 1), /is in use: wait until the other kontor-sync has ended/);
    db.close();
  });
});

describe('payroll files', () => {
  test('are whole: half of one is downloaded again, and one without a document is removed', async () => {
    const company = await makeCompany();
    const { document } = await fill(company);
    await pull(company);
    const folder = path.join(folderOf(company), 'files');
    const name = `${document.id}-lohn-2026-10.csv`;
    assert.deepEqual(await readdir(folder), [name]);
    const file = path.join(folder, name);
    const whole = await readFile(file, 'utf8');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await writeFile(file, whole.slice(0, 9));
    await writeFile(`${file}.0198.partial`, 'x');
    await writeFile(path.join(folder, `${'0'.repeat(24)}-old.csv`), 'x');
    await writeFile(path.join(folder, 'mine.txt'), 'x');
    const { pulled } = await pull(company);
    assert.deepEqual(pulled.at(-1), { type: 'files', total: 1, changed: 1, removed: 2 });
    assert.deepEqual((await readdir(folder)).toSorted(), [name, 'mine.txt'].toSorted());
    assert.equal(await readFile(file, 'utf8'), whole);
  });

  test('that Kontor cannot send are reported, and the others downloaded', async () => {
    const company = await makeCompany();
    const { organization, tenant } = company;
    await storePayrollDocument(fixture.sql, organization, { tenant, sha256: 'a'.repeat(64) });
    const { id } = await storePayrollDocument(fixture.sql, organization, { tenant, period: '2026-11' });
    const { problems } = await pull(company, 2);
    assert.match(problems[0].reason, /^502 BAD_GATEWAY: .* \(request /);
    assert.deepEqual(await readdir(path.join(folderOf(company), 'files')), [`${id}-lohn-2026-10.csv`]);
  });

  test('have names that no system takes for something else', () => {
    assert.equal(safeName('../../etc/passwd'), '.._.._etc_passwd');
    assert.equal(safeName('a\u0000b:c|d\u202egnp.exe. '), 'a_b_c_d_gnp.exe');
    assert.ok(Buffer.byteLength(safeName(`${'😀ä'.repeat(200)}.csv`)) <= 150);
    assert.match(safeName(`${'ä'.repeat(200)}.csv`), /^ä+\.csv$/);
  });
});

describe('files of rows', () => {
  test('are whole, and no cell is a formula', async () => {
    const company = await makeCompany();
    await fill(company);
    await company.kontor.employees.create({
      email: 'formula@example.com',
      firstName: '=1+1',
      lastName: '-"a";\n,b',
      additionalInfo: '@SUM(A1)',
    });
    await pull(company);
    await writeFile(path.join(folderOf(company), 'employees.csv.0a.partial'), 'half');
    await pull(company, 0, '--format', 'csv', 'jsonl');
    const names = await readdir(folderOf(company));
    assert.deepEqual(
      names.filter(name => !name.startsWith('files') && !name.startsWith('kontor')).toSorted(),
      resourceTypes.flatMap(type => [`${type}.csv`, `${type}.jsonl`]).toSorted(),
    );
    const read = (name: string) => readFile(path.join(folderOf(company), name), 'utf8');
    for (const type of resourceTypes) {
      const lines = (await read(`${type}.jsonl`)).split('\n').slice(0, -1);
      assert.deepEqual(
        lines.map(line => JSON.parse(line)),
        rowsOf(company, type),
      );
      assert.equal((await read(`${type}.csv`)).split('\r\n')[0], fieldsOf[type].join(','));
    }
    assert.match(await read('employees.csv'), /,'=1\+1,"'-""a"";\n,b",.*,'@SUM\(A1\),false,/);
  });

  test('have the fields of the contract', () => {
    const schemas = {
      divisions: Division,
      employees: Employee,
      orders: Order,
      incidents: Incident,
      'payroll-export-documents': PayrollExportDocument,
    };
    for (const type of resourceTypes)
      assert.deepEqual(fieldsOf[type], Object.keys(schemas[type].properties), type);
  });
});
