import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Kontor } from '@kontor/sdk';
import { faultProxy } from '../../sdk/test/support/fault-proxy.ts';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { moveEmployee, storeEmployees } from '../../server/test/support/data/employees.ts';
import { testDivision, testKey } from '../../server/test/support/data/test-data.ts';
import type { Plan } from '../src/plan.ts';
import { type Company, csvOf, personRow, runHere, useCompanies } from './support/company.ts';

const program = fileURLToPath(new URL('../bin/kontor-sync.js', import.meta.url));
const { fixture, makeCompany } = useCompanies();

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => personRow(index + 1));

const numbersOf = async ({ kontor }: Company) =>
  (await Array.fromAsync(kontor.employees.list())).map(({ employeeNumber }) => Number(employeeNumber));

describe('a row', () => {
  test('finds its person by number or email, and by the other one where its cell is empty', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(30));
    await company.sync();
    for (const matchBy of ['employeeNumber', 'email'] as const) {
      await company.configure({ matchBy });
      const city = `Ulm ${matchBy}`;
      const [one, two] = [personRow(1, city), personRow(2, city)];
      await company.write([['', ...one.slice(1)], two.with(3, ''), ...rowsOf(30).slice(2)]);
      assert.equal((await company.sync()).applied.updates, 2);
    }
    const cities = (await Array.fromAsync(company.kontor.employees.list())).map(({ city }) => city);
    assert.equal(cities.filter(city => city === 'Ulm email').length, 2);
    assert.equal(cities.length, 30);
  });

  test('is rejected when its number and email belong to two people', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(30));
    await company.sync();
    await company.write([personRow(1).with(3, 'p2@example.com'), ...rowsOf(30).slice(2)]);
    const { applied, rejects, absent } = await company.sync(2);
    assert.deepEqual([applied.updates, absent.length], [0, 0]);
    assert.match(rejects[0].reason, /^its email belongs to Vorname2 Nachname2 \(2\): correct it$/);
  });

  test('of a new person with the name of one whom no row has is rejected, and that one is not absent', async () => {
    const company = await makeCompany();
    await company.configure({ absent: 'block' });
    const byHand = { email: 'hand@example.com', firstName: 'Ina', lastName: 'Hand' };
    await company.kontor.employees.create(byHand);
    await company.write(rowsOf(60));
    await company.sync();
    const changed = personRow(1).with(0, '9001').with(3, 'other@example.com');
    const renumbered = personRow(2).with(0, '0002').with(3, '');
    const known = ['9003', 'INA', 'Hand', 'ina@example.com', '', ''];
    const added = personRow(61);
    await company.write([changed, renumbered, known, added, ...rowsOf(60).slice(2)]);
    const { applied, rejects, absent } = await company.sync(2);
    assert.deepEqual([applied.creates, applied.blocks, absent], [1, 0, []]);
    assert.deepEqual(
      rejects.map(({ line, reason }: any) => [line, reason.split(':')[0]]),
      [
        [2, 'may be Vorname1 Nachname1 (1), who is in no row'],
        [3, 'a new person needs an email'],
        [4, 'may be Ina Hand, who is in no row'],
      ],
    );
    const one = (await Array.fromAsync(company.kontor.employees.list())).find(
      ({ employeeNumber }) => employeeNumber === '1',
    )!;
    await company.kontor.employees.update(one.id, { blocked: true });
    assert.equal((await company.sync(2)).applied.creates, 1);
  });

  test('does not give the person of a number other names without an email', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(30));
    await company.sync();
    const [married, other] = [personRow(1).with(2, 'Neu'), personRow(2).with(1, 'Eva').with(2, 'Kaya')];
    await company.write([married.with(3, ''), other.with(3, ''), ...rowsOf(30).slice(2)]);
    const { applied, rejects } = await company.sync(2);
    assert.deepEqual([applied.updates, rejects.length], [1, 1]);
    assert.match(rejects[0].reason, /^the number is of Vorname2 Nachname2 \(2\)/);
  });

  test('does not unblock a person by a cell that is empty or cannot be read', async () => {
    const company = await makeCompany();
    await company.configure({
      columns: {
        Nr: 'employeeNumber',
        Vorname: 'firstName',
        Nachname: 'lastName',
        Mail: 'email',
        Ort: 'blocked',
      },
    });
    const others = rowsOf(30).map(row => row.with(4, 'nein'));
    const sync = async (cell: string, exitCode: number) => {
      await company.write([personRow(1, cell), ...others.slice(1)]);
      const report = await company.sync(exitCode);
      const one = (await Array.fromAsync(company.kontor.employees.list())).find(
        ({ employeeNumber }) => employeeNumber === '1',
      )!;
      return { isBlocked: one.blocked, open: report.manual.length + report.rejects.length };
    };
    assert.deepEqual(await sync('ja', 0), { isBlocked: true, open: 0 });
    assert.deepEqual(await sync('', 2), { isBlocked: true, open: 1 });
    assert.deepEqual(await sync('seit gestern', 2), { isBlocked: true, open: 2 });
    assert.deepEqual(await sync('nein', 0), { isBlocked: false, open: 0 });
  });

  test('of a new person is not written without the number that cannot be read', async () => {
    const company = await makeCompany();
    await company.write([personRow(1).with(0, '1.0'), personRow(2)]);
    const { applied, rejects } = await company.sync(2);
    assert.deepEqual([applied.creates, rejects.length, rejects[0].column], [1, 1, 'Nr']);
    assert.deepEqual(await numbersOf(company), [2]);
  });

  test('comes from the standard input as well', async () => {
    const company = await makeCompany();
    const header = ['Nr', 'Vorname', 'Nachname', 'Mail', 'Ort', 'Abteilung'];
    const args = ['run', '-', '--config', path.join(company.folder, 'kontor-sync.json')];
    const input = csvOf([header, ...rowsOf(2)], ',');
    const { exitCode, stderr } = await runHere(args, { KONTOR_API_KEY: company.apiKey }, input);
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual((await numbersOf(company)).toSorted(), [1, 2]);
  });

  test('of a person in a sister company is not written, and HR is told to transfer the person', async () => {
    const company = await makeCompany();
    const { apiKey, organization } = company;
    const tenant = await createTenant(fixture.sql, organization, `Sister ${organization}`);
    const sister = new Kontor({ apiKey, baseUrl: fixture.service.url, tenant });
    await sister.employees.create({ email: 'p1@example.com', firstName: 'Ina', lastName: 'Neu' });
    await company.configure({ tenant: company.tenant });
    await company.write([personRow(1)]);
    const { applied, manual } = await company.sync(2);
    assert.equal(applied.creates, 0);
    assert.match(manual[0].todo, /HR corrects that person in the portal$/);
  });
});

describe('a plan', () => {
  test('that blocks over two percent stops', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(60));
    await company.sync();
    await company.configure({ absent: 'block' });
    await company.write(rowsOf(58));
    const { applied, brake } = await company.sync(2);
    assert.deepEqual([applied, brake], [null, '2 of 60 managed people would be blocked, more than 2 %']);
    assert.equal((await company.sync(0, '--yes-change', '2')).applied.blocks, 2);
  });

  test('with a key of divisions knows who entered them', async () => {
    const company = await makeCompany();
    const { organization, tenant } = company;
    const { sql } = fixture;
    const place = { organizationId: organization, tenantId: tenant };
    const [north, south] = [await testDivision(sql, place, 'Nord'), await testDivision(sql, place, 'Süd')];
    const [one, two] = await storeEmployees(sql, organization, [
      { tenant, divisionId: south, email: 'p1@example.com' },
      { tenant, divisionId: north },
    ]);
    const apiKey = await testKey(sql, organization, { divisions: [{ tenant, id: north }] });
    await company.configure({ access: 'divisions' });
    await company.write([personRow(1)]);
    const plan = async () => {
      const args = ['plan', path.join(company.folder, 'people.csv')];
      const files = ['--config', 'kontor-sync.json', '--out', 'plan.json'].map(text =>
        text.startsWith('-') ? text : path.join(company.folder, text),
      );
      const { stdout, stderr } = await runHere([...args, ...files, '--json'], { KONTOR_API_KEY: apiKey });
      assert.notEqual(stdout, '', stderr);
      return (JSON.parse(stdout) as { plan: Plan }).plan.creates.length;
    };
    assert.equal(await plan(), 1);
    await sql.begin(async session => {
      await moveEmployee(session, organization, { id: one!.id, to: north });
      await moveEmployee(session, organization, { id: two!.id, to: south });
    });
    assert.equal(await plan(), 0);
  });
});

describe('writes of an apply that was killed', () => {
  /** Applies a plan of three new people, and kills it when Kontor has stored them and no answer has arrived. */
  async function applyAndKill(t: TestContext): Promise<Company> {
    const proxy = await faultProxy(fixture.service.url);
    t.after(() => proxy.close());
    const company = await makeCompany(proxy.url);
    await company.write(rowsOf(3));
    await company.plan();
    const [plan, config] = ['plan.json', 'kontor-sync.json'].map(name => path.join(company.folder, name));
    const child = spawn(process.execPath, [program, 'apply', plan!, '--config', config!], {
      env: { ...process.env, KONTOR_API_KEY: company.apiKey },
      stdio: 'ignore',
    });
    const keys = new Set<unknown>();
    proxy.next = ({ method, url, headers }) => {
      if (method !== 'POST' || !url!.endsWith('/employees')) return null;
      if (keys.add(headers['idempotency-key']).size === 3) child.kill('SIGKILL');
      return 'after';
    };
    await once(child, 'exit');
    proxy.next = () => null;
    while ((await numbersOf(company)).length < 3);
    return company;
  }

  test('are repeated when the plan is applied again', async t => {
    const company = await applyAndKill(t);
    const { exitCode, stdout } = await company.run('apply', path.join(company.folder, 'plan.json'));
    assert.equal(exitCode, 0, stdout);
    assert.equal((await company.sync()).applied.creates, 0);
    assert.deepEqual((await numbersOf(company)).toSorted(), [1, 2, 3]);
  });

  test('are found in the changes when the service no longer recognizes their keys', async t => {
    const company = await applyAndKill(t);
    const state = new DatabaseSync(path.join(company.folder, 'kontor-sync.sqlite'));
    assert.equal(state.prepare('UPDATE intent SET created = 0').run().changes, 3);
    state.close();
    const { applied, manual, conflicts } = await company.sync();
    assert.deepEqual([applied.creates, manual, conflicts], [0, [], []]);
    await company.write([personRow(1, 'Ulm'), ...rowsOf(3).slice(1)]);
    assert.equal((await company.sync(0, '--yes-change', '1')).applied.updates, 1);
    assert.deepEqual((await numbersOf(company)).toSorted(), [1, 2, 3]);
  });
});
