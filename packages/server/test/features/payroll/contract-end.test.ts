import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePlatform } from '../../platform/support.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { readCsv } from './formats/readers.ts';
import { bodyOf, Steps } from './steps.ts';
import { settingsInput } from './support.ts';

const fixture = usePlatform();
const steps = new Steps(fixture);

/** Releases the run of a month, and returns the salary conversions of its file by month, in cents. */
async function conversionsOf(period: string): Promise<[month: string, cents: bigint][]> {
  const { testData } = fixture;
  const run = await steps.release(testData.tenantA, { period, formats: ['csv'] });
  const { bytes } = await steps.download(run.documents[0]!.id, testData.keys.tenantA);
  const lines = readCsv(bytes).filter(({ kind }) => kind === 'salary_conversion');
  return lines.map(({ month, cents }): [string, bigint] => [month, cents]).toSorted();
}

test('a bike of 36 months is given back after three: one request, and the next run takes the later months back', async () => {
  const { own, client, sql, testData } = fixture;
  const settings = { ...settingsInput, firstPeriod: '2025-01' };
  bodyOf(await own.post(steps.at(`/tenants/${testData.tenantA}/payroll-settings`), settings));
  const [employee] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, employeeNumber: '100', lastName: 'Krüger' },
  ]);
  bodyOf(await own.post(steps.at(`/employees/${employee!.id}/activation`), undefined));
  const { id } = await steps.takeInAndHandOver(
    { employeeId: employee!.id, number: 'LV-1', startDate: '2025-01-01' },
    testData.keys.tenantA,
  );
  for (const month of ['2025-01', '2025-02', '2025-03', '2025-04'])
    assert.deepEqual(await conversionsOf(month), [[month, -8310n]]);

  const path = steps.at(`/orders/${id}/contract-end`);
  bodyOf(await own.post(path, { lastDay: '2025-03-20', reason: 'returned' }));
  // 20 of 31 days of March are 53.61.
  assert.deepEqual(await conversionsOf('2025-05'), [
    ['2025-03', 2949n],
    ['2025-04', 8310n],
  ]);
  const order = bodyOf(await client.get(`/orders/${id}`));
  assert.equal(order.contract.endDate, '2025-03-20');

  bodyOf(await own.request('DELETE', path));
  assert.deepEqual(await conversionsOf('2025-06'), [
    ['2025-03', -2949n],
    ['2025-04', -8310n],
    ['2025-05', -8310n],
    ['2025-06', -8310n],
  ]);
});
