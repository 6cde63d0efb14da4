import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { insertTestData, stateOf, type TestData } from '../support/data/test-data.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { kontorHere } from './in-process.ts';

let database: TestDatabase;
let testData: TestData;
let service: TestService;
let client: ApiClient;
let folder: string;
let settingsFile: string;
let employeeId: string;
let orderId: string;

before(async () => {
  database = await testDatabase();
  const { sql } = database.database;
  testData = await insertTestData(sql);
  service = await startService(sql);
  client = apiClient(service.url, { key: testData.keys.all });
  folder = await mkdtemp(join(tmpdir(), 'kontor-payroll-'));
  settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settingsInput));
  const place = { tenant: testData.tenantA };
  const [numbered, unnumbered] = await storeEmployees(sql, testData.organization, [
    { ...place, divisionId: testData.sales, employeeNumber: '1234', firstName: 'Änne', lastName: 'Müller' },
    { ...place, employeeNumber: null, firstName: 'Jörg', lastName: 'Krüger' },
  ]);
  employeeId = numbered!.id;
  const order = (employee: string, number: string) =>
    orderInput({
      employeeId: employee,
      orderNumber: number,
      status: 'active',
      hrHistory: historyInput('approved'),
      contract: contractInput({
        contractNumber: `LV-${number}`,
        startDate: '2026-10-16',
        endDate: '2029-10-15',
      }),
    });
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const ids = await storeOrders(sql, target, [order(employeeId, '1'), order(unnumbered!.id, '2')]);
  orderId = ids[0]!.id;
});
after(async () => {
  client.close();
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

function payroll(args: readonly string[], terminal?: string) {
  return kontorHere(['payroll', ...args], { DATABASE_URL: database.url }, terminal);
}

async function json(args: readonly string[], wantedCode: number) {
  const { code, stdout, stderr } = await payroll([...args, '--json']);
  assert.equal(code, wantedCode, stderr);
  return JSON.parse(stdout);
}

const ofTenant = () => ['--tenant', testData.tenantA];
const october = () => [...ofTenant(), '--period', '2026-10', '--format', 'csv,datev_lodas'];

/** Everything that a dry run must leave alone. */
async function stored(): Promise<string> {
  const { sql } = database.database;
  const [rows] = await sql<{ rows: string }[]>`
    SELECT (SELECT count(*) FROM payroll_run) || ' ' || (SELECT count(*) FROM payroll_draft_entry) || ' ' ||
      (SELECT count(*) FROM payroll_finding) || ' ' || (SELECT count(*) FROM payroll_entry) || ' ' ||
      (SELECT count(*) FROM background_job) AS rows`;
  return `${rows!.rows} ${await stateOf(sql)}`;
}

describe('kontor payroll', () => {
  test('settings are required, checked, set from a file, and shown in a form that can be set again', async () => {
    const none = await payroll(['run', ...october()]);
    assert.deepEqual(
      [none.code, none.stderr],
      [1, 'error: The tenant has no payroll settings; set them first\n'],
    );
    const wrong = join(folder, 'wrong.json');
    await writeFile(wrong, JSON.stringify({ ...settingsInput, cutOffDay: 32 }));
    const rejected = await payroll(['settings', wrong, ...ofTenant()]);
    assert.equal(rejected.code, 1);
    assert.match(rejected.stderr, /cutOffDay/);
    const set = await json(['settings', settingsFile, ...ofTenant()], 0);
    assert.deepEqual([set.version, set.firstPeriod], [1, '2026-01']);
    await writeFile(settingsFile, JSON.stringify(set));
    assert.deepEqual(await json(['settings', settingsFile, ...ofTenant()], 0), set);
    const later = await json(['settings', settingsFile, ...ofTenant(), '--from', '2026-12'], 0);
    assert.deepEqual([later.from, later.version], ['2026-01', 1], 'the same settings change nothing');
    const { stdout } = await payroll(['settings', ...ofTenant()]);
    assert.match(stdout, /^firstPeriod +2026-01$/m);
  });

  test('a dry run prints the report of a run and stores nothing', async () => {
    const before = await stored();
    const tried = await payroll(['run', ...october(), '--dry-run']);
    assert.equal(tried.code, 2, tried.stderr);
    assert.match(tried.stdout, /This was a dry run: nothing was stored/);
    assert.equal(await stored(), before);
    const { findings: dry, summary } = await json(['run', ...october(), '--dry-run'], 2);
    const run = await json(['run', ...october()], 2);
    assert.deepEqual([dry, summary], [run.findings, run.summary]);
    assert.equal(run.status, 'draft');
    await json(['discard', run.id], 0);
  });

  test('a run computes a draft; its report names people, amounts and what to do', async () => {
    const { code, stdout, stderr } = await payroll(['run', ...october()]);
    if (process.env['SHOW']) console.log(stdout);
    assert.equal(code, 2, stderr);
    assert.match(stdout, /^status +draft$/m);
    assert.match(stdout, /^salary conversion +-42\.89 +0\.00 +-42\.89$/m);
    assert.match(stdout, /Jörg Krüger/);
    const again = await payroll(['run', ...october()]);
    assert.equal(again.code, 1);
    assert.match(
      again.stderr,
      /^error: The tenant has an open run, [0-9a-f]{24}: release or discard it first$/m,
    );
  });

  test('a release needs a yes: of a person at a terminal, else of --yes', async () => {
    const { runs } = await json(['list', ...ofTenant()], 0);
    const { id } = runs[0];
    const unattended = await payroll(['release', id]);
    assert.deepEqual(
      [unattended.code, unattended.stderr],
      [1, 'error: a release is final, and there is no terminal to ask on: confirm it with --yes\n'],
    );
    const declined = await payroll(['release', id], 'n\n');
    assert.equal(declined.code, 1);
    assert.match(declined.stderr, /Release 2 amounts of 2026-10\? This is final\. \[y\/N\] /);
    assert.match(declined.stderr, /error: not confirmed, nothing was changed/);
    assert.equal((await json(['show', id], 0)).status, 'draft');
    const released = await payroll(['release', id], 'y\n');
    if (process.env['SHOW']) console.log(released.stdout);
    assert.equal(released.code, 2, released.stderr);
    assert.match(released.stdout, /lodas-muster-gmbh-10001-2026-10\.txt/);
    const shown = await json(['show', id], 0);
    assert.equal(shown.status, 'released');
    const repeated = await json(['release', id, '--yes'], 2);
    assert.deepEqual(repeated, shown);
    const late = await payroll(['discard', id]);
    assert.match(late.stderr, /The run is released and cannot be discarded/);
  });

  test('show warns who downloaded a document already', async () => {
    const { runs } = await json(['list', ...ofTenant()], 0);
    const { id, documents } = runs[0];
    assert.deepEqual(documents[0].downloads, []);
    const file = await client.get(`/payroll-export-documents/${documents[0].id}/download`);
    assert.equal(file.status, 200);
    await client.get(`/payroll-export-documents/${documents[0].id}/download`);
    const { stdout } = await payroll(['show', id]);
    if (process.env['SHOW']) console.log(stdout.split('\n').slice(-4).join('\n'));
    assert.match(
      stdout,
      /^warning: lohn-muster-gmbh-10001-2026-10\.csv was already downloaded by .+ 2 times, last on 2\d{3}-.+; a file that is imported twice is deducted twice$/m,
    );
    const shown = await json(['show', id], 0);
    const [download] = shown.documents[0].downloads;
    assert.deepEqual([download.actor.type, download.count], ['api_key', 2]);
    assert.deepEqual(shown.documents[1].downloads, []);
  });

  test('a receipt names contract, month, rule and run of every amount', async () => {
    const explained = ['explain', '--employee', employeeId, '--period', '2026-10'];
    const { stdout } = await payroll(explained);
    if (process.env['SHOW']) console.log(stdout);
    assert.match(stdout, /^42\.89 EUR {2}salary conversion for 2026-10, contract LV-1$/m);
    assert.match(
      stdout,
      /owed for 2026-10: 42\.89 of 83\.10 a month; a part month, by days \(16 of 31 days\)/,
    );
    const { receipts } = await json(explained, 0);
    assert.deepEqual(
      receipts.map(({ source, amount }: { source: string; amount: string }) => [source, amount]),
      [
        ['run', '42.89'],
        ['run', '8.00'],
      ],
    );
  });

  test('a settled amount counts as exported', async () => {
    const november = [
      '--order',
      orderId,
      '--month',
      '2026-11',
      '--kind',
      'taxable_benefit',
      '--meaning',
      'paid_elsewhere',
    ];
    const settled = await payroll(['settle', ...november, '--reason', 'Vom Steuerbüro gebucht']);
    assert.deepEqual(
      [settled.code, settled.stdout],
      [0, 'Settled 8.00 EUR of taxable benefit for 2026-11\n'],
    );
    const again = await payroll(['settle', ...november, '--reason', 'noch einmal']);
    assert.match(again.stderr, /Nothing is open for taxable_benefit in 2026-11/);
    const run = await json(
      ['run', ...ofTenant(), '--period', '2026-11', '--format', 'datev_lug', '--release', '--yes'],
      2,
    );
    assert.deepEqual([run.status, run.summary.entries], ['released', 1]);
  });

  test('a stale draft is exit code 1 with the differences, and nothing is released, however often it is tried', async () => {
    const { sql } = database.database;
    const run = await json(['run', ...ofTenant(), '--period', '2026-12', '--format', 'csv'], 2);
    const december = [
      '--order',
      orderId,
      '--month',
      '2026-12',
      '--kind',
      'taxable_benefit',
      '--meaning',
      'not_owed',
    ];
    const settled = await json(['settle', ...december, '--reason', 'Steuerbüro'], 0);
    for (let i = 0; i < 2; i++) {
      const { code, stderr } = await payroll(['release', run.id, '--yes']);
      assert.equal(code, 1);
      assert.match(stderr, /The amounts changed since the draft/);
      assert.match(stderr, new RegExp(`taxable_benefit of order ${orderId} in 2026-12: 8.00 → none`));
    }
    const released = await sql`
      SELECT FROM payroll_entry WHERE organization_id = ${testData.organization} AND run_id = ${run.id}`;
    assert.equal(released.length, 0);
    await json(['settle', ...december, `--amount=-${settled.amount}`, '--reason', 'Steuerbüro'], 0);
    await json(['discard', run.id], 0);
  });

  test('an error in the report is exit code 1, and nothing is released', async () => {
    const { kinds } = settingsInput;
    await writeFile(
      settingsFile,
      JSON.stringify({ ...settingsInput, kinds: { ...kinds, employerSubsidy: null } }),
    );
    const inNovember = ['--from', '2026-11', '--changes-released', '--yes'];
    await json(['settings', settingsFile, ...ofTenant(), ...inNovember], 0);
    const run = await json(
      ['run', ...ofTenant(), '--period', '2026-11', '--format', 'csv', '--release', '--yes'],
      1,
    );
    assert.equal(run.status, 'draft');
    await json(['discard', run.id], 0);
  });

  test('settings of a released month need --changes-released, and print what they change first', async () => {
    const { kinds } = settingsInput;
    const employerSubsidy = { ...kinds.salaryConversion, wageType: '3030', sign: 'plus' };
    await writeFile(settingsFile, JSON.stringify({ ...settingsInput, kinds: { ...kinds, employerSubsidy } }));
    const from = ['settings', settingsFile, ...ofTenant(), '--from', '2026-11'];
    const rejected = await payroll(from);
    assert.equal(rejected.code, 1);
    assert.match(rejected.stderr, /^error: from: months up to 2026-11 are released/);
    const unconfirmed = await payroll([...from, '--changes-released']);
    assert.equal(unconfirmed.code, 1);
    assert.match(unconfirmed.stderr, /a change of released months/);
    const set = await payroll([...from, '--changes-released', '--yes']);
    assert.equal(set.code, 0, set.stderr);
    assert.match(set.stderr, /^2026-11 +employer's subsidy +1 +29\.90$/m);
  });

  test('kontor verify compares the documents of released runs with the ledger', async () => {
    const { sql } = database.database;
    const verify = async () => {
      const { code, stdout } = await kontorHere(
        ['verify', '--organization', testData.organization, '--only', 'payroll', '--json'],
        { DATABASE_URL: database.url },
      );
      const { findings } = JSON.parse(stdout);
      return [
        code,
        findings.map(({ kind, problem }: { kind: string; problem: string }) => `${kind}: ${problem}`),
      ];
    };
    assert.deepEqual(await verify(), [0, []]);
    const { runs } = await json(['list', ...ofTenant()], 0);
    const released = runs.filter(({ status }: { status: string }) => status === 'released');
    const [november, october] = released;
    const inOrganization = `organization_id = '${testData.organization}'`;
    await sql.unsafe(`UPDATE payroll_export_document SET row_count = 7
      WHERE ${inOrganization} AND id = '${october.documents[0].id}'`);
    await sql.unsafe(
      `UPDATE payroll_run SET document_ids = '{}' WHERE ${inOrganization} AND id = '${november.id}'`,
    );
    assert.deepEqual(await verify(), [
      2,
      [
        'payroll_export_document: it says 7 rows, and the ledger has 2',
        'payroll_run: it has no document for datev_lug',
      ],
    ]);
    await sql.unsafe(`UPDATE payroll_export_document SET row_count = 2
      WHERE ${inOrganization} AND id = '${october.documents[0].id}'`);
    await sql.unsafe(`UPDATE payroll_run SET document_ids = '{${november.documents[0].id}}'
      WHERE ${inOrganization} AND id = '${november.id}'`);
    assert.deepEqual(await verify(), [0, []]);
  });

  test('the import description is written once', async () => {
    const file = join(folder, 'kontor-lug.ini');
    assert.equal((await payroll(['import-description', file])).code, 0);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.match((await readFile(file, 'latin1')).split('\r\n')[0]!, /^\[Allgemein\]$/);
    assert.equal((await payroll(['import-description', file])).code, 1);
  });
});
