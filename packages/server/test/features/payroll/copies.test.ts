import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usePlatform } from '../../platform/support.ts';
import { readLodas, readLug } from './formats/readers.ts';
import { assertError } from './support.ts';
import { Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);

const copy = (run: { id: string }, query: Record<string, string | number>) =>
  fixture.own.get(tenants.at(`/payroll-runs/${run.id}/copy`), { query });

describe('getPayrollRunCopy', () => {
  test('the same entries in the same or another format, marked as a copy, with the client of the release; downloads are listed', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    const run = await tenants.released(tenant, '2026-10', { formats: ['csv', 'datev_lodas'] });
    const [csv, lodas] = await tenants.filesOf(run);
    await tenants.set(tenant, { clientNumber: '10002', from: '2026-09', changesReleased: true });
    const same = await copy(run, { format: 'csv' });
    assert.deepEqual(same.bytes, csv!.bytes);
    assert.match(String(same.headers['content-disposition']), /-10001-2026-10-kopie\.csv/);
    const again = readLodas((await copy(run, { format: 'datev_lodas' })).bytes);
    assert.deepEqual(again, readLodas(lodas!.bytes));
    const months = [1, 2].map(async number =>
      readLug((await copy(run, { format: 'datev_lug', number })).bytes),
    );
    const lug = await Promise.all(months);
    assert.deepEqual(
      lug.map(({ month, client, lines }) => [month, client, lines.length]),
      [
        ['2026-09', '10001', 2],
        ['2026-10', '10001', 2],
      ],
    );
    assertError(await copy(run, { format: 'datev_lug', number: 3 }), 404, 'NOT_FOUND');
    const { copies, documents } = await tenants.read(run);
    assert.deepEqual(
      copies.map(({ count }: { count: number }) => count),
      [4],
    );
    assert.equal(documents.length, 2);
    assert.equal((await tenants.draft(tenant, '2026-10')).summary.entries, 0);
  });

  test('422 VALIDATION_ERROR: an amount that the other format does not accept', async () => {
    const tenant = await tenants.create({ adviserNumber: null });
    await tenants.activeOrder(tenant);
    const run = await tenants.released(tenant, '2026-10');
    assertError(await copy(run, { format: 'datev_lug' }), 422, 'VALIDATION_ERROR', /adviserNumber/);
  });

  test('409 INVALID_STATE_TRANSITION: a draft', async () => {
    const tenant = await tenants.create();
    assertError(
      await copy(await tenants.draft(tenant, '2026-10'), { format: 'csv' }),
      409,
      'INVALID_STATE_TRANSITION',
    );
  });
});
