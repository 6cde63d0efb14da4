import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PayrollFinding } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import { type ReadLine, readCsv, readLodas, readLug } from './formats/readers.ts';
import { assertError, settingsInput } from './support.ts';
import { type Tenant, Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);
const at = tenants.at.bind(tenants);
const formats = ['datev_lodas', 'datev_lug'];

const reverse = (tenant: Tenant, more: object) =>
  fixture.own.post(at(`/tenants/${tenant.id}/payroll-reversals`), { period: '2026-10', formats, ...more });

async function draftReversal(tenant: Tenant, more: object) {
  const answer = await reverse(tenant, more);
  assert.equal(answer.status, 201, answer.bytes.toString());
  for (;;) {
    const run = await tenants.read(answer.body);
    if (run.status !== 'computing') return run;
  }
}

async function released(run: { id: string }) {
  const answer = await tenants.release(run);
  assert.equal(answer.body.status, 'released', answer.bytes.toString());
  return answer.body;
}

async function renumber(employeeId: string, employeeNumber: string) {
  const answer = await fixture.client.patch(`/employees/${employeeId}`, { employeeNumber });
  assert.equal(answer.status, 200, answer.bytes.toString());
}

const bookings = (lines: readonly ReadLine[]) =>
  lines.map(({ month, personnelNumber, wageType, cents }) => [month, personnelNumber, wageType, cents]);

describe('createPayrollReversal', () => {
  test('a wrong personnel number: counter entries under the old one, the amounts under the new one, and later corrections follow', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    const { id: runId } = await tenants.released(tenant, '2026-09');
    await renumber(order.employeeId, '4712');
    const asked = await tenants.findings(await tenants.draft(tenant, '2026-10'), { severity: 'question' });
    assert.deepEqual(
      asked.map(({ code, field }: { code: string; field: string }) => [code, field]),
      [['number_changed', 'employeeNumber']],
    );
    const [open] = (await fixture.own.get(tenant.runs)).body.items;
    const draft = await draftReversal(tenant, { runId, replaces: open.id });
    assert.deepEqual([draft.kind, draft.reverses.runId, draft.summary.entries], ['reversal', runId, 4]);
    assert.deepEqual(
      draft.summary.sums.map(({ amount }: { amount: string }) => amount),
      ['0.00', '0.00'],
    );
    const [lodas, lug] = await tenants.filesOf(await released(draft));
    const expected = [
      ['2026-09', '1234', '3010', 8310n],
      ['2026-09', '1234', '3020', -800n],
      ['2026-09', '4712', '3010', -8310n],
      ['2026-09', '4712', '3020', 800n],
    ];
    assert.deepEqual(bookings(readLodas(lodas!.bytes).lines), expected);
    assert.match(lodas!.document.fileName, /-10001-2026-10-umbuchung\.txt$/);
    assert.equal(readLug(lug!.bytes).lines.length, 4);
    await tenants.reportLeave(order, '2026-09-16', '2026-09-30');
    const next = await tenants.released(tenant, '2026-10', { formats: ['datev_lodas'] });
    const [file] = await tenants.filesOf(next);
    assert.deepEqual(bookings(readLodas(file!.bytes).lines)[0], ['2026-09', '4712', '3010', 4155n]);
    const questions = await tenants.findings(next, { severity: 'question' });
    assert.deepEqual(
      questions.map(({ code }: PayrollFinding) => code),
      ['leave_takes_back'],
    );
  });

  test('months that LODAS no longer corrects keep the old number in every format, and the report names them', async () => {
    const tenant = await tenants.create({ firstPeriod: '2024-12' });
    const contract = { startDate: '2024-12-01', endDate: '2027-11-30' };
    const { employeeId } = await tenants.activeOrder(tenant, { contract });
    await tenants.released(tenant, '2025-01', { formats });
    await renumber(employeeId, '4712');
    const draft = await draftReversal(tenant, {
      employeeId,
      period: '2026-01',
      formats: ['csv', 'datev_lodas'],
    });
    const skipped: PayrollFinding[] = await tenants.findings(draft, { severity: 'skipped' });
    assert.deepEqual(
      skipped.map(({ code, field, month, kind }) => [code, field, month, kind]),
      [
        ['correction_out_of_range', 'lodas', '2024-12', 'salary_conversion'],
        ['correction_out_of_range', 'lodas', '2024-12', 'taxable_benefit'],
      ],
    );
    assert.equal(draft.summary.skipped, 2);
    for (const { document, bytes } of await tenants.filesOf(await released(draft))) {
      const lines = document.format === 'csv' ? readCsv(bytes) : readLodas(bytes).lines;
      assert.deepEqual(bookings(lines).toSorted(), [
        ['2025-01', '1234', '3010', 8310n],
        ['2025-01', '1234', '3020', -800n],
        ['2025-01', '4712', '3010', -8310n],
        ['2025-01', '4712', '3020', 800n],
      ]);
    }
  });

  test('a reversal releases no month: a later one is still skipped, compared and set as before', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    await tenants.released(tenant, '2026-08');
    const { id: runId } = await tenants.released(tenant, '2026-09');
    await renumber(order.employeeId, '4712');
    await released(await draftReversal(tenant, { runId, period: '2026-10' }));
    const wanted = { ...settingsInput, benefitProRata: true };
    const { body: settings } = await fixture.own.post(tenant.settings, wanted, { query: { dryRun: true } });
    assert.equal(settings.from, '2026-10');
    const november = await tenants.draft(tenant, '2026-11');
    const skipped: PayrollFinding[] = await tenants.findings(november, { severity: 'question' });
    assert.deepEqual(
      skipped.map(({ code, month }) => [code, month]),
      [['skipped_month', '2026-10']],
    );
    const { body: opened } = await fixture.own.post(at(`/payroll-runs/${november.id}/entries/search`), {});
    const before = (kind: string) =>
      opened.items
        .filter((entry: { kind: string }) => entry.kind === kind)
        .reduce((sum: number, entry: { amountBefore: string }) => sum + Number(entry.amountBefore), 0);
    for (const { kind, amountBefore } of november.summary.sums)
      assert.equal(before(kind), Number(amountBefore), kind);
  });

  test('a wrong client number: the counter entries are a file of the old client, with its number', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    const { id: runId } = await tenants.released(tenant, '2026-09', { formats });
    await tenants.set(tenant, { clientNumber: '10002' });
    const files = await tenants.filesOf(await released(await draftReversal(tenant, { runId })));
    assert.deepEqual(
      files.map(({ document, bytes }) => {
        const read = document.format === 'datev_lug' ? readLug(bytes) : readLodas(bytes);
        return [document.format, read.client, ...read.lines.map(({ cents }) => cents)];
      }),
      [
        ['datev_lodas', '10001', 8310n, -800n],
        ['datev_lodas', '10002', -8310n, 800n],
        ['datev_lug', '10001', 8310n, -800n],
        ['datev_lug', '10002', -8310n, 800n],
      ],
    );
    assert.equal(new Set(files.map(({ document }) => document.fileName)).size, 4);
  });

  test('a wrong wage type and sign of one employee; a second reversal finds nothing', async () => {
    const tenant = await tenants.create();
    const { employeeId } = await tenants.activeOrder(tenant);
    await tenants.activeOrder(tenant, { employee: { employeeNumber: '99' } });
    await tenants.released(tenant, '2026-09');
    const { kinds } = settingsInput;
    const taxableBenefit = { ...kinds.taxableBenefit, wageType: '3099', sign: 'minus' };
    await tenants.set(tenant, { kinds: { ...kinds, taxableBenefit } });
    const months = { employeeId, firstMonth: '2026-09', lastMonth: '2026-10' };
    const [lodas] = await tenants.filesOf(await released(await draftReversal(tenant, { employeeId })));
    assert.deepEqual(bookings(readLodas(lodas!.bytes).lines), [
      ['2026-09', '1234', '3099', -800n],
      ['2026-09', '1234', '3020', -800n],
    ]);
    assert.equal((await draftReversal(tenant, months)).summary.entries, 0);
  });

  test('a regular run of an earlier month is possible after a reversal of a later period', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    const { id: runId } = await tenants.released(tenant, '2026-09');
    await tenants.discard(await draftReversal(tenant, { runId }));
    await released(await draftReversal(tenant, { runId }));
    assert.equal((await tenants.released(tenant, '2026-09')).kind, 'regular');
  });

  test('403 PERMISSION_DENIED: its creator, where another caller must release', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    const { id: runId } = await tenants.released(tenant, '2026-09');
    await tenants.set(tenant, { releaseBySecondActor: true });
    assertError(await tenants.release(await draftReversal(tenant, { runId })), 403, 'PERMISSION_DENIED');
  });

  test('422: neither a run nor an employee, both, months in the wrong order, and what is not of the tenant', async () => {
    const tenant = await tenants.create();
    const { employeeId } = await tenants.activeOrder(tenant);
    const { id: runId } = await tenants.released(tenant, '2026-09');
    const [firstMonth, lastMonth] = ['2026-09', '2026-10'];
    const wrong = [
      {},
      { firstMonth, lastMonth },
      { runId, employeeId, firstMonth, lastMonth },
      { employeeId, firstMonth: lastMonth, lastMonth: firstMonth },
      { employeeId, firstMonth, lastMonth: '2026-11' },
    ];
    for (const body of wrong)
      assertError(await reverse(tenant, body), 422, 'VALIDATION_ERROR', /Month|runId/);
    const unknown = 'f'.repeat(24);
    const foreign = [{ runId: unknown }, { employeeId: unknown, firstMonth, lastMonth }];
    for (const body of foreign) assertError(await reverse(tenant, body), 422, 'INVALID_REFERENCE');
    const open = await tenants.draft(tenant, '2026-10');
    assertError(await reverse(tenant, { runId }), 409, 'DUPLICATE_RESOURCE');
    assertError(await reverse(tenant, { runId: open.id }), 422, 'INVALID_REFERENCE');
    assertError(await reverse(tenant, { runId, replaces: runId }), 409, 'INVALID_STATE_TRANSITION');
  });
});
