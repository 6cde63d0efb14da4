import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { lockWaits } from '../../support/database/locks.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { orderInput, storeOrders } from '../../support/data/orders.ts';
import { testToken } from '../../support/data/tokens.ts';
import { usePlatform } from '../../platform/support.ts';
import { readLodas, readLug } from './formats/readers.ts';
import { assertError, settingsInput } from './support.ts';
import { type Tenant, Tenants } from './tenants.ts';

/** Each test has a tenant of its own, as a tenant has one run at a time. */
const fixture = usePlatform();

const unknown = 'f'.repeat(24);
const at = (path: string) => `/organizations/${fixture.testData.organization}${path}`;

const tenants = new Tenants(fixture);
const newTenant = tenants.create.bind(tenants);
const activeOrder = tenants.activeOrder.bind(tenants);
const reportLeave = tenants.reportLeave.bind(tenants);
const draft = tenants.draft.bind(tenants);
const release = tenants.release.bind(tenants);
const released = tenants.released.bind(tenants);
const discard = tenants.discard.bind(tenants);
const findings = tenants.findings.bind(tenants);
const filesOf = tenants.filesOf.bind(tenants);
const auditOf = tenants.auditOf.bind(tenants);

/** Without the random number of the tenant. */
const nameOf = ({ fileName }: { fileName: string }) => fileName.replace(/-0-[0-9]+/, '');

describe('getPayrollSettings', () => {
  test('200: the settings as they were set', async () => {
    const tenant = await newTenant();
    const { status, body } = await fixture.own.get(tenant.settings);
    const { version, changedAt, tenant: id, versions, ...settings } = body;
    const from = settingsInput.firstPeriod;
    assert.deepEqual([status, version, id, settings], [200, 1, tenant.id, { ...settingsInput, from }]);
    assert.deepEqual(versions, [{ from, version, changedAt }]);
    assert.ok(Date.parse(changedAt) <= Date.now() + 1000);
  });

  test('404 NOT_FOUND: before they were set, and of another organization', async () => {
    const tenant = await newTenant(null);
    assertError(await fixture.own.get(tenant.settings), 404, 'NOT_FOUND', /no payroll settings/);
    const foreign = at(`/tenants/${fixture.testData.foreign.tenant}/payroll-settings`);
    assertError(await fixture.own.get(foreign), 404, 'NOT_FOUND', /No tenant/);
  });
});

describe('setPayrollSettings', () => {
  test('200: a change counts a version and is audited with its fields, no change with nothing', async () => {
    const tenant = await newTenant();
    const set = async (more: object) =>
      (await fixture.own.post(tenant.settings, { ...settingsInput, ...more })).body.version;
    assert.equal(await set({}), 1);
    assert.equal(await set({ cutOffDay: 20, benefitProRata: true }), 2);
    assert.equal(await set({ cutOffDay: 20, benefitProRata: true }), 2);
    const entries = (await auditOf(tenant.id)).filter(
      ({ action }) => action === 'tenant.set_payroll_settings',
    );
    assert.deepEqual(
      entries.map(({ fields, actor_type }) => [fields.toSorted(), actor_type]),
      [
        [Object.keys(settingsInput).toSorted(), 'platform_token'],
        [['benefitProRata', 'cutOffDay'], 'platform_token'],
      ],
    );
  });

  test('422 VALIDATION_ERROR: a kind that is exported without a wage type', async () => {
    const tenant = await newTenant(null);
    const { kinds } = settingsInput;
    const wrong = { ...kinds, taxableBenefit: { ...kinds.taxableBenefit, wageType: null } };
    const answer = await fixture.own.post(tenant.settings, { ...settingsInput, kinds: wrong });
    assertError(answer, 422, 'VALIDATION_ERROR', /kinds\.taxableBenefit\.wageType is required/);
  });

  test('409 INVALID_STATE_TRANSITION: another first period after a release; before, it may change', async () => {
    const tenant = await newTenant();
    const set = (firstPeriod: string) => fixture.own.post(tenant.settings, { ...settingsInput, firstPeriod });
    assert.equal((await set('2026-09')).status, 200);
    await released(tenant, '2026-10');
    assertError(await set('2026-08'), 409, 'INVALID_STATE_TRANSITION', /firstPeriod cannot change/);
    assert.equal((await set('2026-09')).status, 200);
  });
});

describe('getPayrollImportDescription', () => {
  test('200: the INI file, byte for byte', async () => {
    const { id } = await newTenant(null);
    const answer = await fixture.own.get(at(`/tenants/${id}/payroll-import-description`));
    assert.deepEqual(answer.bytes, await readFile(new URL('formats/golden/lug.ini', import.meta.url)));
    assert.match(String(answer.headers['content-disposition']), /kontor-lug\.ini/);
  });
});

describe('createPayrollRun', () => {
  test('201: computing, then a draft with report; audited', async () => {
    const tenant = await newTenant();
    await activeOrder(tenant);
    const run = await draft(tenant, '2026-09');
    assert.deepEqual([run.status, run.progress, run.failure, run.documents], ['draft', null, null, []]);
    assert.equal(run.createdBy.type, 'platform_token');
    assert.deepEqual(run.summary, {
      entries: 2,
      orders: 1,
      errors: 0,
      skipped: 0,
      questions: 0,
      acknowledged: 0,
      sums: [
        {
          kind: 'salary_conversion',
          amount: '-83.10',
          total: '-83.10',
          amountBefore: '0.00',
          difference: '-83.10',
        },
        { kind: 'taxable_benefit', amount: '8.00', total: '8.00', amountBefore: '0.00', difference: '8.00' },
      ],
      costCenters: [
        { costCenter: null, kind: 'salary_conversion', amount: '-83.10' },
        { costCenter: null, kind: 'taxable_benefit', amount: '8.00' },
      ],
    });
    assert.deepEqual(
      (await auditOf(run.id)).map(({ action }) => action),
      ['payroll_run.create'],
    );
  });

  test('201: the report compares with all runs of the period before, and not with an earlier run of the same period', async () => {
    const tenant = await newTenant();
    await activeOrder(tenant);
    await released(tenant, '2026-09');
    await activeOrder(tenant, { employee: { employeeNumber: '99' } });
    await released(tenant, '2026-09');
    const before = ['-166.20', '16.00'];
    const compared = (run: { summary: { sums: { amountBefore: string }[] } }) =>
      run.summary.sums.map(({ amountBefore }) => amountBefore);
    assert.deepEqual(compared(await released(tenant, '2026-10')), before);
    const again = await draft(tenant, '2026-10');
    assert.deepEqual([again.summary.entries, compared(again)], [0, before]);
    const [conversion] = again.summary.sums;
    assert.deepEqual(
      [conversion.amount, conversion.total, conversion.difference],
      ['0.00', '-166.20', '0.00'],
      'the month has all its releases',
    );
  });

  test('422 VALIDATION_ERROR: without settings, before the first period, and before the last released one', async () => {
    const create = (tenant: Tenant, period: string) =>
      fixture.own.post(tenant.runs, { period, formats: ['csv'] });
    assertError(
      await create(await newTenant(null), '2026-10'),
      422,
      'VALIDATION_ERROR',
      /no payroll settings/,
    );
    const tenant = await newTenant({ firstPeriod: '2026-09' });
    assertError(await create(tenant, '2026-08'), 422, 'VALIDATION_ERROR', /before 2026-09, the first period/);
    await released(tenant, '2026-10');
    assertError(
      await create(tenant, '2026-09'),
      422,
      'VALIDATION_ERROR',
      /before 2026-10, the last released/,
    );
    assert.equal((await draft(tenant, '2026-10')).status, 'draft');
  });

  test('422 INVALID_REFERENCE: a division of another tenant', async () => {
    const tenant = await newTenant();
    for (const divisionId of [unknown, fixture.testData.sales, fixture.testData.foreign.division]) {
      const answer = await fixture.own.post(tenant.runs, { period: '2026-10', formats: ['csv'], divisionId });
      assertError(answer, 422, 'INVALID_REFERENCE', /divisionId must name a division of the tenant/);
    }
  });

  test('409 DUPLICATE_RESOURCE: while another run is open, of any period', async () => {
    const tenant = await newTenant();
    const open = await draft(tenant, '2026-10');
    const second = () => fixture.own.post(tenant.runs, { period: '2026-11', formats: ['csv'] });
    assertError(await second(), 409, 'DUPLICATE_RESOURCE', new RegExp(`open run, ${open.id}`));
    await discard(open);
    assert.equal((await second()).status, 201);
  });

  test('of two at once, one is created', async () => {
    const tenant = await newTenant();
    const create = () => fixture.own.post(tenant.runs, { period: '2026-10', formats: ['csv'] });
    const answers = await Promise.all([create(), create(), create(), create()]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  });

  test('201: `replaces` discards a draft with its entries in the same transaction, a dry run nothing; both are audited', async () => {
    const { sql, testData } = fixture;
    const tenant = await newTenant();
    await activeOrder(tenant);
    const before = await draft(tenant, '2026-09');
    const body = { period: '2026-09', formats: ['csv'], replaces: before.id };
    assert.equal((await fixture.own.post(tenant.runs, body, { query: { dryRun: true } })).status, 200);
    assert.equal((await tenants.read(before)).status, 'draft');
    const { id, summary } = await draft(tenant, '2026-09', { replaces: before.id });
    assert.equal(summary.entries, 2);
    assert.equal((await tenants.read(before)).status, 'discarded');
    const actionsOf = async (run: string) => (await auditOf(run)).map(({ action }) => action);
    assert.deepEqual(await actionsOf(before.id), ['payroll_run.create', 'payroll_run.discard']);
    assert.deepEqual(await actionsOf(id), ['payroll_run.create']);
    const left = await sql`
      SELECT FROM payroll_draft_entry
      WHERE organization_id = ${testData.organization} AND run_id = ${before.id}`;
    assert.equal(left.length, 0);
  });

  test('of two that replace a draft at once one creates a run, and the other is 409 DUPLICATE_RESOURCE', async () => {
    const tenant = await newTenant();
    const { id: replaces } = await draft(tenant, '2026-10');
    const again = () => tenants.createRun(tenant, '2026-10', { replaces });
    const answers = await Promise.all([again(), again()]);
    const codes = answers.map(({ status, body }) => body.error?.code ?? status).toSorted();
    assert.deepEqual(codes, [201, 'DUPLICATE_RESOURCE']);
  });

  test('a draft stays when the run that would replace it is rejected', async () => {
    const tenant = await newTenant();
    const before = await draft(tenant, '2026-10');
    const early = await tenants.createRun(tenant, '2019-01', { replaces: before.id });
    assertError(early, 422, 'VALIDATION_ERROR', /^period/);
    assert.equal((await tenants.read(before)).status, 'draft');
  });

  test('409 INVALID_STATE_TRANSITION: `replaces` a released run; 422 INVALID_REFERENCE: one of another tenant', async () => {
    const tenant = await newTenant();
    const { id: replaces } = await released(tenant, '2026-10');
    const again = await tenants.createRun(tenant, '2026-10', { replaces });
    assertError(again, 409, 'INVALID_STATE_TRANSITION', /is released and cannot be discarded/);
    const other = await draft(await newTenant(), '2026-10');
    const strange = await tenants.createRun(tenant, '2026-10', { replaces: other.id });
    assertError(strange, 422, 'INVALID_REFERENCE', /^replaces must name a payroll run of the tenant/);
    assert.equal((await tenants.read(other)).status, 'draft');
  });
});

describe('releasePayrollRun', () => {
  test('200: what is owed is exported once, and a repeated release changes nothing', async () => {
    const tenant = await newTenant();
    await activeOrder(tenant);
    const run = await released(tenant, '2026-09', { formats: ['csv', 'datev_lodas', 'datev_lug'] });
    assert.equal(run.releasedBy.type, 'platform_token');
    const files = await filesOf(run);
    assert.deepEqual(
      files.map(({ document: { format, period, status, fileName, rowCount, size }, bytes }) => {
        return [format, period, status, nameOf({ fileName }), rowCount, size === bytes.length];
      }),
      [
        ['csv', '2026-09', 'available', 'lohn-muster-10001-2026-09.csv', 2, true],
        ['datev_lodas', '2026-09', 'available', 'lodas-muster-10001-2026-09.txt', 2, true],
        ['datev_lug', '2026-09', 'available', 'lug-muster-10001-2026-09.txt', 2, true],
      ],
    );
    assert.deepEqual((await release(run)).body, (await fixture.own.get(at(`/payroll-runs/${run.id}`))).body);
    const entries = await auditOf(run.id);
    assert.deepEqual(
      entries.map(({ action, actor_type }) => [action, actor_type]),
      [
        ['payroll_run.create', 'platform_token'],
        ['payroll_run.release', 'platform_token'],
      ],
    );
    assert.equal((await draft(tenant, '2026-09')).summary.entries, 0);
  });

  test('200: a correction is a record of its own in LODAS, and a file of its own in Lohn und Gehalt', async () => {
    const tenant = await newTenant();
    const order = await activeOrder(tenant);
    await released(tenant, '2026-09');
    await reportLeave(order, '2026-09-16', '2026-09-30');
    const run = await released(tenant, '2026-10', { formats: ['datev_lodas', 'datev_lug'] });
    const [lodas, ...lug] = await filesOf(run);
    const [corrected, month] = lug.map(({ bytes }) => readLug(bytes));
    const parts = ({ month: ofMonth, wageType, cents }: { month: string; wageType: string; cents: bigint }) =>
      [ofMonth, wageType, cents] as const;
    const correction = ['2026-09', '3010', 4155n] as const;
    const regular = [
      ['2026-10', '3010', -8310n],
      ['2026-10', '3020', 800n],
    ] as const;
    assert.deepEqual(readLodas(lodas!.bytes).lines.map(parts), [correction, ...regular]);
    assert.deepEqual([corrected!.month, corrected!.lines.map(parts)], ['2026-09', [correction]]);
    assert.deepEqual([month!.month, month!.lines.map(parts)], ['2026-10', regular]);
    assert.deepEqual(
      lug.map(({ document }) => [document.period, nameOf(document)]),
      [
        ['2026-09', 'lug-muster-10001-2026-10-korrektur-2026-09.txt'],
        ['2026-10', 'lug-muster-10001-2026-10.txt'],
      ],
    );
  });

  test('200: files of a second run of a period have names of their own', async () => {
    const tenant = await newTenant();
    const formats = ['csv', 'datev_lug'];
    const names = async (run: { documents: { id: string }[] }) =>
      (await filesOf(run)).map(({ document }) => nameOf(document));
    await activeOrder(tenant);
    const first = await released(tenant, '2026-10', { formats });
    assert.deepEqual(await names(first), [
      'lohn-muster-10001-2026-10.csv',
      'lug-muster-10001-2026-10-korrektur-2026-09.txt',
      'lug-muster-10001-2026-10.txt',
    ]);
    // Another process may have made a later identifier in the same second.
    await fixture.sql`UPDATE payroll_run SET id = ${unknown} WHERE id = ${first.id}`;
    await activeOrder(tenant, { employee: { employeeNumber: '99' } });
    const second = await released(tenant, '2026-10', { formats });
    assert.deepEqual(await names(second), [
      'lohn-muster-10001-2026-10-2.csv',
      'lug-muster-10001-2026-10-2-korrektur-2026-09.txt',
      'lug-muster-10001-2026-10-2.txt',
    ]);
  });

  test('200: without entries the documents are empty', async () => {
    const run = await released(await newTenant(), '2026-10', { formats: ['csv', 'datev_lug'] });
    for (const { id } of run.documents) {
      const { body } = await fixture.client.get(`/payroll-export-documents/${id}`);
      assert.deepEqual([body.status, body.fileName, body.rowCount], ['empty', null, 0]);
    }
    assert.equal(run.documents.length, 2);
  });

  test('409 INVALID_STATE_TRANSITION: a stale draft, with the differences, and nothing is released', async () => {
    const tenant = await newTenant();
    const order = await activeOrder(tenant);
    const run = await draft(tenant, '2026-09');
    await reportLeave(order, '2026-09-16', '2026-09-30');
    const difference = new RegExp(`salary_conversion of order ${order.orderId} in 2026-09: 83.10 → 41.55`);
    const { body } = await release(run);
    assertError(await release(run), 409, 'INVALID_STATE_TRANSITION', difference);
    assert.deepEqual([body.status, body.failure.reason, body.documents], ['draft', 'stale', []]);
    const expected = { orderId: order.orderId, month: '2026-09', kind: 'salary_conversion' };
    assert.deepEqual(body.failure.differences, [{ ...expected, draft: '83.10', now: '41.55' }]);
    await discard(run);
    assert.equal((await released(tenant, '2026-09')).summary.sums[0].amount, '-41.55');
  });

  test('409 INVALID_STATE_TRANSITION: errors in the report', async () => {
    const tenant = await newTenant({ kinds: { ...settingsInput.kinds, taxableBenefit: null } });
    await activeOrder(tenant);
    const run = await draft(tenant, '2026-09');
    assertError(await release(run), 409, 'INVALID_STATE_TRANSITION', /has 1 error/);
    const [error] = await findings(run, { severity: 'error' });
    assert.deepEqual([error.code, error.kind, error.orderId], ['unmapped_kind', 'taxable_benefit', null]);
  });

  test('409 INVALID_STATE_TRANSITION: a discarded run', async () => {
    const run = await draft(await newTenant(), '2026-10');
    assert.equal((await discard(run)).body.status, 'discarded');
    assertError(await release(run), 409, 'INVALID_STATE_TRANSITION', /is discarded and cannot be released/);
  });

  test('403 PERMISSION_DENIED: the actor that created it, where another one must release', async () => {
    const tenant = await newTenant({ releaseBySecondActor: true });
    const run = await draft(tenant, '2026-10');
    assertError(await release(run), 403, 'PERMISSION_DENIED', /different user or token/);
    const second = fixture.clientOf(await testToken(fixture.sql, { permissions: ['payroll:release'] }));
    const answer = await release(run, second);
    assert.deepEqual([answer.status, answer.body.status], [200, 'released']);
    assert.notEqual(answer.body.releasedBy.id, answer.body.createdBy.id);
  });
});

describe('discardPayrollRun', () => {
  test('200: nothing of it counts, and a repeated discard changes nothing; audited once', async () => {
    const tenant = await newTenant();
    await activeOrder(tenant);
    const run = await draft(tenant, '2026-09');
    for (let i = 0; i < 2; i++) assert.deepEqual((await discard(run)).body.status, 'discarded');
    const actions = (await auditOf(run.id)).map(({ action }) => action);
    assert.deepEqual(actions, ['payroll_run.create', 'payroll_run.discard']);
    assert.equal((await draft(tenant, '2026-09')).summary.entries, 2);
  });

  test('200: a run that is computing, at once; its job ends without effect, and one that has not begun is removed', async () => {
    const { sql, testData } = fixture;
    const tenant = await newTenant();
    await activeOrder(tenant);
    const create = async () =>
      (await fixture.own.post(tenant.runs, { period: '2026-09', formats: ['csv'] })).body.id as string;
    const jobs = async () => {
      const rows = await sql`
        SELECT id FROM background_job WHERE organization_id = ${testData.organization}`;
      return rows.map(({ id }) => id);
    };
    const discarded: string[] = [];
    await sql.begin(async transaction => {
      await transaction.unsafe('LOCK TABLE payroll_finding IN SHARE ROW EXCLUSIVE MODE');
      for (let i = 0; i < 2; i++) {
        const id = await create();
        while ((await lockWaits(sql)) === 0);
        const { status, body } = await discard({ id });
        assert.deepEqual([status, body.status], [200, 'discarded']);
        discarded.push(id);
      }
      assert.deepEqual(await jobs(), [discarded[0]]);
    });
    while ((await jobs()).length > 0);
    assert.equal((await draft(tenant, '2026-09')).summary.entries, 2);
    for (const id of discarded) {
      const run = await tenants.read({ id });
      assert.deepEqual([run.status, run.failure, await findings({ id })], ['discarded', null, []]);
    }
    const left = await sql`
      SELECT FROM payroll_draft_entry
      WHERE organization_id = ${testData.organization} AND run_id = ANY(${discarded}::text[])`;
    assert.equal(left.length, 0);
  });

  test('409 INVALID_STATE_TRANSITION: a released run', async () => {
    const run = await released(await newTenant(), '2026-10');
    assertError(await discard(run), 409, 'INVALID_STATE_TRANSITION', /is released and cannot be discarded/);
  });
});

describe('listPayrollFindings', () => {
  test('200: by number, behind `after`, of one severity', async () => {
    const tenant = await newTenant();
    await activeOrder(tenant);
    await activeOrder(tenant, { employee: { employeeNumber: null } });
    const run = await draft(tenant, '2026-09');
    const all = await findings(run);
    assert.deepEqual(
      all.map(({ number }: { number: number }) => number),
      all.map((_: unknown, index: number) => index + 1),
    );
    assert.deepEqual(await findings(run, { after: 2 }), all.slice(2));
    const skipped = await findings(run, { severity: 'skipped' });
    assert.deepEqual(
      skipped.map(({ code, field, month, kind, amount }: Record<string, string>) => [
        code,
        field,
        month,
        kind,
        amount,
      ]),
      [
        ['personnel_number', 'employeeNumber', '2026-09', 'salary_conversion', '83.10'],
        ['personnel_number', 'employeeNumber', '2026-09', 'taxable_benefit', '8.00'],
      ],
    );
    assert.equal(run.summary.skipped, 2);
    const { documents } = (await release(run)).body;
    const { body } = await fixture.client.get(`/payroll-export-documents/${documents[0].id}`);
    assert.deepEqual([body.rowCount, body.skippedCount], [2, 1]);
  });
});

describe('listPayrollRuns', () => {
  test('200: the newest first, with who downloaded a document when', async () => {
    const tenant = await newTenant();
    await activeOrder(tenant);
    const first = await released(tenant, '2026-09');
    const second = await draft(tenant, '2026-10');
    for (let i = 0; i < 2; i++) await filesOf(first);
    const { items } = (await fixture.own.get(tenant.runs)).body;
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [second.id, first.id],
    );
    const [download, ...others] = items[1].documents[0].downloads;
    assert.deepEqual([download.actor.type, download.count, others], ['api_key', 2, []]);
  });
});

describe('createPayrollSettlement', () => {
  const settle = (more: object) =>
    fixture.own.post(at('/payroll-settlements'), {
      month: '2026-09',
      kind: 'salary_conversion',
      meaning: 'paid_elsewhere',
      reason: 'Vom Steuerbüro nachberechnet',
      ...more,
    });

  test('201: all that is open counts as released, with user and reason; audited', async () => {
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant);
    const { status, body } = await settle({ orderId });
    assert.deepEqual([status, body.amount, body.settledBy.type], [201, '83.10', 'platform_token']);
    const run = await draft(tenant, '2026-09');
    assert.deepEqual(
      run.summary.sums.map(({ kind }: { kind: string }) => kind),
      ['taxable_benefit'],
    );
    const actions = (await auditOf(orderId)).map(({ action }) => action);
    assert.ok(actions.includes('order.settle_payroll'), actions.join());
  });

  test('201: a part that was settled leaves the rest open', async () => {
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant);
    assert.equal((await settle({ orderId, amount: '80.00' })).status, 201);
    assert.equal((await draft(tenant, '2026-09')).summary.sums[0].amount, '-3.10');
  });

  test('422 VALIDATION_ERROR: nothing is open', async () => {
    const { orderId } = await activeOrder(await newTenant());
    assert.equal((await settle({ orderId })).status, 201);
    assertError(await settle({ orderId }), 422, 'VALIDATION_ERROR', /Nothing is open/);
  });

  test('409 INVALID_STATE_TRANSITION: a run of the tenant is being released, as for new settings', async () => {
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant);
    const { id } = await draft(tenant, '2026-09');
    const { sql, testData } = fixture;
    const set = () => fixture.own.post(tenant.settings, { ...settingsInput, cutOffDay: 9 });
    await sql`
      UPDATE payroll_run SET status = 'releasing' WHERE organization_id = ${testData.organization} AND id = ${id}`;
    for (const answer of [await settle({ orderId }), await set()])
      assertError(answer, 409, 'INVALID_STATE_TRANSITION', /is being released/);
    await sql`
      UPDATE payroll_run SET status = 'draft' WHERE organization_id = ${testData.organization} AND id = ${id}`;
    assert.deepEqual([(await settle({ orderId })).status, (await set()).status], [201, 200]);
  });

  test('422 VALIDATION_ERROR: a tenant without settings', async () => {
    const { orderId } = await activeOrder(await newTenant(null));
    assertError(await settle({ orderId }), 422, 'VALIDATION_ERROR', /no payroll settings/);
  });

  test('422 INVALID_REFERENCE: no order, and one of another organization', async () => {
    const { sql, testData } = fixture;
    const { organization, tenant } = testData.foreign;
    const [person] = await storeEmployees(sql, organization, [{ tenant }]);
    const target = { organizationId: organization, tenantId: tenant };
    const [foreign] = await storeOrders(sql, target, [orderInput({ employeeId: person!.id })]);
    for (const orderId of [unknown, foreign!.id])
      assertError(await settle({ orderId }), 422, 'INVALID_REFERENCE', /orderId must name an order/);
  });
});

describe('explainPayroll', () => {
  const explain = async (employeeId: string, period: string) =>
    (await fixture.own.get(at(`/employees/${employeeId}/payroll-explanation`), { query: { period } })).body
      .receipts;

  test('400 VALIDATION_ERROR: without a period', async () => {
    const answer = await fixture.own.get(at(`/employees/${'f'.repeat(24)}/payroll-explanation`));
    assert.deepEqual(
      [answer.status, answer.body.error.message],
      [400, 'The query parameter period is missing'],
    );
  });

  test('200: contract, month and rule of what is open, then of what was released, whatever changes later', async () => {
    const tenant = await newTenant();
    const order = await activeOrder(tenant, { contract: { startDate: '2026-09-16', endDate: '2029-09-15' } });
    const [open] = await explain(order.employeeId, '2026-09');
    assert.deepEqual(
      [open.source, open.contractNumber, open.month, open.kind, open.amount, open.computation],
      [
        'open',
        'LV-1',
        '2026-09',
        'salary_conversion',
        '41.55',
        {
          rule: 'part_month',
          contractVersion: 1,
          rate: '83.10',
          terms: {
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            benefits: [{ rule: 'quarter', listPrice: '3599.00', base: '800.00', amount: '8.00' }],
          },
          daysOfMonth: 30,
          contractDays: 15,
          suspendedDays: 0,
        },
      ],
    );
    const run = await released(tenant, '2026-09');
    await reportLeave(order, '2026-09-16', '2026-09-30');
    const receipts = await explain(order.employeeId, '2026-09');
    const { wageType, costCenter, reason } = receipts[0];
    assert.deepEqual([receipts[0].booked, receipts[0].personnelNumber], ['-41.55', '1234']);
    assert.deepEqual(receipts[0], { ...open, source: 'run', runId: run.id, wageType, costCenter, reason });
    const corrections = receipts.filter(({ source }: { source: string }) => source === 'open');
    assert.deepEqual(
      corrections.map(({ kind, amount, owed }: Record<string, string>) => [kind, amount, owed]),
      [
        ['salary_conversion', '-41.55', '0.00'],
        ['taxable_benefit', '-8.00', '0.00'],
      ],
    );
  });
});
