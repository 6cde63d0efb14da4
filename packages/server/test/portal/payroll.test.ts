import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type {
  PayrollReceipt,
  PayrollRun,
  PayrollRunDetails,
  PayrollSettingsInput,
  PortalPermission,
} from '@kontor/contract';
import { databaseStore } from '../../src/files/database-store.ts';
import { type FileStore, FileStoreError } from '../../src/files/file-store.ts';
import { storedSettings } from '../../src/features/payroll/settings.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { payrollCompany, payrollUser, storeActiveOrder } from '../support/data/payroll-company.ts';
import { storeDraftRun } from '../support/data/payroll-runs.ts';
import { startService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

interface Person {
  readonly id: string;
  readonly key: string;
}

let petra: Person;
let jonas: Person;
let admin: Person;
let clerk: Person;
let runner: Person;
const fixture = usePortal(async ({ sql, testData }) => {
  const person = (name: string, permissions: PortalPermission[]) =>
    payrollUser(sql, testData.organization, { name, permissions });
  petra = await person('Petra Lang', ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE']);
  jonas = await person('Jonas Meier', ['HR', 'PAYROLL_RELEASE']);
  clerk = await person('Clara Klein', ['HR']);
  runner = await person('Rita Rau', ['HR', 'PAYROLL_RUN']);
  admin = await person('Anna Admin', ['COMPANY_ADMIN']);
});

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

/** A company with payroll of its own, as it has one open run at a time. */
async function company(settings: object | null = {}): Promise<string> {
  const { sql, testData } = fixture;
  const id = await payrollCompany(sql, testData.organization, `Muster ${Math.random()}`);
  if (settings !== null) assert.equal((await set(id, settings)).status, 200);
  return id;
}

const set = (id: string, settings: object) =>
  fixture.portal.post(`/tenants/${id}/payroll-settings`, { ...settingsInput, ...settings }, admin);

const activeOrder = (tenant: string, employee: object = {}) =>
  storeActiveOrder(fixture.sql, { organization: fixture.testData.organization, tenant }, { employee });

const create = (tenant: string, body: object = {}, who = petra) =>
  fixture.portal.post(
    `/tenants/${tenant}/payroll-runs`,
    { period: '2026-09', formats: ['csv'], ...body },
    who,
  );
const read = async (id: string, who = petra) =>
  (await fixture.portal.get<PayrollRunDetails>(`/payroll-runs/${id}`, who)).body;
/** The answer to a release that was requested; its run has ended. */
async function release(id: string, who = petra, client: ApiClient = fixture.portal) {
  const answer = await client.request('POST', `/payroll-runs/${id}/release`, who);
  while ((await read(id)).run.status === 'releasing');
  return answer;
}
const discard = (id: string, who = petra) =>
  fixture.portal.request('POST', `/payroll-runs/${id}/discard`, who);

async function draft(tenant: string, body: object = {}, who = petra): Promise<PayrollRun> {
  const created = await create(tenant, body, who);
  assert.equal(created.status, 201, created.bytes.toString());
  for (;;) {
    const { run } = await read(created.body.id, who);
    if (run.status !== 'computing') return run;
  }
}

const settle = (orderId: string, who = petra) =>
  fixture.portal.post(
    '/payroll-settlements',
    {
      orderId,
      month: '2026-09',
      kind: 'salary_conversion',
      meaning: 'paid_elsewhere',
      reason: 'Nachberechnet',
    },
    who,
  );

describe('a month of payroll', () => {
  test('its report compares with the month before, and names the employees', async () => {
    const tenant = await company();
    await activeOrder(tenant);
    await release((await draft(tenant)).id);
    const { employeeId } = await activeOrder(tenant, { employeeNumber: null, firstName: 'Ali' });
    const { id, summary } = await draft(tenant, { period: '2026-10' });
    assert.deepEqual(summary!.sums, [
      {
        kind: 'salary_conversion',
        amount: '-83.10',
        total: '-83.10',
        amountBefore: '-83.10',
        difference: '0.00',
      },
      { kind: 'taxable_benefit', amount: '8.00', total: '8.00', amountBefore: '8.00', difference: '0.00' },
    ]);
    const { body } = await fixture.portal.get(`/payroll-runs/${id}/findings`, {
      ...petra,
      query: { severity: 'skipped' },
    });
    const [found] = body.items;
    const { code, employeeName } = found;
    assert.deepEqual([code, found.employeeId, employeeName], ['personnel_number', employeeId, 'Ali Fischer']);
    assert.equal(found.divisionId, null);
  });

  test('a finding about a cost centre names the division that has it', async () => {
    const tenant = await company();
    const division = async (parentId: string | null, costCenter: string | null) =>
      (await fixture.portal.post('/divisions', { parentId, name: 'Ort', costCenter }, { ...admin, tenant }))
        .body.id;
    const top = await division(null, 'KST-1');
    const middle = await division(top, 'ein zu langer Ort');
    await activeOrder(tenant, { divisionId: await division(middle, null) });
    const { id } = await draft(tenant, { formats: ['datev_lodas'] });
    const { body } = await fixture.portal.get(`/payroll-runs/${id}/findings`, petra);
    const found = body.items.filter(({ field }: { field: string | null }) => field === 'costCenter');
    assert.ok(found.length > 0);
    for (const { code, divisionId } of found) assert.deepEqual([code, divisionId], ['cost_center', middle]);
  });

  test('a released run has its files with their checksums, and who downloaded them', async () => {
    const tenant = await company();
    await activeOrder(tenant);
    const { id } = await draft(tenant);
    const { body } = await release(id);
    assert.deepEqual([body.status, body.failure], ['releasing', null]);
    const [file] = (await read(id)).files;
    const { bytes } = await fixture.portal.get(`/payroll-export-documents/${file!.id}/download`, jonas);
    assert.equal(bytes.length, file!.size);
    assert.match(file!.sha256!, /^[0-9a-f]{64}$/);
    const [document] = (await read(id)).run.documents;
    assert.deepEqual(
      document!.downloads.map(({ actor }) => actor.name),
      ['Jonas Meier'],
    );
  });

  test('of two users who release at once, both read who released it, and it is released once', async () => {
    const tenant = await company();
    await activeOrder(tenant);
    const { id } = await draft(tenant);
    const answers = await Promise.all([release(id), release(id, jonas)]);
    assert.deepEqual(answers.map(outcome), ['200', '200']);
    const { run } = await read(id);
    assert.ok(['Petra Lang', 'Jonas Meier'].includes(run.releasedBy!.name));
    const entries = await fixture.sql`
      SELECT actor_type FROM audit WHERE target_id = ${id} AND action = 'payroll_run.release'`;
    assert.deepEqual(
      entries.map(entry => ({ ...entry })),
      [{ actor_type: 'user' }],
    );
  });

  test('an amount is explained by contract, month and rule', async () => {
    const tenant = await company();
    const { employeeId } = await activeOrder(tenant);
    const query = { period: '2026-09' };
    const { body } = await fixture.portal.get(`/employees/${employeeId}/payroll-explanation`, {
      ...petra,
      query,
    });
    const [receipt] = body.receipts;
    const { contractNumber, month, source, amount, computation } = receipt;
    assert.deepEqual(
      [contractNumber, month, source, amount, computation.rule, computation.rate],
      ['LV-1', '2026-09', 'open', '83.10', 'full_month', '83.10'],
    );
  });

  test('an amount that is left out is explained, too', async () => {
    const tenant = await company();
    const { employeeId } = await activeOrder(tenant, { employeeNumber: null });
    const options = { ...petra, query: { period: '2026-09' } };
    const { body } = await fixture.portal.get(`/employees/${employeeId}/payroll-explanation`, options);
    assert.deepEqual(
      body.receipts.map(({ source, amount, computation, wageType }: PayrollReceipt) => [
        source,
        amount,
        computation!.rule,
        wageType,
      ]),
      [
        ['open', '83.10', 'full_month', null],
        ['open', '8.00', 'whole_benefit', null],
      ],
    );
  });

  test('the releases of an employee are those with amounts, with their sums and files', async () => {
    const tenant = await company();
    const { employeeId } = await activeOrder(tenant);
    const { employeeId: other } = await activeOrder(await company());
    const { id } = await draft(tenant);
    const releasesOf = async (employee: string) =>
      (await fixture.portal.get(`/employees/${employee}/payroll-releases`, petra)).body.items;
    assert.deepEqual(await releasesOf(employeeId), []);
    await release(id);
    const [{ runId, period, sums, files }, ...others] = await releasesOf(employeeId);
    assert.deepEqual([runId, period, others], [id, '2026-09', []]);
    assert.deepEqual(sums, [
      { kind: 'salary_conversion', amount: '83.10' },
      { kind: 'taxable_benefit', amount: '8.00' },
    ]);
    assert.deepEqual(
      files.map(({ format, rowCount }: { format: string; rowCount: number }) => [format, rowCount]),
      [['csv', 2]],
    );
    assert.deepEqual(await releasesOf(other), []);
    const unknown = await fixture.portal.get(`/employees/${'f'.repeat(24)}/payroll-releases`, petra);
    assert.equal(unknown.status, 404);
  });

  test('the runs of a month are listed alone', async () => {
    const tenant = await company();
    const { id } = await draft(tenant);
    const list = async (query: Record<string, string>) =>
      (await fixture.portal.get(`/tenants/${tenant}/payroll-runs`, { ...petra, query })).body.items.map(
        (run: PayrollRun) => run.id,
      );
    assert.deepEqual(
      [await list({}), await list({ period: '2026-09' }), await list({ period: '2026-10' })],
      [[id], [id], []],
    );
  });
});

test('the list of runs has the months that a new run can be for, of which others are rejected', async () => {
  const tenant = await company();
  const months = async (): Promise<[string, string]> => {
    const { body } = await fixture.portal.get(`/tenants/${tenant}/payroll-runs`, petra);
    return [body.firstPeriod, body.lastPeriod];
  };
  const [first, last] = await months();
  assert.equal(first, settingsInput.firstPeriod);
  const following = new Date(`${last}-28T00:00:00Z`);
  following.setUTCDate(35);
  const tooLate = { period: following.toISOString().slice(0, 7) };
  assert.equal(outcome(await create(tenant, tooLate)), '422 VALIDATION_ERROR');
  await release((await draft(tenant, { period: '2026-10' })).id);
  assert.deepEqual(await months(), ['2026-10', last]);
  assert.equal(outcome(await create(tenant, { period: '2026-09' })), '422 VALIDATION_ERROR');
});

describe('the permissions of payroll', () => {
  test('403 PERMISSION_DENIED: HR alone reads a run, and neither runs, settles, discards nor releases', async () => {
    const tenant = await company();
    const { orderId } = await activeOrder(tenant);
    assert.equal(outcome(await create(tenant, {}, clerk)), '403 PERMISSION_DENIED');
    const { id } = await draft(tenant);
    assert.equal((await read(id, clerk)).obstacle, 'permission');
    assert.equal(outcome(await release(id, clerk)), '403 PERMISSION_DENIED');
    assert.equal(outcome(await discard(id, clerk)), '403 PERMISSION_DENIED');
    assert.equal(outcome(await settle(orderId, clerk)), '403 PERMISSION_DENIED');
  });

  test('PAYROLL_RUN runs and does not release, PAYROLL_RELEASE the reverse', async () => {
    const tenant = await company();
    await activeOrder(tenant);
    const { id } = await draft(tenant, {}, runner);
    assert.equal((await read(id, runner)).obstacle, 'permission');
    assert.equal(outcome(await release(id, runner)), '403 PERMISSION_DENIED');
    assert.equal(outcome(await create(tenant, {}, jonas)), '403 PERMISSION_DENIED');
    assert.equal((await read(id, jonas)).obstacle, null);
    assert.equal((await release(id, jonas)).body.status, 'releasing');
  });
});

describe('createPortalPayrollRun', () => {
  test('409 DUPLICATE_RESOURCE: a second open run', async () => {
    const tenant = await company();
    await draft(tenant);
    assert.equal(outcome(await create(tenant)), '409 DUPLICATE_RESOURCE');
  });

  test('422 VALIDATION_ERROR: without settings; INVALID_REFERENCE: a division of another company', async () => {
    assert.equal(outcome(await create(await company(null))), '422 VALIDATION_ERROR');
    const strange = { divisionId: fixture.testData.sales };
    assert.equal(outcome(await create(await company(), strange)), '422 INVALID_REFERENCE');
  });

  test('a draft is replaced by a check with the same choices; 409 INVALID_STATE_TRANSITION: a released run', async () => {
    const tenant = await company();
    const { id: replaces } = await draft(tenant);
    const { id } = await draft(tenant, { replaces });
    assert.equal((await read(replaces)).run.status, 'discarded');
    await release(id);
    assert.equal(outcome(await create(tenant, { replaces: id })), '409 INVALID_STATE_TRANSITION');
  });
});

describe('releasePortalPayrollRun', () => {
  test('409 INVALID_STATE_TRANSITION: the report has errors, and the page reads so before', async () => {
    const { kinds } = settingsInput;
    const tenant = await company({ kinds: { ...kinds, taxableBenefit: null } });
    await activeOrder(tenant);
    const { id } = await draft(tenant);
    assert.equal((await read(id)).obstacle, 'errors');
    assert.equal(outcome(await release(id)), '409 INVALID_STATE_TRANSITION');
  });

  test('an order changed since the draft: the run names the difference; 409 INVALID_STATE_TRANSITION: the next release', async () => {
    const tenant = await company();
    await activeOrder(tenant);
    const { id } = await draft(tenant);
    await activeOrder(tenant, { employeeNumber: '5' });
    assert.equal(outcome(await release(id)), '200');
    const { obstacle, run } = await read(id);
    assert.deepEqual([obstacle, run.failure!.differences.length], ['stale', 2]);
    assert.equal(outcome(await release(id)), '409 INVALID_STATE_TRANSITION');
  });

  test('403 PERMISSION_DENIED: a second user must release, and the page reads so before', async () => {
    const tenant = await company({ releaseBySecondActor: true });
    await activeOrder(tenant);
    const { id } = await draft(tenant);
    assert.deepEqual([(await read(id)).obstacle, (await read(id, jonas)).obstacle], ['second_actor', null]);
    assert.equal(outcome(await release(id)), '403 PERMISSION_DENIED');
    assert.equal((await release(id, jonas)).body.status, 'releasing');
  });

  test('a file could not be stored, and nothing is released', async () => {
    const tenant = await company();
    await activeOrder(tenant);
    const { id } = await draft(tenant);
    const files: FileStore = {
      ...databaseStore(fixture.sql),
      put: () => Promise.reject(new FileStoreError('down')),
    };
    const client = await serviceWith(files);
    assert.equal(outcome(await release(id, petra, client)), '200');
    const { status, failure } = (await read(id)).run;
    assert.deepEqual([status, failure!.reason], ['draft', 'files']);
  });
});

async function serviceWith(store: FileStore): Promise<ApiClient> {
  const service = await startService(fixture.sql, { files: { store, timeout: 200 } });
  resources.defer(() => service.stop());
  const client = apiClient(service.url, { api: 'portal' });
  resources.defer(() => client.close());
  return client;
}

test('discardPortalPayrollRun 409 INVALID_STATE_TRANSITION: a released run', async () => {
  const tenant = await company();
  const { id } = await draft(tenant);
  await release(id);
  assert.equal(outcome(await discard(id)), '409 INVALID_STATE_TRANSITION');
});

describe('listPortalPayrollMonths', () => {
  test('200: twelve months with the sums of all releases; a month with a draft, or without a release after the last one, is open', async () => {
    const tenant = await company({ firstPeriod: '2026-09' });
    await activeOrder(tenant);
    const monthsOf = async (last: string) => {
      const path = `/tenants/${tenant}/payroll-months`;
      const { items } = (await fixture.portal.get(path, { ...clerk, query: { last } })).body;
      return items.map(
        ({ period, isOpen, sums }: { period: string; isOpen: boolean; sums: { amount: string }[] }) => [
          period,
          isOpen,
          ...sums.map(({ amount }) => amount),
        ],
      );
    };
    assert.deepEqual((await monthsOf('2026-11')).slice(-4), [
      ['2026-08', false],
      ['2026-09', true],
      ['2026-10', true],
      ['2026-11', true],
    ]);
    const releaseMonth = async (period: string) => {
      const { id } = (await create(tenant, { period })).body;
      while ((await read(id)).run.status === 'computing');
      await release(id);
    };
    await releaseMonth('2026-10');
    await activeOrder(tenant, { employeeNumber: '99' });
    await releaseMonth('2026-10');
    const { id } = (await create(tenant, { period: '2026-11' })).body;
    while ((await read(id)).run.status === 'computing');
    const months = await monthsOf('2026-11');
    assert.equal(months.length, 12);
    assert.equal(months[0][0], '2025-12');
    // September was exported with October, and can be released no more.
    assert.deepEqual(months.slice(-3), [
      ['2026-09', false],
      ['2026-10', false, '-332.40', '32.00'],
      ['2026-11', true, '-166.20', '16.00'],
    ]);
    assert.deepEqual(
      await monthsOf('2026-09'),
      (await monthsOf('2026-11')).toSpliced(-2).toSpliced(0, 0, ['2025-10', false], ['2025-11', false]),
    );
  });
});

describe('searchPortalPayrollEntries', () => {
  test('200: with names; 403 without HR, 404 for a company out of reach', async () => {
    const tenant = await company();
    await activeOrder(tenant, { firstName: 'Petra', lastName: 'Lang' });
    const { id } = (await create(tenant)).body;
    while ((await read(id)).run.status === 'computing');
    const search = (who: { key: string }) =>
      fixture.portal.post(`/payroll-runs/${id}/entries/search`, { person: 'lang' }, who);
    assert.equal((await search(clerk)).body.items[0].employeeName, 'Petra Lang');
    assert.equal(outcome(await search(admin)), '403 PERMISSION_DENIED');
  });
});

describe('exportPortalPayrollEntries', () => {
  test('200: a CSV file in the language of the user that a spreadsheet opens, and who exported it is in the audit', async () => {
    const tenant = await company();
    await activeOrder(tenant, { firstName: '=cmd', lastName: 'Lang' });
    const { id } = (await create(tenant)).body;
    while ((await read(id)).run.status === 'computing');
    const exported = async (language: string) =>
      (await fixture.portal.post(`/payroll-runs/${id}/entries/export`, { language }, clerk)).bytes.toString();
    assert.deepEqual((await exported('de')).split('\r\n'), [
      '\uFEFFPerson;Personalnummer;Art;Monate;Lohnart;Kostenstelle;Dieser Abrechnungslauf;Alle Freigaben des Monats;Vormonat;Differenz',
      "'=cmd Lang;1234;Entgeltumwandlung;2026-09;3010;;-83,10;-83,10;0,00;-83,10",
      "'=cmd Lang;1234;Geldwerter Vorteil;2026-09;3020;;8,00;8,00;0,00;8,00",
      '',
    ]);
    assert.match(await exported('en'), /^\uFEFFPerson;Personnel number;Kind;/);
    const { sql, testData } = fixture;
    const entries = await sql`
      SELECT actor FROM audit WHERE organization_id = ${testData.organization} AND target_id = ${id}
        AND action = 'payroll_run.export' LIMIT 1`;
    assert.deepEqual(entries, [{ actor: clerk.id }]);
  });
});

describe('createPortalPayrollSettlement', () => {
  test('422 VALIDATION_ERROR: nothing is open', async () => {
    const tenant = await company();
    const { orderId } = await activeOrder(tenant);
    assert.equal((await settle(orderId)).status, 201);
    assert.equal(outcome(await settle(orderId)), '422 VALIDATION_ERROR');
  });

  test('422 INVALID_REFERENCE: an order of a company out of scope', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA } = testData;
    const tenant = await company();
    const { orderId } = await activeOrder(tenant);
    const allowed = { permissions: ['HR' as const, 'PAYROLL_RUN' as const], hrTenants: [tenantA] };
    const { secret: key } = await signedInUser(sql, organization, allowed);
    const body = {
      orderId,
      month: '2026-09',
      kind: 'salary_conversion',
      meaning: 'not_owed',
      reason: 'Nachberechnet',
    };
    assert.equal(
      outcome(await fixture.portal.post('/payroll-settlements', body, { key })),
      '422 INVALID_REFERENCE',
    );
  });

  test('409 INVALID_STATE_TRANSITION: during a release', async () => {
    const { sql, testData } = fixture;
    const tenant = await company();
    const { orderId } = await activeOrder(tenant);
    const id = await storeDraftRun(sql, testData.organization, tenant);
    await sql`
      UPDATE payroll_run SET status = 'releasing' WHERE organization_id = ${testData.organization} AND id = ${id}`;
    assert.equal(outcome(await settle(orderId)), '409 INVALID_STATE_TRANSITION');
  });
});

describe('setPortalPayrollSettings', () => {
  test('422 VALIDATION_ERROR: an exported kind without a wage type', async () => {
    const { kinds } = settingsInput;
    const salaryConversion = { ...kinds.salaryConversion, wageType: null };
    const answer = await set(await company(null), { kinds: { ...kinds, salaryConversion } });
    assert.equal(outcome(answer), '422 VALIDATION_ERROR');
  });

  test('409 INVALID_STATE_TRANSITION: another first month after a release', async () => {
    const tenant = await company();
    await release((await draft(tenant)).id);
    assert.equal(outcome(await set(tenant, { firstPeriod: '2026-02' })), '409 INVALID_STATE_TRANSITION');
  });

  test('409 INVALID_STATE_TRANSITION: another user stores the first settings at the same time', async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const tenant = await company(null);
    let answer: ReturnType<typeof set> | undefined;
    await sql.begin(async transaction => {
      await transaction`
        SELECT FROM tenant WHERE organization_id = ${organization} AND id = ${tenant} FOR NO KEY UPDATE`;
      await transaction`
        INSERT INTO payroll_settings (organization_id, tenant_id, version, settings, changed_at)
        VALUES (${organization}, ${tenant}, 1, ${JSON.stringify(storedSettings(settingsInput as PayrollSettingsInput))}::jsonb, now())`;
      answer = set(tenant, { cutOffDay: 10, expectedVersion: 0 });
      await waitForLocks(sql, [answer]);
    });
    assert.equal(outcome(await answer!), '409 INVALID_STATE_TRANSITION');
    const stored = await fixture.portal.get(`/tenants/${tenant}/payroll-settings`, admin);
    assert.equal(stored.body.cutOffDay, null);
  });
});

test('downloadPortalPayrollFile 404 FILE_NOT_FOUND, 502 BAD_GATEWAY, 504 GATEWAY_TIMEOUT: a run without entries, and a store that fails or stalls', async () => {
  const tenant = await company();
  const { id } = await draft(tenant);
  await release(id);
  const [empty] = (await read(id)).files;
  const pathOf = (document: { id: string }) => `/payroll-export-documents/${document.id}/download`;
  assert.equal(outcome(await fixture.portal.get(pathOf(empty!), petra)), '404 FILE_NOT_FOUND');
  await activeOrder(tenant);
  const { id: next } = await draft(tenant);
  await release(next);
  const [file] = (await read(next)).files;
  const ask = async (open: FileStore['open']) => {
    const client = await serviceWith({ ...databaseStore(fixture.sql), open });
    return outcome(await client.get(pathOf(file!), petra));
  };
  assert.equal(await ask(() => Promise.reject(new FileStoreError('down'))), '502 BAD_GATEWAY');
  assert.equal(await ask(() => new Promise<never>(() => {})), '504 GATEWAY_TIMEOUT');
});
